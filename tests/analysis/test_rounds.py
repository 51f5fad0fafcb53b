"""Rounds of playouts: the same ones in whatever order results come, and no more than needed."""

from __future__ import annotations

from random import Random

from pbem.analysis.moments import Moment
from pbem.analysis.precision import FIRST
from pbem.analysis.rounds import Aim, Rounds
from pbem.analysis.units import STRETCH, Unit, choices, of_moment, units
from pbem.model import Side

SIDES = (Side("a"), Side("b"))
MOMENTS = {w: Moment(w, w, "", b"", (), {}, until=4 if w == 4 else 0) for w in range(1, 7)}
CHANCE = {1: 0.5, 2: 0.5, 3: 0.1, 4: 0.1, 5: 1.0, 6: 0.0}


def given(key: str) -> dict[str, list[str]]:
    """What a unit would give if each window had a chance of its own."""
    unit = Unit.of(key)
    return {
        str(w): [
            "a" if Random(f"{unit.number} {w} {choice}").random() < CHANCE[w] else "b"
            for choice in of_moment(MOMENTS[w], SIDES, unit.apart)
        ]
        for w in unit.windows
    }


def run(aim: Aim, backwards: bool = False) -> tuple[Rounds, list[list[str]], list[int]]:
    rounds, found, most = Rounds(MOMENTS, SIDES, aim), list[list[str]](), list[int]()
    for keys in rounds.key_rounds():
        found.append(keys)
        most.append(rounds.most)
        for key in reversed(keys) if backwards else keys:
            rounds.add(key, given(key))
    return rounds, found, [*most, rounds.most]


def test_units_are_named_by_their_keys() -> None:
    for unit in (Unit(3, (1, 2, 3, 7, 9, 10), True), Unit(0, (5,), False)):
        assert Unit.of(unit.key) == unit
    assert Unit(17, (1, 2, 3, 18), True).key == "17 1-3,18 apart"


def test_units_cover_each_window_once() -> None:
    windows = tuple(range(1, 2 * STRETCH + 4))
    found = list(units(7, windows, False))
    assert [len(unit.windows) for unit in found] == [STRETCH, STRETCH, 3]
    assert tuple(w for unit in found for w in unit.windows) == windows


def test_windows_get_as_many_as_their_chances_need() -> None:
    rounds, keys, _ = run(Aim(0.03, 1067, 40))
    games = {w: rounds.shares(w).games for w in MOMENTS}
    assert games[5] == games[6] == FIRST
    assert all(1040 <= games[w] <= 1067 for w in (1, 2))
    assert all(300 <= games[w] <= 600 for w in (3, 4))  # 384, if it were known before
    assert all(rounds.shares(w).half <= 0.03 for w in MOMENTS)
    assert len(keys) <= 5


def test_no_more_than_the_most() -> None:
    rounds, _, most = run(Aim(0.03, 150, 0))
    assert {w: rounds.shares(w).games for w in MOMENTS} == {1: 150, 2: 150, 3: 150, 4: 150} | {
        5: FIRST,
        6: FIRST,
    }
    assert rounds.done == most[-1] == 4 * 150 + 2 * FIRST


def test_the_order_of_results_changes_nothing() -> None:
    first, second = run(Aim(0.05, 500, 20)), run(Aim(0.05, 500, 20), backwards=True)
    assert first[1:] == second[1:]
    assert [first[0].shares(w) for w in MOMENTS] == [second[0].shares(w) for w in MOMENTS]


def test_the_bound_of_all_playouts_shrinks_to_what_was_done() -> None:
    rounds, _, most = run(Aim(0.04, 900, 30))
    assert most == sorted(most, reverse=True)
    assert most[-1] == rounds.done


def test_choices_are_compared_by_playouts_of_the_same_numbers() -> None:
    """Where a run of agreed turns goes on nobody ordered anything."""
    rounds, _, _ = run(Aim(0.05, 500, 30))
    assert choices(SIDES) == [(), ("a",), ("b",), ("a", "b")]
    assert rounds.each(1) == [given(f"{number} 1 apart")["1"] for number in range(30)]
    assert rounds.each(4) == run(Aim(0.05, 500, 0))[0].each(1) == []
