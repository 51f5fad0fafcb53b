"""10 The chance phase: general search, HUFF-DUFF, convoys. Numbers: data/chance.toml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from games.bismarck import board, calendar, contacts, tables, undone, victory
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.calendar import X
from games.bismarck.events import (
    ChanceRolled,
    ConvoySpared,
    ConvoySunk,
    GeneralSearch,
    GeneralSearchHeard,
    HuffDuff,
    HuffDuffHeard,
)
from games.bismarck.facts import knows
from games.bismarck.state import Convoy, Ship, War
from games.bismarck.verbs import Convoy as ConvoyOrder
from games.bismarck.verbs import HuffDuff as HuffDuffOrder
from orders.book import Book
from pbem.kit.doctrine import actors, said
from pbem.model import TWO_D6, Side, TableLike

COLUMNS = "ABC"
ROLLED = ("BISMARCK", "PRINZ EUGEN")  # 10.1, in this order


class Entry(Struct, frozen=True):
    """10.2 One line of the chance table. numbers: general search by column; needs: what a
    convoy asks for, `route`, `patrol` or `near`."""

    kind: str
    numbers: tuple[int, ...] = ()
    needs: str = ""


def entries(war: War) -> dict[int, Entry]:
    """10.2 The chance table by the sum of two dice, or that of the house rules."""
    table = tables.table("chance.toml", war.house)
    general = {
        int(roll): Entry("GENERAL SEARCH", tuple(row)) for roll, row in table["general"].items()
    }
    convoys = {int(roll): Entry("CONVOY", needs=needs) for roll, needs in table["convoy"].items()}
    return {int(roll): Entry("HUFF-DUFF") for roll in table["huffduff"]} | general | convoys


@cache
def column(zone: str) -> str:
    """10.211, 10.214 The column of a zone, empty outside the patrol line.

    C near the coasts comes before A by the line; the two never meet on the printed board.
    """
    if not east_of_line(zone):
        return ""
    if any(board.distance(zone, coast) <= 2 for coast in board.HOME_COAST):
        return "C"
    return "A" if any(board.distance(zone, circle) <= 2 for circle in board.PATROL_LINE) else "B"


def east_of_line(zone: str) -> bool:
    """10.211 Is the zone on the patrol line or east of it (the line runs from row E south)?"""
    circles = [int(z[1:]) for z in board.PATROL_LINE if z[0] == zone[0]]
    return bool(circles) and int(zone[1:]) >= min(circles)


def general_search(entry: Entry, zone: str, level: int) -> bool:
    """10.212, 10.214 Does the column's number reach the visibility level? X never (7.17)."""
    where = column(zone)
    return bool(where) and level < X and level <= entry.numbers[COLUMNS.index(where)]


@cache
def from_route(zone: str) -> int:
    """10.24 Zones to the nearest convoy route, 0 on it."""
    return min(board.distance(zone, at) for at in board.CONVOY_ROUTES)


def finds_convoy(entry: Entry, zone: str, patrol: bool) -> bool:
    """10.232, 10.24 Is the ship where the entry asks for, and in the mode it asks for?"""
    away = from_route(zone)
    return {
        "route": away == 0,
        "patrol": patrol and away <= 2,
        "near": away == 1,
    }[entry.needs]


def phase(table: TableLike, war: War, books: Mapping[Side, Book]) -> None:
    """10.1 Two dice for each German ship, always, so that the number of rolls tells nothing.

    What the German answers comes from his orders, never by mail: being asked would betray
    that a ship met something.
    """
    for name in ROLLED:
        if war.ships[name].sunk:
            continue
        roll = sum(table.roll(f"CHANCE/TABLE/-/{name}", TWO_D6, to=table.sides))
        entry = entries(war)[roll]
        table.tell(table.sides, rolled(war.ships[name], roll, entry))
        if ships := concerned(war, name):
            result(table, war, entry, ships, books[GERMAN])


def concerned(war: War, name: str) -> list[Ship]:
    """10.1 The ships that a roll is for: the first for the Bismarck, or for both in a task force;
    the second for the Prinz Eugen when she sails apart. The ship that is rolled for comes first."""
    ship = war.ships[name]
    with_her = [s for s in war.fleet(GERMAN) if ship.force and s.force == ship.force and s != ship]
    if not ship.afloat or (name != ROLLED[0] and with_her):
        return []
    return [ship, *with_her]


