"""A Scene as an SVG: everything is laid out here, the template only writes it down.

The same bytes on every run. Knows no game: what a symbol of the legend or of a counter looks like
stands in templates/base/chart.svg.j2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from pbem import margins
from pbem.captions import Tag, Text, Word, fold, measure, tag, write
from pbem.labels import Rect, Sheet
from pbem.margins import PAD, ROW
from pbem.scene import Contact, Line, Name, Point, Scene, Unit
from pbem.strokes import eased, number, path, smooth
from pbem.themes import THEMES, Theme, mix

if TYPE_CHECKING:
    pass

TOP, HEAD = 86, 34
"""Head of a chart, head of a detail; pixels."""
NUMBER = 14.0
"""Size of the name of an area; cells of a grid have smaller ones."""
DETAIL, LEAST = 8.0, 400
"""Cells that a detail chart is wide and high, and pixels that it is at least."""
ZOOM = 2
"""Pixels of a detail chart for one of the whole."""
COUNTER = (23.0, 12.5)
"""Half a counter."""
FADES = (1.0, 0.8, 0.55, 0.35, 0.15)
"""How strong a contact's colour is by its age."""

Data = dict[str, Any]


class Page(Struct, frozen=True):
    """Cells to pixels. frame: the map's own rectangle."""

    west: float
    north: float
    pitch: float
    left: float
    top: float
    frame: Rect

    def px(self, at: Point) -> Point:
        """A place in pixels."""
        x, y = at
        return (
            round(self.left + (x - self.west) * self.pitch, 1),
            round(self.top + (y - self.north) * self.pitch, 1),
        )

    def line(self, points: Iterable[Point]) -> list[Point]:
        """Places in pixels, without repeats in a row."""
        found: list[Point] = []
        for at in map(self.px, points):
            if not found or at != found[-1]:
                found.append(at)
        return found


def svg(scene: Scene, theme: str = "light", detail: bool = False) -> str:
    """The chart as SVG text. theme: light or dark. detail: what matters, larger, for phones."""
    from pbem.render import desk

    page = desk().get_template("base/chart.svg.j2")
    return page.render(layout(scene, THEMES[theme], detail)) + "\n"


def layout(scene: Scene, theme: Theme, detail: bool = False) -> Data:
    """Everything the template writes, in pixels."""
    page = _page(scene, detail)
    left, top, right, bottom = page.frame
    rows = 0 if detail else max((len(k.rows) for k in scene.legend), default=0)
    foot = 14 if detail else PAD + (ROW * rows + 44 if rows else 0)
    sheet = Sheet((left + 3, top + 3, right - 3, bottom - 3))
    _numbers(scene, page, sheet)
    drawn = _units(scene, page, sheet) | _contacts(scene, page, sheet, theme)
    drawn |= _lines(scene, page, sheet) | _board(scene, page, sheet)
    tags = [*drawn.pop("foe_tags"), *drawn.pop("port_tags"), *drawn.pop("own_tags")]
    wide, high = right + left, bottom + foot
    return {
        "t": theme, "W": number(wide), "H": number(high), "detail": detail,
        "shown": (round(wide * (ZOOM if detail else 1)), round(high * (ZOOM if detail else 1))),
        "frame": [number(v) for v in (left, top, right - left, bottom - top)],
        "scene": scene, "side": scene.side.upper(), "names": write(tags, sheet),
        "boxes": [] if detail else margins.boxes(scene, wide - PAD + 4),
        "legend": [] if detail else margins.legend(scene, page.pitch, wide, bottom + 20),
        "faded": [mix(theme["foe"], theme["sea2"], share) for share in FADES],
        **drawn,
    }  # fmt: skip


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


# The board


def _board(scene: Scene, page: Page, sheet: Sheet) -> Data:
    """Grid, cells with a pattern, names, ports, coast, graticule."""
    outlines = {name: page.line(scene.grid.outline(name)) for name in scene.grid.cells}
    paths = {name: path(points, close=True) for name, points in outlines.items()}
    ports, tags = _ports(scene, page, sheet)
    fog, searched, found = (
        "".join(paths[c] for c in cells if c in paths)
        for cells in (scene.fog, scene.searched, scene.found)
    )
    return {
        "grid": "".join(paths[c] for c in scene.grid.cells),
        "cells": _cells(scene, page),
        "cell_size": NUMBER if scene.grid.shape == "area" else 8.6,
        "fog": fog,
        "searched": searched,
        "found": found,
        "night": _night(scene, page),
        "ports": ports,
        "port_tags": tags,
        "coast": _coast(scene, page, sheet),
    }


