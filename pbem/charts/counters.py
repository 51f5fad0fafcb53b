"""Own units and contacts, in pixels: counters, aircraft, tracks, plans, marks of the enemy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.charts.label_placement import Sheet
from pbem.charts.svg_path import number, once, path
from pbem.charts.text_metrics import Tag, Text, Word, fold, tag
from pbem.charts.themes import Theme, mix
from pbem.charts.viewport import Page
from pbem.model import Plain
from pbem.scene import Contact, Point, Scene, Unit

COUNTER = (23.0, 12.5)
"""Half the width and half the height of a counter, in pixels."""
NAMED, WINGS = 5, 2
"""Names that the label of one place has at most on a detail chart: of ships, and of aircraft on
the ground. Of more it has one less, and their number."""
ASIDE = (21.0, 15.0)
"""Distance of an aircraft from the middle of a counter in the same place, in pixels: it is drawn
over the counter's corner."""
FADES = (1.0, 0.8, 0.55, 0.35, 0.15)
"""Strength of a contact's colour at age 0, 1, 2 ...; older contacts have the last."""


# Own forces


def units(scene: Scene, page: Page, sheet: Sheet) -> Plain:
    """Counters, aircraft, tracks and plans. Marks on `sheet` what names should not cover."""
    stacks = _by_place(u for u in scene.units if u.role != "flying" and not u.footprint)
    wings = _by_place(u for u in scene.units if u.role == "flying" and not u.footprint)
    seen = {c.at for c in scene.contacts if c.at}
    order = sorted(stacks.items(), key=lambda s: (-max(u.rank for u in s[1]), s[0]))
    placed = [_stack(scene, page, at, units, at in seen) for at, units in order]
    placed += [_wing(page, at, u, at in stacks or at in seen) for at, u in sorted(wings.items())]
    marks, tags = [], []
    for mark, name in placed:
        (x, y), (gx, gy) = mark["at"], mark["half"]
        if page.holds(x, y):
            sheet.block((x - gx, y - gy, x + gx, y + gy))
            marks.append(mark)
            tags.append(name)
    counters = [m for m in marks if "based" not in m]
    planes = [m for m in marks if "based" in m]
    drawn = {"counters": counters, "planes": planes, "own_tags": tags}
    return {**drawn, **_tracks(scene, page, sheet)}


def _by_place(units: Iterable[Unit]) -> dict[Point, list[Unit]]:
    """Place -> its units, in their order."""
    found: dict[Point, list[Unit]] = {}
    for unit in units:
        found.setdefault(unit.at, []).append(unit)
    return found


def _stack(
    scene: Scene, page: Page, at: Point, units: list[Unit], shared: bool
) -> tuple[Plain, Tag]:
    """One mark for all units of a place, and their names.

    shared: an enemy is in the same place; the counter then makes room above itself.
    """
    x, y = page.px(at)
    top = sorted((u for u in units if u.role == "counter"), key=lambda u: (-u.rank, u.id))
    lines = [*fold(_said(units, top, page.brief)), *([Word(u.note)] for u in units if u.note)]
    if not top:
        x, y = _beside_port(scene, page, (x, y))
        mark = {"at": (x, y), "symbol": "", "turn": 0, "half": (8.0, 8.0), "based": True}
        return mark, tag(x, y, 8, 8, lines, "air")
    y = round(y + 0.22 * page.pitch, 1) if shared else y
    gx, gy = COUNTER
    more = len(top) - 1
    counter = {
        "at": (x, y),
        "symbol": top[0].symbol,
        "patrol": top[0].patrol,
        "more": min(more, 2),
        "caption": top[0].caption + (f" +{more}" if more else ""),
        "half": (gx + 2, gy + 2),
    }
    return counter, tag(x, y, gx + 1, gy, lines, "ownlab")


def _beside_port(scene: Scene, page: Page, at: Point) -> Point:
    """The place of aircraft on the ground: beside the port of their cell, not on it."""
    for x, y in (page.px(port.at) for port in scene.ports if port.anchor):
        if abs(x - at[0]) <= page.pitch / 2 and abs(y - at[1]) <= page.pitch / 2:
            return round(x + 16, 1), y
    return at


def _said(units: list[Unit], top: list[Unit], brief: bool) -> list[list[Word]]:
    """The names in a place: each force with its members, single units, aircraft on the ground, and
    members whose force is not there. brief: some of many are only counted."""
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
    named = [words for words in said if words]
    if not brief:
        return named
    return [_few(words, NAMED if words[0].bold else WINGS) for words in named]


def _few(words: list[Word], most: int) -> list[Word]:
    """The first of those names, the last with the number of those left out: `Aurora +3`."""
    if len(words) <= most:
        return words
    from msgspec.structs import replace

    *first, last = words[: most - 1]
    return [*first, replace(last, text=f"{last.text} +{len(words) - most + 1}")]


def _wing(page: Page, at: Point, units: list[Unit], shared: bool) -> tuple[Plain, Tag]:
    """One mark for all aircraft in the air over a place, and their names.

    shared: counters or an enemy are in the same place.
    """
    x, y = page.px(at)
    if shared:
        x, y = round(x - ASIDE[0], 1), round(y - ASIDE[1], 1)
    lines = fold([[Word(u.name, False, u.id) for u in units]])
    turn = _heading(units[0].base, at) if units[0].base else 0
    mark = {"at": (x, y), "symbol": "", "turn": turn, "half": (9.0, 9.0), "based": False}
    return mark, tag(x, y, 8, 8, lines, "air")


