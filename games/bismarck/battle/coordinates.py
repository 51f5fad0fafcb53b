"""9.28 Names of hexes and headings on the battle board, in reports and orders.

A hex is its column and its row, two digits each: `5050` is the centre, columns count to the east,
rows to the south, and every odd row lies half a hex further east. A heading is one of six compass
points. The board has no bounds (9.56): more than 49 hexes from the centre both numbers get four
digits, counted from 5000.
"""

from __future__ import annotations

from typing import Literal

from pbem.kit.hexes import Facing, Hex

Heading = Literal["E", "SE", "SW", "W", "NW", "NE"]
HEADINGS: tuple[Heading, ...] = ("E", "SE", "SW", "W", "NW", "NE")
"""By facing."""
MIDDLE, FAR = 50, 5000
"""Column and row of the centre, near it and far from it."""


def name(at: Hex) -> str:
    """`Hex(0, 0)` is 5050, the hex to the east of it 5150, the one to the south-east 5051.

    Raises ValueError for a hex thousands of hexes away, where no battle gets to.
    """
    column, row = at.q + at.r // 2, at.r
    if max(abs(column), abs(row)) < MIDDLE:
        return f"{MIDDLE + column:02}{MIDDLE + row:02}"
    if max(abs(column), abs(row)) < FAR:
        return f"{FAR + column:04}{FAR + row:04}"
    raise ValueError(f"{at} lies beyond the battle board")


def hex_of(text: str) -> Hex:
    """The hex that `name` calls so. Raises ValueError for any other text."""
    half = len(text) // 2
    middle = {4: MIDDLE, 8: FAR}.get(len(text))
    if middle is None or not (text.isascii() and text.isdigit()):
        raise ValueError(f"'{text}' is no hex of the battle board: 5050 is its centre")
    column, row = int(text[:half]) - middle, int(text[half:]) - middle
    found = Hex(column - row // 2, row)
    if name(found) != text:
        raise ValueError(f"'{text}' is no hex of the battle board: write {name(found)}")
    return found


def heading(facing: Facing) -> Heading:
    """The compass point to which a bow points."""
    return HEADINGS[facing]


def facing_of(text: str) -> Facing:
    """The facing of a compass point. Raises ValueError for one that no hex side faces."""
    if text not in HEADINGS:
        raise ValueError(f"'{text}' is no heading: a bow points {', '.join(HEADINGS)}")
    return Facing([*HEADINGS].index(text))
