"""Ways that share a stretch run side by side on it, as lanes of a road, in pixels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from math import hypot

from pbem.scene import Point

LANE = 8.0
"""From the middle of one lane to the next, in pixels."""
MITRE = 2.0
"""How many times farther than its lane the corner of a way may lie."""


def lanes(ways: Sequence[Sequence[Point]]) -> list[list[Point]]:
    """The ways, moved aside where they share a piece with an earlier one; each as a whole, so that
    it stays one line.

    Two ways share a piece also if they run against each other.
    """
    taken: dict[tuple[Point, Point], set[int]] = {}
    found = []
    for way in ways:
        pieces = [((a, b), 1) if a < b else ((b, a), -1) for a, b in pairwise(way)]
        lane = next(
            n for n in _outward() if all(n * sign not in taken.get(p, ()) for p, sign in pieces)
        )
        for piece, sign in pieces:
            taken.setdefault(piece, set()).add(lane * sign)
        found.append(aside(way, lane * LANE) if lane else list(way))
    return found


def _outward() -> Iterator[int]:
    """0, 1, -1, 2, -2 and so on."""
    yield 0
    for n in count(1):
        yield from (n, -n)


def aside(way: Sequence[Point], far: float) -> list[Point]:
    """A way moved to its right by `far` pixels (to its left, if negative), parallel to itself."""
    across = [_right(a, b) for a, b in pairwise(way)]
    found = []
    for i, (x, y) in enumerate(way):
        (a, b), (c, d) = across[max(i - 1, 0)], across[min(i, len(across) - 1)]
        u, v = a + c, b + d
        square = u * u + v * v
        share = 2 / square if square > 2 / MITRE else MITRE / 2
        found.append((round(x + far * u * share, 1), round(y + far * v * share, 1)))
    return found


def _right(start: Point, end: Point) -> Point:
    """The direction to the right of a piece, of length 1."""
    long = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    return -(end[1] - start[1]) / long, (end[0] - start[0]) / long