def _heading(start: Point, end: Point) -> int:
    """The direction from one place to another, in degrees clockwise from up."""
    from math import atan2, degrees

    return round(degrees(atan2(end[0] - start[0], start[1] - end[1])))


def _tracks(scene: Scene, page: Page, sheet: Sheet) -> Plain:
    """Former tracks with a dot for each turn, planned tracks with an arrow, flights from base."""
    tracks: list[list[Point]] = []
    plans: dict[str, None] = {}
    flights: dict[str, None] = {}
    for unit in scene.units:
        past, ahead = page.line((*unit.track, unit.at)), page.line((unit.at, *unit.plan))
        tracks.append(past)
        sheet.trace(past)
        if len(ahead) > 1 and (way := path(ahead)) not in plans:
            plans[way] = None
            sheet.trace(ahead, 4)
        if unit.role == "flying" and unit.base and unit.base != unit.at:
            flight = page.line((unit.base, unit.at))
            flights[_arc(*flight)] = None
            sheet.trace(flight, 2)
    dots = sorted({at for past in tracks for at in past[:-1]})
    sheet.bead(dots)
    return {
        "tracks": once(tracks),
        "plans": list(plans),
        "flights": list(flights),
        "dots": [(number(x), number(y)) for x, y in dots],
    }


def _arc(start: Point, end: Point) -> str:
    """A slightly curved line, as an SVG path."""
    (x, y), (u, v) = start, end
    mx, my = (x + u) / 2 - (v - y) * 0.08, (y + v) / 2 + (u - x) * 0.08
    return f"M{number(x)} {number(y)}Q{number(mx)} {number(my)} {number(u)} {number(v)}"


# The enemy as known


def contacts(scene: Scene, page: Page, sheet: Sheet, theme: Theme) -> Plain:
    """Marks, rings, areas and trails; contacts in one place with one age share a mark.

    Marks on `sheet` what names should not cover.
    """
    own = {u.at for u in scene.units if u.role != "flying" and not u.footprint}
    groups: dict[tuple[Point | None, tuple[str, ...], int], list[Contact]] = {}
    for contact in scene.contacts:
        groups.setdefault((contact.at, contact.cells, contact.age), []).append(contact)
    marks, tags, areas = [], [], []
    trails: list[list[Point]] = []
    rings: dict[str, None] = {}
    for (at, cells, age), group in groups.items():
        here = at or _middle([scene.grid.cells[c] for c in cells if c in scene.grid.cells])
        x, y = page.px(here)
        if not page.holds(x, y):
            continue
        y = round(y - 0.2 * page.pitch, 1) if at in own else y
        half = (14.0 if age <= 1 else 11.0) if at else 2.0
        marked = [c for c in group if not (c.footprint and at)]
        if marked:
            sheet.block((x - half, y - half, x + half, y + half))
            tags.append(tag(x, y, half, half, _known(marked), "foe" if at else "area"))
        for c in group:
            if c.ring:
                rings.setdefault(path(page.line(c.ring), close=True))
            if c.trail:
                trails.append(page.line((*c.trail, here)))
                sheet.trace(trails[-1])
            known = (n for n in c.cells if n in scene.grid.cells)
            areas += [path(page.line(scene.grid.outline(n)), close=True) for n in known]
        if at and marked:
            mark, arrow = _mark(page, marked, (x, y), half, theme)
            marks.append(mark)
            sheet.trace(arrow, 5)
    steps = sorted({p for trail in trails for p in trail[:-1]})
    sheet.bead(steps)
    return {
        "marks": marks,
        "rings": list(rings),
        "areas": "".join(areas),
        "trails": once(trails),
        "steps": [(number(x), number(y)) for x, y in steps],
        "foe_tags": tags,
    }


def _mark(
    page: Page, group: list[Contact], at: Point, half: float, theme: Theme
) -> tuple[Plain, list[Point]]:
    """A contact's mark, paler with age, and the arrow of its course (no points if unknown)."""
    first = group[0]
    share = FADES[min(first.age, len(FADES) - 1)]
    ahead = next((page.px(c.ahead) for c in group if c.ahead), None)
    arrow = [at, _toward(at, ahead, 40)] if ahead and ahead != at else []
    mark = {
        "x": number(at[0]),
        "y": number(at[1]),
        "half": number(half),
        "label": first.label,
        "fill": mix(theme["foe"], theme["sea2"], share),
        "ink": theme["halo"] if share > 0.5 else theme["foe"],
        "course": path(arrow) if arrow else "",
        "level": first.level,
        "submerged": first.submerged,
        "old": first.age > 0,
    }
    return mark, arrow


def _toward(start: Point, end: Point, length: float) -> Point:
    """The point at `length` from `start` towards `end`."""
    from math import dist

    share = length / dist(start, end)
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _known(group: list[Contact]) -> Text:
    """The text of a mark: `EN1 BB` for each contact, then how old the sighting is."""
    names = fold([[Word(f"{c.name or c.id} {c.what}".strip(), True, c.id) for c in group]])
    return [*names, [Word(group[0].note)]] if group[0].note else names


def _middle(points: Sequence[Point]) -> Point:
    """The mean of some places."""
    n = max(len(points), 1)
    return sum(x for x, _ in points) / n, sum(y for _, y in points) / n
