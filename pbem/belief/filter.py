"""Belief: where an enemy may be, from one side's own reports and public facts. A particle filter.

It is the bootstrap filter of Gordon, Salmond and Smith (1993). Five hundred guesses (particles) of
where the enemy is and what it is about move as it may move, and are weighed by how well they agree
with what the side was told; most weights are yes or no, because a search that finds nothing rules a
place out. Where few guesses are left by the effective sample size (Kish 1965), they are drawn anew
by their weights (systematic resampling, Kitagawa 1996); where none is left, they are made again
from what is possible.

It is plain Python: a guess moves by the rules of its game, which work on single units, so that
arrays would not make it faster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import prod
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from pbem.belief.trust import Level, Place, Spread, Trust
from pbem.data import table
from pbem.inference.quarry import AnyQuarry, Told, pick, weighted


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of belief.toml, where each is explained."""

    particles: int
    thin: float
    stray: float
    tries: int
    forgets: float
    doubt: float
    levels: dict[str, Level]


@cache
def settings() -> Settings:
    """Those of the program."""
    return msgspec.convert(table("pbem.belief", "belief.toml"), Settings)


class Belief(Struct, frozen=True):
    """Where an enemy may be after a turn."""

    turn: int
    cells: dict[str, float]
    """Probability by cell; they add up to 1."""
    possible: frozenset[str]
    """The cells that are possible at all: what even chances would be spread over."""
    fix: str
    """The cell in which the side was told that it is; empty where it was not."""
    effective: float
    """The effective sample size: how many guesses of equal weight would be worth as much as those
    before they were drawn anew, 1 / (sum of squared weights)."""
    rebuilt: bool
    """Whether no guess was left, so that all were made again."""

    @property
    def likeliest(self) -> str:
        """The cell with the greatest probability, the first of several by name."""
        return min(self.cells, key=lambda cell: (-self.cells[cell], cell))


def beliefs(quarry: AnyQuarry, seed: str, chosen: Settings | None = None) -> Iterator[Belief]:
    """The belief after each turn of `quarry.told`. The same seed gives the same."""
    filter_ = _Filter(quarry, seed, chosen or settings())
    for told in quarry.told:
        yield filter_.step(told)


def latest(quarry: AnyQuarry, seed: str, chosen: Settings | None = None) -> Belief:
    """The belief of now: the last of `beliefs`, or before the first turn that of public facts."""
    filter_ = _Filter(quarry, seed, chosen or settings())
    found = filter_.now(Told(turn=0))
    for told in quarry.told:
        found = filter_.step(told)
    return found


class Followed:
    """The beliefs about all enemies that a side looks for, from report to report. What was told
    later is never used for an earlier one."""

    def __init__(self, seed: str, chosen: Settings | None = None) -> None:
        self._seed, self._chosen = seed, chosen or settings()
        self._filters: dict[str, tuple[_Filter, list[Told], Belief]] = {}

    def see(self, found: Sequence[AnyQuarry]) -> list[Belief]:
        """The belief of now about each. found: what the reports so far say of each enemy."""
        return [self._see(quarry) for quarry in found]

    def guesses(self, id_: str, draws: Random) -> list[Any]:
        """As many guesses as the filter has about an enemy that was seen to, drawn by weight."""
        filter_ = self._filters[id_][0]
        return draws.choices(filter_.guesses, filter_.weights, k=len(filter_.guesses))

    def _see(self, quarry: AnyQuarry) -> Belief:
        """A filter goes on where it stopped, unless more was learnt of what was told before."""
        filter_, told, belief = self._filters.get(quarry.id) or self._begun(quarry)
        if told != list(quarry.told[: len(told)]):
            filter_, told, belief = self._begun(quarry)
        filter_.quarry = quarry
        for one in quarry.told[len(told) :]:
            belief = filter_.step(one)
        self._filters[quarry.id] = filter_, list(quarry.told), belief
        return belief

    def _begun(self, quarry: AnyQuarry) -> tuple[_Filter, list[Told], Belief]:
        filter_ = _Filter(quarry, self._seed, self._chosen)
        return filter_, [], filter_.now(Told(turn=0))


