"""The particle filter, on a line of cells: probabilities, resampling, and beliefs made again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from pbem.belief.filter import Belief, Followed, anybody, beliefs, drawn, latest, settings
from pbem.belief.trust import Level, Spread, Trust
from pbem.inference.quarry import Draws, Quarry, Told, pick, weighted

LAST = 20
EXACT = Level(share=1.0, stray=settings().stray, blur=0.0, even=0.0)
FLAT = Level(share=1.0, stray=settings().stray, blur=0.0, even=1.0)
"""Levels that take guesses at their word, and that do not mind them."""


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

    def within(self, cells: frozenset[str], told: Seen) -> frozenset[str]:
        able = {int(c) + step for c in cells for step in (-1, 0, 1)}
        return frozenset(str(c) for c in able if 0 <= c <= LAST)

    def reach(self, cells: frozenset[str], told: Seen) -> frozenset[str]:
        if told.fix:
            return frozenset([told.fix])
        return frozenset(c for c in self.within(cells, told) if int(c) not in told.empty)


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
    told = [*wide, Seen(turn=6, empty=frozenset(range(13))), Seen(turn=7)]
    thin, whole = list(beliefs(Walker(told), "x"))[-2:]
    assert thin.effective < settings().thin * settings().particles
    assert whole.effective > 0.99 * settings().particles


def test_more_guesses_come_nearer_to_the_truth() -> None:
    """After two turns the walker is at 10 with 3 chances of 9."""
    exact = msgspec.structs.replace(settings(), particles=4000, levels={"exact": EXACT})
    belief = list(beliefs(Walker(turns((), ())), "x", exact))[-1]
    assert belief.cells["10"] == pytest.approx(1 / 3, abs=0.03)
    assert belief.cells["12"] == pytest.approx(1 / 9, abs=0.02)


def learnt(told: Sequence[Seen]) -> list[float]:
    """The weights of both levels after these turns, in a filter of one walker who never stays."""
    trust = Trust((EXACT, FLAT), settings().stray, forgets=0.0)
    for one in told:
        walker = Walker(told)
        chance = {c: walker.likelihood(int(c), one) for c in map(str, range(LAST + 1))}
        trust.learn([[1.0]] * 2, [("10", False)], [chance["10"]], chance, walker.near)
    return trust.weights


def test_guesses_that_come_true_are_trusted() -> None:
    """Even chances of 21 cells gave the fix one chance of 21, and the search twenty."""
    assert learnt([Seen(turn=1, fix="10")]) == pytest.approx([21 / 22, 1 / 22])
    assert learnt(turns((3,))) == pytest.approx([21 / 41, 20 / 41])


def test_guesses_that_do_not_come_true_are_trusted_less() -> None:
    assert learnt([Seen(turn=1, fix="19")]) == pytest.approx([0, 1])
    assert learnt(turns((10,))) == pytest.approx([0, 1])


def test_what_nobody_thought_possible_teaches_nothing() -> None:
    assert learnt(turns(range(LAST + 1))) == pytest.approx([0.5, 0.5])


def test_what_was_learnt_is_forgotten_by_and_by() -> None:
    trust = Trust((EXACT, FLAT), settings().stray, forgets=0.5)
    trust.weights = [1.0, 0.0]
    trust.learn([[1.0]] * 2, [("1", False)], [1.0], {"1": 1.0}, Walker(()).near)
    assert trust.weights == pytest.approx([0.75, 0.25])


def test_a_level_that_expects_strays_believes_guesses_that_strayed() -> None:
    usual, wild = EXACT, msgspec.structs.replace(EXACT, stray=0.5)
    by_level = Trust((usual, wild), usual.stray, 0.0).moved([[0.5, 0.5]] * 2, [True, False])
    assert by_level[0] == pytest.approx([0.5, 0.5])
    assert by_level[1] == pytest.approx([0.9, 0.1])


def test_drawing_anew_changes_no_level_on_the_whole() -> None:
    """The guess that the first level likes is drawn for both, and the second minds it less."""
    trust = Trust((EXACT, FLAT), settings().stray, 0.0)
    before = [[0.9, 0.1], [0.5, 0.5]]
    mixed = trust.mixed(before)
    kept = drawn(mixed, 1000, 0.5)
    first, second = trust.kept(before, mixed, kept)
    assert sum(w for w, i in zip(first, kept, strict=True) if i == 0) == pytest.approx(0.9)
    assert sum(w for w, i in zip(second, kept, strict=True) if i == 0) == pytest.approx(0.5)


def test_what_rounding_leaves_over_is_drawn_of_what_is_possible() -> None:
    """The last point of the comb lies at the very end, beyond the sum of the weights."""
    assert drawn([0.5, 0.5, 0.0], 2, 1 - 2**-53) == [0, 1]


def test_a_stranger_makes_beliefs_flatter_than_who_comes_as_believed() -> None:
    """Both are found at 10 in the end; one before at the edge of what is possible."""
    usual = [Seen(turn=1), Seen(turn=2, fix="10"), Seen(turn=3), Seen(turn=4, fix="10")]
    stranger = [Seen(turn=1), Seen(turn=2, fix="12"), Seen(turn=3), Seen(turn=4, fix="10")]
    after = [Seen(turn=5), Seen(turn=6)]
    sharp, flat = last([*usual, *after]), last([*stranger, *after])
    assert sharp.possible == flat.possible
    assert spread(flat) > spread(sharp)


def spread(belief: Belief) -> float:
    """How many cells of even chances would be as uncertain."""
    return 1 / sum(share * share for share in belief.cells.values())


def test_of_a_sure_guess_nothing_runs_over_and_little_is_doubted() -> None:
    """Half of the guesses have the enemy at 1 for sure, half at 2 by a move."""
    blurred = Level(share=1.0, stray=0.1, blur=0.5, even=0.4)
    trust = Trust((blurred,), settings().stray, forgets=0.0)
    found = Spread(frozenset("0123"), Walker(()).near, doubt=0.04).cells(
        trust, [("1", True), ("2", False)], [[0.5, 0.5]]
    )
    even = (0.5 * 0.04 + 0.5 * 0.4) / 4
    assert found == pytest.approx(
        {
            "0": even,
            "1": even + 0.5 * 0.96 + 0.5 * 0.6 * 0.5 / 2,
            "2": even + 0.5 * 0.6 * 0.5,
            "3": even + 0.5 * 0.6 * 0.5 / 2,
        }
    )
    assert sum(found.values()) == pytest.approx(1)


def test_what_a_sure_guess_says_is_learnt_from_its_own_cell() -> None:
    """All levels believe it alike, whatever runs over."""
    wide = msgspec.structs.replace(EXACT, blur=1.0)
    trust = Trust((EXACT, wide), settings().stray, forgets=0.0)
    chance = {"1": 1.0, "2": 0.0, "3": 0.0}
    trust.learn([[1.0]] * 2, [("1", True)], [1.0], chance, Walker(()).near)
    assert trust.weights == pytest.approx([0.5, 0.5])
    trust.learn([[1.0]] * 2, [("1", False)], [1.0], chance, Walker(()).near)
    assert trust.weights == pytest.approx([1, 0])


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


def test_the_chance_that_anybody_is_there() -> None:
    found = anybody([{"1": 0.5, "2": 0.5}, {"2": 0.996, "3": 0.004}])
    assert found == pytest.approx({"1": 0.5, "2": 0.998, "3": 0.004})
