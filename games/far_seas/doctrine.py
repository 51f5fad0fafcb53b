"""Doctrine for a ship: its own orders first, then its leader's, then its side's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct

from games.far_seas.facts import knows
from games.far_seas.state import Ship, War
from orders.book import Book
from pbem.kit import doctrine
from pbem.kit.doctrine import InBattle
from pbem.model import Side

T = TypeVar("T", bound=Struct)
Q = TypeVar("Q", bound=InBattle)


def actors(ship: Ship) -> tuple[str, ...]:
    """Who may be given orders for it, strongest first."""
    return doctrine.actors(ship.id, ship.leader, ship.side)


def said(war: War, books: Mapping[Side, Book], ship: Ship, kind: type[T]) -> T | None:
    """The binding order of that kind for a ship, None without one."""
    return doctrine.said(books[ship.side], actors(ship), kind, knows(war, ship.side))


def asked(
    kind: type[Q], ship: Ship, rule: str, *choices: str, default: str = "", mailed: bool = False
) -> Q:
    """A question about a ship, which doctrine answers. default: else the first choice; mailed: it
    may be asked by mail too, where otherwise the default answers for want of an order."""
    return kind(
        about=ship.name,
        actors=actors(ship),
        rule=rule,
        choices=choices,
        default=default or choices[0],
        source="any" if mailed else "orders",
    )
