"""The shapes of a scene in pixels: circles, sectors, polygons, lines, arrows, cells, edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import cos, radians, sin

from msgspec import Struct

from pbem.charts import line_labels
from pbem.charts.label_placement import Sheet
from pbem.charts.svg_path import number, path, sampled, smooth
from pbem.charts.text_metrics import Tag, Word, measure, plate, tag
from pbem.charts.themes import EDGES, WORDS, ink_of
from pbem.charts.viewport import Page
from pbem.model import Plain
from pbem.scene import (
    Arrow,
    Circle,
    Edges,
    Grid,
    Point,
    Polygon,
    Polyline,
    Region,
    Scene,
    Sector,
    Shape,
    ahead,
)

HEADED = ("own", "foe", "route")
"""Colours for which every chart has an arrow head."""
LETTERS = {"land": ("serif-600", 13.0, 2.5), "": ("serif-500-italic", 12.0, 0.6)}
"""Font, size and spacing of a label inside a shape of the board: on land, and elsewhere."""
DASHES = "5 4"
STEPS = 24
"""Pieces of an arc whose line names should not cover."""


class Outline(Struct, frozen=True):
    """A shape in pixels."""

    d: str
    """SVG path data."""
    ways: tuple[Sequence[Point], ...]
    """Its lines, roughly, which names should not cover."""
    spots: tuple[Point, ...]
    """Where its label may stand, best first."""


def shapes(scene: Scene, page: Page, sheet: Sheet) -> Plain:
    """All shapes, below and above the land, and their labels. Marks their lines on `sheet`."""
    drawn: list[Plain] = []
    tags: list[Tag] = []
    for shape in (*scene.earlier, *scene.shapes):
        made = outline(shape, scene.grid, page)
        if made is None:
            continue
        ink = ink_of(shape.owner, shape.tone)
        inside = None
        for way in made.ways:
            sheet.trace(way, max(2, shape.width / 2))
        if shape.label:
            inside = _inside(shape, made, ink, sheet)
            if inside is None:
                tags += _beside(shape, made, WORDS.get(ink, ink), page)
        drawn.append(_drawn(shape, made, ink, inside))
    return {
        "low_shapes": [s for s in drawn if not s["over"]],
        "high_shapes": [s for s in drawn if s["over"]],
        "heads": sorted({s["ink"] for s in drawn if s["arrow"]}),
        "hatches": sorted({s["ink"] for s in drawn if s["hatched"]}),
        "shape_tags": tags,
    }


def _drawn(shape: Shape, made: Outline, ink: str, inside: Plain | None) -> Plain:
    """What the template draws for a shape."""
    return {
        "d": made.d,
        "ink": ink,
        "edge": EDGES.get(ink, ink) if shape.width else "",
        "width": number(shape.width),
        "fill": number_of(shape.fill),
        "hatched": shape.hatched,
        "dash": DASHES if shape.dashed else "",
        "arrow": isinstance(shape, Arrow),
        "over": shape.over,
        "said": shape.label,
        "inside": inside,
    }


def number_of(share: float) -> str:
    """A share of one with at most two decimals; empty for nothing."""
    return f"{min(share, 1):.2g}" if share > 0 else ""


def _inside(shape: Shape, made: Outline, ink: str, sheet: Sheet) -> Plain | None:
    """The label of a filled shape of the board, written in its middle as on a map; None if it is
    too long or if something else lies there."""
    filled = shape.fill or shape.hatched
    if shape.owner != "board" or not filled or isinstance(shape, (Sector, Polyline, Edges)):
        return None
    font, size, spacing = LETTERS.get(ink, LETTERS[""])
    xs, ys = zip(*(p for way in made.ways for p in way), strict=True)
    long = measure(shape.label, (font, size), spacing)
    if long > 0.9 * (max(xs) - min(xs)):
        return None
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2 + size / 3
    at = line_labels.afloat(middle, 0, long, size, sheet)
    if at is None:
        return None
    words = {
        "x": number(at[0]),
        "y": number(at[1]),
        "text": shape.label,
        "ink": WORDS.get(ink, ink),
    }
    return words | {"size": number(size), "gap": number(spacing), "land": font == "serif-600"}


def _beside(shape: Shape, made: Outline, ink: str, page: Page) -> Iterator[Tag]:
    """The label of a shape, for the first of its spots that shows; none if all are off the map."""
    at = next((p for p in made.spots if page.holds(*p)), None)
    word = Word(shape.label, bold=True)
    if at:
        yield plate(*at, 1, 1, [word], ink) if shape.plate else tag(*at, 1, 1, [[word]], ink)


def outline(shape: Shape, grid: Grid, page: Page) -> Outline | None:
    """A shape in pixels; None if it has no points or its cells are not on the board."""
    made = _MAKERS[next(kind for kind in type(shape).__mro__ if kind in _MAKERS)]
    return made(shape, grid, page)


def _circle(shape: Circle, grid: Grid, page: Page) -> Outline | None:
    x, y = page.px(shape.at)
    r = shape.radius * page.pitch
    if r <= 0:
        return None
    ring = _arc_points(page, shape.at, shape.radius, 0, 360)
    spots = (x, y + r), (x, y - r), (x + r, y), (x - r, y)
    return Outline(_ring(x, y, r), (ring,), spots)


def _ring(x: float, y: float, r: float) -> str:
    """A circle as a path."""
    wide = number(2 * r)
    bend = f"a{number(r)} {number(r)} 0 1 0"
    return f"M{number(x - r)} {number(y)}{bend} {wide} 0{bend} -{wide} 0z"


def _sector(shape: Sector, grid: Grid, page: Page) -> Outline | None:
    if shape.outer <= 0:
        return None
    span = (shape.end - shape.start) % 360 or 360.0
    outer = _arc_points(page, shape.at, shape.outer, shape.start, span)
    inner = _arc_points(page, shape.at, shape.inner, shape.start, span) if shape.inner > 0 else []
    middle = shape.start + span / 2
    spots = tuple(
        page.px(ahead(shape.at, middle, share * shape.outer)) for share in (1, 0.85, 0.65, 0.45)
    )
    if span == 360:
        x, y = page.px(shape.at)
        rings = (_ring(x, y, r * page.pitch) for r in (shape.outer, shape.inner) if r > 0)
        return Outline("".join(rings), (outer, inner), spots)
    large = int(span > 180)
    a, b = number(shape.outer * page.pitch), number(shape.inner * page.pitch)
    start, end = (f"{number(x)} {number(y)}" for x, y in (outer[0], outer[-1]))
    if inner:
        back, first = (f"{number(x)} {number(y)}" for x, y in (inner[-1], inner[0]))
        rest = f"L{back}A{b} {b} 0 {large} 0 {first}"
    else:
        x, y = page.px(shape.at)
        rest = f"L{number(x)} {number(y)}"
    edges = [outer[0], *(inner[:1] or [page.px(shape.at)])]
    other = [outer[-1], *(inner[-1:] or [page.px(shape.at)])]
    return Outline(f"M{start}A{a} {a} 0 {large} 1 {end}{rest}z", (outer, edges, other), spots)


def _arc_points(page: Page, at: Point, radius: float, start: float, span: float) -> list[Point]:
    """Points on an arc, in pixels."""
    x, y = page.px(at)
    r = radius * page.pitch
    turns = (radians(start + span * i / STEPS) for i in range(STEPS + 1))
    return [(round(x + r * sin(a), 1), round(y - r * cos(a), 1)) for a in turns]


def _polygon(shape: Polygon, grid: Grid, page: Page) -> Outline | None:
    points = page.line(shape.points)
    if len(points) < 3:
        return None
    xs, ys = zip(*points, strict=True)
    lowest = max(points, key=lambda p: p[1])
    spots = lowest, ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2), *points
    return Outline(path(points, close=True), ([*points, points[0]],), spots)


def _polyline(shape: Polyline, grid: Grid, page: Page) -> Outline | None:
    points = page.line(shape.points)
    if len(points) < 2:
        return None
    way = sampled(points) if shape.round else points
    middle = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairwise(way)]
    half = len(middle) // 2
    return Outline(
        smooth(points) if shape.round else path(points), (way,), (*middle[half:], *middle[:half])
    )


def _region(shape: Region, grid: Grid, page: Page) -> Outline | None:
    known = [page.line(grid.outline(c)) for c in shape.cells if c in grid.cells]
    loops = around(known)
    if not loops:
        return None
    lowest = max((p for loop in loops for p in loop), key=lambda p: (p[1], p[0]))
    points = (p for loop in loops for p in loop)
    d = "".join(path(loop, close=True) for loop in loops)
    return Outline(d, tuple([*loop, loop[0]] for loop in loops), (lowest, *points))


def around(outlines: Iterable[Sequence[Point]]) -> list[list[Point]]:
    """The lines around cells that lie together, each from corner to corner; holes have their own.

    outlines: the corners of each cell in one direction of turning; shared corners are equal.
    """
    edges: dict[tuple[Point, Point], None] = {}
    for corners in outlines:
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
            if (b, a) in edges:
                del edges[b, a]
            else:
                edges[a, b] = None
    following: dict[Point, list[Point]] = {}
    for a, b in edges:
        following.setdefault(a, []).append(b)
    loops = []
    while following:
        start = at = next(iter(following))
        loop: list[Point] = []
        while at in following:
            loop.append(at)
            ways = following[at]
            onward = ways.pop(0)
            if not ways:
                del following[at]
            at = onward
            if at == start:
                break
        loops.append(loop)
    return loops


def _edges(shape: Edges, grid: Grid, page: Page) -> Outline | None:
    found: list[list[Point]] = []
    for pair in shape.between:
        if all(name in grid.cells for name in pair):
            one, other = (_sides(page.line(grid.outline(name))) for name in pair)
            found += [sorted(edge) for edge in one if edge in other]
    if not found:
        return None
    middle = tuple(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in found)
    return Outline("".join(map(path, found)), tuple(found), middle)


def _sides(corners: Sequence[Point]) -> dict[frozenset[Point], None]:
    """The edges of a cell, in order."""
    pairs = zip(corners, [*corners[1:], corners[0]], strict=True)
    return dict.fromkeys(frozenset(pair) for pair in pairs)


_MAKERS: dict[type[Struct], Callable[..., Outline | None]] = {
    Circle: _circle,
    Sector: _sector,
    Polygon: _polygon,
    Polyline: _polyline,
    Region: _region,
    Edges: _edges,
}
