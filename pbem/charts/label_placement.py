"""Places names on a chart so that no two overlap: a pure function of boxes.

The sheet is a bitmap of coarse dots, with one integer for each row, so that testing a box takes a
dozen operations. A name must not cover hard dots (counters, other names). Covering soft dots
(tracks, routes) is possible but costs points; each name goes to the cheapest spot. All costs are
in soft dots.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

DOT = 3
"""Pixels of a dot."""
REACH = (0, 5, 12, 22, 34, 48, 64, 84, 108, 136, 170, 210)
"""The distances in pixels at which a name is tried."""
FAR = 0.55
"""The cost of a pixel of distance."""
NEAR = 60
"""A name can be mistaken for that of another thing within this many pixels."""
BEAD = 3
"""How far a dot of a track reaches, in pixels."""
LEADER = 12
"""A name that is farther than this from its thing gets a line to it (a leader), in pixels."""
ASTRAY = 45
"""The cost of a spot that looks as near to another thing as to the name's own."""
ALIKE = 1
"""Distances that differ by less than a pixel look the same."""
CROSSED = 3
"""The cost of each hard dot that a leader crosses."""
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
"""Directions from the thing, best first: below, above, right, left, then the corners."""

Rect = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Want(Struct, frozen=True):
    """A name that wants a place beside its thing; all numbers are pixels."""

    x: float
    """The middle of the thing, as is `y`."""
    y: float
    gx: float
    """How far the thing reaches to the left and right of its middle."""
    gy: float
    """How far the thing reaches above and below its middle."""
    w: float
    """Width of the name."""
    h: float
    """Height of the name."""


class Spot(Struct, frozen=True):
    """The place of a name."""

    x: float
    """The middle of the name, as is `y`."""
    y: float
    leader: bool = False
    """Whether to draw a line from the name to its thing."""


