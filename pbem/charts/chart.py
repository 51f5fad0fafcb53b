"""A Scene as an SVG: Python computes the whole layout, the template only writes it.

The same scene gives the same bytes on every run. Knows no game: templates/base/chart.svg.j2 says
what the symbols of counters and of the legend look like.
"""

from __future__ import annotations

from pbem.charts import basemap, counters, frame
from pbem.charts.frame import PAD, ROW
from pbem.charts.label_placement import Rect, Sheet
from pbem.charts.svg_path import number
from pbem.charts.text_metrics import write
from pbem.charts.themes import THEMES, Theme, mix
from pbem.charts.viewport import HEAD, TOP, Page
from pbem.model import Plain
from pbem.scene import Scene

DETAIL, LEAST = 8.0, 400
"""Width and height of a detail chart: that many cells, and at least that many pixels."""
ZOOM = 2
"""Enlargement of a detail chart."""


def svg(scene: Scene, theme: str = "light", detail: bool = False) -> str:
    """The chart as SVG text.

    theme: `light` or `dark`. detail: the part around the scene's focus, enlarged for phones,
    without head and legend.
    """
    from pbem.reports.render import templates

    page = templates().get_template("base/chart.svg.j2")
    return page.render(layout(scene, THEMES[theme], detail)) + "\n"


def layout(scene: Scene, theme: Theme, detail: bool = False) -> Plain:
    """Everything that the template writes, in pixels.

    The order matters: units and contacts mark the sheet before names of seas and lines are placed,
    so that these give way, and the names of units come last of all, with the whole sheet known.
    """
    page = _page(scene, detail)
    left, top, right, bottom = page.frame
    rows = 0 if detail else max((len(k.rows) for k in scene.legend), default=0)
    foot = 14 if detail else PAD + (ROW * rows + 44 if rows else 0)
    sheet = Sheet((left + 3, top + 3, right - 3, bottom - 3))
    basemap.protect_area_names(scene, page, sheet)
    own, foe = counters.units(scene, page, sheet), counters.contacts(scene, page, sheet, theme)
    drawn = {**own, **foe, **basemap.board(scene, page, sheet), **basemap.lines(scene, page, sheet)}
    tags = [*drawn.pop("foe_tags"), *drawn.pop("own_tags"), *drawn.pop("port_tags")]
    wide, high = right + left, bottom + foot
    return {
        "t": theme,
        "W": number(wide),
        "H": number(high),
        "detail": detail,
        "shown": (round(wide * (ZOOM if detail else 1)), round(high * (ZOOM if detail else 1))),
        "frame": [number(v) for v in (left, top, right - left, bottom - top)],
        "scene": scene,
        "side": scene.side.upper(),
        "names": write(tags, sheet),
        "boxes": [] if detail else frame.boxes(scene, wide - PAD + 4),
        "legend": [] if detail else frame.legend(scene, page.pitch, wide, bottom + 20),
        "faded": [mix(theme["foe"], theme["sea2"], share) for share in counters.FADES],
        **drawn,
    }


def _page(scene: Scene, detail: bool) -> Page:
    """How cells become pixels on this chart."""
    west, north, east, south = window(scene) if detail else scene.window
    left, top = (8, HEAD) if detail else (PAD, TOP)
    wide, high = (east - west) * scene.pitch, (south - north) * scene.pitch
    frame = (left, top, round(left + wide), round(top + high))
    return Page(west, north, scene.pitch, left, top, frame)


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
    x = min(max((min(xs) + max(xs) - wide) / 2, west), east - wide)
    y = min(max((min(ys) + max(ys) - high) / 2, north), south - high)
    return x, y, x + wide, y + high
