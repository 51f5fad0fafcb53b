"""A Scene as an SVG: Python computes the whole layout, the template only writes it.

The same scene gives the same bytes on every run. Knows no game: templates/base/chart.svg.j2 says
what the symbols of counters and of the legend look like.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Any

import msgspec

from pbem.charts import (
    basemap,
    check,
    counters,
    foot,
    frame,
    heat,
    hulls,
    mend,
    ruler,
    shapes,
    symbols,
    tracks,
)
from pbem.charts.frame import ROW
from pbem.charts.label_placement import Rect, Sheet
from pbem.charts.svg_path import number
from pbem.charts.text_metrics import write
from pbem.charts.themes import EDGES, TONES, Theme, ink_of, mix, theme_of
from pbem.charts.viewport import PAD, Page, fitted, printed
from pbem.model import Plain
from pbem.scene import Scene

DETAIL, LEAST = 8.0, 400
"""Width and height of a detail chart: that many cells, and at least that many pixels."""
ZOOM, SHARP = 2, 780
"""Enlargement of a detail chart at most, and its width in pixels at most: two for each that a phone
of 390 has."""
PHONE = 374
"""Width of the map of a detail chart that has a foot, in pixels."""
MARGIN = 0.05
"""How far a detail chart of a sea without cells reaches beyond its focus, in widths of the map."""
BESIDE = 0.66
"""Where a legend beside a table begins, in widths of the chart."""


def svg(scene: Scene, theme: str = "light", detail: bool = False, lenient: bool = False) -> str:
    """The chart as SVG text.

    theme: `light` or `dark`. detail: the part around the scene's focus, enlarged for phones,
    without head and legend. lenient: draw also a scene that `pbem.charts.check` finds wrong, with
    `piece` for an unknown symbol and without what stands nowhere, because a mail must go out;
    otherwise raises BadScene.
    """
    from pbem.reports.render import templates

    if lenient:
        scene = mend.mended(scene)
    else:
        check.require(scene)
    page = templates().get_template("base/chart.svg.j2")
    return page.render(layout(scene, theme_of(theme, scene.red), detail)) + "\n"


def layout(scene: Scene, theme: Theme, detail: bool = False, inline: bool = False) -> Plain:
    """Everything that the template writes, in pixels.

    inline: the chart is a part of a page, which shows little more than the map itself.

    The order matters: units and contacts mark the sheet before names of seas and lines are placed,
    so that these give way, and the names of units come last of all, with the whole sheet known.
    """
    page = page_of(scene, detail)
    left, top, right, bottom = page.frame
    board = page if inline else printed(scene.window, page.pitch)
    below, end = _foot(scene, page, detail)
    sheet = Sheet((left + 3, top + 3, right - 3, bottom - 3))
    basemap.protect_area_names(scene, page, sheet)
    drawn: dict[str, Any] = {
        **heat.heat(scene, page, sheet),
        **counters.units(scene, page, sheet),
        **counters.contacts(scene, page, sheet, theme),
        **hulls.hulls(scene, page, sheet),
        **tracks.tracks(scene, page, sheet),
        **shapes.shapes(scene, page, sheet),
        **ruler.ruler(scene, page, inside=detail or inline),
        **basemap.board(scene, page, sheet, board),
        **basemap.lines(scene, page, sheet, board),
    }
    kinds = ("hull", "foe", "own", "track", "port", "shape")
    tags = [tag for kind in kinds for tag in drawn.pop(f"{kind}_tags")]
    wide, high = right + (left if detail else PAD), end
    zoom = _zoom(wide) if detail else 1
    files = symbols.used(scene)
    _legend_needs(scene, drawn)
    return {
        "t": theme,
        "W": number(wide),
        "H": number(high),
        "detail": detail,
        "inline": inline,
        "shown": (round(wide * zoom), round(high * zoom)),
        "frame": [number(v) for v in (left, top, right - left, bottom - top)],
        "scene": scene,
        "symbols": files,
        "ink_of": ink_of,
        "edge_of": lambda ink: EDGES.get(ink, ink),
        "known": {*symbols.BUILT_IN, *(s.name for s in files)},
        "side": scene.side.upper(),
        "head_size": frame.head_size(scene, right - left) if detail else "",
        "names": write(tags, sheet),
        "boxes": [] if detail else frame.boxes(scene, wide - PAD + 4),
        "legend": [] if detail else _legend(scene, page, wide, below),
        "insets": below.insets,
        "heads_of_foot": below.heads_of_foot,
        "roster_rows": below.roster_rows,
        "faded": [mix(theme["foe"], theme["sea2"], share) for share in counters.FADES],
        **drawn,
    }


def _zoom(wide: float) -> float:
    """Enlargement of a detail chart, in eighths: no larger than phones show it."""
    return min(max(floor(8 * SHARP / wide) / 8, 1), ZOOM)


def page_of(scene: Scene, detail: bool) -> Page:
    """How cells become pixels. A detail chart with a foot shows the whole map, as wide as a phone:
    what stands below it speaks of all of it. One of a sea without cells shows all of the focus."""
    open_sea = bool(scene.heat) or (scene.mesh is not None and not scene.grid.cells)
    if detail and (scene.insets or scene.roster or open_sea):
        part = around(scene) if open_sea else scene.window
        narrow = msgspec.structs.replace(scene, pitch=PHONE / (part[2] - part[0]))
        return fitted(narrow, part, detail)
    return fitted(scene, window(scene) if detail else scene.window, detail)


def _foot(scene: Scene, page: Page, detail: bool) -> tuple[foot.Foot, float]:
    """What stands below the map, and the height of the whole chart."""
    left, _, right, bottom = page.frame
    bottom += heat.ROOM if scene.heat else 0
    below = foot.foot(scene, left, right, bottom + 20, detail)
    end = below.bottom if below.insets or below.roster_rows else bottom
    if detail:
        return below, end + 14
    rows = max((len(k.rows) for k in scene.legend), default=0)
    legend = ROW * rows + 44 if rows else 0
    if scene.roster:
        return below, max(end, _beside(below) + legend) + PAD
    return below, end + PAD + legend


def _beside(below: foot.Foot) -> float:
    """The top of a legend that stands beside the table."""
    return below.roster_top - 6


def _legend(scene: Scene, page: Page, wide: float, below: foot.Foot) -> list[Plain]:
    """The legend below everything, or at the right of a table."""
    if not scene.roster:
        room = heat.ROOM if scene.heat else 0
        y = below.bottom if below.insets else page.frame[3] + room + 20
        return frame.legend(scene, page.pitch, wide, y)
    start = wide * BESIDE
    found = frame.legend(scene, page.pitch, wide - start + PAD, _beside(below) + 12)
    return [{**key, "x": number(float(key["x"]) + start - PAD)} for key in found]


def _legend_needs(scene: Scene, drawn: dict[str, Any]) -> None:
    """Add to the arrow heads and hatchings those of the legend."""
    heads = {*drawn["heads"], *drawn.pop("way_heads")}
    hatches = {*drawn["hatches"]}
    for row, _ in (row for key in scene.legend for row in key.rows):
        kind, _, tone = row.partition(":")
        if tone in TONES and kind in ("arrow", "hatch"):
            (heads if kind == "arrow" else hatches).add(TONES[tone])
    drawn["heads"] = sorted(heads - {*shapes.HEADED})
    drawn["hatches"] = sorted(hatches)


def window(scene: Scene) -> Rect:
    """The part of the board that a detail chart shows, in cells: west, north, east, south.

    It contains the first point of the focus, and further points in their order as long as they fit.
    """
    west, north, east, south = scene.window
    cells = max(DETAIL, LEAST / scene.pitch)
    wide, high = min(cells, east - west), min(cells, south - north)
    points = list(scene.focus[:1])
    for at in scene.focus[1:]:
        xs, ys = zip(*points, at, strict=True)
        if max(xs) - min(xs) <= wide - 2 and max(ys) - min(ys) <= high - 2:
            points.append(at)
    xs, ys = zip(*(points or [((west + east) / 2, (north + south) / 2)]), strict=True)
    x = _middle(xs, wide) - wide / 2
    y = _middle(ys, high) - high / 2
    x, y = min(max(x, west), east - wide), min(max(y, north), south - high)
    x = west + _apart(scene, x - west, east - wide - west)
    y = north + _apart(scene, y - north, south - high - north)
    return x, y, x + wide, y + high


def around(scene: Scene) -> Rect:
    """The part of a sea without cells that holds the whole focus, a little wider and at most as
    high as wide, unless the focus is higher."""
    west, north, east, south = scene.window
    if not scene.focus:
        return scene.window
    xs, ys = zip(*scene.focus, strict=True)
    rim = MARGIN * (east - west)
    wide = min(max(max(xs) - min(xs) + 2 * rim, LEAST / scene.pitch), east - west)
    high = min(max(max(ys) - min(ys) + 2 * rim, 0.75 * wide), south - north)
    x = min(max((min(xs) + max(xs) - wide) / 2, west), east - wide)
    y = min(max((min(ys) + max(ys) - high) / 2, north), south - high)
    return x, y, x + wide, y + high


def _middle(places: Sequence[float], size: float) -> float:
    """The middle of a window that shows all places, with the first not far from it: it is what
    the chart is about."""
    first = places[0]
    return min(max((min(places) + max(places)) / 2, first - size / 8), first + size / 8)


def _apart(scene: Scene, far: float, most: float) -> float:
    """A distance from the corner of the board near `far`, at most `most`: whole pixels, so that a
    picture of the board can be cut there, and an odd quarter of a cell where there is room, so that
    no name of a cell is cut."""
    if scene.grid.cells and scene.grid.shape != "area":
        near = round(2 * far - 0.5) / 2 + 0.25
        far = near if 0 < near < most else far
    return floor(far * scene.pitch) / scene.pitch
