"""From cells to pixels: where a place of the board is on a chart, and whether it shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from pbem.charts.label_placement import Rect
from pbem.scene import Point, Scene

TOP, HEAD = 86, 34
"""Height of the head of a chart and of a detail chart, in pixels."""
PAD, SMALL = 22, 8
"""Margin of a chart and of a detail chart, in pixels."""
RULER = 22
"""Width of a ruler along the frame, in pixels."""


class Page(Struct, frozen=True):
    """How the cells of the board become pixels of one chart."""

    west: float
    """The western edge of the map, in cells."""
    north: float
    """The northern edge of the map, in cells."""
    pitch: float
    """Pixels per cell."""
    left: float
    """The left edge of the map, in pixels."""
    top: float
    """The upper edge of the map, in pixels."""
    frame: Rect
    """The map's rectangle, in pixels."""
    brief: bool = False
    """Whether it is a detail chart, where the labels of full places are short."""

    def px(self, at: Point) -> Point:
        """A place of the board in pixels."""
        x, y = at
        return (
            round(self.left + (x - self.west) * self.pitch, 1),
            round(self.top + (y - self.north) * self.pitch, 1),
        )

    def origin_of(self, other: Page) -> Point:
        """Where the origin of another page of the same board lies on this one, in pixels."""
        x, y = self.px((other.west, other.north))
        return x - other.left, y - other.top

    def line(self, points: Iterable[Point]) -> list[Point]:
        """Places of the board in pixels; of equal neighbours only the first."""
        found: list[Point] = []
        for at in map(self.px, points):
            if not found or at != found[-1]:
                found.append(at)
        return found

    def holds(self, x: float, y: float) -> bool:
        """Whether a small mark at (x, y) pixels shows on the map."""
        left, top, right, bottom = self.frame
        return left + 8 < x < right - 8 and top + 6 < y < bottom - 3

    def touches(self, outline: Sequence[Point]) -> bool:
        """Whether something of a cell with that outline, in pixels, shows on the map."""
        left, top, right, bottom = self.frame
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        return min(xs) < right and max(xs) > left and min(ys) < bottom and max(ys) > top


def fitted(scene: Scene, window: Rect, detail: bool = False) -> Page:
    """How the part `window` of the board becomes pixels. detail: on a detail chart."""
    west, north, east, south = window
    ruler = RULER if scene.mesh and not detail else 0
    left, top = (SMALL, HEAD) if detail else (PAD + ruler, TOP + ruler)
    wide, high = (east - west) * scene.pitch, (south - north) * scene.pitch
    frame = (left, top, round(left + wide), round(top + high))
    return Page(west, north, scene.pitch, left, top, frame, detail)


def printed(window: Rect, pitch: float) -> Page:
    """The page of what is printed on the map: the whole board from (0, 0), the same for all charts
    of the board, whatever part of it they show. window: of the whole board, in cells."""
    west, north, east, south = window
    frame = (0, 0, round((east - west) * pitch), round((south - north) * pitch))
    return Page(west, north, pitch, 0, 0, frame)
