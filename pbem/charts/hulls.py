"""Units and contacts that are drawn from above and to scale, in pixels: hulls on a plane."""

from __future__ import annotations

from math import dist

from pbem.charts.label_placement import Sheet
from pbem.charts.svg_path import number, path
from pbem.charts.symbols import BOX
from pbem.charts.text_metrics import Tag, Text, Word, fold, tag
from pbem.charts.themes import ink_of
from pbem.charts.viewport import Page
from pbem.model import Plain
from pbem.scene import Contact, Point, Scene, Unit, ahead, placed

AHEAD = 0.45
"""Length of the line that shows the heading, in lengths of the hull."""
POINTER = 36.0
"""Length of that line from the middle of a counter or a diamond, in pixels."""


def hulls(scene: Scene, page: Page, sheet: Sheet) -> Plain:
    """Hulls with their headings and names, and the headings of counters and diamonds.

    Marks on `sheet` what names should not cover.
    """
    drawn: list[Plain] = []
    tags: list[Tag] = []
    known: list[Unit | Contact] = [*scene.contacts, *scene.units]
    for one in known:
        own = isinstance(one, Unit)
        if one.footprint and one.at:
            made = _hull(one, one.at, page, sheet, ink_of("own" if own else "enemy", one.tone))
            if made:
                drawn.append(made[0])
                tags.append(
                    tag(*made[1], _said(one), "ownlab" if own or one.tone == "own" else "foe")
                )
    return {"hulls": drawn, "pointers": _pointers(scene, page, sheet), "hull_tags": tags}


def _said(one: Unit | Contact) -> Text:
    """Its name, and the line below. A contact with neither name nor label is one of several whose
    first is named."""
    if isinstance(one, Unit):
        name = one.name
    else:
        name = f"{one.name or (one.label and one.id)} {one.what}".strip()
    lines = fold([[Word(name, True, one.id)]])
    return [*lines, [Word(one.note)]] if one.note else lines


def _hull(
    one: Unit | Contact, at: Point, page: Page, sheet: Sheet, ink: str
) -> tuple[Plain, tuple[float, float, float, float]] | None:
    """What the template draws, and the middle and half the size of the hull; None off the map."""
    middle = page.px(at)
    if not page.holds(*middle):
        return None
    heading = one.heading or 0.0
    points = page.line(placed(one.footprint, at, heading))
    ys = [y for _, y in one.footprint]
    bow, stern = ahead(at, heading, -min(ys)), ahead(at, heading, -max(ys))
    long, beam = max(ys) - min(ys), max(abs(x) for x, _ in one.footprint)
    _block(sheet, page.px(bow), page.px(stern), beam * page.pitch)
    nose = [page.px(bow), page.px(ahead(bow, heading, AHEAD * long))]
    pointed = one.heading is not None and one.pointer
    if pointed:
        sheet.trace(nose, 2)
    xs, down = zip(*points, strict=True)
    reach = (max(xs) - min(xs)) / 2 + 1, (max(down) - min(down)) / 2 + 1
    symbol = one.symbol
    x, y = page.px(ahead(at, heading, -(min(ys) + max(ys)) / 2))
    scale = f"{long * page.pitch / BOX[1]:.4g}"
    drawn = {
        "d": path(points, close=True),
        "ink": ink,
        "nose": path(nose) if pointed else "",
        "symbol": symbol,
        "deck": f"translate({number(x)} {number(y)}) rotate({number(heading)}) scale({scale})",
        "said": one.name or one.id,
    }
    return drawn, (*middle, *reach)


def _block(sheet: Sheet, bow: Point, stern: Point, half: float) -> None:
    """Mark a hull on the sheet as boxes along its keel: one box would be far too wide."""
    steps = max(int(dist(bow, stern) // max(half, 3)), 1)
    half = max(half * 0.8, 2)
    for i in range(steps + 1):
        x = bow[0] + (stern[0] - bow[0]) * i / steps
        y = bow[1] + (stern[1] - bow[1]) * i / steps
        sheet.block((x - half, y - half, x + half, y + half))


def _pointers(scene: Scene, page: Page, sheet: Sheet) -> list[Plain]:
    """The headings of units and contacts without a footprint, as lines from their middles."""
    found: list[Plain] = []
    known: list[Unit | Contact] = [*scene.units, *scene.contacts]
    for one in known:
        if one.heading is None or one.footprint or one.at is None:
            continue
        x, y = page.px(one.at)
        u, v = ahead((x, y), one.heading, POINTER)
        line = [(x, y), (round(u, 1), round(v, 1))]
        if page.holds(x, y):
            sheet.trace(line, 2)
            found.append({"d": path(line), "ink": "own" if isinstance(one, Unit) else "foe"})
    return found
