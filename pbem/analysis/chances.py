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
    fixed: dict[tuple[str, ...], Shares] = {}
    """Of as many playouts of the same numbers: with the own orders of these sides, with nobody's
    too. Empty where nothing was ordered. They are compared with each other alone, because playouts
    of one number differ less."""
    each: Sequence[Sequence[str]] = ()
    """The results of these playouts, number by number, by choice of orders."""

    def skill(self, sides: Sequence[str], side: str, about: str) -> float:
        """What the orders of `side` gave to the chance of `about`, against a bot's."""
        if not self.fixed:
            return 0.0
        base, both = self.fixed[()].value(about), self.fixed[tuple(sides)].value(about)
        if len(sides) != 2:
            return (both - base) / len(sides)
        (other,) = [s for s in sides if s != side]
        own, others = self.fixed[side,].value(about), self.fixed[other,].value(about)
        return ((own - base) + (both - others)) / 2

    def luck(self, sides: Sequence[str], about: str, after: float) -> float:
        """What the dice gave to the chance of `about`. after: the chance that followed."""
        orders = 0.0
        if self.fixed:
            orders = self.fixed[tuple(sides)].value(about) - self.fixed[()].value(about)
        return after - (self.shares.value(about) + orders)


def gathered(moments: Sequence[Moment], found: Rounds) -> list[Chances]:
    """The results of all playouts, window by window."""
    return [
        Chances(
            window=m.window,
            turn=m.turn,
            label=m.label,
            shares=found.shares(m.window),
            fixed=found.apart(m.window),
            each=found.each(m.window),
        )
        for m in moments
    ]