class _Filter:
    """Guesses with their weights, by level of trust; those of a level add up to 1."""

    def __init__(self, quarry: AnyQuarry, seed: str, chosen: Settings) -> None:
        self.quarry, self.chosen = quarry, chosen
        self.draws = Random(f"{seed} {quarry.id}")
        n = chosen.particles
        drawn = (weighted(self.draws, quarry.styles) for _ in range(n))
        self.guesses: list[Any] = [quarry.place(style, self.draws) for style in drawn]
        self.trust = Trust(tuple(chosen.levels.values()), chosen.stray, chosen.forgets)
        self.by_level = [[1 / n] * n for _ in self.trust.levels]
        """By level, then by guess."""
        self.possible = frozenset(map(quarry.cell, self.guesses))
        """The cells in which the enemy may be by its moves and all that was told."""

    @property
    def weights(self) -> list[float]:
        """The weights of the guesses by all levels together."""
        return self.trust.mixed(self.by_level)

    def step(self, told: Told) -> Belief:
        """Move the guesses through a turn and weigh them by what was told."""
        old = self.guesses
        strays = [self.draws.random() < self.chosen.stray for _ in old]
        guesses = [self._moved(g, told, any_) for g, any_ in zip(old, strays, strict=True)]
        before = self.trust.moved(self.by_level, strays)
        within, self.possible = self.possible, self._possible(told)
        likely = [self.quarry.likelihood(guess, told) for guess in guesses]
        self._learn(guesses, before, likely, self.quarry.within(within, told), told)
        self.guesses, self.by_level = guesses, self.trust.weighed(before, likely)
        rebuilt = not self.by_level
        if rebuilt:
            self._again(old, told)
        found = self.now(told, rebuilt)
        if found.effective < self.chosen.thin * len(guesses):
            self._draw_anew()
        return found

    def now(self, told: Told, rebuilt: bool = False) -> Belief:
        """The belief that the guesses stand for."""
        effective = round(1 / sum(w * w for w in self.weights), 1)
        return Belief(told.turn, self._cells(), self.possible, told.fix, effective, rebuilt)

    def _moved(self, guess: Any, told: Told, strays: bool) -> Any:
        move = self.quarry.stray if strays else self.quarry.move
        return move(guess, told, self.draws)

    def _possible(self, told: Told) -> frozenset[str]:
        return self.quarry.reach(self.possible, told) or self.possible

    def _learn(
        self,
        guesses: Sequence[Any],
        before: Sequence[Sequence[float]],
        likely: Sequence[float],
        within: frozenset[str],
        told: Told,
    ) -> None:
        """Weigh the levels by what was told. before: the weights of guesses until then; within:
        where the enemy may be by its moves alone."""
        quarry, one = self.quarry, guesses[0]
        chance = {
            cell: quarry.likelihood(quarry.put(one, cell), told) if cell in self.possible else 0.0
            for cell in sorted(within | self.possible)
        }
        self.trust.learn(before, self._places(guesses), likely, chance, quarry.near)

    def _draw_anew(self) -> None:
        """As many guesses, each as often as its weight says, give or take one: systematic
        resampling, with one random number for all. Levels go on differing about them."""
        mixed = self.weights
        kept = drawn(mixed, self.chosen.particles, self.draws.random())
        self.guesses = [self.guesses[i] for i in kept]
        self.by_level = self.trust.kept(self.by_level, mixed, kept)

    def _again(self, old: Sequence[Any], told: Told) -> None:
        """Guesses where none was left: by any legal moves, or else anywhere that is possible."""
        quarry, draws, n = self.quarry, self.draws, self.chosen.particles
        found = [quarry.stray(g, told, draws) for _ in range(self.chosen.tries) for g in old]
        weights = [quarry.likelihood(guess, told) for guess in found]
        total = sum(weights)
        if total > 0:
            kept = drawn([w / total for w in weights], n, draws.random())
            self.guesses = [found[i] for i in kept]
        else:
            cells = sorted(self.possible)
            self.guesses = [quarry.put(g, pick(draws, cells)) for g in old]
        self.by_level = [[1 / n] * n for _ in self.trust.levels]

    def _cells(self) -> dict[str, float]:
        """Probability by cell: what all levels believe together."""
        spread = Spread(self.possible, self.quarry.near, self.chosen.doubt)
        return spread.cells(self.trust, self._places(self.guesses), self.by_level)

    def _places(self, guesses: Sequence[Any]) -> list[Place]:
        """The cell of each guess, and whether it is sure."""
        return [(self.quarry.cell(guess), self.quarry.sure(guess)) for guess in guesses]


def drawn(weights: Sequence[float], n: int, start: float) -> list[int]:
    """The numbers of `n` guesses drawn by their weights, which add up to 1; none of weight 0.
    start: from 0 to below 1."""
    at, total, last, found = start, 0.0, 0, list[int]()
    for i, weight in enumerate(weights):
        total += weight * n
        last = i if weight > 0 else last
        while at < total and len(found) < n:
            found.append(i)
            at += 1
    return found + [last] * (n - len(found))  # what rounding left over


def anybody(beliefs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The chance of each cell that somebody is there, as if all were there or not independently of
    each other. beliefs: the cells of each enemy."""
    cells = sorted({cell for belief in beliefs for cell in belief})
    return {c: 1 - prod(1 - belief.get(c, 0.0) for belief in beliefs) for c in cells}
