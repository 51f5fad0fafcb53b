"""What a player can weigh at a glance: the strength behind `odds` of orders and the bots' choices.

A ship counts its gun class by what is left of it. No rule of the game uses it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from games.far_seas.board import PACKAGE
from games.far_seas.state import Ship
from pbem import data


@cache
def _weight(gun: str) -> int:
    return int(data.table(PACKAGE, "rules.toml")["strength"][gun])


def strength(ship: Ship) -> int:
    """Gun class times the damage that it can still take."""
    return _weight(ship.gun) * max(0, ship.capacity - ship.damage)


def odds(own: Iterable[Ship], enemy: Iterable[Ship]) -> str:
    """Enemy strength for one of our own, with one decimal, `99` at most: `1.5`."""
    ours, theirs = sum(map(strength, own)), sum(map(strength, enemy))
    tenths = min(990, (10 * theirs + ours // 2) // ours) if ours else 990
    return f"{tenths // 10}.{tenths % 10}"
