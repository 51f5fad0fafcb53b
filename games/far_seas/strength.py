"""What a player can weigh at a glance: the strength behind `odds` of orders and the bots' choices.

A ship counts its gun class by what is left of it. No rule of the game uses it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from games.far_seas.tables import rules


class Armed(Protocol):
    """A ship, of the truth or of a report."""

    @property
    def gun(self) -> str:
        """Longest range class."""

    @property
    def capacity(self) -> int:
        """Damage that sinks it."""

    @property
    def damage(self) -> int:
        """Damage so far."""


def strength(ship: Armed) -> int:
    """Gun class times the damage that it can still take."""
    return int(rules().strength[ship.gun]) * max(0, ship.capacity - ship.damage)


def odds(own: Iterable[Armed], enemy: Iterable[Armed]) -> str:
    """Enemy strength for one of our own, with one decimal, `99` at most: `1.5`."""
    ours, theirs = sum(map(strength, own)), sum(map(strength, enemy))
    tenths = min(990, (10 * theirs + ours // 2) // ours) if ours else 990
    return f"{tenths // 10}.{tenths % 10}"
