"""Chances of the sides in every window of a finished game, and what luck and orders did to them.

From the position of a window many games are played to their end by bots, under other dice and with
other plans (`pbem.bots.playouts`); a side's chance is its share of them. The same is done with the
orders that one side, or every side, really gave in that window. What the orders gave against those
of bots is called skill; what the dice that fell then gave against their average is luck:

    skill of a side   the mean of what its orders change, first of all and last of all (Shapley)
    luck              the chance that followed, less the chance with the orders of all

So from the first window to the end of the game the chance moves by the sum of all skill and luck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import sqrt
from typing import Self

import msgspec
from msgspec import Struct

from orders.model import OrderSet
from pbem.analysis.moments import Moment
from pbem.bots.playouts import Playout
from pbem.bots.work import Done
from pbem.dice.sources import Seeded
from pbem.engine.drive import Position
from pbem.model import Side, System

Z95 = 1.959964
"""Standard deviations of a 95 % interval (Wilson 1927)."""
BATCH = 20
"""Playouts of a unit of work, so that all processes end at about the same time."""


Load = Callable[[str, str], System]
"""Finds a system by name and edition, in any process."""


class Played(Struct, frozen=True):
    """The game that is analysed: what every playout needs besides the moment."""

    system: str
    edition: str
    scenario: str
    sides: tuple[Side, ...]
    options: Mapping[str, str]
    seed: str


class Unit(Struct, frozen=True):
    """A unit of work: some playouts of one window."""

    window: int
    fixed: tuple[Side, ...]
    """The sides whose own orders hold in the window."""
    first: int
    count: int

    @property
    def key(self) -> str:
        """The unit as text: `12 british,german 20 20`."""
        return f"{self.window} {','.join(self.fixed) or '-'} {self.first} {self.count}"

    @classmethod
    def of(cls, key: str) -> Self:
        """The unit of that key."""
        window, fixed, first, count = key.split()
        sides = () if fixed == "-" else tuple(map(Side, fixed.split(",")))
        return cls(int(window), sides, int(first), int(count))


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


def units(
    moments: Iterable[Moment], sides: Sequence[Side], playouts: int, apart: int
) -> Iterator[Unit]:
    """The work for these windows. playouts: of each position; apart: of each choice of sides whose
    orders are compared with a bot's, 0 to leave out skill and luck."""
    for moment in moments:
        yield from _batches(moment.window, (), playouts)
        if apart and not moment.until:
            for fixed in choices(sides):
                yield from _batches(moment.window, fixed, apart)


def choices(sides: Sequence[Side]) -> list[tuple[Side, ...]]:
    """Whose own orders hold: those of all, and, with two sides, those of each alone."""
    alone = [(side,) for side in sides] if len(sides) == 2 else []
    return [*alone, tuple(sides)]


def _batches(window: int, fixed: tuple[Side, ...], count: int) -> Iterator[Unit]:
    for first in range(0, count, BATCH):
        yield Unit(window, fixed, first, min(BATCH, count - first))


def worked(load: Load, played: Played, moments: Mapping[int, Moment], key: str) -> object:
    """The results of the playouts of the unit with that key. moments: by their windows."""
    unit, system = Unit.of(key), load(played.system, played.edition)
    return dict(results(system, played, moments[unit.window], unit))


def results(system: System, played: Played, moment: Moment, unit: Unit) -> Counter[str]:
    """The results of a unit's playouts.

    Playout i has the same dice and luck from every window on and whatever is fixed. So what is
    compared differs by what happened and by the orders, and less by chance.
    """
    position = msgspec.json.decode(moment.position, type=Position)
    fixed = {side: moment.orders.get(side, OrderSet()) for side in unit.fixed}
    found = Counter[str]()
    for i in range(unit.first, unit.first + unit.count):
        luck = f"{played.seed} {i}"
        playout = Playout.resume(
            system,
            played.scenario,
            played.sides,
            played.options,
            position,
            Seeded(luck, b""),
            luck,
            moment.told,
            moment.until,
        )
        playout.window(fixed)
        found[playout.play().result] += 1
    return found


class Chances(Struct, frozen=True):
    """What the playouts of one window say."""

    window: int
    turn: int
    label: str
    shares: Shares
    """From the position, with orders of bots."""
    fixed: dict[tuple[str, ...], Shares] = {}
    """With the own orders of these sides; empty where nothing was ordered."""

    def skill(self, sides: Sequence[str], side: str, about: str) -> float:
        """What the orders of `side` gave to the chance of `about`, against a bot's."""
        if not self.fixed:
            return 0.0
        base, both = self.shares.value(about), self.fixed[tuple(sides)].value(about)
        if len(sides) != 2:
            return (both - base) / len(sides)
        (other,) = [s for s in sides if s != side]
        own, others = self.fixed[side,].value(about), self.fixed[other,].value(about)
        return ((own - base) + (both - others)) / 2

    def luck(self, sides: Sequence[str], about: str, after: float) -> float:
        """What the dice gave to the chance of `about`. after: the chance that followed."""
        before = self.fixed[tuple(sides)] if self.fixed else self.shares
        return after - before.value(about)


def gathered(
    moments: Sequence[Moment], sides: Sequence[str], found: Iterable[Done]
) -> list[Chances]:
    """The results of all units (`worked`), window by window."""
    sums: dict[tuple[int, tuple[str, ...]], Counter[str]] = {}
    for key, given in found:
        unit, counts = Unit.of(key), msgspec.convert(given, dict[str, int])
        sums.setdefault((unit.window, unit.fixed), Counter()).update(counts)
    shares = {key: shared(counts, sides) for key, counts in sums.items()}
    return [
        Chances(
            window=m.window,
            turn=m.turn,
            label=m.label,
            shares=shares[m.window, ()],
            fixed={fixed: s for (w, fixed), s in shares.items() if w == m.window and fixed},
        )
        for m in moments
    ]


def shared(counts: Counter[str], sides: Sequence[str]) -> Shares:
    """The results of playouts as each side's games."""
    return Shares(counts.total(), {side: counts[side] for side in sides})
