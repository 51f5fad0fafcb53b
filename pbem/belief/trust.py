"""How far the guesses of a belief are to be trusted, learnt from what was told.

Nobody knows whether the enemy is led as the guesses suppose. So several levels of trust are kept
beside each other: the first takes the guesses at their word, the last hardly minds them. In each
turn every level is weighed by how likely it thought what was then told (Bayes): where searches find
nothing where the guesses were, or the enemy where they were not, the belief becomes flatter by
itself; where guesses come true it becomes sharper. This is Bayesian model averaging over the
levels; a little is forgotten each turn, as in the dynamic model averaging of Raftery, Karny and
Ettler (2010).

All levels share the same guesses; each has its own weights for them, as it thinks moves that no
style foresees more or less frequent than they are drawn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

Weights = Sequence[Sequence[float]]
"""By level, then by guess; those of a level add up to 1."""
Place = tuple[str, bool]
"""The cell of a guess, and whether it is sure if the guess is right."""
Near = Callable[[str], Sequence[str]]
"""The cells beside a cell."""


class Level(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of belief.toml, where each is explained."""

    share: float
    stray: float
    blur: float
    even: float


class Trust:
    """The weights of the levels, which add up to 1."""

    def __init__(self, levels: Sequence[Level], stray: float, forgets: float) -> None:
        total = sum(level.share for level in levels)
        self.levels, self.stray, self.forgets = levels, stray, forgets
        self.first = [level.share / total for level in levels]
        self.weights = self.first

    def mixed(self, by_level: Weights) -> list[float]:
        """The weights of the guesses by all levels together."""
        parts = ([w * t for w in ws] for ws, t in zip(by_level, self.weights, strict=True))
        return [sum(of) for of in zip(*parts, strict=True)]

    def moved(self, by_level: Weights, strays: Sequence[bool]) -> list[list[float]]:
        """The weights after a move. strays: did a guess make any move instead of its style's?"""
        found = []
        for level, weights in zip(self.levels, by_level, strict=True):
            ratio = (1 - level.stray) / (1 - self.stray), level.stray / self.stray
            found.append(_whole([w * ratio[s] for w, s in zip(weights, strays, strict=True)]))
        return found

    def weighed(self, before: Weights, likely: Sequence[float]) -> list[list[float]]:
        """The weights after what was told; none if no guess is possible. likely: by guess, how
        likely it was told that."""
        found = [[w * x for w, x in zip(ws, likely, strict=True)] for ws in before]
        return [_whole(ws) for ws in found] if all(sum(ws) > 0 for ws in found) else []

    def kept(
        self, by_level: Weights, mixed: Sequence[float], kept: Sequence[int]
    ) -> list[list[float]]:
        """The weights of guesses that were drawn anew by their mixed weights."""
        return [_whole([ws[i] / mixed[i] for i in kept]) for ws in by_level]

    def learn(
        self,
        before: Weights,
        places: Sequence[Place],
        likely: Sequence[float],
        chance: Mapping[str, float],
        near: Near,
    ) -> None:
        """Weigh the levels by how likely each thought what was told. What none thought possible
        changes nothing.

        before: the weights as `moved` gives them; likely: as for `weighed`; places: of the guesses;
        chance: how likely it was told that if the enemy is in a cell, by cell in which it may be by
        its moves alone.
        """
        flat = sum(chance.values()) / len(chance)
        beside = {cell: _mean(chance, near(cell)) for cell in dict.fromkeys(at for at, _ in places)}
        over = [
            own if sure else beside[cell] for (cell, sure), own in zip(places, likely, strict=True)
        ]
        found = []
        for level, trust, weights in zip(self.levels, self._faded(), before, strict=True):
            true = sum(w * x for w, x in zip(weights, likely, strict=True))
            blurred = sum(w * x for w, x in zip(weights, over, strict=True))
            model = (1 - level.blur) * true + level.blur * blurred
            found.append(trust * ((1 - level.even) * model + level.even * flat))
        if sum(found) > 0:
            self.weights = _whole(found)

    def _faded(self) -> list[float]:
        """A little of what was learnt is forgotten: captains change their ways."""
        keeps = 1 - self.forgets
        return [
            keeps * now + self.forgets * first
            for now, first in zip(self.weights, self.first, strict=True)
        ]


class Spread:
    """What is believed of cells, of which only `possible` ones are possible at all. doubt: the part
    of what sure guesses stand for that goes to all of them."""

    def __init__(self, possible: frozenset[str], near: Near, doubt: float) -> None:
        self.possible, self.near, self.doubt = possible, near, doubt

    def cells(self, trust: Trust, places: Sequence[Place], by_level: Weights) -> dict[str, float]:
        """Probability by cell: that of the guesses, a part of it run over into cells beside, and a
        part even over all that is possible, as much as each level says. Levels differ about how
        the enemy moves, so that they say nothing of guesses that are sure."""
        kept, over = defaultdict[str, float](float), defaultdict[str, float](float)
        even = 0.0
        for level, weight, weights in zip(trust.levels, trust.weights, by_level, strict=True):
            stays = weight * (1 - level.even) * (1 - level.blur)
            runs = weight * (1 - level.even) * level.blur
            known = 0.0
            for (cell, sure), share in zip(places, weights, strict=True):
                if sure:
                    known += share
                    kept[cell] += weight * (1 - self.doubt) * share
                else:
                    kept[cell] += stays * share
                    over[cell] += runs * share
            even += weight * (level.even * (1 - known) + self.doubt * known)
        found = dict.fromkeys(sorted({*kept, *self.possible}), 0.0)
        for cell in self.possible:
            found[cell] += even / len(self.possible)
        for cell, share in kept.items():
            found[cell] += share
        for cell, share in over.items():
            near = [one for one in self.near(cell) if one in self.possible] or [cell]
            for one in near:
                found[one] += share / len(near)
        return {cell: share for cell, share in found.items() if share > 0}


def _whole(weights: Sequence[float]) -> list[float]:
    """So that they add up to 1."""
    total = sum(weights)
    return [w / total for w in weights]


def _mean(chance: Mapping[str, float], cells: Sequence[str]) -> float:
    """The mean chance of those cells that are in it; 0 without any."""
    found = [chance[cell] for cell in cells if cell in chance]
    return sum(found) / len(found) if found else 0.0
