"""The chart of a side's report: the search board over the real coast, from report.json alone.

The board's zones are fitted to the coast by its ports (tools/build_coast.py), which is our own
work. It reads nothing but the report, which holds own units and own knowledge, and the public
board.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec import convert

from games.bismarck import battle_chart, board
from games.bismarck.report import Enemy, OwnUnit, Report
from pbem.kit import charts
from pbem.scene import Box, Contact, Grid, Key, Line, Point, Port, Scene, Unit, coast

HOURS = 4
RING = 3
"""A contact older than this many turns can be nearly anywhere."""
DARK_ROW = 10.5
"""11.11 The edge between rows K and L, at 55 degrees north."""
SYMBOLS = {"BB": "BB", "BC": "BB", "CV": "CV", "CA": "CA", "CL": "CL"}
RANKS = {"CV": 30, "BB": 20, "BC": 20, "CA": 10}
HEAVY = ("BB", "BC", "CV")


def scene(report: Mapping[str, object]) -> Scene:
    """The chart of a report (decoded report.json). Pure."""
    return drawn(convert(report, Report))


def scenes(report: Mapping[str, object]) -> tuple[Scene, ...]:
    """The search board, and the battle board of each action of the turn. Pure."""
    shown = convert(report, Report)
    return drawn(shown), *battle_chart.scenes(shown)


def drawn(shown: Report) -> Scene:
    """The chart of a typed report."""
    side, facts = shown.side, shown.board
    view = coast("bismarck")
    heard = {c.place for c in shown.contacts if c.source != "HUFF-DUFF"}
    fresh = {c.place for c in shown.contacts if c.age <= 1 and c.place in heard}
    return Scene(
        title=shown.title or "Bismarck",
        side=shown.side_name,
        when=f"Turn {shown.turn} of {shown.turns} · {shown.label}",
        window=view.window,
        grid=grid(),
        coast=view,
        ports=tuple(ports(side)),
        lines=lines(),
        units=tuple(own(shown)),
        contacts=tuple(map(contact, shown.contacts)),
        fog=tuple(sorted(board.FOG, key=board.key)) if facts.fog else (),
        searched=tuple(z for z in facts.searched if z not in fresh),
        found=tuple(z for z in facts.searched if z in fresh),
        night={"south": DARK_ROW, "all": view.window[1]}.get(facts.night),
        boxes=boxes(shown),
        deadline=shown.deadline,
        legend=LEGEND,
        notes=(
            f"One zone = {view.km:.0f} km = 78 nautical miles",
            view.projection,
            "Coast: Natural Earth 1:10m, public domain",
        ),
        focus=focus(shown),
    )


def at(zone: str) -> Point:
    """2.2 The middle of a zone: each row is shifted half a zone against the one above."""
    return charts.brick(board.LATTICE, zone)


@cache
def grid() -> Grid:
    """The zones, from the north-west; those without a coordinate are faint."""
    zones = sorted(board.SEA | board.LAND, key=board.key)
    return Grid({z: at(z) for z in zones}, "square", board.LAND)


def place(name: str, zone: str) -> Point:
    """Where a port or base lies on the coast, else the middle of its zone."""
    x, y = coast("bismarck").places.get(name, at(zone))
    return x, y


def ports(side: str) -> list[Port]:
    """Ports as `side` sees them; spectators see the British as own."""
    home = side if side in board.SIDES else board.BRITISH
    return [
        Port(
            p.name,
            place(p.name, p.zone),
            "neutral" if p.side == "neutral" else "own" if p.side == home else "enemy",
        )
        for p in board.PORTS.values()
    ]


@cache
def lines() -> tuple[Line, ...]:
    """10.24 convoy routes, 10.211 the patrol line, 11.11 the edge of night."""
    west, _, east, _ = coast("bismarck").window
    routes = [tuple(map(at, way)) for way in (board.ATLANTIC, board.AFRICA)]
    return (
        Line(
            "NIGHT AT 2000 SOUTH OF 55° N",
            ((west, DARK_ROW), (east, DARK_ROW)),
            "border",
            share=0.02,
        ),
        Line("ATLANTIC CONVOY ROUTE", routes[0][::-1], "route", True, 0.6),
        Line("AFRICA CONVOY ROUTE", routes[1], "route", True, 0.55),
        Line("BRITISH PATROL LINE", tuple(map(at, board.PATROL_LINE)), "beads"),
    )


def own(shown: Report) -> list[Unit]:
    """Every own unit of the report."""
    types = {u.id: u.type for u in shown.units if u.kind == "ship"}
    makers = {"force": force, "ship": ship, "air": aircraft}
    return [makers[u.kind](u, types) for u in shown.units]


def ship(u: OwnUnit, types: Mapping[str, str]) -> Unit:
    """5 A ship, alone or in a task force."""
    return Unit(
        id=u.id,
        name=u.name,
        symbol=SYMBOLS.get(u.type, "CA"),
        at=at(u.place),
        role="member" if u.force else "counter",
        force=u.force,
        caption=u.type,
        rank=RANKS.get(u.type, 0),
        patrol=u.mode == "patrol",
        track=tuple(map(at, u.wake)),
        plan=() if u.force else tuple(map(at, u.path)),
    )


def force(u: OwnUnit, types: Mapping[str, str]) -> Unit:
    """5.4 A task force shows its heaviest ship."""
    kinds = [types.get(s, "") for s in u.ships]
    first = max(kinds, key=lambda k: RANKS.get(k, 0), default="")
    return Unit(
        id=u.id,
        name=u.name,
        symbol=SYMBOLS.get(first, "CA"),
        at=at(u.place),
        caption=u.id,
        rank=100 + RANKS.get(first, 0),
        patrol=u.mode == "patrol",
        plan=tuple(map(at, u.path)),
    )


def aircraft(u: OwnUnit, types: Mapping[str, str]) -> Unit:
    """6 An air unit, in the air or at its base."""
    here = at(u.place)
    ashore = u.base not in types
    home = place(u.base, u.home) if ashore else at(u.home)
    grounded = home if ashore and u.base not in board.PORTS else here
    return Unit(
        id=u.id,
        name=u.id.title() if " " in u.id else u.id,
        symbol="plane",
        at=here if u.flying else grounded,
        role="flying" if u.flying else "based",
        base=home,
        plan=tuple(map(at, u.path)) if u.flying else (),
    )


def contact(c: Enemy) -> Contact:
    """7.23 One contact; a HUFF-DUFF place is one of seven zones (10.23)."""
    heard = c.source == "HUFF-DUFF"
    zones = [z for z in (c.place, *board.around(c.place)) if z in board.SEA] if heard else []
    trail = tuple(at(zone) for zone, _ in c.trail if zone != c.place)
    here = at(c.place)
    return Contact(
        id=c.id,
        label=c.id[2:],
        what=f"{c.type} {c.name}".strip(),
        note=f"{c.source}, {c.seen}" + (f", {HOURS * c.age} h ago" if c.age else ""),
        age=c.age,
        at=None if heard else here,
        cells=tuple(zones),
        trail=trail,
        ahead=charts.onward(trail, here) if c.age <= 1 and not heard else None,
        ring=charts.ring(board.LATTICE, here, reach(c.age), 1)
        if 1 <= c.age <= RING and not heard
        else (),
    )


def reach(turns: int) -> int:
    """5.26 Zones that a fast ship makes: two, and one in the turn after."""
    return (3 * turns + 1) // 2


def ring(here: Point, zones: int) -> tuple[Point, ...]:
    """The edge of all zones within a distance."""
    return charts.ring(board.LATTICE, here, zones, low=1)


LIGHT = {"none": "day", "south": "night south of 55° N", "all": "night"}


def boxes(shown: Report) -> tuple[Box, ...]:
    """Weather, light and points."""
    facts = shown.board
    return (
        Box("Visibility", facts.level),
        Box("Weather", "fog" if facts.fog else "no fog"),
        Box("Light", LIGHT[facts.night]),
        charts.points(facts.points),
    )


def focus(shown: Report) -> tuple[Point, ...]:
    """What the detail shows: fresh contacts, for the British (who search) also the older ones, then
    heavy ships at sea, then the others."""
    seen = sorted(shown.contacts, key=lambda c: c.age)
    ships = [u for u in shown.units if u.kind == "ship"]
    heavy = [u for u in ships if u.type in HEAVY]
    sea = [u for u in heavy if not board.port_at(u.place)]
    return charts.places(
        at,
        [*(c for c in seen if c.age <= RING or shown.side == board.BRITISH), *sea, *heavy, *ships],
    )


LEGEND = (
    Key(
        "Own forces",
        (
            ("counter:BB", "battleship, task force"),
            ("counter:CV", "carrier"),
            ("patrol:CL", "dashed: on patrol"),
            ("stack:BB", "several in one zone"),
            ("track", "track, one dot a turn"),
            ("plan", "orders as understood"),
        ),
    ),
    Key(
        "Enemy contacts",
        (
            ("held", "located now or last turn"),
            ("old", "older: paler"),
            ("trail", "where it was before"),
            ("ring", "how far it can be now"),
            ("area", "HUFF-DUFF: one of these"),
        ),
    ),
    Key(
        "Search and air",
        (
            ("searched", "searched, nothing seen"),
            ("found", "searched, contact"),
            ("plane", "aircraft, out from base"),
            ("fog", "fog"),
        ),
    ),
    Key(
        "Board",
        (
            ("route", "convoy route"),
            ("beads", "British patrol line"),
            ("border", "edge of night"),
            ("ports:all", "own, enemy, neutral port"),
        ),
    ),
)
