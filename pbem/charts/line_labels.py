"""Places names along lines and on seas where nothing covers them; without room they are left out.

Costs are in soft dots, as in `pbem.charts.label_placement`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import atan2, ceil, cos, dist, hypot, radians, sin

from msgspec import Struct

from pbem.charts.label_placement import Rect, Sheet

Point = tuple[float, float]

STEP = 15.0
"""Pixels between the places along a line that are tried."""
HALF = 7.0
"""Half the size of a letter, in pixels."""
BEND = 30.0
"""The cost of a bend of one radian: it pulls letters apart."""
DRIFT = 0.04
"""The cost of each pixel away from the preferred place."""
SHIFTS = (
    (0.0, 0.0),
    (0.15, 0.0),
    (-0.15, 0.0),
    (0.0, 1.0),
    (0.0, -1.0),
    (0.3, 0.0),
    (-0.3, 0.0),
    (0.15, 1.0),
    (-0.15, 1.0),
    (0.15, -1.0),
    (-0.15, -1.0),
    (0.3, 1.0),
    (-0.3, -1.0),
    (0.5, 0.0),
    (-0.5, 0.0),
    (0.0, 1.8),
    (0.0, -1.8),
)
"""Where a sea's name may move: along itself in shares of its length, and across in heights of its
letters. Smaller moves come first."""


class Stretch(Struct, frozen=True):
    """A place on a line."""

    box: Rect
    """The box of a letter over this place."""
    way: float
    """The direction of the line here, in radians."""


def along(
    points: Sequence[Point], length: float, lift: float, share: float, sheet: Sheet
) -> float | None:
    """Where along a line its name begins: 0 at the line's start, 1 at its end.

    points: the line in pixels. length: of the name. lift: how far the name stands to the left of
    the line. share: the preferred place. Marks the name on `sheet`. None if the line has no free
    stretch of that length.
    """
    steps = list(_steps(points, lift))
    total = STEP * len(steps)
    n = ceil(length / STEP) + 1
    costs = [sheet.cost(step.box) for step in steps]
    bends = [*(_turn(a.way, b.way) for a, b in pairwise(steps)), 0.0]
    best: tuple[float, int] | None = None
    for first in range(len(steps) - n + 1):
        under = costs[first : first + n]
        if None in under:
            continue
        cost = sum(c or 0 for c in under) + BEND * sum(bends[first : first + n])
        cost += DRIFT * abs(first * STEP - share * total)
        if best is None or cost < best[0]:
            best = (cost, first)
    if best is None:
        return None
    for step in steps[best[1] : best[1] + n]:
        sheet.avoid(step.box)
    return best[1] * STEP / total


def _steps(points: Sequence[Point], lift: float) -> Iterator[Stretch]:
    """The places on a line, STEP pixels apart."""
    left = 0.0
    for (x, y), (u, v) in pairwise(points):
        long = hypot(u - x, v - y)
        way = atan2(v - y, u - x)
        while left < long:
            at = x + (u - x) * left / long, y + (v - y) * left / long
            yield Stretch(_letter(at[0] + lift * sin(way), at[1] - lift * cos(way)), way)
            left += STEP
        left -= long


def _letter(x: float, y: float, half: float = HALF) -> Rect:
    """The box of a letter around (x, y)."""
    return x - half, y - half, x + half, y + half


def _turn(one: float, other: float) -> float:
    """The angle between two directions, in radians."""
    return abs(atan2(sin(other - one), cos(other - one)))


def afloat(at: Point, turn: float, length: float, size: float, sheet: Sheet) -> Point | None:
    """The middle of a sea's name: near `at`, with no letter under a counter or over the edge.

    turn: degrees clockwise. length: of the name, and size: of its letters, in pixels. Marks the
    name on `sheet`. None if there is no room.
    """
    best: tuple[float, Point, list[Rect]] | None = None
    for along_, across in SHIFTS:
        to = _moved(at, turn, along_ * length, across * size)
        far = dist(at, to)
        if best and far * DRIFT >= best[0]:
            continue
        boxes = list(_letters(to, turn, length, size))
        under = [sheet.cost(box) for box in boxes]
        cost = far * DRIFT + sum(c or 0 for c in under)
        if None not in under and (best is None or cost < best[0]):
            best = (cost, to, boxes)
    if best is None:
        return None
    for box in best[2]:
        sheet.avoid(box)
    return best[1]


def _moved(at: Point, turn: float, along_: float, across: float) -> Point:
    """A point moved along and across a name that is turned by `turn` degrees."""
    s, c = sin(radians(turn)), cos(radians(turn))
    return at[0] + along_ * c - across * s, at[1] + along_ * s + across * c


def _letters(at: Point, turn: float, length: float, size: float) -> Iterator[Rect]:
    """The boxes under the letters of a name with its middle at `at`."""
    half = 0.36 * size
    count = max(2, ceil(length / (2.2 * half)))
    for i in range(count):
        share = i / (count - 1) - 0.5
        yield _letter(*_moved(at, turn, share * (length - 2 * half), -half), half)
