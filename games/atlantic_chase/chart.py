"""The chart of a side's report: Trajectories over the real coast, from report.json alone.

All positions are public, so that both sides' charts show the same pieces, each in the colours of
its reader. Spectators see the British in blue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from math import hypot
from typing import Literal

from msgspec import convert

from games.atlantic_chase import battle_chart, board
from games.atlantic_chase.board import BRITISH, GERMAN, NAMES, SIDES
from games.atlantic_chase.menu import pieces
from games.atlantic_chase.report import Foe, Own, Report
from games.atlantic_chase.tables import openable
from pbem.kit import charts
from pbem.scene import (
    Box,
    Contact,
    Edges,
    Grid,
    Key,
    Mark,
    Owner,
    Point,
    Port,
    Region,
    Scene,
    Shape,
    Tone,
    Track,
    Unit,
    coast,
)

SYMBOLS = {"BB": "BB", "BC": "BB", "CV": "CV", "CVL": "CV", "CA": "CA", "CL": "CL"}
RANKS = {"BB": 5, "BC": 5, "CV": 4, "CVL": 4, "CA": 3}
PITCH = 56
NEAR, ASIDE = 0.4, 0.3
"""An airbase so near a port stands so far beside it, in cells."""
CLEAR = 0.5
"""How far at least an airbase's marker is from a piece, in cells."""
STUB = 0.2
"""Half the length of a line of one segment, in cells."""
APART, ABREAST = 0.26, 0.52
"""How far Stations of one hex stand above or below its middle, and from each other, in cells."""
NEWS = (
    *("BattleBegan", "ContactMade", "StationPlaced", "SignalsSent", "IntelPlaced", "Rolled"),
    *("ReconMade", "ContactLost"),
)
"""Events that say where something has happened, the weightiest first."""
ORIGIN = (ord("I"), 11)
"""The hex in the middle of the projection: letter and number."""


def scenes(report: Mapping[str, object]) -> tuple[Scene, ...]:
    """The charts of a report (decoded report.json): the map, and the Battle Board while there is a
    Battle; of a single Battle its board alone. Pure."""
    shown = convert(report, Report)
    if battle_chart.alone(shown):
        return (battle_chart.scene(shown),)
    return (drawn(shown), *((battle_chart.scene(shown),) if battle_chart.fighting(shown) else ()))


def drawn(report: Report) -> Scene:
    """The chart of a typed report."""
    view, sea, home = coast("atlantic_chase"), report.board, reader(report)
    forces = [p for p in everything(report) if p.piece.sort == "force"]
    types = {p.id: p.type for p in everything(report) if p.piece.sort == "ship"}
    here = [p for p in forces if not p.piece.line and spot(p)]
    lines = sorted((p for p in forces if p.piece.line), key=lambda p: -len(p.piece.line))
    taken = {p.piece.at for p in here} | harbour_hexes(report)
    stand = spread(here, home)
    return Scene(
        title=report.title or "Atlantic Chase",
        side=report.side_name,
        when=report.label or f"spell {report.turn} of {sea.length}",
        window=view.window,
        grid=grid(),
        coast=view,
        ports=tuple(ports(report, home)),
        shapes=shapes(report),
        tracks=tuple(track(p, home, taken) for p in lines),
        marks=(
            *marks(here, home, stand),
            *lurking(report, home),
            *airbases(report, home, stand.values()),
        ),
        units=tuple(counter(p, types, stand[p.id]) for p in here if owner(p.id, home) == "own"),
        contacts=tuple(contact(p, stand[p.id]) for p in here if owner(p.id, home) == "enemy"),
        boxes=(
            Box(
                "Initiative",
                NAMES[BRITISH if sea.active == BRITISH else GERMAN],
                sea.active != home,
            ),
            Box("Weather", sea.weather, sea.weather == "bad"),
            Box("Tally", str(sea.tally)),
            *(Box(f.name, f.value) for f in sea.facts if f.name == "Seize"),
            charts.points(sea.points),
        ),
        deadline=report.deadline,
        legend=(ours(home), *LEGEND),
        notes=(
            f"One hex = {view.km:.0f} km",
            view.projection,
            "Coast: Natural Earth 1:10m, public domain",
        ),
        focus=(*newest(report), *focus(forces, home)),
        pitch=PITCH,
    )


