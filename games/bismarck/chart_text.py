"""The chart of a text report, drawn from a side's view alone: 26 rows of at most 72 columns.

Zones stand as on the search board (2.2): each row is shifted half a zone against the one above,
so that the six neighbours of a zone touch it. An empty sea zone is a dot, every fifth its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from msgspec import Struct

from games.bismarck import board

PITCH = 3  # characters a zone
ROWS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Chart(Struct):
    """Ready lines. own, foe: the marks that stand for own units and enemy contacts."""

    legend: list[str]
    rows: list[str]
    own: list[str]
    foe: list[str]


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
    rows, at = [row.copy() for row in bare_rows(side)], places()
    for zone, mark in overlay(marks):
        row, cell = at[zone]
        rows[row][cell] = padded(mark)
        if len(mark) == PITCH and rows[row][cell + 1 : cell + 2] and _numbered(rows[row][cell + 1]):
            rows[row][cell + 1] = padded(".")
    foe = sorted({*marks.now.values(), *marks.old.values()})
    return Chart(
        legend(marks, side),
        [f"{ROWS[r]} {margin(r)}{''.join(row)}".rstrip() for r, row in enumerate(rows)],
        sorted(set(marks.own.values())),
        foe,
    )


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


def _numbered(cell: str) -> bool:
    """A zone's number that would run into the mark before it."""
    return cell.strip().isdigit()


def padded(mark: str) -> str:
    """A cell's characters."""
    return f"{mark:<{PITCH}}"[:PITCH]


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
            (marks.heard, "? HUFF-DUFF"),
            (marks.searched, "o searched"),
            (marks.fog, "~ fog"),
        )
        if any(True for _ in zones)
    ]
    return _filled(said, 60)


def _filled(said: list[str], width: int) -> list[str]:
    lines = [said[0]]
    for text in said[1:]:
        if len(lines[-1]) + 3 + len(text) > width:
            lines.append(text)
        else:
            lines[-1] += "   " + text
    return lines


@cache
def margin(row: int) -> str:
    """The blank before the row's first cell."""
    return " " * (_x(first_column(row), row) - _left())


def first_column(row: int) -> int:
    """The westernmost column drawn in a row, counted from 0 for row A."""
    return _west()[ROWS[row]]


@cache
def _left() -> int:
    return min(_x(first_column(r), r) for r in range(26))


def _x(column: int, row: int) -> int:
    return PITCH * column - PITCH * row // 2


@cache
def _columns() -> dict[str, list[int]]:
    rows: dict[str, list[int]] = {letter: [] for letter in ROWS}
    for zone in board.SEA | board.LAND:
        rows[zone[0]].append(int(zone[1:]))
    return rows


@cache
def _west() -> dict[str, int]:
    return {letter: min(columns) for letter, columns in _columns().items()}


@cache
def board_order() -> tuple[str, ...]:
    """Every drawn zone, row by row from west to east without a gap."""
    west = _west()
    return tuple(
        f"{letter}{column}"
        for letter, columns in _columns().items()
        for column in range(west[letter], max(columns) + 1)
    )


@cache
def bare(side: str) -> dict[str, str]:
    """The printed board as `side` reads it: sea, land, ports and convoy routes."""
    cells = {z: _sea(z) if z in board.SEA else "###" for z in board_order()}
    cells |= dict.fromkeys(board.CONVOY_ROUTES, "-")
    for port in board.PORTS.values():
        cells[port.zone] = "@" if port.side == side else "%"
    return cells


@cache
def bare_rows(side: str) -> list[list[str]]:
    """The printed board as cells, row by row. Callers copy it."""
    cells = bare(side)
    rows: list[list[str]] = [[] for _ in ROWS]
    for zone in board_order():
        rows[ord(zone[0]) - 65].append(padded(cells[zone]))
    return rows


@cache
def places() -> dict[str, tuple[int, int]]:
    """Row and cell of every drawn zone."""
    found: dict[str, tuple[int, int]] = {}
    for zone in board_order():
        row = ord(zone[0]) - 65
        found[zone] = (row, int(zone[1:]) - first_column(row))
    return found


def _sea(zone: str) -> str:
    column = zone[1:]
    return column if int(column) % 5 == 0 else "."
