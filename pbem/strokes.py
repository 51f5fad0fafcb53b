"""Paths of an SVG from pixels: straight, smooth, eased. Numbers have one decimal at most."""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[float, float]


def number(value: float) -> str:
    """A pixel with at most one decimal."""
    return f"{round(value, 1) + 0.0:g}"


def path(points: Sequence[Point], close: bool = False) -> str:
    """Straight lines through pixels."""
    body = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{body}{'Z' if close else ''}"


def smooth(points: Sequence[Point]) -> str:
    """A soft curve through pixels (Catmull-Rom as cubic pieces)."""
    if len(points) < 3:
        return path(points)
    ends = [points[0], *points, points[-1]]
    out = f"M{number(points[0][0])} {number(points[0][1])}"
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        one = (b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6)
        two = (c[0] - (d[0] - b[0]) / 6, c[1] - (d[1] - b[1]) / 6)
        out += "C" + " ".join(f"{number(x)} {number(y)}" for x, y in (one, two, c))
    return out


def eased(points: Sequence[Point], times: int = 3) -> list[Point]:
    """The same way without the zigzag of a lattice; both ends stay."""
    way = list(points)
    for _ in range(times):
        inner = [
            ((a[0] + 2 * b[0] + c[0]) / 4, (a[1] + 2 * b[1] + c[1]) / 4)
            for a, b, c in zip(way, way[1:], way[2:], strict=False)
        ]
        way = [way[0], *inner, way[-1]]
    return way