def _cells(scene: Scene, page: Page) -> list[tuple[str, str, str]]:
    """The small names of the cells that show, at their upper edge or in their middle."""
    lift = 0.0 if scene.grid.shape == "area" else 0.36
    named = [(n, page.px((x, y - lift))) for n, (x, y) in scene.grid.cells.items()
             if n not in scene.grid.faint]  # fmt: skip
    return [(number(x), number(y + 3), n) for n, (x, y) in named if _inside(page, x, y)]


def _numbers(scene: Scene, page: Page, sheet: Sheet) -> None:
    """An area's name is what orders call it: nothing may be written over it."""
    for x, y, name in _cells(scene, page) if scene.grid.shape == "area" else ():
        half = measure(name, ("sans-600", NUMBER)) / 2 + 1
        sheet.block((float(x) - half, float(y) - NUMBER, float(x) + half, float(y) + 2))


def _inside(page: Page, x: float, y: float) -> bool:
    left, top, right, bottom = page.frame
    return left + 8 < x < right - 8 and top + 6 < y < bottom - 3


def _night(scene: Scene, page: Page) -> list[str]:
    """Top and height of the dark part."""
    if scene.night is None:
        return []
    left, top, right, bottom = page.frame
    y = min(max(page.px((0, scene.night))[1], top), bottom)
    return [number(left), number(y), number(right - left), number(bottom - y)]


def _ports(scene: Scene, page: Page, sheet: Sheet) -> tuple[list[Data], list[Tag]]:
    marks: list[Data] = []
    tags = []
    ink = {"own": "own", "enemy": "enemyport", "neutral": "neutral"}
    for port in scene.ports:
        x, y = page.px(port.at)
        if _inside(page, x, y):
            sheet.block((x - 8, y - 8, x + 8, y + 8))
            marks.append({"x": number(x), "y": number(y), "ink": ink[port.owner]})
            tags.append(tag(x, y, 8, 7, [[Word(port.name, bold=True)]], ink[port.owner]))
    return marks, tags


def _coast(scene: Scene, page: Page, sheet: Sheet) -> Data | None:
    if scene.coast is None:
        return None
    c = scene.coast
    x, y = page.px((0, 0))
    rx, ry, north = c.rose
    left, _, _, bottom = page.frame
    rose = page.px((rx, ry))
    shown = _inside(page, *rose)
    if shown:
        sheet.block((rose[0] - 48, rose[1] - 62, rose[0] + 48, rose[1] + 48))
    whole = page.top == TOP
    degrees = [
        (d.text, left + 4, page.px((0, d.at))[1] - 3, "start") if d.edge == "west"
        else (d.text, page.px((d.at, 0))[0] + 3, bottom - 5, "start")
        for d in (c.degrees if whole else ())
    ]  # fmt: skip
    return {
        "x": number(x), "y": number(y), "scale": f"{page.pitch / c.unit:g}",
        "land": c.land, "graticule": c.graticule, "per": c.unit / page.pitch,
        "sea": _names(c.sea, page), "lands": _names(c.lands, page),
        "degrees": [(s, number(a), number(b), k)
                    for s, a, b, k in degrees if _inside(page, a + 6, b)],
        "rose": (number(rose[0]), number(rose[1]), number(north)) if shown else None,
    }  # fmt: skip


def _names(names: Iterable[Name], page: Page) -> list[tuple[str, ...]]:
    placed = [(n, page.px((n.x, n.y))) for n in names]
    return [
        (n.text, number(x), number(y), number(n.turn), number(n.size), number(n.spacing))
        for n, (x, y) in placed
    ]


def _lines(scene: Scene, page: Page, sheet: Sheet) -> Data:
    """Routes and other lines of the board, and the paths their names are written on."""
    found: list[Data] = []
    for line in scene.lines:
        points = page.line(eased(line.points) if line.kind == "route" else line.points)
        points = _within(page, points) if line.kind == "border" else points
        for at in points if line.kind == "beads" else ():
            sheet.avoid((at[0] - 4, at[1] - 4, at[0] + 4, at[1] + 4))
        sheet.trace(points, 2)
        found.append(_line(line, points))
    return {"lines": found}


def _within(page: Page, points: list[Point]) -> list[Point]:
    """A border's points drawn in to the frame, so that its name begins there."""
    left, _, right, _ = page.frame
    return [(min(max(x, left), right), y) for x, y in points]


def _line(line: Line, points: list[Point]) -> Data:
    curve = path(points) if line.kind == "border" else smooth(points)
    onward = points[0][0] <= points[-1][0]
    written = curve if onward else smooth(points[::-1])
    beads = [(number(x), number(y)) for x, y in points] if line.kind == "beads" else []
    return {"name": line.name, "kind": line.kind, "path": curve, "written": written,
            "arrow": line.arrow, "beads": beads,
            "share": number(100 * (line.share if onward else 1 - line.share))}  # fmt: skip


