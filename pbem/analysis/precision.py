"""How sure the chance is that playouts give, and how many of them make it sure enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil, sqrt

from msgspec import Struct

Z95 = 1.959964
"""Standard deviations of a 95 % interval (Wilson 1927)."""
FIRST = 100
"""Playouts of every window. Fewer could agree by luck where the result is not certain."""
STEP = 20
"""The least number of playouts that are added to a window."""


class Shares(Struct, frozen=True):
    """Results of playouts: how many each side won. The rest was drawn."""

    games: int
    won: dict[str, int]

    def value(self, side: str) -> float:
        """A side's part: a game won is 1, a draw is shared by all."""
        drawn = self.games - sum(self.won.values())
        return (self.won.get(side, 0) + drawn / max(len(self.won), 1)) / self.games

    def interval(self, side: str) -> tuple[float, float]:
        """95 % of such intervals contain the true part (Wilson's, with draws as shared games)."""
        n, p = self.games, self.value(side)
        middle, wide = p + Z95**2 / (2 * n), Z95 * sqrt(p * (1 - p) / n + Z95**2 / (4 * n * n))
        below = 1 + Z95**2 / n
        return (middle - wide) / below, (middle + wide) / below

    @property
    def half(self) -> float:
        """Half the width of the widest side's interval."""
        ends = (self.interval(side) for side in self.won)
        return max(((high - low) / 2 for low, high in ends), default=0.0)


def shared(counts: Counter[str], sides: Sequence[str]) -> Shares:
    """The results of playouts as each side's games."""
    return Shares(counts.total(), {side: counts[side] for side in sides})


def needed(part: float, within: float) -> int:
    """How many playouts make an interval of at most `within` to either side, if a side wins that
    part of them. It solves Wilson's formula for their number."""
    z, h = Z95**2, within**2
    b = z * part * (1 - part) - 2 * h * z
    return max(1, ceil((b + sqrt(b * b + 4 * h * z * z * (1 / 4 - h))) / (2 * h)))


def wanted(shares: Shares, within: float, most: int) -> int:
    """How many playouts a window should have, after these: no more if they are enough, or `most`.

    The estimate says how many make the interval narrow enough. As it may err, it is asked again
    after them.
    """
    if shares.games >= most or shares.half <= within:
        return shares.games
    asked = max(needed(shares.value(side), within) for side in shares.won)
    return min(most, max(asked, shares.games + STEP))


def bound(shares: Shares, within: float, most: int) -> int:
    """How many it should have at most, if the interval contains the true part."""
    if wanted(shares, within, most) == shares.games:
        return shares.games
    ends = (shares.interval(side) for side in shares.won)
    nearest = (min(max(low, 0.5), high) for low, high in ends)
    return min(most, max(needed(part, within) for part in nearest))
