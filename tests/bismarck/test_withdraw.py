"""9.9: who may withdraw, moves that never close, success."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bismarck.battle import ending, manoeuvre, movement, withdraw
from games.bismarck.battle.charts import charts
from games.bismarck.battle.movement import Place
from games.bismarck.battle.withdraw import Mark
from games.bismarck.state import BRITISH, GERMAN, War
from games.bismarck.vessels import Battle, Vessel
from pbem.kit.hexes import CENTRE, FACINGS, Hex, distance
from tests.bismarck.fake_table import begin
from tests.counts import few

C = charts({})
NEAR, FAR = Hex(4, 0), Hex(7, 0)


def mark(type_: str, evasion: int, at: Hex = CENTRE) -> Mark:
    return Mark(type_, type_, evasion, at)


@pytest.mark.parametrize(
    ("own", "enemy", "may"),
    [
        (("BB", 29), ("BB", 28), True),
        (("BB", 29), ("BB", 29), False),  # strictly higher
        (("BB", 21), ("CA", 32), True),  # a cruiser cannot hold a battleship
        (("BB", 21), ("BC", 29), False),
        (("CA", 32), ("BB", 33), False),
        (("CL", 32), ("CA", 32), False),  # one general type
        (("CA", 32), ("CV", 33), True),  # carriers are the smallest (ruling 19)
        (("CV", 31), ("CA", 32), False),
    ],
)
def test_9_93_by_evasion_and_type(own: tuple[str, int], enemy: tuple[str, int], may: bool) -> None:
    assert withdraw.may_withdraw(mark(*own), [mark(*enemy, NEAR)], C.b_range) is may


def test_9_93_beyond_six_hexes_nobody_holds() -> None:
    assert not withdraw.may_withdraw(mark("BB", 20), [mark("BB", 29, Hex(6, 0))], C.b_range)
    assert withdraw.may_withdraw(mark("BB", 20), [mark("BB", 29, FAR)], C.b_range)


def test_9_94_a_ship_made_slower_loses_its_counter() -> None:
    enemy = [mark("BB", 29, NEAR)]
    assert withdraw.stays_withdrawing(mark("BB", 29), enemy, C.b_range)
    assert not withdraw.stays_withdrawing(mark("BB", 28), enemy, C.b_range)


def test_9_97_away_is_more_than_six_hexes_from_all() -> None:
    assert not withdraw.away(CENTRE, [FAR, Hex(6, 0)], C.b_range)
    assert withdraw.away(CENTRE, [FAR, Hex(0, -7)], C.b_range)


HEX = st.builds(Hex, st.integers(-5, 5), st.integers(-5, 5)).filter(lambda h: h != CENTRE)


@settings(deadline=None, max_examples=few(100))
@given(st.integers(0, 33), st.sampled_from(FACINGS), st.sets(HEX, min_size=1, max_size=4))
def test_9_96_no_move_of_a_withdrawing_ship_comes_closer(
    evasion: int, facing: int, enemies: set[Hex]
) -> None:
    start = Place(CENTRE, FACINGS[facing])
    foes = sorted(enemies)
    kept = withdraw.opening(CENTRE, movement.places(start, evasion, enemies, C), foes)
    assert start in kept
    for place in kept:
        assert all(distance(place.at, e) >= distance(CENTRE, e) for e in foes)


def test_9_96_a_bonus_move_is_made_even_where_it_has_to_close() -> None:
    start = Place(CENTRE, FACINGS[0])
    ends = movement.bonus_places(start, 29, {NEAR}, C)
    assert withdraw.opening(CENTRE, ends, [NEAR]) == ends


def fleeing(bow: int, *enemies: tuple[str, Hex, int]) -> tuple[War, Battle, Vessel]:
    """The Prinz Eugen withdraws from the centre; enemies as ship, hex and bow."""
    battle = Battle("Q17", BRITISH, round=3)
    flees = Vessel("PRINZ EUGEN", GERMAN, False, CENTRE, FACINGS[bow], withdrawing=True)
    chase = [Vessel(i, BRITISH, True, at, FACINGS[heading]) for i, at, heading in enemies]
    battle.vessels = [flees, *chase]
    return begin(), battle, flees


def test_9_96_a_captain_who_withdraws_from_two_comes_no_closer_to_the_farther() -> None:
    prince, hood = Hex(1, -6), Hex(-2, 5)
    war, battle, flees = fleeing(4, ("PRINCE OF WALES", prince, 4), ("HOOD", hood, 4))
    options = movement.places(Place(CENTRE, FACINGS[4]), 32, {prince, hood}, C)
    place = manoeuvre.choice(war, battle, flees, "WITHDRAW", options, C, runs_on=True)
    assert place == Place(Hex(1, 0), FACINGS[5])


def test_9_95_a_captain_looks_no_further_ahead_than_his_bonus_move() -> None:
    """It is his last move of the round: he may keep his guns on who fires at him."""
    prince = Hex(-5, 1)
    war, battle, flees = fleeing(3, ("PRINCE OF WALES", prince, 3))
    ends = movement.bonus_places(Place(CENTRE, FACINGS[3]), 32, {prince}, C)
    place = manoeuvre.choice(war, battle, flees, "WITHDRAW", ends, C)
    assert place == Place(Hex(-1, 0), FACINGS[3])


def test_9_32_no_action_is_longer_than_a_hundred_rounds() -> None:
    assert not ending.spent(Battle("Q17", BRITISH, round=99))
    assert ending.spent(Battle("Q17", BRITISH, round=100))
