"""What orders name, as the truth: actors and units that go along; programmes as written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from games.second_fleet import advanced_events as aev
from games.second_fleet import events as ev
from games.second_fleet.state import Squadron, Vessel, War
from games.second_fleet.tables import aircraft, counters, wings
from games.second_fleet.verbs import GRAMMAR
from orders.book import Book, Facts
from orders.show import scope, show_content
from pbem.kit.bots import content
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike

Books = Mapping[Side, Book]


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
        if unit is None or unit.side != side:
            raise Refused("gone", "92", f"{name} is no squadron of yours")
        if unit.lost:
            raise Refused("gone", "92", f"{name} is lost")
        found.append(unit)
    return found


def require_entered(war: War, side: Side, name: str) -> None:
    """6.4/4 Orders of those who wait for a place, and of the wing of such a carrier, are not
    carried out. Raises Refused."""
    if name in _waiting(war, side) and name not in war.squadrons:
        raise missing(war, side, name)


def missing(war: War, side: Side, name: str) -> Refused:
    """162, 6.4/4 Why a unit that orders name is not in play."""
    if name in _waiting(war, side):
        return Refused("waits", "6.4/4", f"{name} has found no place to enter")
    return Refused("gone", "162", f"{name} is gone")


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
