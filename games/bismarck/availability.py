"""3, 4.1 Setting up, and who comes into play or is set free: order of appearance, notes 7-14."""

from __future__ import annotations

from collections.abc import Mapping

from games.bismarck import board, calendar, tables, victory
from games.bismarck.board import Zone
from games.bismarck.events import (
    AirReady,
    EscortLeft,
    Mobilised,
    OrderFailed,
    Released,
    ShipEntered,
)
from games.bismarck.facts import knows
from games.bismarck.knowledge import Knowledge
from games.bismarck.state import BRITISH, GERMAN, SIDES, Ship, War
from games.bismarck.tables import Release
from games.bismarck.verbs import Enter, Mobilise
from orders.book import Book
from pbem.model import Side, TableLike


def begin(scenario: str, options: Mapping[str, str], house: Mapping[str, str]) -> War:
    """3 The state before the first turn. Raises ValueError where a table breaks a constraint."""
    if house:
        from games.bismarck.house import check

        check(house)
    ships = {ship.id: ship for ship in tables.ships(house)}
    if options.get("fuel") == "twelve":
        ships["BISMARCK"].fuel = ships["BISMARCK"].tank = 12
    return War(
        turn=calendar.FIRST,
        ships=ships,
        air={unit.id: unit for unit in tables.aircraft(house)},
        forces={side: {} for side in SIDES},
        known={side: Knowledge() for side in SIDES},
        level=tables.weather(house).start,
        fog=True,
        options=dict(options),
        house=dict(house),
    )


# 4.1 The unit availability phase


def announce(table: TableLike, war: War) -> None:
    """4.1 Ships enter and are released, air units are rested; told before orders."""
    notes = tables.release(war.house)
    for ship in war.ships.values():
        if ship.hold == "entry" and war.turn >= entry_turn(war, ship.id, notes):
            enter(table, ship, entry_zone(war, ship.id, notes))
    set_free(table, war, notes)
    for side in SIDES:
        ready = tuple(u.name for u in war.wing(side) if u.ready == war.turn and not u.flying)
        if ready:
            table.tell([side], AirReady(rule="6.42", who=ready))


def choices(table: TableLike, war: War, books: Mapping[Side, Book]) -> None:
    """Note 13 The British choose in secret in which later turn a ship enters. A standing order by
    which she has come into play has not failed."""
    notes = tables.release(war.house)
    ordered = books[BRITISH].every(BRITISH.upper(), Enter, knows(war, BRITISH))
    first = {order.ship: order for order in reversed(ordered)}
    for order in first.values():
        why = refuse_entry(order, war.ships, notes)
        if not why:
            war.entries[order.ship] = order.turn
        elif war.entries.get(order.ship) != order.turn:
            _failed(table, order.ship, "enter", why)


def refuse_entry(order: Enter, ships: Mapping[str, Ship], notes: Release) -> str:
    """Note 13 Why that choice cannot stand, empty when it can."""
    entry = notes.entry.get(order.ship)
    if entry is None or not entry.chosen:
        return f"the turn in which {order.ship} enters is not yours to choose"
    if ships[order.ship].hold != "entry":
        return f"{order.ship} is in play already"
    return f"not before turn {entry.turn}" if order.turn < entry.turn else ""


def entry_turn(war: War, ship: str, notes: Release) -> int:
    """Notes 13, 14 The turn in which a ship enters, as chosen or as the card says."""
    return max(war.entries.get(ship, 0), notes.entry[ship].turn)


def entry_zone(war: War, ship: str, notes: Release) -> Zone:
    """Notes 13, 14 Where a ship enters; option `dorsetshire` may name the card's zone."""
    chosen = war.options.get(ship.lower(), "")
    return Zone(chosen) if chosen in board.SEA else notes.entry[ship].zone


def enter(table: TableLike, ship: Ship, zone: Zone) -> None:
    """4.1 A ship comes into play; it may move this turn."""
    ship.zone, ship.origin, ship.hold = zone, zone, ""
    table.tell([ship.side], ShipEntered(rule="4.1", who=ship.name, zone=zone))


def set_free(table: TableLike, war: War, notes: Release) -> None:
    """Notes 7, 8, 10, 11 Ships whose condition has come true are free from now on."""
    reasons: dict[str, list[str]] = {}
    for ship in war.fleet(BRITISH):
        why = freed(war, ship, notes)
        if why:
            ship.hold = ""
            reasons.setdefault(why, []).append(ship.name)
    for why, names in sorted(reasons.items()):
        table.tell([BRITISH], Released(rule="4.1", why=why, who=tuple(names)))


def freed(war: War, ship: Ship, notes: Release) -> str:
    """Notes 7, 8, 10, 11 Why a ship is released from this turn on, empty while it is not."""
    if ship.hold == "port":
        return _out_of_port(war, notes)
    if ship.hold == "later":
        seen = next((d.turn for d in war.found if d.ship == "BISMARCK"), None)
        if seen is not None and war.turn >= seen + notes.later:
            return f"the Bismarck was located {war.turn - seen} turns ago"
    if ship.hold == "patrol":
        near = [board.distance(ship.zone, d.zone) for d in war.found if d.turn < war.turn]
        if near and min(near) <= notes.patrol_within:
            return f"a German ship was found {min(near)} zones away"
    return ""


def _out_of_port(war: War, notes: Release) -> str:
    """Notes 7, 8 and our safety valve."""
    if war.found and war.turn >= war.found[0].turn + notes.port_known:
        return "a German ship was located"
    if war.bergen_seen_empty and war.turn >= war.bergen_seen_empty + notes.port_known:
        return "Bergen was seen empty"
    return "the Admiralty waits no longer" if war.turn >= notes.port_latest else ""


# 4.2 Leaving a convoy


def convoy_phase(table: TableLike, war: War, books: Mapping[Side, Book]) -> None:
    """4.2, 12.42 The British may call escorts away once a German ship has been located."""
    for order in books[BRITISH].every(BRITISH.upper(), Mobilise, knows(war, BRITISH)):
        ship = war.ships.get(order.ship)
        if ship is None:
            _failed(table, order.ship, "mobilise", "no escort of that name")
        elif ship.hold == "escort" and not may_mobilise(war):
            _failed(table, ship.name, "mobilise", "no German ship has been located yet")
        elif ship.hold == "escort":
            mobilise(table, war, ship)


def may_mobilise(war: War) -> bool:
    """Notes 9, 12 Has a German ship been located in an earlier turn?"""
    return any(d.turn < war.turn for d in war.found)


def mobilise(table: TableLike, war: War, ship: Ship) -> None:
    """12.42 An escort is released; the German gets his points but no name."""
    ship.hold = ""
    table.tell([BRITISH], Mobilised(rule="12.42", who=ship.name, zone=ship.zone))
    table.tell([GERMAN], EscortLeft(rule="12.42"))
    points = victory.numbers(war).mobilised
    victory.award(table, war, GERMAN, points, "12.42", "an escort left its convoy")


def _failed(table: TableLike, who: str, verb: str, why: str) -> None:
    table.tell([BRITISH], OrderFailed(rule="4.1", why=why, who=who, verb=verb))
