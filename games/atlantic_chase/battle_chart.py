"""R187 The Battle Board as a picture, from the report: who is in which zone, and every ship's card.

The rows lie as on the printed board: the enemy's zones above, one's own below, Close in the middle.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.atlantic_chase.board import BRITISH, GERMAN, NAMES, OTHER, SIDES
from games.atlantic_chase.report import Foe, Own, Report
from pbem.beside_map import Roster, Row
from pbem.kit import charts
from pbem.model import Side
from pbem.scene import Box, Contact, Grid, Key, Mark, Owner, Point, Region, Scene, Unit

ZONES = ("far", "near", "close")
WIDE, HIGH = 6.0, 1.05
"""A zone, in units of the scene."""
EDGE = 0.15
NAME = 0.85, 0.2
"""Where the name of a zone stands, from its upper left corner."""
PITCH = 120
SYMBOLS = {"BB": "BB", "BC": "BB", "CV": "CV", "CVL": "CV", "CONVOY": "MV", "AO": "MV"}
"""Drawings on counters; all others have that of a cruiser."""

Ship = Own | Foe


def alone(report: Report) -> bool:
    """Is it a scenario of the Battle Board, in which nothing happens on the map?"""
    return report.board.length == 1


def fighting(report: Report) -> bool:
    """Is a Battle under way?"""
    return any(s.piece.zone for s in ships(report))


def ships(report: Report) -> list[Ship]:
    """The ships of both sides."""
    every: tuple[Ship, ...] = (*report.units, *report.contacts)
    return [p for p in every if p.piece.sort == "ship" and p.piece.force]


def zones(report: Report) -> dict[str, str]:
    """Ship -> its zone: of a Battle under way, else where it was when the Battle ended, else where
    it begins (R187)."""
    there = ships(report)
    if fighting(report):
        return {s.id: s.piece.zone for s in there if s.piece.zone}
    found = {s.id: "near" if s.type == "FORT" else "far" for s in there}
    for told in report.events:
        found |= {ship: zone for ship, zone in (told.zones or {}).items() if ship in found}
        if told.kind == "Manoeuvred" and told.ship in found:
            found[told.ship] = told.zone
    return found


def rows(home: Side) -> list[tuple[Side, str]]:
    """Side and zone of each row, from above."""
    return [*((OTHER[home], z) for z in ZONES), *((home, z) for z in reversed(ZONES))]


def scene(report: Report) -> Scene:
    """The chart of the Battle that is under way, or of a scenario of the Battle Board."""
    home = Side(report.side) if report.side in SIDES else BRITISH
    own, foes = dict(standing(report, home)), dict(standing(report, OTHER[home]))
    named = {s.id: s for s in ships(report)}
    cells = [f"{NAMES[side]} {zone.title()}" for side, zone in rows(home)]
    names = {cell: (NAME[0], i * HIGH + NAME[1]) for i, cell in enumerate(cells)}
    corners = {cell: box(i * HIGH) for i, cell in enumerate(cells)}
    afloat = {**own, **foes}
    return Scene(
        title=f"Battle in {place(report)}",
        side=report.side_name,
        when="one Battle" if alone(report) else report.label,
        name="battle",
        caption="Battle Board",
        leads=True,
        flat=True,
        alt=alt(report),
        window=(-EDGE, -EDGE, WIDE + EDGE, len(cells) * HIGH + EDGE),
        grid=Grid(names, "area", frozenset(), corners),
        shapes=(
            Region(owner="enemy", cells=tuple(cells[:3]), fill=0.07, width=0),
            Region(owner="own", cells=tuple(cells[3:]), fill=0.07, width=0),
        ),
        marks=tuple(smoke(named[s], at, home) for s, at in afloat.items() if named[s].piece.smoke),
        units=tuple(counter(named[s], at) for s, at in own.items()),
        contacts=tuple(contact(named[s], at) for s, at in foes.items()),
        boxes=(*facts(report), charts.points(report.board.points)),
        deadline=report.deadline,
        roster=roster(report, home),
        legend=LEGEND,
        focus=tuple(afloat.values()),
        pitch=PITCH,
    )


def box(top: float) -> tuple[Point, ...]:
    """The corners of a zone."""
    return (0, top), (WIDE, top), (WIDE, top + HIGH), (0, top + HIGH)


def place(report: Report) -> str:
    """The hex of the Battle."""
    every: tuple[Ship, ...] = (*report.units, *report.contacts)
    held = {p.id: p.piece.at for p in every if p.piece.sort == "force"}
    return next((held[s.piece.force] for s in ships(report) if held.get(s.piece.force)), "")


def standing(report: Report, side: Side) -> Iterator[tuple[str, Point]]:
    """A side's ships with the points at which they are drawn, side by side in their zones."""
    home = Side(report.side) if report.side in SIDES else BRITISH
    lie = zones(report)
    german = {s.id for s in ships(report) if s.piece.force.startswith("KG")}
    for i, (whose, zone) in enumerate(rows(home)):
        if whose == side:
            there = [s for s, z in lie.items() if z == zone and (s in german) == (side == GERMAN)]
            step = WIDE / (len(there) + 1)
            yield from ((s, ((n + 1) * step, (i + 0.5) * HIGH)) for n, s in enumerate(there))


