"""How sure luck and skill are: half their 95 % intervals, from what playouts of each number say."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt
from statistics import covariance, fmean, variance
from typing import NamedTuple

from pbem.analysis.chances import Chances, part, skills
from pbem.analysis.precision import Z95


class Margins(NamedTuple):
    """Half the intervals."""

    luck: float
    skill: dict[str, float]
    """By side."""


def margins(found: Sequence[Chances], sides: Sequence[str]) -> tuple[list[Margins], Margins]:
    """Those of each window, and of the whole game.

    Luck is what is left of the change, so that the chance before, the chance that followed and
    skill all bear on it. In a window their errors are taken as independent, which is too much, as
    playouts of one number have the same dice; over the game only the first chance and all skill
    count, and how they go together is known.
    """
    ends = [one.shares.half for one in found[1:]] + [0.0]
    rows = [_row(one, sides, then) for one, then in zip(found, ends, strict=True)]
    return rows, _whole(found, sides)


def _row(one: Chances, sides: Sequence[str], then: float) -> Margins:
    each = [skills(results, sides) for results in one.each]
    skill = {side: _half([of[n] for of in each]) for n, side in enumerate(sides)}
    return Margins(hypot(one.shares.half, then, _half([sum(of) for of in each])), skill)


def _whole(found: Sequence[Chances], sides: Sequence[str]) -> Margins:
    """By number: playouts of one number are alike from window to window."""
    numbers = min((len(one.each) for one in found if one.each), default=0)
    each = [
        [
            sum(of)
            for of in zip(*(skills(one.each[n], sides) for one in found if one.each), strict=True)
        ]
        for n in range(numbers)
    ]
    skill = {side: _half([of[n] for of in each]) for n, side in enumerate(sides)}
    first, start = found[0], found[0].shares.value(sides[0])
    error = start * (1 - start) / first.shares.games
    if numbers > 1:
        all_of = [sum(of) for of in each]
        error += variance(all_of) / numbers
        if first.each:
            begun = [part(results[0], sides) for results in first.each[:numbers]]
            error += 2 * covariance(begun, all_of) / first.shares.games
    return Margins(Z95 * sqrt(max(error, 0.0)), skill)


def _half(values: Sequence[float]) -> float:
    """Half the 95 % interval of their mean."""
    return Z95 * sqrt(variance(values, fmean(values)) / len(values)) if len(values) > 1 else 0.0
