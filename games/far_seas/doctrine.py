"""Doctrine for a ship: its own orders first, then its leader's, then its side's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


def said(
    war: War, books: Mapping[Side, Book], ship: Ship, kind: type[T], mates: Iterable[Ship] = ()
) -> T | None:
    """The binding order of that kind for a ship, None without one; mates: the others with which it
    carries the order out as one."""
    return doctrine.said(books[ship.side], party(ship, mates), kind, knows(war, ship.side))


def party(ship: Ship, mates: Iterable[Ship] = ()) -> tuple[str, ...]:
    """Who may be given an order that a squadron carries out as one, strongest first: its leader
    `ship`, each of its other ships, its side."""
    own, *above = actors(ship)
    return (own, *(m.id for m in mates if m is not ship), *above)


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
