"""Shapes, tracks, markers and their names on a chart, as the replay page draws them.

Each is a tuple that begins with its kind, its owner and the name of its colour. The page gives the
reader's colours to `own` and `foe`; the view of the truth shows what each side owns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from pbem.charts import label_placement, shapes, symbols, tracks
from pbem.charts.label_placement import Sheet
from pbem.charts.text_metrics import BOLD, LEADING, Tag, measure
from pbem.charts.themes import ink_of
from pbem.charts.viewport import Page
from pbem.replay.tables import Thing
from pbem.scene import Contact, Owner, Scene, Shape, Track, Unit

COUNTER, BELOW = 23.0, 14.0
"""How far a counter reaches to each side, and from its middle down to its name, in pixels."""
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
    named: list[tuple[Track, Tag]] = []
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
        sheet.trace(points)
        if t["said"]:
            named += [(track, tag) for tag in tracks.name_plate(track, points, ink, page)]
    for m in tracks.markers([*on_tracks, *marks], page, sheet):
        place = (float(m["x"]), float(m["y"]), float(m["r"]))
        symbol = symbols.drawable(scene.system, m["symbol"])
        words = (m["label"], symbol, m["size"], int(m["solid"]), m["said"])
        star = (1,) if m["burst"] else ()
        yield ("mark", m["owner"], m["ink"], *place, *words, *star)
    _stand(scene, page, sheet)
    spots = label_placement.place((tag.want for _, tag in named), sheet)
    for (track, tag), spot in zip(named, spots, strict=True):
        at = (round(spot.x, 1), round(spot.y, 1)) if spot else (tag.want.x, tag.want.y)
        name = f"{track.name} ({track.note})" if track.name and track.note else _words(tag)
        yield ("name", track.owner, tag.ink, *at, name)


def _stand(scene: Scene, page: Page, sheet: Sheet) -> None:
    """Block counters and the names below them, so that no name of a track covers them."""
    pieces: tuple[Unit | Contact, ...] = (*scene.units, *scene.contacts)
    for piece in pieces:
        if piece.at is not None:
            (x, y), half = page.px(piece.at), measure(piece.name, BOLD) / 2
            sheet.block((x - COUNTER, y - COUNTER, x + COUNTER, y + BELOW))
            sheet.block((x - half, y + BELOW, x + half, y + BELOW + LEADING))


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
        yield ("name", owner, tag.ink, tag.want.x, tag.want.y, _words(tag))


def _words(tag: Tag) -> str:
    """A name as one line."""
    return " ".join(word.text for line in tag.lines for word in line)


def _dots(places: list[tuple[str, str]]) -> tuple[float, ...]:
    """Places as x, y, x, y ..."""
    return tuple(float(number) for place in places for number in place)