def counter(ship: Ship, at: Point) -> Unit:
    """An own ship."""
    return Unit(
        id=ship.id,
        name=ship.name,
        symbol=SYMBOLS.get(ship.type, "CL"),
        at=at,
        caption=ship.type,
        note=hurt(ship),
    )


def contact(ship: Ship, at: Point) -> Contact:
    """An enemy ship."""
    return Contact(
        id=ship.id, label=ship.type, what="", note=hurt(ship), age=0, name=ship.name, at=at
    )


def smoke(ship: Ship, at: Point, home: Side) -> Mark:
    """R199 A ship that makes smoke, or lies in it."""
    german = ship.piece.force.startswith("KG")
    whose: Owner = "own" if german == (home == GERMAN) else "enemy"
    said = f"{ship.name} is {ship.piece.smoke}"
    return Mark(at=at, label="S", owner=whose, said=said, beside=True)


def hurt(ship: Ship) -> str:
    """Its Hits and damage in words; empty for none."""
    hits = ship.piece.hits
    told = ["" if not hits else "1 Hit" if hits == 1 else f"{hits} Hits"]
    return ", ".join(t for t in (*told, "damaged" if ship.piece.damaged else "") if t)


def facts(report: Report) -> Iterator[Box]:
    """The round, the weather."""
    for fact in report.board.facts:
        if fact.name in ("Round", "Weather", "Initiative"):
            yield Box(fact.name, fact.value)


def alt(report: Report) -> str:
    """The board in words: `Hood in Near. Bismarck in Close, damaged.`"""
    lie = zones(report)
    told = [(s.name, lie[s.id].title(), hurt(s)) for s in ships(report) if s.id in lie]
    return " ".join(f"{n} in {zone}{', ' if how else ''}{how}." for n, zone, how in told)


def roster(report: Report, home: Side) -> Roster:
    """The card of each ship on the board."""
    lie, found = zones(report), []
    for ship in (s for s in ships(report) if s.id in lie):
        german = ship.piece.force.startswith("KG")
        owner: Owner = "own" if german == (home == GERMAN) else "enemy"
        torpedo = " T" if ship.piece.torpedo else ""
        cells = (f"{ship.piece.guns.replace('na', '-')}{torpedo}", ship.piece.speed, hurt(ship))
        found.append(Row(name=ship.name, owner=owner, cells=cells))
    columns = ("Guns, close/far", "Speed", "State")
    return Roster(title="Ships", columns=columns, rows=tuple(found))


LEGEND: tuple[Key, ...] = (
    Key(
        "Battle",
        (
            ("counter:BB", "own ship"),
            ("held", "enemy ship"),
            ("mark:own:S", "making smoke, or in smoke"),
        ),
    ),
)
