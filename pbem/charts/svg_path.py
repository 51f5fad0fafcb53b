"""SVG path data from points in pixels: straight lines, smooth curves, the edges of cells.

Numbers have at most one decimal, which keeps files small and the same on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import dist

Point = tuple[float, float]


def number(value: float) -> str:
    """A number of pixels with at most one decimal; never `-0`."""
    return f"{round(value, 1) + 0.0:g}"


def path(points: Sequence[Point], close: bool = False) -> str:
    """A path of straight lines through the points. close: also back to the first."""
    body = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{body}{'Z' if close else ''}"


def rounded(points: Sequence[Point], radius: float = 12) -> str:
    """A path of straight lines through the points with round corners. radius: pixels."""
    out = f"M{number(points[0][0])} {number(points[0][1])}"
    for before, at, after in _corners(points, radius):
        x, y, u, v = (number(n) for n in (*before, *after))
        out += f"L{x} {y}Q{number(at[0])} {number(at[1])} {u} {v}"
    return out + f"L{number(points[-1][0])} {number(points[-1][1])}"


def on_rounded(points: Sequence[Point], radius: float = 12) -> list[Point]:
    """The places on the line of `rounded` that are nearest to the points between its ends."""
    return [
        ((a[0] + 2 * b[0] + c[0]) / 4, (a[1] + 2 * b[1] + c[1]) / 4)
        for a, b, c in _corners(points, radius)
    ]


def _corners(points: Sequence[Point], radius: float) -> Iterator[tuple[Point, Point, Point]]:
    """For each point between the ends: where its corner begins, the point, where it ends."""
    for a, b, c in zip(points, points[1:], points[2:], strict=False):
        yield _towards(b, a, radius), b, _towards(b, c, radius)


def _towards(start: Point, end: Point, length: float) -> Point:
    """The point at `length` from `start` towards `end`, at most half way."""
    share = min(length / (dist(start, end) or 1), 0.5)
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def once(ways: Iterable[Sequence[Point]]) -> str:
    """Several lines as one path, in which a piece that lines share is drawn once.

    Drawn twice it would be darker than others, and its dashes would fill each other's gaps.
    """
    out, last, known = "", None, set[frozenset[Point]]()
    for a, b in (piece for way in ways for piece in pairwise(way)):
        if (both := frozenset((a, b))) not in known:
            known.add(both)
            out += "" if a == last else f"M{number(a[0])} {number(a[1])}"
            out += f"L{number(b[0])} {number(b[1])}"
            last = b
    return out


def smooth(points: Sequence[Point]) -> str:
    """A smooth curve through the points, as a path."""
    if len(points) < 3:
        return path(points)
    out = f"M{number(points[0][0])} {number(points[0][1])}"
    for _, *ahead in _pieces(points):
        out += "C" + " ".join(f"{number(x)} {number(y)}" for x, y in ahead)
    return out


def sampled(points: Sequence[Point]) -> list[Point]:
    """Points on the curve that `smooth` draws, close to each other."""
    found = list(points[:1])
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in _pieces(points):
        for i in range(1, SAMPLES + 1):
            t = i / SAMPLES
            p, q, r, s = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            found.append((p * ax + q * bx + r * cx + s * dx, p * ay + q * by + r * cy + s * dy))
    return found


SAMPLES = 4
"""Points that `sampled` takes of each piece of a curve."""


def _pieces(points: Sequence[Point]) -> Iterator[tuple[Point, Point, Point, Point]]:
    """The cubic Bézier pieces of a Catmull-Rom curve through the points."""
    ends = [points[0], *points, points[-1]]
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        one = (b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6)
        two = (c[0] - (d[0] - b[0]) / 6, c[1] - (d[1] - b[1]) / 6)
        yield b, one, two, c


def eased(points: Sequence[Point], times: int = 3) -> list[Point]:
    """A line without the zigzag of a grid: each point becomes an average with its neighbours,
    `times` times. Both ends stay."""
    way = list(points)
    for _ in range(times):
        inner = [
            ((a[0] + 2 * b[0] + c[0]) / 4, (a[1] + 2 * b[1] + c[1]) / 4)
            for a, b, c in zip(way, way[1:], way[2:], strict=False)
        ]
        way = [way[0], *inner, way[-1]]
    return way


def mesh(outlines: Iterable[Sequence[Point]]) -> str:
    """The edges of adjacent cells as a path, each drawn once; horizontal edges are joined.

    outlines: the corners of each cell, with at most one decimal, so that shared corners are equal.
    """
    level: dict[float, list[Point]] = {}
    edges: dict[tuple[Point, Point], None] = {}
    for corners in outlines:
        one = corners[-1]
        for other in corners:
            if one[1] == other[1]:
                level.setdefault(one[1], []).append((one[0], other[0]))
            else:
                edges[(one, other) if one < other else (other, one)] = None
            one = other
    rows = (f"M{x:g} {y:g}H{u:g}" for y, spans in level.items() for x, u in _joined(spans))
    return "".join((*rows, *(_edge(*edge) for edge in edges)))


def _edge(one: Point, other: Point) -> str:
    """An edge that is not horizontal, in relative coordinates: many edges then have the same text,
    which compresses well."""
    (x, y), (u, v) = one, other
    ahead = f"v{round(v - y, 1):g}" if x == u else f"l{round(u - x, 1):g} {round(v - y, 1):g}"
    return f"M{x:g} {y:g}{ahead}"


@lru_cache(8)
def coarser(way: str, times: int) -> str:
    """A path in units that are `times` as long: points are rounded, and equal neighbours merged.

    way: closed or open rings of `M` and `l` with whole numbers.
    """
    out = ""
    for ring in re.findall(r"M[^Mz]*z?", way):
        numbers = [int(n) for n in re.findall(r"-?\d+", ring)]
        x = y = 0
        found: list[tuple[int, int]] = []
        for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = x + dx, y + dy
            at = round(x / times), round(y / times)
            if not found or at != found[-1]:
                found.append(at)
        steps = [(u - x, v - y) for (x, y), (u, v) in pairwise(found)]
        out += f"M{_pairs(found[:1])}l{_pairs(steps)}{'z' * ring.endswith('z')}" if steps else ""
    return out


def _pairs(points: Iterable[tuple[int, int]]) -> str:
    """Whole numbers in a row, with a space before each that has no minus sign."""
    return "".join(f" {n}" if n >= 0 else f"{n}" for point in points for n in point).lstrip()


def _joined(spans: list[Point]) -> list[list[float]]:
    """Spans (from, to), with those that touch or overlap joined, in order."""
    found: list[list[float]] = []
    for low, high in sorted((min(span), max(span)) for span in spans):
        if found and low <= found[-1][1]:
            found[-1][1] = max(found[-1][1], high)
        else:
            found.append([low, high])
    return found
