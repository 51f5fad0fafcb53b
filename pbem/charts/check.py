"""What is wrong with a scene: mistakes of a game's author, each with its place.

Tests and `pbem lint` make charts strictly and get these errors. A chart that is mailed is drawn as
well as it can be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.charts import mend, symbols
from pbem.charts.themes import OWNERS, TONES
from pbem.errors import Usage
from pbem.scene import Circle, Edges, Point, Polygon, Polyline, Region, Scene, Sector, Shape

NAME = re.compile(r"[a-z][a-z0-9-]{0,19}")
"""What a chart may be called."""
TONED = ("fill", "hatch", "line", "dashed", "arrow", "bold", "hull", "mark")
"""Samples of a legend that name a tone."""
SAMPLES = (
    *("plane", "track", "plan", "held", "old", "level", "sub", "trail", "ring", "area", "searched"),
    *("found", "fog", "route", "beads", "border", "ports", "burst", "lost"),
)
"""Samples of a legend that name neither a symbol nor a tone."""


class BadScene(Usage):
    """A scene that cannot be drawn as its author meant it."""


def require(scene: Scene) -> None:
    """Raise BadScene for a scene with mistakes."""
    found = list(problems(scene))
    if found:
        more = f"; and {len(found) - 3} more" if len(found) > 3 else ""
        raise BadScene(
            f"the chart {scene.name!r}: {'; '.join(found[:3])}{more}",
            "correct the scene in the game's chart.py",
        )


def problems(scene: Scene) -> Iterator[str]:
    """The mistakes in a scene, a line for each: unknown symbols and cells, places that are no
    numbers, shapes without size, an empty window."""
    yield from mend.unreal(scene)
    if not NAME.fullmatch(scene.name):
        yield f"its name {scene.name!r} is not of small letters, digits and hyphens"
    yield from _symbols(scene)
    yield from _legend(scene)
    for user, owner, tone in _coloured(scene):
        if owner not in OWNERS:
            yield f"{user} has no owner {owner!r}; owners are {', '.join(OWNERS)}"
        if tone is not None and tone not in TONES:
            yield f"{user} has no tone {tone!r}; tones are {', '.join(TONES)}"
    for i, shape in enumerate(scene.shapes):
        said = f"{type(shape).__name__.lower()} {shape.label or f'number {i + 1}'}"
        yield from (f"{said}: {wrong}" for wrong in _shape(scene, shape))


def _symbols(scene: Scene) -> Iterator[str]:
    """Symbols that there are not, or whose files are not allowed."""
    names = symbols.known(scene.system)
    hint = "" if scene.system else "; the scene names no `system`, so that its files are not found"
    for name, user in symbols.users(scene):
        if name not in names and name != symbols.AIRCRAFT:
            yield f"{user} has the symbol {name!r}; known are {', '.join(names)}{hint}"
        elif name not in symbols.BUILT_IN and name != symbols.AIRCRAFT:
            try:
                symbols.load(scene.system, name)
            except symbols.BadSymbol as bad:
                yield f"{user}: {bad.message}"


def _legend(scene: Scene) -> Iterator[str]:
    """Samples of the legend that there are not."""
    for row, said in (row for key in scene.legend for row in key.rows):
        kind, _, more = row.partition(":")
        tone = more.partition(":")[0]
        if kind in TONED and tone not in TONES:
            yield f"the legend's {said!r} has no tone {tone!r}; tones are {', '.join(TONES)}"
        elif kind not in (*TONED, *SAMPLES, *symbols.COUNTED):
            kinds = ", ".join((*symbols.COUNTED, *TONED, *SAMPLES))
            yield f"the legend's {said!r} is no sample: {row!r}; samples are {kinds}"


def _coloured(scene: Scene) -> Iterator[tuple[str, str, str | None]]:
    """Everything with an owner and a tone, with its name."""
    marks = (*scene.marks, *(m for t in scene.tracks for m in t.marks))
    yield from ((f"shape {s.label}".strip(), s.owner, s.tone) for s in scene.shapes)
    yield from ((f"track {t.name}".strip(), t.owner, t.tone) for t in scene.tracks)
    yield from ((f"marker {m.said or m.label}".strip(), m.owner, m.tone) for m in marks)
    yield from ((f"unit {u.id}", "own", u.tone) for u in scene.units)
    yield from ((f"contact {c.id}", "enemy", c.tone) for c in scene.contacts)


def _shape(scene: Scene, shape: Shape) -> Iterator[str]:
    """What is wrong with a shape."""
    if not 0 <= shape.fill <= 1:
        yield f"its fill {shape.fill:g} is not between 0 and 1"
    if isinstance(shape, Circle) and not shape.radius > 0:
        yield f"its radius is {shape.radius:g}"
    if isinstance(shape, Sector) and not 0 <= shape.inner < shape.outer:
        yield f"its radii are {shape.inner:g} and {shape.outer:g}"
    if isinstance(shape, Polygon) and len(shape.points) < 3:
        yield "it has fewer than three points"
    if isinstance(shape, Polyline) and len(shape.points) < 2:
        yield "it has fewer than two points"
    cells = scene.grid.cells
    if isinstance(shape, Region) and (lost := [c for c in shape.cells if c not in cells]):
        yield f"the board has no cell {lost[0]!r}"
    if isinstance(shape, Edges):
        for a, b in shape.between:
            if a not in cells or b not in cells:
                yield f"the board has no cell {a if a not in cells else b!r}"
            elif not _meet(scene.grid.outline(a), scene.grid.outline(b)):
                yield f"the cells {a} and {b} have no common edge"


def _meet(one: tuple[Point, ...], other: tuple[Point, ...]) -> bool:
    """Whether two cells have at least two corners in common."""
    corners = {(round(x, 3), round(y, 3)) for x, y in one}
    return len(corners & {(round(x, 3), round(y, 3)) for x, y in other}) > 1
