"""Shapes, tracks, markers and their names on a chart, as the replay page draws them.

Each is a tuple that begins with its kind, its owner and the name of its colour. The page gives the
reader's colours to `own` and `foe`; the view of the truth shows what each side owns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from pbem.charts import shapes, symbols, tracks
from pbem.charts.label_placement import Sheet
from pbem.charts.text_metrics import Tag
from pbem.charts.themes import ink_of
from pbem.charts.viewport import Page
from pbem.replay.tables import Thing
from pbem.scene import Owner, Scene, Shape

UNDER, OVER = 0, 1
"""Whether a shape lies below where enemies may be, or above."""


def things(scene: Scene, page: Page, printed: Sequence[Shape] = ()) -> Iterator[Thing]:
    """Everything of a scene that is neither its board, a unit nor a contact.

    printed: the shapes of the board, which the page draws once. A shape of the board that not every
    report has is a thing like others: it is shown to those who saw it.
    """
    sheet = Sheet(page.frame)
    yield from _shapes(scene, page, sheet, printed)
    marks = [(m, page.px(m.at)) for m in scene.marks]
    on_tracks = []
    for track, points, moved in tracks.laid(scene, page):
        on_tracks += [(m, moved.get(page.px(m.at), page.px(m.at))) for m in track.marks]
        ink = ink_of(track.owner, track.tone)
        t = tracks.drawn_track(track, points, ink)
        flags = (int(t["bold"]), int(t["core"]), int(t["dashed"]), int(t["arrow"]))
        yield (
            "way",
            t["owner"],
            ink,
            t["d"],
            *flags,
            _dots(t["ends"]),
            _dots(t["beads"]),
            t["said"],
        )
        if t["said"]:
            yield from _names(track.owner, tracks.name_plate(track, points, ink, page))
    for m in tracks.markers([*on_tracks, *marks], page, sheet):
        place = (float(m["x"]), float(m["y"]), float(m["r"]))
        symbol = symbols.drawable(scene.system, m["symbol"])
        words = (m["label"], symbol, m["size"], int(m["solid"]), m["said"])
        star = (1,) if m["burst"] else ()
        yield ("mark", m["owner"], m["ink"], *place, *words, *star)


def _shapes(scene: Scene, page: Page, sheet: Sheet, printed: Sequence[Shape]) -> Iterator[Thing]:
    """The shapes that are not printed on the board, each followed by its name."""
    for shape in (*scene.earlier, *scene.shapes):
        if shape in printed:
            continue
        drawn = shapes.shapes(
            msgspec.structs.replace(scene, shapes=(shape,), earlier=()), page, sheet
        )
        for s in (*drawn["low_shapes"], *drawn["high_shapes"]):
            line = (s["edge"], s["width"], s["dash"], int(s["arrow"]))
            area = (s["fill"], int(s["hatched"]))
            over = OVER if s["over"] else UNDER
            yield ("shape", shape.owner, s["ink"], s["d"], *line, *area, over, s["said"])
            if s["inside"]:
                words = s["inside"]
                at = (float(words["x"]), float(words["y"]))
                yield ("name", shape.owner, words["ink"], *at, words["text"])
        yield from _names(shape.owner, drawn["shape_tags"])


def _names(owner: Owner, tags: list[Tag]) -> Iterator[Thing]:
    """Names at the places of the things that they name."""
    for tag in tags:
        words = " ".join(word.text for line in tag.lines for word in line)
        yield ("name", owner, tag.ink, tag.want.x, tag.want.y, words)


def _dots(places: list[tuple[str, str]]) -> tuple[float, ...]:
    """Places as x, y, x, y ..."""
    return tuple(float(number) for place in places for number in place)
