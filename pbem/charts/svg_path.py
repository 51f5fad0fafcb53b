"""Paths of an SVG from pixels: straight, smooth, eased, the edges of cells. Numbers have at most
one decimal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

Point = tuple[float, float]


def number(value: float) -> str:
    """A pixel with at most one decimal."""
    return f"{round(value, 1) + 0.0:g}"


def path(points: Sequence[Point], close: bool = False) -> str:
    """Straight lines through pixels."""
    body = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{body}{'Z' if close else ''}"


def once(ways: Iterable[Sequence[Point]]) -> str:
    """Straight lines through pixels as one path, a piece that several ways share drawn once: twice
    it would be darker than others, or its dashes would fill up."""
    out, last, known = "", None, set[frozenset[Point]]()
    for a, b in (piece for way in ways for piece in pairwise(way)):
        if (both := frozenset((a, b))) not in known:
            known.add(both)
            out += "" if a == last else f"M{number(a[0])} {number(a[1])}"
            out += f"L{number(b[0])} {number(b[1])}"
            last = b
    return out


def smooth(points: Sequence[Point]) -> str:
    """A soft curve through pixels."""
    if len(points) < 3:
        return path(points)
    out = f"M{number(points[0][0])} {number(points[0][1])}"
    for _, *ahead in _pieces(points):
        out += "C" + " ".join(f"{number(x)} {number(y)}" for x, y in ahead)
    return out


def sampled(points: Sequence[Point]) -> list[Point]:
    """Pixels close to each other on the curve that `smooth` draws."""
    found = list(points[:1])
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in _pieces(points):
        for i in range(1, SAMPLES + 1):
            t = i / SAMPLES
            p, q, r, s = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            found.append((p * ax + q * bx + r * cx + s * dx, p * ay + q * by + r * cy + s * dy))
    return found


SAMPLES = 4
"""Points of a piece of a curve that stand for it."""


def _pieces(points: Sequence[Point]) -> Iterator[tuple[Point, Point, Point, Point]]:
    """The cubic pieces through pixels (Catmull-Rom)."""
    ends = [points[0], *points, points[-1]]
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        one = (b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6)
        two = (c[0] - (d[0] - b[0]) / 6, c[1] - (d[1] - b[1]) / 6)
        yield b, one, two, c


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


def mesh(outlines: Iterable[Sequence[Point]]) -> str:
    """The edges of cells that lie side by side, each drawn once: level ones joined to lines.
    Pixels have one decimal at most."""
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
    """An edge that is not level, by how far it goes: many go as far, and pack well."""
    (x, y), (u, v) = one, other
    ahead = f"v{round(v - y, 1):g}" if x == u else f"l{round(u - x, 1):g} {round(v - y, 1):g}"
    return f"M{x:g} {y:g}{ahead}"


@lru_cache(8)
def coarser(way: str, times: int) -> str:
    """A path of `M` and `l` with whole numbers, in units so many times as long: its points are
    rounded, and those that fall together are one."""
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
    """Whole numbers in a row, with a space where no sign parts them."""
    return "".join(f" {n}" if n >= 0 else f"{n}" for point in points for n in point).lstrip()


def _joined(spans: list[Point]) -> list[list[float]]:
    """Spans that touch or overlap, as one each."""
    found: list[list[float]] = []
    for low, high in sorted((min(span), max(span)) for span in spans):
        if found and low <= found[-1][1]:
            found[-1][1] = max(found[-1][1], high)
        else:
            found.append([low, high])
    return found
