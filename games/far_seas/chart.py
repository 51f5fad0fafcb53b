"""The chart of a side's report: the oceans in 32 areas, from report.json alone.

The areas lie over the real coast (tools/build_world.py), which is our own work; the board's table
says what is adjacent. It reads nothing but the report, which holds own ships and own knowledge, and
the public board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise

from msgspec import UNSET, UnsetType, convert

from games.far_seas import board
from games.far_seas.board import GERMAN, SIDES
from games.far_seas.report import Enemy, OwnShip, Report
from pbem.kit import charts
from pbem.scene import Box, Contact, Grid, Key, Point, Port, Scene, Unit, coast

SYMBOLS = {"BB": "BB", "BC": "BB", "AC": "CA", "CR": "CL", "CL": "CL", "AMC": "CL"}
RANKS = {"BC": 50, "BB": 40, "AC": 30, "CL": 20, "CR": 15, "AMC": 10}
BOXES = (board.ENGLAND, board.MEDITERRANEAN)


def scene(report: Mapping[str, object]) -> Scene:
    """The chart of a report (decoded report.json). Pure."""
    return drawn(convert(report, Report))


def drawn(report: Report) -> Scene:
    """The chart of a typed report."""
    view = coast("far_seas")
    areas = report.board.areas
    facts, side = report.board, report.side
    watched = side not in SIDES
    fresh = {c.place for c in report.contacts if not c.age and c.source != "open"}
    return Scene(
        title=report.title or "Far Seas",
        side=report.side_name,
        when=f"Turn {report.turn} of {facts.turns} · {report.label}",
        window=window(areas),
        grid=grid(areas),
        coast=view,
        ports=tuple(stations(side, facts.raided, areas)),
        units=(*own(report.units), *(allied(report.contacts) if watched else ())),
        contacts=() if watched else tuple(enemies(report)),
        found=tuple(sorted(fresh)) if side != GERMAN else (),
        boxes=boxes(report),
        deadline=report.deadline,
        legend=legend(report),
        notes=(
            "Miles at the equator; both ends show America",
            view.projection.partition(";")[0],
            "Coast: Natural Earth 1:50m, public domain",
        ),
        focus=focus(report),
        pitch=pitch(areas),
    )


WIDE, HIGH, MARGIN = 1376, 760, 0.3
"""Pixels of the map at most; cells around the areas in play."""
BESIDE = 38
"""Pixels from the middle of an area's counters to its number."""


def at(area: str) -> Point:
    """Where an area's counters stand."""
    x, y = coast("far_seas").places[area]
    return x, y


@cache
def grid(areas: tuple[str, ...]) -> Grid:
    """The areas in play, all without a list; the boxes have no number to show."""
    outlines = coast("far_seas").areas
    shown = [a for a in outlines if not areas or a in areas or a in BOXES]
    names = {a: (at(a)[0] - BESIDE / pitch(areas), at(a)[1] + 0.1) for a in shown}
    titles = {a: board.name(a) for a in shown}
    return Grid(names, "area", frozenset(BOXES), {a: outlines[a] for a in shown}, titles)


@cache
def window(areas: tuple[str, ...]) -> tuple[float, float, float, float]:
    """The part of the world that shows: all of it, or the areas in play."""
    west, north, east, south = coast("far_seas").window
    corners = [p for a in areas for p in coast("far_seas").areas[a]]
    if not corners:
        return west, north, east, south
    xs, ys = zip(*corners, strict=True)
    return (
        max(min(xs) - MARGIN, west),
        max(min(ys) - MARGIN, north),
        min(max(xs) + MARGIN, east),
        min(max(ys) + MARGIN, south),
    )


def pitch(areas: tuple[str, ...]) -> int:
    """Pixels of ten degrees: as wide a chart as mails show, not higher than a page."""
    west, north, east, south = window(areas)
    return int(min(WIDE / (east - west), HIGH / (south - north)))


def stations(side: str, raided: Iterable[str], areas: Iterable[str]) -> list[Port]:
    """M1, E3 British stations as `side` sees them; raided ones are spent."""
    spent, play = set(raided), set(areas)
    return [
        Port(
            "" if side != GERMAN else f"{name.title()} {points}",
            at(name),
            "neutral" if name in spent else "enemy" if side == GERMAN else "own",
            small=True,
        )
        for area in board.AREAS.values()
        for name, points in area.stations.items()
        if not play or area.id in play
    ]


