"""The chart of a text report, drawn from a side's view alone: 26 rows of at most 72 columns.

Zones stand as on the search board (2.2): each row is shifted half a zone against the one above,
so that the six neighbours of a zone touch it. An empty sea zone is a dot, every fifth its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from msgspec import Struct

from games.bismarck import board
from games.bismarck.report import Chart
from pbem.kit import text_charts
from pbem.kit.text_charts import Cells, Sheet, filled

PITCH = 3  # characters a zone


class Marks(Struct):
    """What is drawn on the bare board, by zone; later fields are drawn over earlier ones."""

    fog: Iterable[str] = ()
    searched: Iterable[str] = ()
    heard: Iterable[str] = ()
    air: Iterable[str] = ()
    old: Mapping[str, str] = {}
    own: Mapping[str, str] = {}
    now: Mapping[str, str] = {}


def draw(marks: Marks, side: str) -> Chart:
    """The board of `side` with its marks: rows as text, each opened by its letter."""
    foe = sorted({*marks.now.values(), *marks.old.values()})
    rows = sheet().draw(blank(side), overlay(marks))
    return Chart(legend(marks, side), rows, sorted(set(marks.own.values())), foe)


def overlay(marks: Marks) -> Iterator[tuple[str, str]]:
    """Zone and mark of everything on the chart; later ones are drawn over earlier ones."""
    for zones, mark in (
        (marks.fog, "~"),
        (marks.searched, "o"),
        (marks.heard, "?"),
        (marks.air, "^"),
    ):
        yield from ((zone, mark) for zone in zones)
    yield from marks.old.items()
    yield from marks.own.items()
    for zone, mark in marks.now.items():
        yield zone, f"{mark}!" if zone in marks.own else mark


def legend(marks: Marks, side: str) -> list[str]:
    """What the marks mean, only those that stand on this chart."""
    said = [
        "10 zone 10 of its row",
        "## land",
        "@ own port",
        "% port closed to you",
        "- convoy route",
    ]
    if marks.now:
        said.append("X1 = EN1 now")
    if marks.old:
        said.append("x1 = EN1 seen earlier")
    said += [
        text
        for zones, text in (
            (marks.air, "^ own aircraft"),
            (marks.heard, "? Huff-Duff"),
            (marks.searched, "o searched"),
            (marks.fog, "~ fog"),
        )
        if any(True for _ in zones)
    ]
    return filled(said, 60)


@cache
def sheet() -> Sheet:
    """2.2 How the zones stand in lines of text."""
    return text_charts.sheet(board.LATTICE, board.SEA | board.LAND, PITCH)


@cache
def blank(side: str) -> Cells:
    """The printed board as `side` reads it: sea, land, ports and convoy routes."""
    cells = {zone: _sea(zone) if zone in board.SEA else "###" for zone in sheet().places}
    cells |= dict.fromkeys(board.CONVOY_ROUTES, "-")
    for port in board.PORTS.values():
        cells[port.zone] = "@" if port.side == side else "%"
    return sheet().blank(cells)


def _sea(zone: str) -> str:
    column = zone[1:]
    return column if int(column) % 5 == 0 else "."
