"""7.2 Search: who may look where, what an answer gives away, and who hears what.

Face to face a player calls zones aloud and his opponent answers yes or no. By mail a side is told
of the calls that it has to answer. Of those that find nothing it is told with option `calls=heard`
alone (7.21, ruling 5): across the table it would hear them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping

from msgspec import Struct

from games.bismarck import board, calendar, contacts, knowledge, taskforce, undone
from games.bismarck.board import BRITISH, GERMAN, OTHER, Zone
from games.bismarck.calendar import X
from games.bismarck.events import CallHeard, CallsHeard, Located, PassedThrough, Searched
from games.bismarck.facts import knows
from games.bismarck.state import Ship, War
from games.bismarck.verbs import Search
from games.bismarck.verbs_battle import Attack
from orders.book import Book
from pbem.model import Side, TableLike

DEFAULT = {BRITISH: "all", GERMAN: "none"}  # 7.25


class Eyes(Struct):
    """7.21, 7.29 Search strength in one zone: of everything there, and of the air alone."""

    total: int = 0
    air: int = 0


def eyes(war: War, side: Side) -> dict[str, Eyes]:
    """7.26, 7.27, 7.28 Where the side can look, by zone, and how well; shadows do not (8.13)."""
    dark = calendar.dark_rows(war.turn)
    seen: dict[str, Eyes] = {
        zone: Eyes(board.coast_strength(zone[0] >= dark)) for zone in board.COASTS[side]
    }
    for zone, pair in taskforce.search_counters(war, side):
        _add(seen, zone, pair[zone[0] >= dark])
    for unit in (u for u in war.airborne(side) if u.id not in war.shadowing):  # 8.13
        _add(seen, unit.zone, unit.search[unit.zone[0] >= dark], air=True)
    return seen


def _add(seen: dict[str, Eyes], zone: str, strength: int, air: bool = False) -> None:
    there = seen.setdefault(zone, Eyes())
    there.total += strength
    there.air += strength if air else 0


def open_zones(war: War, side: Side, able: Mapping[str, Eyes] | None = None) -> list[str]:
    """7.12, 7.17, 7.21, 7.31 The zones that the side may call this turn, in order of the board.

    able: its `eyes`, if they are known.
    """
    if war.level >= X:
        return []
    return sorted(
        (
            zone
            for zone, strength in (eyes(war, side) if able is None else able).items()
            if strength.total >= war.level and not (war.fog and zone in board.FOG)
        ),
        key=board.key,
    )


def called(
    war: War, side: Side, order: Search | None, able: Mapping[str, Eyes] | None = None
) -> list[str]:
    """7.25 The zones that the side does call; `found`: only where it was found itself (7.22).

    able: its `eyes`, if they are known.
    """
    may = open_zones(war, side, able)
    what = order.what if order else DEFAULT[side]
    wanted: dict[str, Callable[[str], bool]] = {
        "all": lambda zone: True,
        "none": lambda zone: False,
        "found": {war.ships[s].zone for s in war.located[OTHER[side]]}.__contains__,
        "zones": set(order.zones if order else ()).__contains__,
    }
    return [zone for zone in may if wanted[what](zone)]


class Answer(Struct):
    """7.23 The ships that their owner has to name in answer to one call."""

    located: list[Ship] = []
    passed: list[Ship] = []
    unseen: list[Ship] = []


def answer(war: War, side: Side, zone: str, strength: Eyes) -> Answer:
    """7.23, 7.29 The truth about `zone` that a call by `side` uncovers."""
    enemies = war.fleet(OTHER[side])
    there = [s for s in enemies if s.zone == zone]
    passed = [s for s in enemies if s.zone != zone and gone_through(war, s) == zone]
    if strength.air >= war.level or not board.port_of(zone, OTHER[side]):
        return Answer(located=there, passed=passed)
    return Answer(passed=passed, unseen=there)


def gone_through(war: War, ship: Ship) -> str:
    """7.23, 8.21 The first of the two zones that a German ship entered this turn, empty for none.

    The route of the first turn is never revealed, and the British never have to tell theirs.
    """
    told = ship.side == GERMAN and not calendar.first(war.turn) and len(ship.path) == 2
    return ship.path[0] if told else ""


Passed = list[tuple[Zone, list[Ship]]]
"""8.21 Zones called, with the ships that had gone through them."""


class Calls(Struct):
    """The zones that a side has called this turn; None before its first call."""

    zones: list[str] | None = None


def phase(
    table: TableLike,
    war: War,
    side: Side,
    books: Mapping[Side, Book],
    calls: Calls | None = None,
) -> Passed:
    """7.21, 7.22 One side calls all its zones; the British come first.

    Returns what the calls say of ships that passed through (8.21). calls: those before, to which
    these are added: no zone is called twice.
    """
    calls = calls or Calls()
    able = eyes(war, side)
    order = books[side].find(side.upper(), Search, knows(war, side))
    before = calls.zones
    if before is None:
        knowledge.forget(war.known[side], war.turn)
        _unmet(table, war, side, order, able)
    zones = [z for z in called(war, side, order, able) if z not in (before or ())]
    calls.zones = [*(before or ()), *zones]
    through = [(s, gone_through(war, s)) for s in war.enemies(side)]
    # Calls elsewhere find nothing, tell nothing and show nothing of Bergen.
    telling = {board.BERGEN, *(s.zone for s, _ in through), *(zone for _, zone in through)}
    blank = {
        zone
        for zone in zones
        if zone not in telling or not call(table, war, side, zone, able[zone])
    }
    if zones:
        told = searched(war, side, zones, blank, able)
        table.tell([side], told)
        if war.options.get("calls") == "heard":
            rule = "7.21" if side == BRITISH else "7.22"
            heard = CallsHeard(rule=rule, zones=told.zones, coasts=told.coasts)
            table.tell([OTHER[side]], heard)
    if before is None:
        _unsought(table, war, side, books[side], {*open_zones(war, side, able)} - {*zones})
    went = [(z, [s for s, at in through if at == z]) for z in zones if z in telling]
    return [(Zone(zone), ships) for zone, ships in went if ships]


def _unmet(
    table: TableLike, war: War, side: Side, order: Search | None, able: Mapping[str, Eyes]
) -> None:
    """7.12, 7.17, 7.31 A side that names zones hears which of them it cannot call, and why."""
    closed: dict[tuple[str, str], list[Zone]] = {}
    for zone in order.zones if order else ():
        strength = able.get(zone, Eyes()).total
        if why := unseen(war.level, war.fog, zone):
            closed.setdefault(why, []).append(zone)
        elif strength < war.level:
            weak = f"strength {strength} does not reach visibility {war.level}"
            closed.setdefault((weak, "7.12"), []).append(zone)
    for (text, rule), zones in closed.items():
        undone.tell(table, side, Search(zones=tuple(dict.fromkeys(zones))), text, rule)


def _unsought(table: TableLike, war: War, side: Side, book: Book, idle: Container[str]) -> None:
    """9.23 Who orders a ship to attack and does not search her zone, as he could, hears that she
    can attack nobody. idle: the zones that he could have called and did not."""
    found = {s.zone for s in war.enemies(side) if s.id in war.located[side]}
    for counter in taskforce.counters(war, side):
        who = (counter.id, *(s.id for s in counter.ships if s.force))
        given = (c for a in who for c in book.commands(a, {"attack": Attack}, knows(war, side)))
        first = next(given, None)
        wants = first and first.fresh and not first.standing and first.order.what != "never"
        if first and wants and counter.zone in idle and counter.zone not in found:
            why = f"you did not search {counter.zone}, so nothing is located there"
            undone.tell(table, side, first.order, why, "9.23", counter.name)


def unseen(level: int, fog: bool, zone: str) -> tuple[str, str] | None:
    """7.17, 7.31 Why nobody searches a zone this turn, and the rule; None where strength decides.
    Read by checks too."""
    if level >= X:
        return "visibility is X", "7.17"
    return ("the zone lies in fog", "7.31") if fog and zone in board.FOG else None


def searched(
    war: War, side: Side, zones: Iterable[str], blank: Container[str], able: Mapping[str, Eyes]
) -> Searched:
    """7.21 The calls, told to their caller; coasts where only watchers searched, in vain, are
    counted."""
    idle = {
        zone
        for zone in board.COASTS[side]
        if zone in blank
        and able[zone].total == board.coast_strength(calendar.night(war.turn, zone))
    }
    named = tuple(zone for zone in zones if zone not in idle)
    nothing = tuple(zone for zone in named if zone in blank)
    return Searched(rule="7.21", zones=named, blank=nothing, coasts=len(idle))


def call(table: TableLike, war: War, side: Side, zone: str, strength: Eyes) -> bool:
    """7.23 One call and its answer; the caller says nothing of what searched (7.24).

    True when the caller learned something.
    """
    found = answer(war, side, zone, strength)
    if side == BRITISH:
        see_bergen(war, zone, strength, found)
    for ship in found.located:
        war.locate(side, ship.id)
        if ship.side == GERMAN:
            war.discover(ship.id)
    if found.passed:
        seen = contacts.sightings(war, side, contacts.mixed(table, side, found.passed))
        table.tell([side], PassedThrough(rule="7.23", zone=zone, seen=seen))
    if found.located:
        seen = contacts.sightings(war, side, contacts.mixed(table, side, found.located))
        table.tell([side], Located(rule="7.23", zone=zone, seen=seen))
    if found.located or found.passed or found.unseen:
        who, passed = _names(found.located), _names(found.passed)
        table.tell([OTHER[side]], CallHeard(rule="7.23", zone=zone, who=who, passed=passed))
    return bool(found.located or found.passed)


def see_bergen(war: War, zone: str, strength: Eyes, found: Answer) -> None:
    """Notes 7, 8: British air search that could see ships in Bergen, and sees none, shows that they
    have left."""
    empty = zone == board.BERGEN and strength.air >= war.level and not found.located
    if empty and not war.bergen_seen_empty:
        war.bergen_seen_empty = war.turn


def _names(ships: Iterable[Ship]) -> tuple[str, ...]:
    return tuple(ship.name for ship in ships)
