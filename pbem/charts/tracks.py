"""Tracks with owners, and markers, in pixels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.charts.counters import COUNTER
from pbem.charts.label_placement import Sheet
from pbem.charts.lanes import lanes
from pbem.charts.svg_path import number, on_rounded, path, rounded, smooth
from pbem.charts.text_metrics import Tag, Word, plate
from pbem.charts.themes import ink_of
from pbem.charts.viewport import Page
from pbem.model import Plain
from pbem.scene import Mark, Point, Scene, Track

RADIUS, SMALL = 8.2, 6.6
"""Radius of a marker with a symbol, and of one with a label, in pixels."""
STAR = 10.5
"""Radius of a star, in pixels."""
BEAD = 3.0
"""Radius of a marker with neither."""
CORNER = (COUNTER[0] - 1, -COUNTER[1] - 1)
"""Where a marker beside a counter stands, from the counter's middle, in pixels."""


def tracks(scene: Scene, page: Page, sheet: Sheet) -> Plain:
    """Tracks, all markers, and the plates of tracks. Marks on `sheet` what names should not
    cover."""
    shown: list[Plain] = []
    tags: list[Tag] = []
    marks: list[tuple[Mark, Point]] = []
    for track, points, moved in laid(scene, page):
        marks += [(m, moved.get(page.px(m.at), page.px(m.at))) for m in track.marks]
        ink = ink_of(track.owner, track.tone)
        sheet.trace(points, 5 if track.bold else 3)
        shown.append(drawn_track(track, points, ink))
        if track.name or track.note:
            tags += name_plate(track, points, ink, page)
    headed = [t for t in shown if t["arrow"]]
    return {
        "ways": shown,
        "way_heads": sorted({t["ink"] for t in headed if not t["bold"]}),
        "bold_heads": sorted({t["ink"] for t in headed if t["bold"]}),
        "markers": markers([*marks, *((m, page.px(m.at)) for m in scene.marks)], page, sheet),
        "track_tags": tags,
    }


def laid(scene: Scene, page: Page) -> Iterator[tuple[Track, list[Point], dict[Point, Point]]]:
    """Each track with its points in pixels, and where each of them was before bold tracks that
    share a stretch were laid side by side."""
    ways = {i: page.line(track.points) for i, track in enumerate(scene.tracks)}
    bold = [i for i, track in enumerate(scene.tracks) if track.bold and len(ways[i]) > 1]
    beside = dict(zip(bold, lanes([ways[i] for i in bold]), strict=True))
    for i, track in enumerate(scene.tracks):
        if len(ways[i]) > 1:
            points = beside.get(i, ways[i])
            yield track, points, dict(zip(ways[i], points, strict=True))


def drawn_track(track: Track, points: list[Point], ink: str) -> Plain:
    """What the template draws for a track."""
    ends = [points[0], *(() if track.arrow else points[-1:])]
    return {
        "d": _line(track, points),
        "owner": track.owner,
        "ink": ink,
        "bold": track.bold,
        "core": track.bold and track.owner == "enemy",
        "dashed": track.dashed,
        "arrow": track.arrow,
        "ends": [(number(x), number(y)) for x, y in ends] if track.bold else [],
        "beads": [(number(x), number(y)) for x, y in on_rounded(points)] if track.bold else [],
        "said": " ".join(filter(None, (track.name, track.note))),
    }


def _line(track: Track, points: list[Point]) -> str:
    """A track as a path."""
    if track.bold:
        return rounded(points)
    return smooth(points) if track.curved else path(points)


def name_plate(track: Track, points: list[Point], ink: str, page: Page) -> list[Tag]:
    """The name of a track, for the point nearest its middle that shows."""
    half = len(points) // 2
    near = sorted(range(len(points)), key=lambda i: (abs(i - half), i))
    at = next((points[i] for i in near if page.holds(*points[i])), None)
    words = [Word(track.name, bold=True), Word(track.note)]
    return [plate(*at, 5, 5, [w for w in words if w.text], ink)] if at else []


def markers(marks: Iterable[tuple[Mark, Point]], page: Page, sheet: Sheet) -> list[Plain]:
    """All markers that show; several in one place stand side by side."""
    taken: dict[tuple[Point, bool], int] = {}
    found = []
    for mark, at in marks:
        r = STAR if mark.burst else RADIUS if mark.symbol else SMALL if mark.label else BEAD
        before = taken.get((at, mark.beside), 0)
        taken[at, mark.beside] = before + 1
        dx, dy, way = (*CORNER, -1) if mark.beside else (0.0, 0.0, 1)
        x, y = round(at[0] + dx + way * before * 2 * r, 1), round(at[1] + dy, 1)
        if page.holds(x, y):
            sheet.block((x - r, y - r, x + r, y + r))
            found.append(_marker(mark, (x, y), r))
    return found


def _marker(mark: Mark, at: Point, r: float) -> Plain:
    """What the template draws for a marker."""
    return {
        "x": number(at[0]),
        "y": number(at[1]),
        "r": number(r),
        "owner": mark.owner,
        "ink": ink_of(mark.owner, mark.tone),
        "label": mark.label,
        "symbol": mark.symbol,
        "size": number(8.6 if len(mark.label) < 2 else 7.6 if len(mark.label) < 3 else 6.2),
        "solid": mark.beside,
        "burst": mark.burst,
        "said": mark.said,
    }
