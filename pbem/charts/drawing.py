"""A chart inside an HTML page: its colours are CSS variables, so that one drawing serves both the
light and the dark theme."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from functools import partial

import msgspec

from pbem.charts import symbols
from pbem.charts.chart import layout
from pbem.charts.counters import FADES
from pbem.charts.mend import mended
from pbem.charts.themes import LIGHT, Theme, mix, theme_of
from pbem.charts.viewport import Page, fitted
from pbem.model import Plain
from pbem.scene import Point, Scene

NAMED: Theme = {name: f"#fe00{i:02x}" for i, name in enumerate(LIGHT)}
"""A theme of placeholder colours, one for each name, which `drawing` replaces by variables."""


def drawing(scene: Scene, more: Iterable[str] = ()) -> str:
    """The content of the chart's SVG element, for a page that has its own.

    more: symbols that the page draws with besides those of the scene.

    Colours are `var(--sea)` and so on; those of contacts by age are `var(--fade0)` to
    `var(--fade4)`.
    """
    from pbem.reports.render import templates

    laid, inks = _named(layout(scene, NAMED, inline=True)), {v: k for k, v in NAMED.items()}
    laid = {**laid, "symbols": symbols.used(scene, more)}
    inks |= {f"#fe01{i:02x}": f"fade{i}" for i in range(len(FADES))}
    text = templates().get_template("base/chart.svg.j2").render(laid)
    inside = text[text.index("<defs>") : text.rindex("</svg>")]
    for colour, name in inks.items():
        inside = inside.replace(colour, f"var(--{name})")
    return inside


FONTS = (
    "'IBM Plex Sans Condensed','Roboto Condensed','Arial Narrow','DejaVu Sans Condensed',Arial,"
    "sans-serif"
)
"""The fonts of a chart, as templates/base/chart.svg.j2 names them."""
VARIABLE = re.compile(r"var\((--\w+)\)")
LAND = re.compile(r'<path id="[LS]" d="[^"]*"/>')
"""The outlines of a coast, by far the longest part of a board."""
ID = re.compile(r' id="([^"]+)"')
USE = re.compile(r'( id="|href="#|url\(#)([^")]+)')
"""Where a drawing names one of its parts."""


def drawings(scenes: Iterable[Scene], more: Iterable[str] = ()) -> list[str]:
    """Several charts of one page. Those after the first have ids of their own, and share the
    outlines of land with the first that has them.

    more: symbols that the page draws with besides those of the first chart.
    """
    found: list[str] = []
    shared: list[str] = []
    for number, scene in enumerate(scenes):
        drawn = drawing(scene, () if number else more)
        for land in shared:
            drawn = drawn.replace(land, "")
        shared += (own_land := LAND.findall(drawn))
        if number:
            own = {*ID.findall(drawn)} - {ID.findall(land)[0] for land in own_land}
            drawn = USE.sub(partial(_renamed, number=number, own=own), drawn)
        found.append(drawn)
    return found


def _renamed(use: re.Match[str], number: int, own: set[str]) -> str:
    """An id, or a reference to it, as that of drawing `number`."""
    return f"{use[1]}b{number}-{use[2]}" if use[2] in own else use[0]


def _named(laid: Plain) -> Plain:
    """The layout with placeholders instead of the faded colours: these are mixed from two colours
    of the theme, which does not work with placeholders."""
    names = {mixed: f"#fe01{i:02x}" for i, mixed in enumerate(laid["faded"])}
    marks = [m | {"fill": names[m["fill"]]} for m in laid["marks"]]
    return {**laid, "marks": marks, "faded": list(names.values())}


def variables(theme: Theme) -> str:
    """The colours of a theme as declarations of CSS variables, with the faded colours."""
    mixed = {f"fade{i}": mix(theme["foe"], theme["sea2"], f) for i, f in enumerate(FADES)}
    return "".join(f"--{name}:{colour};" for name, colour in (theme | mixed).items())


def themed(scene: Scene) -> bytes:
    """The map of a scene as an SVG file of its own, without head and legend, in the theme of its
    reader: light or dark."""
    inside = drawing(mended(scene))
    used = {*VARIABLE.findall(inside)}
    light, dark = (_declared(theme_of(name, scene.red), used) for name in ("light", "dark"))
    style = f":root{{{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}"
    left, top, right, bottom = page_of(scene).frame
    box = f"{left:g} {top:g} {right - left:g} {bottom - top:g}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{box}" font-family="{FONTS}"><style>{style}</style>{inside}</svg>\n'
    ).encode()


def _declared(theme: Theme, used: Set[str]) -> str:
    """The variables of a theme that a drawing uses."""
    declared = variables(theme).split(";")
    return ";".join(one for one in declared if one.partition(":")[0] in used)


def empty(scene: Scene) -> Scene:
    """The scene with only its board: without anything that depends on a game or a side."""
    return msgspec.structs.replace(
        scene,
        title="",
        side="",
        when="",
        units=(),
        contacts=(),
        fog=(),
        searched=(),
        found=(),
        night=None,
        boxes=(),
        deadline="",
        legend=(),
        notes=(),
        red=False,
        focus=(),
        caption="",
        alt="",
        tracks=(),
        marks=(),
        earlier=(),
        moves=(),
        insets=(),
        roster=None,
        shapes=tuple(s for s in scene.shapes if s.owner == "board"),
    )


def page_of(scene: Scene) -> Page:
    """How cells become pixels on the whole chart (not a detail)."""
    return fitted(scene, scene.window)


APART = 48
"""On a board without cells: what pages take for the distance between two things, in pixels."""


def apart(scene: Scene) -> float:
    """How far things on the board are from each other, in pixels: pages choose by it how near they
    begin, and how marks in one place are stacked."""
    return scene.pitch if scene.grid.cells else max(scene.pitch, APART)


def outlines(scene: Scene) -> dict[str, list[Point]]:
    """The corners of each cell in pixels, by name.

    If all cells have the same shape: the corners of one cell, relative to its middle, under the
    empty name. A board without cells has none.
    """
    grid, page = scene.grid, page_of(scene)
    if not grid.cells:
        return {}
    if grid.shape == "area":
        return {name: page.line(grid.outline(name)) for name in grid.cells}
    name, (x, y) = next(iter(grid.cells.items()))
    corners = grid.outline(name)
    return {
        "": [(round((u - x) * page.pitch, 1), round((v - y) * page.pitch, 1)) for u, v in corners]
    }
