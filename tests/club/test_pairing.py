"""Pairings, tie-breaks and ladders."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from pbem.club.pairing import Meeting, ladder, places, rungs_pairs, swiss


def played(random: Random, pairs: list[list[str]]) -> list[Meeting]:
    """Meetings of a round with results drawn at random."""
    found = []
    for pair in pairs:
        won = random.choice([0.0, 0.5, 1.0])
        points = (won, 1 - won) if len(pair) == 2 else (1.0,)
        found.append(Meeting(tuple(pair), points))
    return found


@pytest.mark.parametrize("size", range(4, 13))
def test_a_swiss_tournament_pairs_nobody_twice(size: int) -> None:
    entrants, random = [f"p{n}" for n in range(size)], Random(size)
    meetings: list[Meeting] = []
    rounds = 3
    for _ in range(rounds):
        pairs = swiss(entrants, meetings)
        assert sorted(name for pair in pairs for name in pair) == sorted(entrants)
        meetings += played(random, pairs)
    met = [frozenset(m.players) for m in meetings]
    assert len(met) == len(set(met))
    byes = [m.players[0] for m in meetings if len(m.players) == 1]
    assert len(byes) == len(set(byes)) == rounds * (size % 2)
    firsts = [m.players[0] for m in meetings if len(m.players) == 2]
    assert max(firsts.count(name) for name in entrants) <= rounds


def test_equal_scores_meet() -> None:
    names = ["a", "b", "c", "d"]
    first = [Meeting(("a", "b"), (1, 0)), Meeting(("c", "d"), (1, 0))]
    assert {frozenset(pair) for pair in swiss(names, first)} == {
        frozenset("ac"),
        frozenset("bd"),
    }


def test_a_field_in_which_all_have_met_is_paired_all_the_same() -> None:
    once = [Meeting(("a", "b"), (1, 0))]
    assert swiss(["a", "b"], once) == [["b", "a"]]


def test_who_left_is_not_paired() -> None:
    assert swiss(["a", "b", "c"], [], gone=["a"]) == [["b", "c"]]


def test_ties_are_broken_by_opponents_then_by_those_beaten() -> None:
    meetings = [
        Meeting(("a", "c"), (1, 0)),
        Meeting(("b", "d"), (1, 0)),
        Meeting(("c", "d"), (1, 0)),
    ]
    table = places(["b", "a", "c", "d"], meetings)
    assert [(p.name, p.place) for p in table] == [("a", 1), ("c", 2), ("b", 3), ("d", 4)]
    assert [p.buchholz for p in table] == [1.0, 1.0, 0.0, 2.0]
    assert table[0].berger > table[1].berger


def test_who_nothing_separates_shares_a_place() -> None:
    table = places(["a", "b", "c"], [])
    assert [p.place for p in table] == [1, 1, 1]


def test_a_winner_climbs_a_ladder() -> None:
    names = ["a", "b", "c", "d"]
    assert ladder(names, [Meeting(("b", "d"), (0, 1))]) == ["a", "d", "b", "c"]
    assert ladder(names, [Meeting(("a", "c"), (1, 0))]) == names
    assert ladder(names, [Meeting(("a", "b"), (0.5, 0.5))]) == names


def test_neighbours_play_on_a_ladder_and_not_twice_in_a_row() -> None:
    names = ["a", "b", "c", "d"]
    first = rungs_pairs(names, [])
    assert first == [["a", "b"], ["c", "d"]]
    done = [Meeting(("a", "b"), (1, 0)), Meeting(("c", "d"), (1, 0))]
    second = rungs_pairs(names, done)
    assert all(frozenset(pair) not in (frozenset("ab"), frozenset("cd")) for pair in second)
    running = [Meeting(("a", "b"), ()), Meeting(("c", "d"), (1, 0))]
    assert rungs_pairs(names, running) == [["d", "c"]]


def test_large_fields_are_paired_in_bounded_time() -> None:
    names, random = [f"p{n:02}" for n in range(50)], Random(1)
    meetings: list[Meeting] = []
    for _ in range(9):
        pairs = swiss(names, meetings)
        assert len(pairs) == 25
        meetings += played(random, pairs)
    scores = [p.points for p in places(names, meetings)]
    assert all(one >= other for one, other in pairwise(scores))
