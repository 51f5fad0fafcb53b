"""What a side has ordered, read with what it knows at that moment (conditions)."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct

from games.bismarck import knowledge
from games.bismarck.board import SIDES
from games.bismarck.calendar import night
from games.bismarck.state import War
from orders.book import Book, Facts
from orders.model import Value
from pbem.model import Side

T = TypeVar("T", bound=Struct)


class Command:
    """One side's orders in force. The side's own name is the actor of orders for all of it."""

    def __init__(self, side: Side, book: Book, facts: Facts) -> None:
        self.side = side
        self.actor = side.upper()
        self.book = book
        self.facts = facts

    def find(self, actor: str, kind: type[T]) -> T | None:
        """The binding order of that kind for a unit or task force; None without one."""
        return self.book.find(actor, kind, self.facts)

    def whole(self, kind: type[T]) -> T | None:
        """The binding order of that kind for the side as a whole."""
        return self.find(self.actor, kind)

    def every(self, actor: str, kind: type[T]) -> list[T]:
        """All orders of that kind from the strongest layer that has any."""
        return self.book.every(actor, kind, self.facts)


def commands(war: War, books: dict[Side, Book]) -> dict[Side, Command]:
    """Both sides' orders, each judged by its own side's knowledge."""
    return {side: Command(side, books[side], facts(war, side)) for side in SIDES}


def facts(war: War, side: Side) -> Facts:
    """What `side` knows of a condition's term for one of its units; None is unknown."""

    def fact(term: str, actor: str) -> Value | None:
        if term == "turn":
            return war.turn
        if term == "visibility":
            return war.level
        if term == "fog":
            return _flag(war.fog)
        if term == "contact":
            return knowledge.strongest(war.known[side], war.turn - 1)
        return _of_unit(war, side, term, actor)

    return fact


def _of_unit(war: War, side: Side, term: str, actor: str) -> Value | None:
    """Terms that depend on the unit that acts: night, fuel, located."""
    force = war.forces[side].get(actor)
    ids = list(force.ships) if force else [actor]
    ships = [war.ships[i] for i in ids if i in war.ships and war.ships[i].side == side]
    if term == "fuel":
        return min((s.fuel for s in ships if s.fuel is not None), default=None)
    if term == "located":
        return _flag(any(s.id in war.known[side].given_away for s in ships))
    unit = war.air.get(actor)
    zones = [s.zone for s in ships] + ([unit.zone] if unit and unit.side == side else [])
    if term == "night" and zones and zones[0]:
        return _flag(night(war.turn, zones[0]))
    return None


def _flag(value: bool) -> str:
    return "YES" if value else "NO"