def result(table: TableLike, war: War, entry: Entry, ships: Sequence[Ship], book: Book) -> None:
    """10.2, 11.13 What the roll does; by night only HUFF-DUFF counts."""
    zone, facts = ships[0].zone, knows(war, GERMAN)
    if entry.kind == "HUFF-DUFF":
        huffduff(table, war, ships[0], book.find("GERMAN", HuffDuffOrder, facts))
    elif calendar.night(war.turn, zone):
        return
    elif entry.kind == "GENERAL SEARCH":
        if general_search(entry, zone, war.level) and not (war.fog and zone in board.FOG):  # 10.213
            uncover(table, war, ships)
    elif convoy_met(war, entry, ships):
        who = actors(ships[0].force or ships[0].id, GERMAN)
        attack(table, war, ships, said(book, who, ConvoyOrder, facts))


def uncover(table: TableLike, war: War, ships: Sequence[Ship]) -> None:
    """10.21 The German gives the position. It allows no shadow and no attack (8.11, ruling 28)."""
    for ship in ships:
        war.discover(ship.id)
        seen = contacts.sightings(war, BRITISH, [ship])
        heard = GeneralSearch(rule="10.21", ship=ship.name, zone=ship.zone, seen=seen)
        table.tell([BRITISH], heard)
        table.tell([GERMAN], GeneralSearchHeard(rule="10.21", ship=ship.name, zone=ship.zone))


def huffduff(table: TableLike, war: War, ship: Ship, order: HuffDuffOrder | None) -> None:
    """10.22 The German names the ship's zone or one next to it."""
    zone = named_zone(table, ship, order)
    if order and order.zone and order.zone != zone:
        why = f"{order.zone} is neither the zone of {ship.name} nor one next to it"
        undone.tell(table, GERMAN, order, f"{why}: a die has named one", "10.22")
    (seen,) = contacts.sightings(war, BRITISH, [ship])
    told = HuffDuff(rule="10.22", ship=ship.name, zone=zone, id=seen.id, type=seen.type)
    table.tell([BRITISH], told)
    table.tell([GERMAN], HuffDuffHeard(rule="10.22", ship=ship.name, zone=zone, at=ship.zone))


def named_zone(table: TableLike, ship: Ship, order: HuffDuffOrder | None) -> str:
    """10.22 As ordered; else one of the seven by a die that only the German sees."""
    seven = [z for z in (ship.zone, *board.around(ship.zone)) if z in board.SEA]
    if order and order.how == "exact":
        return ship.zone
    if order and order.zone in seven:
        return order.zone
    return table.pick(f"CHANCE/HUFF-DUFF/-/{ship.id}", sorted(seven, key=board.key), to=[GERMAN])


def convoy_met(war: War, entry: Entry, ships: Sequence[Ship]) -> bool:
    """10.23, 10.26 Does the roll bring a convoy: place, mode, unseen, none yet today, one left?"""
    ship = ships[0]
    return (
        war.level < X
        and not any(s.id in war.located[BRITISH] or s.id in war.shadowed for s in ships)  # 10.231
        and finds_convoy(entry, ship.zone, mode(war, ship) == "patrol")  # 10.232
        and all(c.day != calendar.day(war.turn) for c in war.convoys)
        and len(war.convoys) < len(victory.convoys(war))
    )


def mode(war: War, ship: Ship) -> str:
    """5.34, 5.45 The mode of the ship's counter, or of its task force's."""
    return war.forces[GERMAN][ship.force].mode if ship.force else ship.mode


def attack(table: TableLike, war: War, ships: Sequence[Ship], order: ConvoyOrder | None) -> None:
    """10.25 Unless it is to be spared, by the order of the ship or task force that met it, else by
    that of the side: the convoy is destroyed, the ships are named and stay where they are next
    turn."""
    zone, names = ships[0].zone, tuple(s.name for s in ships)
    if order and order.what == "spare":
        table.tell([GERMAN], ConvoySpared(rule="10.25", ship=" and ".join(names), zone=zone))
        return
    number = len(war.convoys) + 1
    points = victory.convoys(war)[number - 1]
    war.convoys.append(Convoy(war.turn, calendar.day(war.turn), zone, names, points))
    for ship in ships:
        ship.still = war.turn + 1
        war.discover(ship.id)
    seen = tuple(contacts.sightings(war, BRITISH, [ship])[0] for ship in ships)
    sunk = ConvoySunk(rule="10.25", ships=names, zone=zone, number=number, points=points)
    table.tell([GERMAN], sunk)
    table.tell([BRITISH], replace(sunk, seen=seen))
    victory.award(table, war, GERMAN, points, "12.44", f"convoy {number} destroyed")


def rolled(ship: Ship, roll: int, entry: Entry) -> ChanceRolled:
    """10.1 What both see: the dice and the table's line."""
    return ChanceRolled(
        rule="10.1",
        why=f"rolled {roll}",
        ship=ship.name,
        roll=roll,
        entry=entry.kind,
        numbers=entry.numbers,
        needs=entry.needs,
    )
