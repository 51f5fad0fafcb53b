"""What orders name, as the truth: actors, contacts, units that go along; programmes as written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from games.second_fleet import advanced_events as aev
from games.second_fleet import events as ev
from games.second_fleet.state import Known, Squadron, Vessel, War
from games.second_fleet.tables import aircraft, counters, wings
from games.second_fleet.verbs import GRAMMAR
from orders.book import Book, Facts
from orders.show import scope, show_content
from pbem.kit.bots import content
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike

Books = Mapping[Side, Book]


def unit_of(war: War, side: Side, contact: str) -> str:
    """Whom a contact stands for while its marker lies there; empty without one."""
    key = war.called[side].stands_for.get(contact, "")
    return key if war.held[side].get(key) == contact else ""


def place_of(war: War, side: Side, contact: str) -> str:
    """Where a side thinks a contact is, or what it became as groups changed; empty if it does not
    know it."""
    known = seen_of(war, side, contact)
    old = war.heirs.get(side, {}).get(contact)
    stays = [one.place for one in known if old and one.place == old.at]
    return (stays or [one.place for one in known] or [""])[0]


def seen_of(war: War, side: Side, contact: str) -> list[Known]:
    """What a side knows of a contact, or of what it became as groups changed (6.16/3)."""
    if contact in war.known[side]:
        return [war.known[side][contact]]
    names = [one for name in _became(war, side, contact) for one in seen_of(war, side, name)]
    return list({one.id: one for one in names}.values())


class Goal(Struct, frozen=True):
    """6.14/1 What an attack is ordered on."""

    hex: str
    units: tuple[str, ...] = ()
    """The markers at which it is aimed; none: all that is in the hex."""
    parted: tuple[str, ...] = ()
    """6.16/3 Markers of ships that left these as groups changed, and lie in the hex still."""


def heirs(war: War, side: Side, contact: str) -> list[str]:
    """6.16/3 The contacts that an order for this one means: itself, or, where groups changed, the
    one with which it merged or the parts of it, as far as their markers lie there."""
    if contact in war.known[side]:
        return [contact] if unit_of(war, side, contact) else []
    found: list[str] = []
    for name in _became(war, side, contact):
        found += [heir for heir in heirs(war, side, name) if heir not in found]
    return found


def _became(war: War, side: Side, contact: str) -> list[str]:
    """What a contact became as groups changed, as its observer was told."""
    old = war.heirs.get(side, {}).get(contact)
    return old.names if old else []


def goal(war: War, side: Side, contact: str) -> Goal:
    """121, 6.16/3 Where a contact lies, and whom it stands for: of one that parted all parts that
    are still in its hex, or else in one hex. Raises Refused."""
    names = heirs(war, side, contact)
    where = {name: war.members(unit_of(war, side, name))[0].hex for name in names}
    if not names:
        raise Refused("contact-lost", "121", _lost(war, side, contact))
    old = war.heirs.get(side, {}).get(contact)
    at = old.at if old and old.at in where.values() else where[names[0]]
    if at != (old.at if old else "") and len(set(where.values())) > 1:
        listed = " and ".join(f"{name} in {hex_}" for name, hex_ in where.items())
        text = f"{contact} has become {listed}: name the one to attack"
        raise Refused("contact-parted", "121", text)
    units = tuple(unit_of(war, side, name) for name in names if where[name] == at)
    left = [unit_of(war, side, name) for name in _became(war, side, contact)]
    near = [key for key in left if key and key not in units and war.members(key)[0].hex == at]
    return Goal(at, units, tuple(near))


def _lost(war: War, side: Side, contact: str) -> str:
    """121 Why nothing can be aimed at a contact."""
    parts = _became(war, side, contact)
    if contact in war.known[side] or not parts:
        return f"{contact} is no longer detected"
    listed = " and ".join(parts)
    return f"{contact} has become {listed}, no longer detected"


def ships_of(war: War, side: Side, actor: str) -> list[Vessel]:
    """The ships of an own group, or the one ship or submarine; none for other actors."""
    return [ship for ship in war.members(war.own_key(side, actor)) if ship.side == side]


def stack(war: War, side: Side, actor: str, mates: Sequence[str]) -> list[Vessel]:
    """85 Those who are activated together. Raises Refused."""
    for name in (actor, *mates):
        ship = war.vessels.get(name)
        if ship is not None and ship.side == side and ship.group:
            raise Refused("in-a-group", "85", f"{name} sails with {ship.group.upper()}")
    found = ships_of(war, side, actor)
    for mate in mates:
        found += [s for s in ships_of(war, side, mate) if s not in found]
    for ship in found:
        if ship.hex != found[0].hex:
            raise Refused("not-here", "85", f"{ship.id} is not in {found[0].hex}")
        if ship.acted:
            raise Refused("has-acted", "6.13/5", f"{ship.id} has been activated before")
        if ship.sub and len(found) > 1:
            raise Refused("alone", "90", "submarines are activated one by one")
        if ship.decoy and len(found) > 1:
            raise Refused("alone", "6.19/1", f"{ship.id} sails with nobody")
    return found


def squadrons(war: War, side: Side, names: Sequence[str]) -> list[Squadron]:
    """Own air units by name, each once. Raises Refused for what is gone."""
    found = []
    for name in dict.fromkeys(names):
        unit = war.squadrons.get(name)
        require_entered(war, side, name)
        if unit is None or unit.side != side or unit.lost:
            raise Refused("gone", "92", f"{name} is no squadron of yours any more")
        found.append(unit)
    return found


def require_entered(war: War, side: Side, name: str) -> None:
    """6.4/4 Orders of those who wait for a place, and of the wing of such a carrier, are not
    carried out. Raises Refused."""
    if name in _waiting(war, side) and name not in war.squadrons:
        raise Refused("waits", "6.4/4", f"{name} has found no place to enter")


def _waiting(war: War, side: Side) -> list[str]:
    """6.4/4 Reinforcements that wait, and the wings of such carriers."""
    waiting = war.arrivals[side].waiting if side in war.arrivals else []
    return [*waiting, *(unit for carrier in waiting for unit in wings().get(carrier, ()))]


def unable(actor: str, no: Refused, *orders: Struct) -> ev.Unable:
    """What the sender is told of orders that could not be carried out."""
    return ev.Unable(rule=no.rule, actor=actor, what=no.text, order=quoted(*orders))


def unlanded(actor: str, no: Refused, *orders: Struct) -> aev.Unlanded:
    """The same of the strategic cycle, the set-up and replenishment."""
    return aev.Unlanded(rule=no.rule, actor=actor, what=no.text, order=quoted(*orders))


def quoted(*orders: Struct) -> str:
    """Orders as receipts print them: `go 2820; attack asw EN3`."""
    return "; ".join(content(order, GRAMMAR) for order in orders)


def void(table: TableLike, war: War, books: Books) -> None:
    """162, 6.9/4 As a turn begins a side is told, once, which of its standing orders and orders for
    later turns are void because who had them is gone."""
    for side, book in books.items():
        there = {ship.id for ship in war.afloat(side)} | {unit.id for unit in war.flying(side)}
        there |= {*_waiting(war, side), *war.mourned}
        always = book.standing.always
        given = (*book.standing.later, *(o for actor in sorted(always) for o in always[actor]))
        known = {*counters(), *aircraft()}
        orphans = [order for order in given if order.actor in known - there]
        for order in orphans:
            text, what = show_content(order, GRAMMAR), f"{order.actor} is gone"
            when = "" if order.standing else scope(order)
            told = ev.Unable(rule="162", actor=order.actor, what=what, order=f"{when}{text}")
            table.tell([side], told)
        war.mourned = sorted({*war.mourned, *(order.actor for order in orphans)})


def programme(book: Book, kinds: Mapping[str, type[Struct]], facts: Facts) -> list[str]:
    """Every actor with an order of these kinds, in the order in which they are first named."""
    return list(in_turn(book, kinds, facts))


def in_turn(book: Book, kinds: Mapping[str, type[Struct]], facts: Facts) -> Iterator[str]:
    """The same, one by one: a condition is judged when its order is reached, by what those before
    it have done."""
    named: set[str] = set()
    for command in book.script(kinds, facts):
        if command.actor not in named:
            named.add(command.actor)
            yield command.actor


def orders(
    book: Book, actor: str, kinds: Mapping[str, type[Struct]], facts: Facts
) -> tuple[Struct, ...]:
    """The actor's orders of these kinds from the strongest layer that has one."""
    return tuple(one_by_one(book, actor, kinds, facts))


def one_by_one(
    book: Book, actor: str, kinds: Mapping[str, type[Struct]], facts: Facts
) -> Iterator[Struct]:
    """The same, each with its condition judged when it is reached."""
    return (c.order for c in book.script(kinds, facts) if c.actor == actor)
