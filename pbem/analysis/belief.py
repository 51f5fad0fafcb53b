"""Belief: where an enemy may be, from one side's own reports and public facts. A particle filter.

Five hundred guesses of where the enemy is and what it is about move as it may move, and are weighed
by how well they agree with what the side was told; most weights are yes or no, because a search
that finds nothing rules a place out. Where few guesses are left, they are drawn anew by their
weights (systematic resampling); where none is left, they are made again from what is possible.

It is plain Python: a guess moves by the rules of its game, which work on single units, so that
arrays would not make it faster.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from pbem.data import table
from pbem.inference.quarry import AnyQuarry, Told, weighted


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of belief.toml, where each is explained."""

    particles: int
    thin: float
    stray: float
    blur: float
    even: float
    tries: int


@cache
def settings() -> Settings:
    """Those of the program."""
    return msgspec.convert(table("pbem.analysis", "belief.toml"), Settings)


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
    """How many guesses of equal weight would be worth as much as those before they were drawn anew:
    1 / (sum of squared weights)."""
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
    """Guesses with their weights, which add up to 1."""

    def __init__(self, quarry: AnyQuarry, seed: str, chosen: Settings) -> None:
        self.quarry, self.chosen = quarry, chosen
        self.draws = Random(f"{seed} {quarry.id}")
        n = chosen.particles
        drawn = (weighted(self.draws, quarry.styles) for _ in range(n))
        self.guesses: list[Any] = [quarry.place(style, self.draws) for style in drawn]
        self.weights = [1 / n] * n
        self.possible = frozenset(map(quarry.cell, self.guesses))

    def step(self, told: Told) -> Belief:
        """Move the guesses through a turn and weigh them by what was told."""
        old = self.guesses
        guesses = [self._moved(guess, told) for guess in old]
        weights = self._weighed(guesses, told, self.weights)
        self.possible = self._possible(told)
        rebuilt = not weights
        if rebuilt:
            guesses, weights = self._again(old, told)
        self.guesses, self.weights = guesses, weights
        found = self.now(told, rebuilt)
        if found.effective < self.chosen.thin * len(guesses):
            self.guesses, self.weights = self._drawn(guesses, weights)
        return found

    def now(self, told: Told, rebuilt: bool = False) -> Belief:
        """The belief that the guesses stand for."""
        effective = round(1 / sum(w * w for w in self.weights), 1)
        return Belief(told.turn, self._cells(), self.possible, told.fix, effective, rebuilt)

    def _moved(self, guess: Any, told: Told) -> Any:
        strays = self.draws.random() < self.chosen.stray
        move = self.quarry.stray if strays else self.quarry.move
        return move(guess, told, self.draws)

    def _weighed(self, guesses: Sequence[Any], told: Told, before: Sequence[float]) -> list[float]:
        """The weights of guesses, empty if none is possible. before: their weights until now."""
        likelihood = self.quarry.likelihood
        found = [w * likelihood(g, told) for g, w in zip(guesses, before, strict=True)]
        total = sum(found)
        return [w / total for w in found] if total > 0 else []

    def _possible(self, told: Told) -> frozenset[str]:
        return self.quarry.reach(self.possible, told) or self.possible

    def _drawn(
        self, guesses: Sequence[Any], weights: Sequence[float]
    ) -> tuple[list[Any], list[float]]:
        """As many guesses of equal weight, each as often as its weight says, give or take one:
        systematic resampling, with one random number for all."""
        n = self.chosen.particles
        at, total, found = self.draws.random(), 0.0, list[Any]()
        for guess, weight in zip(guesses, weights, strict=True):
            total += weight * n
            while at < total and len(found) < n:
                found.append(guess)
                at += 1
        found += [guesses[-1]] * (n - len(found))  # what rounding left over
        return found, [1 / n] * n

    def _again(self, old: Sequence[Any], told: Told) -> tuple[list[Any], list[float]]:
        """Guesses where none was left: by any legal moves, or else anywhere that is possible."""
        quarry, draws, n = self.quarry, self.draws, self.chosen.particles
        strayed = [quarry.stray(g, told, draws) for _ in range(self.chosen.tries) for g in old]
        weights = self._weighed(strayed, told, [1.0] * len(strayed))
        if weights:
            return self._drawn(strayed, weights)
        cells = sorted(self.possible)
        put = [quarry.put(g, cells[int(draws.random() * len(cells))]) for g in old]
        return put, [1 / n] * n

    def _cells(self) -> dict[str, float]:
        """Probability by cell: of the guesses, a part of it run over into cells beside; and a
        little even over all that is possible."""
        chosen, possible = self.chosen, self.possible
        held = defaultdict[str, float](float)
        for guess, weight in zip(self.guesses, self.weights, strict=True):
            held[self.quarry.cell(guess)] += weight
        found = dict.fromkeys(sorted({*held, *possible}), 0.0)
        for cell in possible:
            found[cell] += chosen.even / len(possible)
        for cell, weight in held.items():
            near = [one for one in self.quarry.near(cell) if one in possible]
            kept = (1 - chosen.even) * weight
            over = kept * chosen.blur if near else 0.0
            found[cell] += kept - over
            for one in near:
                found[one] += over / len(near)
        return {cell: share for cell, share in found.items() if share > 0}