# Own forces


def _units(scene: Scene, page: Page, sheet: Sheet) -> Data:
    """Counters, aircraft, tracks and plans."""
    stacks = _by_place(u for u in scene.units if u.role != "flying")
    wings = _by_place(u for u in scene.units if u.role == "flying")
    seen = {c.at for c in scene.contacts if c.at}
    order = sorted(stacks.items(), key=lambda s: (-max(u.rank for u in s[1]), s[0]))
    placed = [_stack(scene, page, at, units, at in seen) for at, units in order]
    placed += [_wing(page, at, u, at in stacks or at in seen) for at, u in sorted(wings.items())]
    marks, tags = [], []
    for mark, name in placed:
        (x, y), (gx, gy) = mark["at"], mark["half"]
        if _inside(page, x, y):
            sheet.block((x - gx, y - gy, x + gx, y + gy))
            marks.append(mark)
            tags.append(name)
    counters = [m for m in marks if m["symbol"]]
    planes = [m for m in marks if not m["symbol"]]
    return {"counters": counters, "planes": planes, "own_tags": tags} | _tracks(scene, page, sheet)


def _by_place(units: Iterable[Unit]) -> dict[Point, list[Unit]]:
    found: dict[Point, list[Unit]] = {}
    for unit in units:
        found.setdefault(unit.at, []).append(unit)
    return found


def _stack(
    scene: Scene, page: Page, at: Point, units: list[Unit], shared: bool
) -> tuple[Data, Tag]:
    """One mark for all units of a place, and their names. shared: with an enemy."""
    x, y = page.px(at)
    top = sorted((u for u in units if u.role == "counter"), key=lambda u: (-u.rank, u.id))
    lines = fold(_said(units, top))
    if not top:
        x, y = _beside_port(scene, page, (x, y))
        mark = {"at": (x, y), "symbol": "", "turn": 0, "half": (8.0, 8.0), "based": True}
        return mark, tag(x, y, 8, 8, lines, "air")
    y = round(y + 0.22 * page.pitch, 1) if shared else y
    gx, gy = COUNTER
    more = len(top) - 1
    counter = {
        "at": (x, y), "symbol": top[0].symbol, "patrol": top[0].patrol, "more": min(more, 2),
        "caption": top[0].caption + (f" +{more}" if more else ""), "half": (gx + 2, gy + 2),
    }  # fmt: skip
    return counter, tag(x, y, gx + 1, gy, lines, "ownlab")


def _beside_port(scene: Scene, page: Page, at: Point) -> Point:
    """Grounded aircraft next to the port of their cell, not on it."""
    for x, y in (page.px(port.at) for port in scene.ports):
        if abs(x - at[0]) <= page.pitch / 2 and abs(y - at[1]) <= page.pitch / 2:
            return round(x + 16, 1), y
    return at


def _said(units: list[Unit], top: list[Unit]) -> list[list[Word]]:
    """The names of a stack: each force with its members, then single units, then aircraft."""
    members: dict[str, list[Unit]] = {}
    for unit in units:
        if unit.role == "member":
            members.setdefault(unit.force, []).append(unit)
    said = [
        [Word(u.name, True, u.id), *(Word(m.name, False, m.id) for m in members[u.id])]
        for u in top
        if u.id in members
    ]
    said.append([Word(u.name, True, u.id) for u in top if u.id not in members])
    said.append([Word(u.name, False, u.id) for u in units if u.role == "based"])
    known = {u.id for u in top}
    said.append([Word(m.name, False, m.id) for f in members if f not in known for m in members[f]])
    return [words for words in said if words]


def _wing(page: Page, at: Point, units: list[Unit], shared: bool) -> tuple[Data, Tag]:
    """Aircraft in the air over one place."""
    x, y = page.px(at)
    if shared:
        x, y = round(x - 0.34 * page.pitch, 1), round(y - 0.3 * page.pitch, 1)
    lines = fold([[Word(u.name, False, u.id) for u in units]])
    turn = _heading(units[0].base, at) if units[0].base else 0
    mark = {"at": (x, y), "symbol": "", "turn": turn, "half": (9.0, 9.0), "based": False}
    return mark, tag(x, y, 8, 8, lines, "air")


def _heading(start: Point, end: Point) -> int:
    from math import atan2, degrees

    return round(degrees(atan2(end[0] - start[0], start[1] - end[1])))