class Sheet:
    """The hard and soft dots of a chart within `bounds`."""

    def __init__(self, bounds: Rect) -> None:
        self.bounds = bounds
        left, top, right, bottom = bounds
        self.wide = int((right - left) // DOT) + 2
        self.hard = [0] * (int((bottom - top) // DOT) + 2)
        self.soft = list(self.hard)
        self.beads: list[Want] = []
        """Dots of tracks, without names: who reads a name may take it for that of one."""

    def block(self, rect: Rect) -> None:
        """Mark a box that names must not cover."""
        self._mark(self.hard, rect)

    def avoid(self, rect: Rect) -> None:
        """Mark a box that names should not cover."""
        self._mark(self.soft, rect)

    def trace(self, points: Sequence[tuple[float, float]], half: float = 3) -> None:
        """Mark a line, `half` pixels to each side, that names should not cover."""
        for a, b in pairwise(points):
            self._stroke(*(a if a[1] <= b[1] else b), *(b if a[1] <= b[1] else a), half)

    def bead(self, points: Iterable[tuple[float, float]]) -> None:
        """Mark dots of tracks, which no name should seem to be for."""
        self.beads += [Want(x, y, BEAD, BEAD, 0, 0) for x, y in points]

    def _stroke(self, x: float, y: float, u: float, v: float, half: float) -> None:
        """Mark a line from (x, y) down to (u, v), one row of dots after another."""
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
        """The number of soft dots under a box; None if it covers a hard dot or leaves the sheet."""
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
        """The number of hard dots on a line, without its ends."""
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
        """Set the dots of a box."""
        first, last, mask = self._span(rect)
        for i in range(first, last):
            rows[i] |= mask

    def _span(self, rect: Rect) -> tuple[int, int, int]:
        """The first row of a box, the row after its last, and its dots in a row as a bit mask.

        Comparisons instead of min and max, because every spot that is tried comes through here.
        """
        x0, x1 = self._columns(rect[0], rect[2])
        top, rows = self.bounds[1], len(self.hard)
        y0, y1 = int((rect[1] - top) // DOT), int((rect[3] - top) // DOT) + 1
        y0 = 0 if y0 < 0 else y0 if y0 < rows else rows
        return y0, y0 if y1 < y0 else y1 if y1 < rows else rows, ((1 << (x1 - x0)) - 1) << x0

    def _columns(self, left: float, right: float) -> tuple[int, int]:
        """The first dot of a row between two x, and the dot after the last."""
        start, wide = self.bounds[0], self.wide
        x0, x1 = int((left - start) // DOT), int((right - start) // DOT) + 1
        x0 = 0 if x0 < 0 else x0 if x0 < wide else wide
        return x0, x0 if x1 < x0 else x1 if x1 < wide else wide


def place(wants: Iterable[Want], sheet: Sheet) -> list[Spot | None]:
    """A spot for every name, in the order given: earlier names choose first.

    Marks the names on `sheet`. None for a name only if the sheet has no room left for its size.
    """
    asked = list(wants)
    return [_place(want, sheet, list(_others(want, asked, sheet.beads))) for want in asked]


def _others(want: Want, asked: Iterable[Want], beads: Iterable[Want]) -> Iterator[Want]:
    """The things with which that of a name can be confused: those of other names, and dots of
    tracks that it does not cover."""
    yield from (other for other in asked if _close(other, want))
    for bead in beads:
        covered = abs(bead.x - want.x) <= want.gx and abs(bead.y - want.y) <= want.gy
        if not covered and _close(bead, want):
            yield bead


def _close(a: Want, b: Want) -> bool:
    """Whether the name of `b` could be taken for that of the other thing `a`."""
    return a is not b and abs(a.x - b.x) < NEAR + b.w and abs(a.y - b.y) < NEAR + b.h


def _place(want: Want, sheet: Sheet, others: list[Want]) -> Spot | None:
    """The cheapest spot near a thing, else any spot; marks it on `sheet`.

    others: things with which this one can be confused. The distance grows from spot to spot, so
    the search ends when the distance alone costs more than the best spot. The costly tests come
    last and only if they can still change the result.
    """
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
    """The line from the edge of a thing to the edge of its name's box."""
    end = min(max(want.x, rect[0]), rect[2]), min(max(want.y, rect[1]), rect[3])
    start = (
        min(max(end[0], want.x - want.gx), want.x + want.gx),
        min(max(end[1], want.y - want.gy), want.y + want.gy),
    )
    return start, end


def _astray(want: Want, rect: Rect, others: list[Want]) -> bool:
    """Whether a reader could take the name for that of another thing, which looks as near."""
    own = _gap(want, rect)
    return any(_gap(other, rect) < own + ALIKE for other in others)


def _gap(want: Want, rect: Rect) -> float:
    """The distance between a thing and a box: pixels across plus pixels down."""
    dx = max(rect[0] - want.x - want.gx, want.x - want.gx - rect[2], 0.0)
    dy = max(rect[1] - want.y - want.gy, want.y - want.gy - rect[3], 0.0)
    return dx + dy


def box(want: Want, spot: Spot) -> Rect:
    """The box of a name at a spot."""
    w, h = want.w / 2, want.h / 2
    return spot.x - w, spot.y - h, spot.x + w, spot.y + h


def _near(want: Want) -> Iterator[tuple[Spot, float]]:
    """The spots to try, each with its distance; nearer ones first, then by direction."""
    for gap in REACH:
        for dx, dy in WAYS:
            x = want.x + dx * (want.gx + want.w / 2 + gap)
            y = want.y + dy * (want.gy + want.h / 2 + gap)
            yield Spot(round(x, 1), round(y, 1), gap > LEADER), gap


def _anywhere(want: Want, sheet: Sheet) -> Spot | None:
    """The nearest free spot on the whole sheet, on a coarse raster."""
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
    """Numbers from `low` to `high`, two dots apart."""
    return [low + 2 * DOT * i for i in range(int((high - low) // (2 * DOT)) + 1)]