def reader(report: Report) -> str:
    """The side whose colours are those of `own`; spectators see the British so."""
    return report.side if report.side in SIDES else BRITISH


def everything(report: Report) -> list[Own | Foe]:
    """All pieces of both sides."""
    return [*report.units, *report.contacts]


def owner(piece: str, home: str) -> Owner:
    """Whose a Task Force is."""
    german = piece in pieces(GERMAN)
    return "own" if german == (home == GERMAN) else "enemy"


def of(side: str, home: str) -> Owner:
    """Whose a thing of a side is."""
    return "own" if side == home else "enemy"


# The board


def at(cell: str) -> Point:
    """The middle of a hex: turned by 60 degrees, so that letters count to the north-east."""
    q, r = ord(cell[0]) - ORIGIN[0], int(cell[1:]) - ORIGIN[1]
    return r + q / 2, -q * charts.LOW


@cache
def grid() -> Grid:
    """R007 All hexes."""
    return Grid({cell: at(cell) for cell in board.CELLS}, "hex")


def place(name: str) -> Point:
    """Where a port or airbase lies on the coast."""
    x, y = coast("atlantic_chase").places[name]
    return x, y


def ports(report: Report, home: str) -> Iterator[Port]:
    """R007 The ports in play."""
    west, north, east, south = coast("atlantic_chase").window
    for name, side in report.board.ports.items():
        x, y = place(name)
        if west < x < east and north < y < south:
            whose: Literal["own", "enemy"] = "own" if side == home else "enemy"
            yield Port(board.PORTS[name].name, (x, y), whose, small=True)


def harbour_hexes(report: Report) -> set[str]:
    """The hexes whose middle a port is so near to that a marker there would cover it."""
    found = set()
    for port, cells in report.board.harbours.items():
        x, y = place(port)
        found |= {c for c in cells if hypot(at(c)[0] - x, at(c)[1] - y) < NEAR}
    return found


def shapes(report: Report) -> tuple[Shape, ...]:
    """R094, R150, R017 The Arctic hexes, the U-Boat Zone, and hexsides that are not adjacent."""
    some = board.opened(openable())
    here = (board.CLOSED & some) - board.opened(report.board.opened)
    arctic, zone = tuple(sorted(board.ARCTIC)), tuple(sorted(board.UBOAT_ZONE))
    return (
        Region(owner="board", tone="fog", cells=arctic, fill=0.16, width=0),
        Region(owner="board", tone="enemy", cells=zone, hatched=True, width=0),
        shut(board.CLOSED - some, "board"),
        *((shut(here, "neutral"),) if here else ()),  # in a campaign they come and go
    )


def shut(sides: AbstractSet[frozenset[str]], owner: Owner) -> Edges:
    """R017 Hexsides that are not adjacent."""
    between = tuple((a, b) for a, b in sorted(sorted(pair) for pair in sides))
    return Edges(owner=owner, tone="closed", between=between, width=3, over=True)


# Pieces


def spot(force: Own | Foe) -> Point | None:
    """Where a Station, or a Task Force in a Port Box, stands."""
    if force.piece.at:
        return at(force.piece.at)
    return place(force.piece.box) if force.piece.box else None


def spread(forces: Iterable[Own | Foe], home: str) -> dict[str, Point]:
    """Where each of these stands on the chart, so that none of one place covers another: two of a
    side one above the other; enemies beside own ones above them, abreast; more own ones as a stack.
    """
    places: dict[Point, list[Own | Foe]] = {}
    for force in forces:
        if where := spot(force):
            places.setdefault(where, []).append(force)
    found: dict[str, Point] = {}
    for (x, y), there in places.items():
        own = [f.id for f in there if owner(f.id, home) == "own"]
        foes = [f.id for f in there if f.id not in own]
        if len(there) == 2:  # enemies above
            upper, lower = [*foes, *own]
            found |= {upper: (x, y - APART), lower: (x, y + APART)}
            continue
        low, high = (y + APART, y - APART) if own and foes else (y, y)
        found |= dict.fromkeys(own, (x, low)) | abreast(foes, x, high)
    return found


