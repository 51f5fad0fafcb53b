"""Where names go on a chart so that no two meet: a pure function of boxes.

The sheet is a bitmap of coarse dots, one integer a row, so that a box is tested in a dozen
operations. Hard dots may not be covered; soft ones (tracks, routes) are worth going around.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

DOT = 3
"""Pixels a dot."""
REACH = (0, 5, 12, 22, 34, 48, 64, 84, 108, 136, 170, 210)
"""Distances from the marked thing at which a name is tried."""
FAR = 0.55
"""Soft dots that one pixel of distance is worth."""
NEAR = 60
"""Things at most so far away can be taken for one another."""
LEADER = 12
"""A name farther than this from its thing gets a line to it."""
ASTRAY = 45
"""Soft dots that it is worth to lie nearer to the own thing than to another."""
CROSSED = 3
"""Soft dots that it is worth to lead past a dot of another name or mark, not over it."""
WAYS = (
    (0, 1),
    (0, -1),
    (1, 0),
    (-1, 0),
    (1, 1),
    (-1, 1),
    (1, -1),
    (-1, -1),
    (0.5, 1),
    (-0.5, 1),
    (0.5, -1),
    (-0.5, -1),
    (1, 0.5),
    (-1, 0.5),
    (1, -0.5),
    (-1, -0.5),
)
"""Directions in order of liking: below, above, right, left."""

Rect = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Want(Struct, frozen=True):
    """A name of w by h pixels beside a thing at (x, y) that reaches gx and gy to each side."""

    x: float
    y: float
    gx: float
    gy: float
    w: float
    h: float


class Spot(Struct, frozen=True):
    """Where the middle of the name goes; leader: a line should lead to the thing."""

    x: float
    y: float
    leader: bool = False


class Sheet:
    """The dots of a picture within `bounds`."""

    def __init__(self, bounds: Rect) -> None:
        self.bounds = bounds
        left, top, right, bottom = bounds
        self.wide = int((right - left) // DOT) + 2
        self.hard = [0] * (int((bottom - top) // DOT) + 2)
        self.soft = list(self.hard)

    def block(self, rect: Rect) -> None:
        """No name may cover this."""
        self._mark(self.hard, rect)

    def avoid(self, rect: Rect) -> None:
        """A name had better not cover this."""
        self._mark(self.soft, rect)

    def trace(self, points: Sequence[tuple[float, float]], half: float = 3) -> None:
        """A name had better not cover this line."""
        for a, b in pairwise(points):
            self._stroke(*(a if a[1] <= b[1] else b), *(b if a[1] <= b[1] else a), half)

    def _stroke(self, x: float, y: float, u: float, v: float, half: float) -> None:
        """A line downwards, row of dots by row."""
        if v - y < 2 * DOT:
            self.avoid((min(x, u) - half, y - half, max(x, u) + half, v + half))
            return
        slope, top, soft = (u - x) / (v - y), self.bounds[1], self.soft
        for row in range(max(int((y - top) // DOT), 0), min(int((v - top) // DOT) + 1, len(soft))):
            high, low = max(top + DOT * row, y), min(top + DOT * (row + 1), v)
            one, other = x + (high - y) * slope, x + (low - y) * slope
            first, last = self._columns(min(one, other) - half, max(one, other) + half)
            soft[row] |= ((1 << (last - first)) - 1) << first

    def cost(self, rect: Rect) -> int | None:
        """Soft dots under a box; None where it may not lie."""
        left, top, right, bottom = self.bounds
        if rect[0] < left or rect[1] < top or rect[2] > right or rect[3] > bottom:
            return None
        first, last, mask = self._span(rect)
        for row in self.hard[first:last]:
            if row & mask:
                return None
        found = 0
        for row in self.soft[first:last]:
            if under := row & mask:
                found += under.bit_count()
        return found

    def under(self, start: tuple[float, float], end: tuple[float, float]) -> int:
        """Hard dots on a line."""
        (x, y), (u, v) = start, end
        steps = max(1, int(max(abs(u - x), abs(v - y)) // DOT))
        left, top = self.bounds[0], self.bounds[1]
        found = 0
        for i in range(1, steps):
            row = int((y + (v - y) * i / steps - top) // DOT)
            dot = int((x + (u - x) * i / steps - left) // DOT)
            if 0 <= row < len(self.hard) and dot >= 0:
                found += self.hard[row] >> dot & 1
        return found

    def _mark(self, rows: list[int], rect: Rect) -> None:
        first, last, mask = self._span(rect)
        for i in range(first, last):
            rows[i] |= mask

    def _span(self, rect: Rect) -> tuple[int, int, int]:
        """First row, row after the last, and the dots of a row that a box covers."""
        x0, x1 = self._columns(rect[0], rect[2])
        top, rows = self.bounds[1], len(self.hard)
        y0, y1 = int((rect[1] - top) // DOT), int((rect[3] - top) // DOT) + 1
        y0 = 0 if y0 < 0 else y0 if y0 < rows else rows
        return y0, y0 if y1 < y0 else y1 if y1 < rows else rows, ((1 << (x1 - x0)) - 1) << x0

    def _columns(self, left: float, right: float) -> tuple[int, int]:
        """First dot, and the dot after the last."""
        start, wide = self.bounds[0], self.wide
        x0, x1 = int((left - start) // DOT), int((right - start) // DOT) + 1
        x0 = 0 if x0 < 0 else x0 if x0 < wide else wide
        return x0, x0 if x1 < x0 else x1 if x1 < wide else wide


def place(wants: Iterable[Want], sheet: Sheet) -> list[Spot | None]:
    """A spot for every name in the order given, the first choosing first; `sheet` is marked.

    None only where the sheet has no room left for a name of that size.
    """
    asked = list(wants)
    return [_place(want, sheet, [w for w in asked if _close(w, want)]) for want in asked]


def _close(a: Want, b: Want) -> bool:
    return a is not b and abs(a.x - b.x) < NEAR + b.w and abs(a.y - b.y) < NEAR + b.h


def _place(want: Want, sheet: Sheet, others: list[Want]) -> Spot | None:
    best: tuple[float, Spot] | None = None
    for spot, gap in _near(want):
        if best and gap * FAR >= best[0]:
            break
        rect = box(want, spot)
        soft = sheet.cost(rect)
        if soft is None or (best and soft + gap * FAR >= best[0]):
            continue
        astray = _astray(want, rect, others)
        led = spot.leader or astray
        cost = soft + gap * FAR + ASTRAY * astray
        if led and (best is None or cost < best[0]):
            cost += CROSSED * sheet.under(*leader(want, rect))
        if best is None or cost < best[0]:
            best = (cost, Spot(spot.x, spot.y, led))
    found = best[1] if best else _anywhere(want, sheet)
    if found:
        rect = box(want, found)
        sheet.block(rect)
        if found.leader:
            sheet.trace(leader(want, rect), 2)
    return found


def leader(want: Want, rect: Rect) -> tuple[tuple[float, float], tuple[float, float]]:
    """The line from a thing's edge to its name's."""
    end = min(max(want.x, rect[0]), rect[2]), min(max(want.y, rect[1]), rect[3])
    start = (
        min(max(end[0], want.x - want.gx), want.x + want.gx),
        min(max(end[1], want.y - want.gy), want.y + want.gy),
    )
    return start, end


def _astray(want: Want, rect: Rect, others: list[Want]) -> bool:
    """Would a reader take the name for another thing's?"""
    own = _gap(want, rect)
    return any(_gap(other, rect) <= own for other in others)


