"""Chances of the sides in every window of a finished game, and what luck and orders did to them.

From the position of a window many games are played to their end by bots, under other dice and with
other plans (`pbem.analysis.rounds`); a side's chance is its share of them. The same is done with
the orders that one side, or every side, really gave in that window. What the orders gave against
those of bots is called skill; what the dice that fell then gave against their average is luck:

    skill of a side   the mean of what its orders change, first of all and last of all (Shapley)
    luck              the chance that followed, less the chance with the orders of all

So from the first window to the end of the game the chance moves by the sum of all skill and luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from msgspec import Struct

from pbem.analysis.moments import Moment
from pbem.analysis.precision import Shares
from pbem.analysis.rounds import Rounds


class Chances(Struct, frozen=True):
    """What the playouts of one window say."""

    window: int
    turn: int
    label: str
    shares: Shares
    """From the position, with orders of bots."""
    each: Sequence[Sequence[str]] = ()
    """Number by number the results of playouts by choice of orders (`units.choices`). Empty where
    nothing was ordered. They are compared with each other alone, because playouts of one number
    differ less."""

    def skill(self, sides: Sequence[str]) -> list[float]:
        """What the orders of each side gave to the chance of the first, against a bot's."""
        found = [skills(results, sides) for results in self.each]
        return list(map(fmean, zip(*found, strict=True))) if found else [0.0] * len(sides)

    def luck(self, sides: Sequence[str], after: float) -> float:
        """What the dice gave to the chance of the first side. after: the chance that followed."""
        return after - (self.shares.value(sides[0]) + sum(self.skill(sides)))


def skills(results: Sequence[str], sides: Sequence[str]) -> list[float]:
    """What the orders of each side gave in the playouts of one number. results: by choice of
    orders."""
    base, *alone, both = (part(result, sides) for result in results)
    if len(sides) != 2:
        return [(both - base) / len(sides)] * len(sides)
    one, two = alone
    return [((one - base) + (both - two)) / 2, ((two - base) + (both - one)) / 2]


def part(result: str, sides: Sequence[str]) -> float:
    """The part of the first side in a result; a draw is shared by all."""
    return float(result == sides[0]) if result in sides else 1 / len(sides)


def gathered(moments: Sequence[Moment], found: Rounds) -> list[Chances]:
    """The results of all playouts, window by window."""
    return [
        Chances(
            window=m.window,
            turn=m.turn,
            label=m.label,
            shares=found.shares(m.window),
            each=found.each(m.window),
        )
        for m in moments
    ]
