"""The table in characters, for the text page: two inches a column, three a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from string import ascii_lowercase, ascii_uppercase

from games.baltic.report import Enemy, OwnVessel, Sketch
from games.baltic.tables import size, terrain
from pbem.kit import plane
from pbem.kit.plane import Point

WIDE, HIGH = 2000, 3000
"""Mils of a character."""


def sketch(name: str, own: Sequence[OwnVessel], enemies: Sequence[Enemy]) -> Sketch:
    """Own ships and squadrons as capitals, the enemy's as small letters, wrecks as x. name: of the
    map."""
    rows = [list(row) for row in _sea(name)]
    foes = dict(zip(dict.fromkeys(e.card for e in enemies), ascii_lowercase, strict=False))
    mine = dict(zip(dict.fromkeys(o.card for o in own), ascii_uppercase, strict=False))
    things: list[tuple[Enemy | OwnVessel, str]] = [
        *((enemy, foes.get(enemy.card, "?")) for enemy in enemies),
        *((ship, mine.get(ship.card, "?")) for ship in own),
    ]
    for thing, mark in sorted(things, key=lambda pair: pair[0].state != "wreck"):
        row, column = cell(thing.x, thing.y)
        rows[row][column] = "x" if thing.state == "wreck" else mark
    names = {thing.card: thing.name for thing, _ in reversed(things)}
    named = [f"{mark} {_squad(card, names)}" for card, mark in (*mine.items(), *foes.items())]
    lines = [f"{number * 3:2} {''.join(row)}" for number, row in _numbered(rows)]
    foot = "   " + "".join(f"{inches:<6}" for inches in range(0, size().width // 1000, 12))
    return Sketch(
        legend=(*_lines(named), "x wreck   # land, rig, reef   ~ shallow or coastal water"),
        rows=(*lines, foot.rstrip()),
        own=tuple(mine.values()),
        foe=tuple(foes.values()),
    )


def cell(x: int, y: int) -> tuple[int, int]:
    """Row from the north and column from the west in which a place lies."""
    table = size()
    down, right = (table.height - 1 - y) // HIGH, x // WIDE
    return min(max(down, 0), table.height // HIGH - 1), min(max(right, 0), table.width // WIDE - 1)


def _squad(card: str, names: dict[str, str]) -> str:
    """`Goten` for a squadron whose vessels are numbered."""
    name = names[card]
    stem, _, number = name.rpartition(" ")
    return stem if stem and number.isdigit() else name


def _numbered(rows: Sequence[list[str]]) -> Iterator[tuple[int, list[str]]]:
    for place, row in enumerate(rows):
        yield len(rows) - 1 - place, row


def _lines(named: Sequence[str]) -> Iterator[str]:
    """The legend in lines of some sixty characters."""
    line = ""
    for one in named:
        if line and len(line) + len(one) > 58:
            yield line
            line = ""
        line += f"   {one}" if line else one
    if line:
        yield line


@cache
def _sea(name: str) -> tuple[str, ...]:
    """What is printed on the table, by rows from the north."""
    table = size()
    return tuple(
        "".join(_ground(name, (x, y)) for x in range(WIDE // 2, table.width, WIDE))
        for y in range(table.height - HIGH // 2, 0, -HIGH)
    )


def _ground(name: str, spot: Point) -> str:
    """`#` for what ships run onto, `~` for shoal water, `.` for the sea."""
    found = "."
    for thing in terrain(name):
        if thing.radius:
            inside = plane.square(spot, thing.points[0]) <= max(thing.radius, WIDE) ** 2
        else:
            inside = plane.inside(spot, thing.points)
        if inside and thing.solid:
            return "#"
        if inside:
            found = "~"
    return found
