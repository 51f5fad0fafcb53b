"""How fast playouts are, beside games in memory.

`python -m tests.benchmarks.playouts [SYSTEM ...]` plays games of one seed after another by turns as
`simulate` plays them (reports as JSON, order text read and judged, states audited) and as playouts.
It prints the processor time of both in milliseconds, medians; how long it takes to go on from a
stored position (its JSON decoded, the turn run to its open window), the median and the most over
the windows of a game; and in which parts of the program the playouts' time goes, by their own time
under the profiler, which counts calls too dear: only the proportions count.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath
from statistics import median
from time import perf_counter, process_time

import msgspec

import games
from pbem.admin.setup import begin, options_of
from pbem.bots.bot_orders import Match
from pbem.bots.playouts import Playout
from pbem.engine.position import Position, encode
from pbem.engine.quick import Quick
from pbem.model import System

SYSTEMS = ("bismarck", "far_seas", "baltic", "atlantic_chase", "second_fleet")
PARTS = ("bots", "rules", "views", "orders", "engine", "codec")
BOTS = ("bot", "planner", "styles")
VIEWS = ("view", "menu", "report", "known", "chart", "text_charts", "menus")
"""How modules of these parts begin."""


def playout(system: System, seed: str) -> Playout:
    """A playout of the first scenario, at its beginning."""
    scenario, options = system.scenarios[0].name, options_of(system, {})
    return Playout.start(system, scenario, options, begin(system, scenario, options, {}), seed)


def match(system: System, seed: str) -> Match:
    """The same game in memory."""
    return Match(system, system.scenarios[0].name, options_of(system, {}), seed)


def took(done: Callable[[], object]) -> float:
    """Processor time in milliseconds."""
    begun = process_time()
    done()
    return 1000 * (process_time() - begun)


def speeds(system: System, count: int) -> tuple[float, float]:
    """Milliseconds a game: in memory, as a playout."""
    memory, quick = list[float](), list[float]()
    playout(system, "warm").play()
    for n in range(count):
        memory.append(took(lambda seed=f"speed {n}": [*match(system, seed).play()]))  # type: ignore[misc]
        quick.append(took(playout(system, f"speed {n}").play))
    return median(memory), median(quick)


def resumed(system: System) -> Iterator[float]:
    """Milliseconds to go on, for each window of a game."""
    game = match(system, "resume")
    sides, options = game.drive.sides, options_of(system, {})
    for _ in game.play():
        if game.drive.over:
            return
        stored = encode(game.drive.position())
        least = 9e9
        for _ in range(3):
            begun = perf_counter()
            Quick.resume(system, sides, options, msgspec.json.decode(stored, type=Position))
            least = min(least, perf_counter() - begun)
        yield 1000 * least


def part(path: str, function: str) -> str:
    """The part of the program that a function belongs to."""
    parts = PurePath(path).parts
    name = PurePath(path).stem.removeprefix("advanced_")
    if path == "~":
        return "codec" if "msgspec" in function or "json" in function else ""
    if "orders" in parts:
        return "orders"
    if name.startswith(BOTS) or parts[-2:] == ("kit", "bots.py"):
        return "bots"
    if name.startswith(VIEWS):
        return "views"
    if "games" in parts or "kit" in parts:
        return "rules"
    return "engine" if "pbem" in parts else ""


def profile(system: System, count: int) -> Mapping[str, float]:
    """Part -> its share of the time of playouts."""
    watch = cProfile.Profile()
    playouts = [playout(system, f"profile {n}") for n in range(count)]
    watch.enable()
    for one in playouts:
        one.play()
    watch.disable()
    found = Counter[str]()
    stats: Mapping[tuple[str, int, str], tuple[int, int, float, float, object]]
    stats = pstats.Stats(watch).stats  # type: ignore[attr-defined]
    for (path, _, function), (_, _, own, _, callers) in stats.items():
        name = part(path, function)
        if name:
            found[name] += own  # type: ignore[assignment]
            continue
        # A builtin function's time is that of its callers.
        for (above, _, caller), taken in callers.items():  # type: ignore[attr-defined]
            found[part(above, caller) or "engine"] += taken[2]
    whole = sum(found.values())
    return {name: found[name] / whole for name in PARTS}


def rows(names: tuple[str, ...], count: int) -> Iterator[str]:
    """The table's lines."""
    yield f"| system | in memory | playout | as fast | resume | most | {' | '.join(PARTS)} |"
    yield f"| --- |{' ---: |' * (5 + len(PARTS))}"
    for name in names:
        system = games.load(name)
        memory, quick = speeds(system, count)
        back, shares = sorted(resumed(system)), profile(system, max(1, count // 4))
        told = " | ".join(f"{100 * shares[one]:.0f}%" for one in PARTS)
        yield (
            f"| {system.title} | {memory:.0f} | {quick:.0f} | {memory / quick:.2f} "
            f"| {median(back):.1f} | {back[-1]:.1f} | {told} |"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("systems", nargs="*", default=SYSTEMS)
    parser.add_argument("--games", type=int, default=20)
    asked = parser.parse_args()
    for line in rows(tuple(asked.systems), asked.games):
        print(line, flush=True)
