"""A chart as part of a page: its colours are variables of the page, in light and dark."""

from __future__ import annotations

import msgspec

from pbem.charts.chart import layout
from pbem.charts.counters import FADES
from pbem.charts.frame import PAD
from pbem.charts.themes import LIGHT, Theme, mix
from pbem.charts.viewport import TOP, Page
from pbem.model import Plain
from pbem.scene import Point, Scene

NAMED: Theme = {name: f"#fe00{i:02x}" for i, name in enumerate(LIGHT)}
"""A theme whose colours say their names."""


def drawing(scene: Scene) -> str:
    """The chart as the inside of an SVG; its colours are `var(--sea)` and so on, those of older
    contacts `var(--fade1)` to `var(--fade4)`."""
    from pbem.reports.render import templates

    laid, inks = _named(layout(scene, NAMED)), {v: k for k, v in NAMED.items()}
    inks |= {f"#fe01{i:02x}": f"fade{i}" for i in range(len(FADES))}
    text = templates().get_template("base/chart.svg.j2").render(laid)
    inside = text[text.index("<defs>") : text.rindex("</svg>")]
    for colour, name in inks.items():
        inside = inside.replace(colour, f"var(--{name})")
    return inside


def _named(laid: Plain) -> Plain:
    """The layout with names for the mixed colours, which no theme of names can mix."""
    names = {mixed: f"#fe01{i:02x}" for i, mixed in enumerate(laid["faded"])}
    marks = [m | {"fill": names[m["fill"]]} for m in laid["marks"]]
    return {**laid, "marks": marks, "faded": list(names.values())}


def variables(theme: Theme) -> str:
    """The colours of a theme as CSS variables, the faded ones included."""
    mixed = {f"fade{i}": mix(theme["foe"], theme["sea2"], f) for i, f in enumerate(FADES)}
    return "".join(f"--{name}:{colour};" for name, colour in (theme | mixed).items())


def empty(scene: Scene) -> Scene:
    """The board of a scene: nothing on it that depends on a game."""
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
        focus=(),
    )


def page_of(scene: Scene) -> Page:
    """Cells to pixels on the whole chart, as it is laid out."""
    west, north, east, south = scene.window
    wide, high = (east - west) * scene.pitch, (south - north) * scene.pitch
    frame = (PAD, TOP, round(PAD + wide), round(TOP + high))
    return Page(west, north, scene.pitch, PAD, TOP, frame)


def outlines(scene: Scene) -> dict[str, list[Point]]:
    """The corners of each cell in pixels; on a board of equal cells of the first, around its
    middle, under the name ``."""
    grid, page = scene.grid, page_of(scene)
    if grid.shape == "area":
        return {name: page.line(grid.outline(name)) for name in grid.cells}
    name, (x, y) = next(iter(grid.cells.items()))
    corners = grid.outline(name)
    return {
        "": [(round((u - x) * page.pitch, 1), round((v - y) * page.pitch, 1)) for u, v in corners]
    }
