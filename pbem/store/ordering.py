"""The order in which things of several sides are listed where sides and spectators read them.

Mail arrives in an order that tells who was quick; a list that keeps it tells everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

SORTED = 2
"""The first protocol that lists by side. Reports of older games were made in the order of arrival,
and an audit makes them again byte by byte."""

T = TypeVar("T")


class Listing(Protocol):
    """What the order needs of a register."""

    @property
    def protocol(self) -> int:
        """Which protocol the game was made with."""

    @property
    def sides(self) -> Sequence[str]:
        """The scenario's sides in its order."""


def by_side(
    register: Listing, things: Iterable[T], place: Callable[[T], tuple[str, int]]
) -> list[T]:
    """The things by their side, as the scenario lists the sides, and number. place: a thing's
    side, and its officer or 0; of the same place they keep their order."""
    if register.protocol < SORTED:
        return list(things)
    sides = [str(side) for side in register.sides]

    def key(thing: T) -> tuple[int, int]:
        side, number = place(thing)
        return sides.index(side), number

    return sorted(things, key=key)
