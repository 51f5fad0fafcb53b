"""Players that need no sleep: they read their side's report and write order text like anybody else.

Nothing is random: what varies comes from `luck`. They know the open board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from games.far_seas import board
from games.far_seas.report import Enemy, Report
from pbem.kit.bots import Lines, towards
from pbem.model import Side


@lru_cache(maxsize=128)
def away(area: str, side: Side) -> Mapping[str, int]:
    """Moves to every area."""
    return board.distances(area, side)


def step(origin: str, to: str, side: Side, areas: tuple[str, ...]) -> str:
    """The first area of a shortest way, within the areas of the scenario; `origin` without one."""
    ways = board.neighbours(origin, side)
    near = [a for a in ways if a in board.SEA and (not areas or a in areas)]
    return towards(sorted(near, key=int), lambda a: away(a, side).get(to, 99), origin)


def doctrine(report: Report, side: str, orders: Sequence[str]) -> Lines:
    """Standing orders of a side, in the first window; later ones keep them."""
    now = (report.turn, report.board.segment)
    if not report.standing and now == first(report):
        for order in orders:
            yield f"@{side}", order


def first(report: Report) -> tuple[int, int]:
    """Turn and segment of the first window; later ones keep its standing orders."""
    return (report.turn, 1) if report.window == 1 else (0, 0)


def squadrons(ships: Iterable[Enemy]) -> list[list[Enemy]]:
    """Enemy ships as they sail together."""
    found: dict[str, list[Enemy]] = {}
    for ship in ships:
        found.setdefault(ship.leader or ship.id, []).append(ship)
    return list(found.values())