def own(units: Iterable[OwnShip]) -> list[Unit]:
    """Every own ship, at its area; a squadron shows its leader's name first."""
    return [
        Unit(
            id=u.id,
            name=u.name,
            symbol=SYMBOLS.get(u.type, "CL"),
            at=at(u.place),
            caption=u.type,
            rank=RANKS.get(u.type, 0) + (u.leader == ""),
            patrol=u.duty != "",
            track=way(u.wake, u.place),
            plan=ahead(u),
        )
        for u in units
    ]


def allied(ships: Iterable[Enemy]) -> list[Unit]:
    """The Allies, who lie open, as spectators see them: in blue."""
    return [
        Unit(
            id=c.id,
            name=c.name,
            symbol=SYMBOLS.get(c.type, "CL"),
            at=at(c.place),
            caption=c.type,
            rank=RANKS.get(c.type, 0) + (c.leader == ""),
            patrol=c.duty != "",
            track=way([area for area, _ in c.trail or ()], c.place),
        )
        for c in ships
    ]


def enemies(report: Report) -> list[Contact]:
    """What the side knows: Allies lie open; Germans stand where they were last placed."""
    here: dict[tuple[str, int], list[Enemy]] = {}
    for c in report.contacts:
        here.setdefault((c.place, c.age), []).append(c)
    return [contact(c, len(group)) for group in here.values() for c in group]


def contact(c: Enemy, count: int) -> Contact:
    """One ship; count: ships of the same place and age, which share a mark."""
    return Contact(
        id=c.id,
        name=c.name,
        label=str(count),
        what="",
        note="" if c.source == "open" else charts.ago(c.age, "this turn"),
        age=c.age,
        at=at(c.place),
        trail=way([area for area, _ in c.trail or ()], c.place),
    )


def way(places: Iterable[str] | UnsetType, here: str) -> tuple[Point, ...]:
    """Former places on the way to `here`: after the last leap from one end of the picture to the
    other, as a ship makes it through the Panama Canal."""
    points = [*map(at, places or ()), at(here)]
    west, _, east, _ = coast("far_seas").window
    leaps = [
        i for i, (a, b) in enumerate(pairwise(points), 1) if abs(a[0] - b[0]) > (east - west) / 2
    ]
    return tuple(points[leaps[-1] if leaps else 0 : -1])


def ahead(ship: OwnShip) -> tuple[Point, ...]:
    """M4 Where a named ship is about to sail: none across the whole picture, as by the canal."""
    to = ship.bound if ship.bound is not UNSET else ship.place
    return (at(to),) if to != ship.place and way((ship.place,), to) else ()


def boxes(report: Report) -> tuple[Box, ...]:
    """Segment and points."""
    facts = report.board
    return (
        Box("Segment", str(facts.segment)),
        charts.points(facts.points),
    )


def focus(report: Report) -> tuple[Point, ...]:
    """What the detail shows: fresh contacts of the Allies, then the strongest ships at sea."""
    seen = [c for c in report.contacts if c.source != "open"]
    fresh = sorted(seen, key=lambda c: c.age)[:3]
    strong = sorted(report.units, key=lambda u: (-RANKS.get(u.type, 0), u.id))
    sea = [u for u in strong if u.place not in BOXES]
    return charts.places(at, [*fresh, *sea])


def legend(report: Report) -> tuple[Key, ...]:
    """The side's legend, with the courses of named ships while there are any."""
    own, *rest = LEGENDS[report.side == GERMAN]
    sails = any(ahead(u) for u in report.units)
    return Key(own.title, (*own.rows, *([BOUND] if sails else []))), *rest


BOUND = ("plan", "where named ships are bound")
_OWN = Key(
    "Own ships",
    (
        ("counter:CA", "strongest of an area"),
        ("stack:BB", "several in one area"),
        ("patrol:CL", "dashed: convoy, station, landing"),
        ("track", "from where, one dot a turn"),
    ),
)
_BOARD = (("ports:all", "station: own, enemy's, raided"),)
LEGENDS = {
    True: (
        _OWN,
        Key("Allied ships", (("held", "how many; they lie open"), ("trail", "from where"))),
        Key("Board", _BOARD),
    ),
    False: (
        _OWN,
        Key(
            "Germans",
            (
                ("held", "how many, placed this turn or last"),
                ("old", "older: paler"),
                ("trail", "where they were seen before"),
                ("found", "area where some were seen this turn"),
            ),
        ),
        Key("Board", _BOARD),
    ),
}
