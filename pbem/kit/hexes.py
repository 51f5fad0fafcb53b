"""Hexes without names and without bounds: a battle board with facings and sectors, in integers.

A hex has axial coordinates; facing 0 points east, each further one 60 degrees to starboard. The
centres of hexes lie at (q + r/2, r * sqrt(3)/2), so a bearing lies within 30 degrees of the bow
exactly when three times its width is less than its length in the units below.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple, NewType

Facing = NewType("Facing", int)
"""The hex side to which a bow points: 0 to 5, clockwise."""
Sector = Literal["bow", "stern", "port", "starboard"]
FACINGS = tuple(Facing(n) for n in range(6))


class Hex(NamedTuple):
    """One hex of the unbounded board; the board's centre is (0, 0)."""

    q: int
    r: int


CENTRE = Hex(0, 0)
STEPS = (Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0), Hex(0, -1), Hex(1, -1))


def ahead(at: Hex, facing: Facing, hexes: int = 1) -> Hex:
    """The hex that many steps in the direction of the bow."""
    step = STEPS[facing]
    return Hex(at.q + step.q * hexes, at.r + step.r * hexes)


def turned(facing: Facing, sides: int) -> Facing:
    """The facing after turning by hex sides, starboard positive."""
    return Facing((facing + sides) % 6)


def distance(a: Hex, b: Hex) -> int:
    """Hexes from one to the other: 1 is adjacent."""
    dq, dr = b.q - a.q, b.r - a.r
    return max(abs(dq), abs(dr), abs(dq + dr))


def neighbours(at: Hex) -> tuple[Hex, ...]:
    """The six hexes around, in order of facing."""
    return tuple(ahead(at, facing) for facing in FACINGS)


def sector(at: Hex, facing: Facing, other: Hex) -> Sector:
    """Where `other` lies as seen from a ship.

    Bow and stern are the cones of 60 degrees without their boundary rays; a ray at exactly 30 or
    150 degrees is on the beam. Raises ValueError for the ship's own hex.
    """
    return _sector(other.q - at.q, other.r - at.r, facing)


@cache
def _sector(dq: int, dr: int, facing: int) -> Sector:
    for _ in range(facing):  # turn the board back until the bow points east
        dq, dr = dq + dr, -dq
    length, width = 2 * dq + dr, dr
    if not length and not width:
        raise ValueError("a ship has no bearing to its own hex")
    if 3 * abs(width) < abs(length):
        return "bow" if length > 0 else "stern"
    return "starboard" if width > 0 else "port"


def edge(side: int, radius: int) -> tuple[Hex, ...]:
    """The outermost hexes along edge 0 to 5 of a board of that radius, both corners among them."""
    corner, along = ahead(CENTRE, FACINGS[side], radius), turned(FACINGS[side], 2)
    return tuple(ahead(corner, along, n) for n in range(radius + 1))
