"""Rounds of playouts: each window gets as many as its chance needs to be known well enough.

First every window has a number of playouts that tells roughly how even the chances are. What they
say decides how many more there are in the next round, and so on, until the interval of every
window is narrow enough. A round depends on the results of the rounds before it, and not on the
order in which they came, so that all is the same for any number of processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from pbem.analysis.moments import Moment
from pbem.analysis.precision import FIRST, Shares, bound, shared, wanted
from pbem.analysis.units import Unit, of_moment, units
from pbem.model import Side


class Aim(Struct, frozen=True):
    """How many playouts there are."""

    within: float
    """From each window so many that the interval reaches no farther than this to either side,"""
    most: int
    """but no more than these."""
    apart: int
    """For each choice of orders, which tell luck and skill apart."""


class Rounds:
    """The playouts of a game: what is to be done, and what was found."""

    def __init__(self, moments: Mapping[int, Moment], sides: Sequence[Side], aim: Aim) -> None:
        self.moments, self.sides, self.aim = moments, sides, aim
        first = max(min(FIRST, aim.most), aim.apart)
        self.had = dict.fromkeys(sorted(moments), 0)
        """Window -> its playouts before the round."""
        self.asked = dict.fromkeys(self.had, first)
        """Window -> those after it."""
        self.done = 0
        """Those that are finished, also by coming together with others."""
        self._most = dict.fromkeys(self.had, max(first, aim.most))
        self._won = {window: Counter[str]() for window in self.had}
        self._apart: dict[int, dict[int, Sequence[str]]] = {window: {} for window in self.had}
        """Window -> number of a playout -> its result by choice of orders."""

    def key_rounds(self) -> Iterator[list[str]]:
        """The keys of each round. `add` their results before asking for the next round."""
        while round_ := [unit.key for unit in self._round()]:
            yield round_
            self._go_on()

    def add(self, key: str, given: Mapping[str, Sequence[str]]) -> None:
        """What the unit of that key gave."""
        unit = Unit.of(key)
        for name, results in given.items():
            window = int(name)
            self._won[window][results[0]] += 1
            if unit.apart and not self.moments[window].until:
                self._apart[window][unit.number] = results
        self.done += sum(map(len, given.values()))

    @property
    def most(self) -> int:
        """How many playouts there are in the end, at most, by the intervals of the last round. So
        it shrinks from round to round."""
        apart = sum(len(of_moment(m, self.sides, True)) - 1 for m in self.moments.values())
        return sum(self._most.values()) + apart * self.aim.apart

    def shares(self, window: int) -> Shares:
        """The results of bots from that window."""
        return shared(self._won[window], self.sides)

    def each(self, window: int) -> list[Sequence[str]]:
        """Number by number the results of playouts by choice of orders; empty where nothing was
        ordered or they are not told apart."""
        return [self._apart[window][number] for number in sorted(self._apart[window])]

    def _round(self) -> Iterator[Unit]:
        for number in range(max(self.asked.values(), default=0)):
            windows = [w for w, n in self.asked.items() if self.had[w] <= number < n]
            yield from units(number, windows, number < self.aim.apart)

    def _go_on(self) -> None:
        asked = {w: self._wanted(w) for w in self.asked}
        for window, games in asked.items():
            sure = bound(self.shares(window), self.aim.within, self.aim.most)
            self._most[window] = max(games, min(sure, self._most[window]))
        self.had, self.asked = self.asked, asked

    def _wanted(self, window: int) -> int:
        return wanted(self.shares(window), self.aim.within, self.aim.most)