def _gap(want: Want, rect: Rect) -> float:
    """Pixels between a thing and a box."""
    dx = max(rect[0] - want.x - want.gx, want.x - want.gx - rect[2], 0.0)
    dy = max(rect[1] - want.y - want.gy, want.y - want.gy - rect[3], 0.0)
    return dx + dy


def box(want: Want, spot: Spot) -> Rect:
    """The room that a name takes at a spot."""
    w, h = want.w / 2, want.h / 2
    return spot.x - w, spot.y - h, spot.x + w, spot.y + h


def _near(want: Want) -> Iterator[tuple[Spot, float]]:
    for gap in REACH:
        for dx, dy in WAYS:
            x = want.x + dx * (want.gx + want.w / 2 + gap)
            y = want.y + dy * (want.gy + want.h / 2 + gap)
            yield Spot(round(x, 1), round(y, 1), gap > LEADER), gap


def _anywhere(want: Want, sheet: Sheet) -> Spot | None:
    """The nearest free room on the whole sheet, on a coarse raster."""
    left, top, right, bottom = sheet.bounds
    w, h = want.w / 2, want.h / 2
    raster = [
        (abs(x - want.x) + abs(y - want.y), x, y)
        for x in _steps(left + w, right - w)
        for y in _steps(top + h, bottom - h)
    ]
    for _, x, y in sorted(raster):
        if sheet.cost((x - w, y - h, x + w, y + h)) is not None:
            return Spot(round(x, 1), round(y, 1), True)
    return None


def _steps(low: float, high: float) -> list[float]:
    return [low + 2 * DOT * i for i in range(int((high - low) // (2 * DOT)) + 1)]
