"""Where things go on a chart: cells to pixels, and what still shows."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from pbem.charts.label_placement import Rect
from pbem.scene import Point

TOP, HEAD = 86, 34
"""Head of a chart, head of a detail; pixels."""


class Page(Struct, frozen=True):
    """Cells to pixels. frame: the map's own rectangle."""

    west: float
    north: float
    pitch: float
    left: float
    top: float
    frame: Rect

    def px(self, at: Point) -> Point:
        """A place in pixels."""
        x, y = at
        return (
            round(self.left + (x - self.west) * self.pitch, 1),
            round(self.top + (y - self.north) * self.pitch, 1),
        )

    def line(self, points: Iterable[Point]) -> list[Point]:
        """Places in pixels, without repeats in a row."""
        found: list[Point] = []
        for at in map(self.px, points):
            if not found or at != found[-1]:
                found.append(at)
        return found

    def holds(self, x: float, y: float) -> bool:
        """Does what stands at these pixels show?"""
        left, top, right, bottom = self.frame
        return left + 8 < x < right - 8 and top + 6 < y < bottom - 3