def abreast(ids: Sequence[str], x: float, y: float) -> dict[str, Point]:
    """A row of pieces, its middle there; of many they overlap."""
    step = min(ABREAST, 2 * ABREAST / max(1, len(ids) - 1))
    first = x - step * (len(ids) - 1) / 2
    return {id_: (first + i * step, y) for i, id_ in enumerate(ids)}


def tone(force: Own | Foe, home: str) -> Tone | None:
    """Convoys have a colour of their own."""
    if not force.piece.convoy:
        return None
    return "convoy" if owner(force.id, home) == "own" else "enemy2"


def short(force: Own | Foe) -> str:
    """The first of its ships, and how many more: `Bismarck +1`."""
    first, *others = force.name.removeprefix(f"{force.id} ").split(", ")
    return f"{first} +{len(others)}" if others else first


def track(force: Own | Foe, home: str, taken: AbstractSet[str]) -> Track:
    """R036 A Trajectory with its markers; the number is that of its segments. taken: hexes in which
    a Station or port stands."""
    line = force.piece.line
    points = tuple(map(at, line))
    return Track(
        points=points if len(points) > 1 else stub(*points),
        owner=owner(force.id, home),
        tone=tone(force, home),
        bold=True,
        name=f"{force.id} {short(force)}",
        note=str(len(line)),
        marks=tuple(markers(force, home, at(line[len(line) // 2]), taken)),
    )


def stub(middle: Point) -> tuple[Point, Point]:
    """R037 A Trajectory of one segment is no Station yet: a short line across its hex, as no other
    line runs."""
    x, y = middle
    return (x, y - STUB), (x, y + STUB)


def markers(force: Own | Foe, home: str, middle: Point, taken: AbstractSet[str]) -> Iterator[Mark]:
    """R059, R075, R083 Intel, Contact and Evasive markers, beside a Station or port. middle: where
    Evasive stands."""
    whose = owner(force.id, home)
    for cell in force.piece.intel:
        said = f"Intel on {force.id} in {cell}"
        yield Mark(at=at(cell), symbol="eye", owner=whose, said=said, beside=cell in taken)
    for cell in force.piece.contact:
        said = f"Contact with {force.id} in {cell}"
        yield Mark(at=at(cell), symbol="sight", owner=whose, said=said, beside=True)
    if force.piece.evasive:
        yield Mark(at=middle, label="E", owner=whose, said=f"{force.id} is Evasive", beside=True)


def marks(forces: Iterable[Own | Foe], home: str, stand: Mapping[str, Point]) -> Iterator[Mark]:
    """Contact and Evasive markers of those that stand somewhere, at the corner of each."""
    for force in forces:
        whose, where = owner(force.id, home), stand[force.id]
        for cell in force.piece.contact:
            said = f"Contact with {force.id} in {cell}"
            yield Mark(at=where, symbol="sight", owner=whose, said=said, beside=True)
        if force.piece.evasive:
            yield Mark(at=where, label="E", owner=whose, said=f"{force.id} is Evasive", beside=True)


def lurking(report: Report, home: str) -> Iterator[Mark]:
    """R143 Stealth forces on the map."""
    for p in everything(report):
        if p.piece.sort == "stealth" and p.piece.at:
            whose = of(GERMAN if p.type == "U-boat" else BRITISH, home)
            said = f"{p.type} {p.id} in {p.piece.at}"
            label = "M" if p.type == "mines" else "U"
            yield Mark(at=at(p.piece.at), label=label, owner=whose, said=said, beside=True)


def airbases(report: Report, home: str, stand: Iterable[Point]) -> Iterator[Mark]:
    """R013 The airbases in play, beside ports and pieces that stand there."""
    standing = sorted(set(stand))
    for base, side in report.board.bases.items():
        said = f"airbase {board.AIRBASES[base].name}"
        x, y = place(base)
        crowded = any(abs(x - u) + abs(y - v) < NEAR for u, v in map(place, report.board.ports))
        where = (x + ASIDE, y - ASIDE) if crowded else (x, y)
        yield Mark(at=clear_of(where, standing), symbol="jet", owner=of(side, home), said=said)


def clear_of(where: Point, standing: Iterable[Point]) -> Point:
    """A place, or one further away from the piece that would be covered there."""
    x, y = where
    for u, v in standing:
        apart = hypot(x - u, y - v)
        if apart < CLEAR:
            way = ((x - u) / apart, (y - v) / apart) if apart else (-1.0, 0.0)
            return u + CLEAR * way[0], v + CLEAR * way[1]
    return where


def ranked(force: Own | Foe, types: Mapping[str, str]) -> tuple[str, int]:
    """The symbol of its greatest ship, and how great that is."""
    kinds = [types.get(s, "") for s in force.piece.ships]
    first = max(kinds, key=lambda k: RANKS.get(k, 0), default="")
    return "MV" if force.piece.convoy else SYMBOLS.get(first, "CL"), RANKS.get(first, 0)


def counter(force: Own | Foe, types: Mapping[str, str], where: Point) -> Unit:
    """R037 An own Station, or a Task Force in a Port Box."""
    symbol, rank = ranked(force, types)
    return Unit(
        id=force.id,
        name=f"{force.id} {short(force)}",
        symbol=symbol,
        at=where,
        caption=force.id,
        rank=rank,
        patrol=force.piece.box != "",
    )


def contact(force: Own | Foe, where: Point) -> Contact:
    """R037 An enemy's Station, or a Task Force in a Port Box."""
    return Contact(
        id=force.id,
        name=f"{force.id} {short(force)}",
        label=force.id[2:],
        what="",
        note=f"in {force.piece.box.title()}" if force.piece.box else "",
        age=0,
        at=where,
        level=1 if force.piece.box else None,
    )


def newest(report: Report) -> tuple[Point, ...]:
    """Where the news are, the weightiest first: the detail shows the first place in any case."""
    found = [
        at(cell)
        for kind in NEWS
        for told in report.events
        for cell in (told.at, *told.hexes)
        if told.kind == kind and cell in board.CELLS
    ]
    return tuple(dict.fromkeys(found))


def focus(forces: Iterable[Own | Foe], home: str) -> tuple[Point, ...]:
    """What the detail shows: Task Forces with Contact or Intel, then all Germans, then others."""
    sea = [f for f in forces if f.piece.line or f.piece.at]
    german = owner(pieces(GERMAN)[0], home)

    def weight(force: Own | Foe) -> tuple[bool, bool, str]:
        known = bool(force.piece.contact or force.piece.intel)
        return owner(force.id, home) != german, not known, force.id

    found = [
        at(cell)
        for f in sorted(sea, key=weight)
        for cell in (*f.piece.contact, *f.piece.intel, *f.piece.line, f.piece.at)
        if cell
    ]
    return tuple(dict.fromkeys(found))


def ours(home: str) -> Key:
    """The legend of Task Forces: Convoys are British, own ones of another colour than enemy's."""
    convoy = ("bold:convoy", "with a Convoy")
    return Key(
        "Task Forces",
        (
            ("bold:own", "own Trajectory"),
            ("bold:enemy", "enemy's, cored"),
            convoy if home == BRITISH else ("bold:enemy2", "enemy's with a Convoy"),
            ("counter:BB", "own Station: it is here"),
            ("held", "enemy's Station"),
            ("patrol:BB", "dashed: own, in a Port Box"),
            ("level:1", "hollow: enemy's in one"),
        ),
    )


LEGEND = (
    Key(
        "Markers",
        (
            ("mark:own:eye", "Intel on this segment"),
            ("mark:own:sight", "Contact"),
            ("mark:own:E", "Evasive"),
            ("mark:own:U", "U-boat, submarine; M: mines"),
            ("mark:own:jet", "airbase"),
        ),
    ),
    Key(
        "Board",
        (
            ("fill:fog", "Arctic: weather always bad"),
            ("hatch:enemy", "U-Boat Zone"),
            ("line:closed", "not adjacent"),
            ("ports:all", "own, enemy, neutral port"),
        ),
    ),
)
