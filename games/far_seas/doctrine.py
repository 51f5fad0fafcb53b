"""Doctrine orders for a ship: its own first, then its leader's, then its side's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct

from games.far_seas.facts import knows
from games.far_seas.state import Ship, War
from orders.book import Book
from pbem.model import Side

T = TypeVar("T", bound=Struct)


def actors(ship: Ship) -> tuple[str, ...]:
    """Who may be given orders for it, strongest first."""
    return tuple(dict.fromkeys(a for a in (ship.id, ship.leader, ship.side.upper()) if a))


def said(war: War, books: Mapping[Side, Book], ship: Ship, kind: type[T]) -> T | None:
    """The binding order of that kind for a ship, None without one."""
    book, facts = books[ship.side], knows(war, ship.side)
    for actor in actors(ship):
        if found := book.find(actor, kind, facts):
            return found
    return None