def _tracks(scene: Scene, page: Page, sheet: Sheet) -> Data:
    """Former ways with a dot a turn, ways ahead with an arrow, flights from base."""
    tracks: dict[str, list[Point]] = {}
    plans: dict[str, None] = {}
    flights: dict[str, None] = {}
    for unit in scene.units:
        past, ahead = page.line((*unit.track, unit.at)), page.line((unit.at, *unit.plan))
        if len(past) > 1 and (way := path(past)) not in tracks:
            tracks[way] = past[:-1]
            sheet.trace(past)
        if len(ahead) > 1 and (way := path(ahead)) not in plans:
            plans[way] = None
            sheet.trace(ahead, 4)
        if unit.role == "flying" and unit.base and unit.base != unit.at:
            flight = page.line((unit.base, unit.at))
            flights[_arc(*flight)] = None
            sheet.trace(flight, 2)
    dots = sorted({at for points in tracks.values() for at in points})
    return {"tracks": list(tracks), "plans": list(plans), "flights": list(flights),
            "dots": [(number(x), number(y)) for x, y in dots]}  # fmt: skip


def _arc(start: Point, end: Point) -> str:
    """A slightly bent line."""
    (x, y), (u, v) = start, end
    mx, my = (x + u) / 2 - (v - y) * 0.08, (y + v) / 2 + (u - x) * 0.08
    return f"M{number(x)} {number(y)}Q{number(mx)} {number(my)} {number(u)} {number(v)}"


# The enemy as known


def _contacts(scene: Scene, page: Page, sheet: Sheet, theme: Theme) -> Data:
    """Marks, rings, areas and trails."""
    own = {u.at for u in scene.units if u.role != "flying"}
    groups: dict[tuple[Point | None, tuple[str, ...], int], list[Contact]] = {}
    for contact in scene.contacts:
        groups.setdefault((contact.at, contact.cells, contact.age), []).append(contact)
    marks, tags, trails, areas = [], [], {}, []
    rings: dict[str, None] = {}
    for (at, cells, age), group in groups.items():
        here = at or _middle([scene.grid.cells[c] for c in cells if c in scene.grid.cells])
        x, y = page.px(here)
        if not _inside(page, x, y):
            continue
        y = round(y - 0.2 * page.pitch, 1) if at in own else y
        half = (14.0 if age <= 1 else 11.0) if at else 2.0
        sheet.block((x - half, y - half, x + half, y + half))
        tags.append(tag(x, y, half, half, _known(group), "foe" if at else "area"))
        for c in group:
            if c.ring:
                rings.setdefault(path(page.line(c.ring), close=True))
            if c.trail:
                trails[path(page.line((*c.trail, here)))] = page.line(c.trail)
                sheet.trace(page.line((*c.trail, here)))
            areas += [path(page.line(scene.grid.outline(n)), close=True) for n in c.cells
                      if n in scene.grid.cells]  # fmt: skip
        if at:
            marks.append(_mark(page, group, (x, y), half, theme))
            sheet.trace(marks[-1].pop("arrow"), 5)
    steps = sorted({p for points in trails.values() for p in points})
    return {"marks": marks, "rings": list(rings), "areas": "".join(areas), "trails": list(trails),
            "steps": [(number(x), number(y)) for x, y in steps], "foe_tags": tags}  # fmt: skip


def _mark(page: Page, group: list[Contact], at: Point, half: float, theme: Theme) -> Data:
    """A contact's mark: the older, the paler; an arrow where its course is known."""
    first = group[0]
    share = FADES[min(first.age, len(FADES) - 1)]
    ahead = next((page.px(c.ahead) for c in group if c.ahead), None)
    arrow = [at, _toward(at, ahead, 40)] if ahead and ahead != at else []
    return {
        "x": number(at[0]), "y": number(at[1]), "half": number(half), "label": first.label,
        "fill": mix(theme["foe"], theme["sea2"], share),
        "ink": theme["halo"] if share > 0.5 else theme["foe"],
        "course": path(arrow) if arrow else "", "arrow": arrow,
    }  # fmt: skip


def _toward(start: Point, end: Point, length: float) -> Point:
    from math import dist

    share = length / dist(start, end)
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _known(group: list[Contact]) -> Text:
    """`EN1 BB` for each contact of a place, then how old the news is."""
    names = fold([[Word(f"{c.name or c.id} {c.what}".strip(), True, c.id) for c in group]])
    return [*names, [Word(group[0].note)]] if group[0].note else names


def _middle(points: Sequence[Point]) -> Point:
    n = max(len(points), 1)
    return sum(x for x, _ in points) / n, sum(y for _, y in points) / n
