"""Doctrine orders for a ship: its own first, then its leader's, then its side's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct

from games.far_seas.facts import knows
from games.far_seas.state import Ship, War
from orders.book import Book
from pbem.kit import doctrine
from pbem.model import Side

T = TypeVar("T", bound=Struct)


def actors(ship: Ship) -> tuple[str, ...]:
    """Who may be given orders for it, strongest first."""
    return doctrine.actors(ship.id, ship.leader, ship.side)


def said(war: War, books: Mapping[Side, Book], ship: Ship, kind: type[T]) -> T | None:
    """The binding order of that kind for a ship, None without one."""
    return doctrine.said(books[ship.side], actors(ship), kind, knows(war, ship.side))
