"""The particle filter, on a line of cells: probabilities, resampling, and beliefs made again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from pbem.analysis.belief import Belief, Followed, beliefs, latest, settings
from pbem.analysis.believed import heat
from pbem.inference.quarry import Draws, Quarry, Told, pick, weighted

LAST = 20


class Seen(Told, frozen=True, kw_only=True):
    """Cells that were searched in vain."""

    empty: frozenset[int] = frozenset()


class Walker(Quarry[int, Seen]):
    """Walks along a line of 21 cells from the middle, a cell a turn or none."""

    id, name = "WALKER", "the walker"

    def __init__(self, told: Sequence[Seen]) -> None:
        self.told, self.styles = told, {"left": 1.0, "any": 1.0}
        self.left = 0

    def place(self, style: str, draws: Draws) -> int:
        self.left += style == "left"
        return LAST // 2

    def move(self, guess: int, told: Seen, draws: Draws) -> int:
        return self.stray(guess, told, draws)

    def stray(self, guess: int, told: Seen, draws: Draws) -> int:
        return min(LAST, max(0, guess + pick(draws, (-1, 0, 1))))

    def likelihood(self, guess: int, told: Seen) -> float:
        return float(guess == int(told.fix)) if told.fix else float(guess not in told.empty)

    def cell(self, guess: int) -> str:
        return str(guess)

    def near(self, cell: str) -> Sequence[str]:
        return [str(int(cell) - 1), str(int(cell) + 1)]

    def put(self, guess: int, cell: str) -> int:
        return int(cell)

    def reach(self, cells: frozenset[str], told: Seen) -> frozenset[str]:
        if told.fix:
            return frozenset([told.fix])
        able = {int(c) + step for c in cells for step in (-1, 0, 1)}
        return frozenset(str(c) for c in able - told.empty if 0 <= c <= LAST)


def turns(*empty: Sequence[int]) -> list[Seen]:
    return [Seen(turn=n, empty=frozenset(cells)) for n, cells in enumerate(empty, 1)]


def last(told: Sequence[Seen], seed: str = "x") -> Belief:
    return list(beliefs(Walker(told), seed))[-1]


def test_probabilities_add_up_and_stay_where_it_can_be() -> None:
    for belief in beliefs(Walker(turns((), (), (10,), (9, 10, 11))), "x"):
        assert sum(belief.cells.values()) == pytest.approx(1)
        assert {cell for cell, share in belief.cells.items() if share} <= belief.possible


def test_a_search_in_vain_rules_cells_out() -> None:
    told = turns((), (), (10, 11, 12, 13))
    belief = last(told)
    assert set(belief.possible) == {str(n) for n in range(7, 10)}
    assert all(belief.cells.get(str(n), 0) == 0 for n in range(10, 14))


def test_it_is_where_the_side_was_told() -> None:
    belief = last([*turns((), ()), Seen(turn=3, fix="11")])
    assert belief.fix == "11"
    assert belief.cells == {"11": pytest.approx(1)}


def test_a_fix_that_no_guess_reached_makes_all_guesses_anew() -> None:
    belief = last([*turns(()), Seen(turn=2, fix="19")])
    assert belief.rebuilt
    assert belief.likeliest == "19"


def test_what_is_impossible_leaves_the_possible_cells() -> None:
    belief = last(turns((), range(LAST + 1)))
    assert belief.rebuilt
    assert sum(belief.cells.values()) == pytest.approx(1)


def test_the_same_seed_gives_the_same() -> None:
    told = turns((), (11,), (9, 12), ())
    assert last(told) == last(told)
    assert last(told) != last(told, "y")


def test_few_guesses_that_are_left_are_drawn_anew() -> None:
    """Two of twenty-one cells are left after five turns: the sample is thin once, then whole."""
    wide = turns((), (), (), (), ())
    told = [*wide, *turns(range(13))][:6]
    told = [*wide, Seen(turn=6, empty=frozenset(range(13))), Seen(turn=7)]
    thin, whole = list(beliefs(Walker(told), "x"))[-2:]
    assert thin.effective < settings().thin * settings().particles
    assert whole.effective == settings().particles


def test_more_guesses_come_nearer_to_the_truth() -> None:
    """After two turns the walker is at 10 with 3 chances of 9."""
    exact = msgspec.structs.replace(settings(), particles=4000, even=0.0, blur=0.0)
    belief = list(beliefs(Walker(turns((), ())), "x", exact))[-1]
    assert belief.cells["10"] == pytest.approx(1 / 3, abs=0.03)
    assert belief.cells["12"] == pytest.approx(1 / 9, abs=0.02)


def test_styles_have_their_shares() -> None:
    walker = Walker(turns(()))
    list(beliefs(walker, "x"))
    assert 0.4 < walker.left / settings().particles < 0.6


def test_before_the_first_turn_it_is_where_it_begins() -> None:
    assert latest(Walker([]), "x").cells == {"10": pytest.approx(1)}


def test_weights_that_are_none() -> None:
    with pytest.raises(ValueError, match="no weights"):
        weighted(_Half(), {})


class _Half:
    def random(self) -> float:
        return 0.5


def test_what_is_told_later_changes_no_belief_of_before() -> None:
    told = turns([9, 10], [8], [12, 11], [7])
    followed = Followed("x")
    seen = [followed.see([Walker(told[:n])])[0] for n in range(len(told) + 1)]
    assert seen[1:] == list(beliefs(Walker(told), "x"))
    assert seen[0] == latest(Walker([]), "x")


def test_what_was_learnt_of_an_earlier_turn_is_thought_through_again() -> None:
    followed = Followed("x")
    followed.see([Walker(turns([9], [8]))])
    told = turns([9, 10], [8])
    assert followed.see([Walker(told)]) == [last(told)]


def test_heat_is_the_chance_that_anybody_is_there() -> None:
    one, two = (
        msgspec.structs.replace(last(turns([])), cells=cells)
        for cells in ({"1": 0.5, "2": 0.5}, {"2": 0.996, "3": 0.004})
    )
    assert heat([one, two]) == {"1": 0.5, "2": 0.998}
