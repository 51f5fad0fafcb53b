"""Sort lists that concern several sides and are shown to sides and spectators.

A list in the order of arrival would tell every reader who wrote first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

SORTED = 2
"""The first protocol that sorts. Older games keep the order of arrival, because an audit makes
their reports again and compares them byte by byte."""

T = TypeVar("T")


class Listing(Protocol):
    """The part of a register that sorting needs."""

    @property
    def protocol(self) -> int:
        """The protocol that the game was made with."""

    @property
    def seats(self) -> Sequence[str]:
        """The scenario's sides in its order, then their roles."""


def by_side(
    register: Listing, things: Iterable[T], place: Callable[[T], tuple[str, int]]
) -> list[T]:
    """Sort things by side, as the scenario lists the sides, then by number.

    place: returns a thing's side and its officer, or 0. Things of the same place keep their order.
    """
    if register.protocol < SORTED:
        return list(things)
    seats = [str(seat) for seat in register.seats]

    def key(thing: T) -> tuple[int, int]:
        side, number = place(thing)
        return seats.index(side), number

    return sorted(things, key=key)
