"""How sure luck and skill are: their margins against how much they really differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from statistics import fmean, stdev

import pytest

from pbem.analysis.chances import Chances, part, skills
from pbem.analysis.margins import margins
from pbem.analysis.precision import Z95, shared
from pbem.analysis.report import rows
from pbem.model import Over, Side

SIDES = (Side("a"), Side("b"))
GAMES, APART, WINDOWS, REPEATS = 160, 80, 6, 400


def results(draws: Random, number: float) -> list[str]:
    """Of one number by choice of orders: alike, because they have the same dice, and a's orders are
    good ones."""
    luck = 0.5 * number + 0.5 * draws.random()
    return ["a" if luck < limit else "b" for limit in (0.5, 0.6, 0.45, 0.57)]


def played(seed: int) -> list[Chances]:
    """What the playouts of a game said: the numbers have the same luck in each window."""
    draws = Random(seed)
    lucks = [draws.random() for _ in range(GAMES)]
    found = []
    for window in range(WINDOWS):
        each = [results(draws, luck) for luck in lucks]
        found.append(
            Chances(
                window=window,
                turn=window,
                label="",
                shares=shared(Counter(one[0] for one in each), SIDES),
                each=each[:APART],
            )
        )
    return found


GAME = Over("a", "", "")


@pytest.fixture(scope="module")
def games() -> list[list[Chances]]:
    return [played(seed) for seed in range(REPEATS)]


def test_the_margins_of_a_game_are_as_wide_as_its_figures_differ(
    games: list[list[Chances]],
) -> None:
    tables = [rows(found, SIDES, GAME) for found in games]
    said = [margins(found, SIDES)[1] for found in games]
    luck = [sum(row.luck for row in table) for table in tables]
    assert fmean(one.luck for one in said) == pytest.approx(Z95 * stdev(luck), rel=0.12)
    for side in SIDES:
        skill = [sum(row.skill[side] for row in table) for table in tables]
        means = fmean(one.skill[side] for one in said)
        assert means == pytest.approx(Z95 * stdev(skill), rel=0.12)


def test_the_margins_of_a_window_are_wide_enough(games: list[list[Chances]]) -> None:
    """Those of skill as wide as it differs, those of luck no narrower."""
    tables = [rows(found, SIDES, GAME) for found in games]
    said = [margins(found, SIDES)[0][2] for found in games]
    skill = Z95 * stdev([table[2].skill["a"] for table in tables])
    assert fmean(one.skill["a"] for one in said) == pytest.approx(skill, rel=0.12)
    assert fmean(one.luck for one in said) > Z95 * stdev([table[2].luck for table in tables])


@pytest.mark.parametrize(
    ("given", "skill"),
    [("bbbb", [0, 0]), ("baba", [1, 0]), ("bbab", [-0.5, 0.5]), ("bbaa", [0, 1])],
)
def test_the_skill_of_one_number(given: str, skill: Sequence[float]) -> None:
    assert skills(given, SIDES) == skill


def test_draws_are_shared_and_more_sides_share_what_all_gave() -> None:
    assert part("draw", SIDES) == 0.5
    three = (*SIDES, Side("c"))
    assert skills(["b", "a"], three) == pytest.approx([1 / 3] * 3)
    assert skills(["draw", "c"], three) == pytest.approx([-1 / 9] * 3)


def test_what_is_not_told_apart_has_no_margins() -> None:
    bare = [Chances(1, 1, "", shared(Counter("ab"), SIDES))]
    (row,), whole = margins(bare, SIDES)
    assert row.skill == whole.skill == {"a": 0.0, "b": 0.0}
    assert row.luck == pytest.approx(bare[0].shares.half)
