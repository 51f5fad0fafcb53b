"""Where the time of `pbem analyse` goes, and what is saved by playing nothing twice.

python -m tests.benchmarks.analysis [SYSTEM] [--seed TEXT] [--numbers N]

Plays a demo, then the playouts of N numbers from each of its windows, each by itself and in units,
and as many in each turn from what each side could think. Prints processor time.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

import games
from pbem.analysis import thought, units, whole
from pbem.analysis.believed import believed
from pbem.analysis.moments import Moments, moments
from pbem.bots import demo
from pbem.model import System
from pbem.replay.frames import sorted_frames
from pbem.store.game_dir import reading


def took(done: Callable[[], object]) -> float:
    """Seconds of processor time."""
    begun = process_time()
    done()
    return process_time() - begun


def alone(work: whole.Work, numbers: int, apart: bool) -> int:
    """Each playout by itself. Returns how many there are."""
    about, count = work.played, 0
    system = work.load(about.system, about.edition)
    for moment in work.moments.values():
        for choice in units.of_moment(moment, about.sides, True):
            for number in range(1, numbers + 1) if bool(choice) == apart else ():
                units.result(system, about, moment, number, choice, {})
                count += 1
    return count


def together(work: whole.Work, numbers: int, apart: bool) -> None:
    """The same in units."""
    for number in range(1, numbers + 1):
        for unit in units.units(number, sorted(work.moments), apart):
            work(unit.key)


def thinking(work: whole.Work, numbers: int) -> None:
    """What sides could think."""
    for key in thought.keys(work.pages, numbers):
        work(key)


def along(home: Path, name: str, seed: str) -> tuple[whole.Work, Moments]:
    """The work of a demo and its re-run, whose time is printed."""
    system = games.load(name)
    list(demo.demo(home, system, seed))
    made: list[Moments] = []
    seconds = took(lambda: made.append(moments(reading(home, demo.NAME), system)))
    print(f"{len(made[0].moments)} windows; re-run {seconds:.1f} s")
    return whole.work(newest, system, made[0], seed), made[0]


def newest(name: str, edition: str) -> System:
    """The system of that name, in any process: the game was made with its newest edition."""
    return games.load(name)


def main() -> None:
    """Print the times."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("system", nargs="?", default="bismarck")
    asked.add_argument("--seed", default="a")
    asked.add_argument("--numbers", type=int, default=8)
    given = asked.parse_args()
    numbers: int = given.numbers
    with tempfile.TemporaryDirectory() as home:
        work, walk = along(Path(home), given.system, given.seed)
    print(f"{'':<22} {'games':>6} {'alone':>7} {'in units':>8} s")
    together(work, numbers, True)  # not measured: bots' lines are read for the first time
    truth = took(partial(together, work, numbers, False))
    for name, apart in (("truth", False), ("luck and skill", True)):
        count = [0]
        by_itself = took(lambda: count.append(alone(work, numbers, apart)))  # noqa: B023
        whole_ = took(partial(together, work, numbers, True)) - truth if apart else truth
        print(f"{name:<22} {count[-1]:>6} {by_itself:>7.1f} {whole_:>8.1f}")
    turns = sum(len(thought.thinking(pages)) for pages in work.pages.values())
    drawn = took(partial(thinking, work, 1))
    seconds = took(partial(thinking, work, numbers + 1)) - drawn
    print(f"{'thought':<22} {turns * numbers:>6} {seconds:>7.1f}, worlds and {turns}: {drawn:.1f}")
    sides = list(work.played.sides)
    system = work.load(work.played.system, work.played.edition)
    seconds = took(lambda: believed(system, sorted_frames(walk), sides, given.seed))
    print(f"{'shades of the charts':<22} {'':>6} {seconds:>7.1f}")


if __name__ == "__main__":
    main()
