"""Doctrine for a ship: its own orders first, then its leader's, then its side's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct

from games.far_seas.asks import Planned
from games.far_seas.facts import knows
from games.far_seas.state import Ship, War
from orders.book import Book
from pbem.kit import doctrine
from pbem.model import Side

T = TypeVar("T", bound=Struct)
Q = TypeVar("Q", bound=Planned)


def actors(ship: Ship) -> tuple[str, ...]:
    """Who may be given orders for it, strongest first."""
    return doctrine.actors(ship.id, ship.leader, ship.side)


def said(war: War, books: Mapping[Side, Book], ship: Ship, kind: type[T]) -> T | None:
    """The binding order of that kind for a ship, None without one."""
    return doctrine.said(books[ship.side], actors(ship), kind, knows(war, ship.side))


def asked(
    kind: type[Q], ship: Ship, rule: str, *choices: str, default: str = "", plan: str = ""
) -> Q:
    """A question about a ship that orders alone answer; for want of one the default does, else the
    first choice. plan: what the side has answered for the whole meeting, empty for nothing."""
    return kind(
        about=ship.name,
        actors=actors(ship),
        rule=rule,
        choices=choices,
        default=default or choices[0],
        plan=plan,
        source="orders",
    )
