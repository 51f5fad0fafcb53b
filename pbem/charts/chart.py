"""A Scene as an SVG: everything is laid out here, the template only writes it down.

The same bytes on every run. Knows no game: what a symbol of the legend or of a counter looks like
stands in templates/base/chart.svg.j2.
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
"""Cells that a detail chart is wide and high, and pixels that it is at least."""
ZOOM = 2
"""Pixels of a detail chart for one of the whole."""


def svg(scene: Scene, theme: str = "light", detail: bool = False) -> str:
    """The chart as SVG text. theme: light or dark. detail: what matters, larger, for phones."""
    from pbem.reports.render import templates

    page = templates().get_template("base/chart.svg.j2")
    return page.render(layout(scene, THEMES[theme], detail)) + "\n"


def layout(scene: Scene, theme: Theme, detail: bool = False) -> Plain:
    """Everything the template writes, in pixels."""
    page = _page(scene, detail)
    left, top, right, bottom = page.frame
    rows = 0 if detail else max((len(k.rows) for k in scene.legend), default=0)
    foot = 14 if detail else PAD + (ROW * rows + 44 if rows else 0)
    sheet = Sheet((left + 3, top + 3, right - 3, bottom - 3))
    basemap.numbers(scene, page, sheet)
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
    west, north, east, south = window(scene) if detail else scene.window
    left, top = (8, HEAD) if detail else (PAD, TOP)
    wide, high = (east - west) * scene.pitch, (south - north) * scene.pitch
    frame = (left, top, round(left + wide), round(top + high))
    return Page(west, north, scene.pitch, left, top, frame)


def window(scene: Scene) -> Rect:
    """What a detail chart shows: the weightiest point of the focus, and what else fits."""
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
