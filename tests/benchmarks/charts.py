"""What charts cost: `python -m tests.benchmarks.charts`, every system and side, half-way in a game.

Milliseconds of one core, medians, against the limits; read it on a machine that has nothing else
to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from time import process_time

import games
from pbem.bots.bot_orders import Match
from pbem.model import Plain, System
from tests.benchmarks.inside import drawn

WINDOWS = {"bismarck": 14, "far_seas": 8, "atlantic_chase": 7, "toy": 4}
LIMITS = {"svg": 20, "png": 1500, "png detail": 700}
TIMES = {"svg": 25, "png": 3, "png detail": 3}
HEAD = "| chart | ms | limit |\n| --- | ---: | ---: |"


def views(system: System, windows: int) -> Iterator[tuple[str, Plain]]:
    """Each side and its report after so many windows."""
    match = Match(system, system.scenarios[0].name, {}, "charts")
    for _ in range(windows):
        if match.drive.over is None:
            match.window()
    yield from ((str(side), match.report(side).plain) for side in match.drive.sides)


def costs(system: System, report: Plain, times: dict[str, int]) -> dict[str, float]:
    """Milliseconds of each sort of chart."""
    works = drawn(system, report)
    return {name: median(took(work) for _ in range(times[name])) for name, work in works.items()}


def took(work: Callable[[], object]) -> float:
    """Milliseconds of processor time."""
    begun = process_time()
    work()
    return (process_time() - begun) * 1000


def rows(windows: dict[str, int], times: dict[str, int]) -> Iterator[str]:
    """The table's rows."""
    for name, count in windows.items():
        system = games.load(name)
        for side, report in views(system, count):
            for kind, cost in costs(system, report, times).items():
                yield f"| {name}, {side}, {kind} | {cost:.1f} | {LIMITS[kind]} |"


if __name__ == "__main__":
    print("\n".join([HEAD, *rows(WINDOWS, TIMES)]))
