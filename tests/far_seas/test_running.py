"""R4-R8, K10 Speeds, races, who follows whom; what a lone test says better than a meeting."""

from __future__ import annotations

from itertools import product

import pytest

from games.far_seas import chase, running, surprise
from games.far_seas.gunnery import Gunner
from games.far_seas.knowledge import Knowledge
from games.far_seas.state import GRADES, War
from tests.far_seas.ratings import roster


def group(*ids: str) -> list[Gunner]:
    ships = roster()
    return [Gunner(ships[i]) for i in ids]


@pytest.mark.parametrize(("runner", "pursuer"), list(product(range(7), repeat=2)))
def test_every_race_is_decided_as_its_grades_say(runner: int, pursuer: int) -> None:
    apart = runner - pursuer
    match running.throws(runner, pursuer):
        case "none":
            assert abs(apart) >= 2
            assert running.caught(runner, pursuer) == (apart < 0)
        case "slower":
            assert abs(apart) == 1
            won = [running.caught(runner, pursuer, [die]) for die in range(1, 7)]
            assert won.count(True) == (1 if apart > 0 else 5)
            assert won[5] == (apart > 0)
        case "both":
            assert apart == 0
            won = [running.caught(runner, pursuer, dice) for dice in product(range(1, 7), repeat=2)]
            assert won.count(True) == 15


def test_a_half_damaged_german_is_two_grades_slower_and_never_below_3() -> None:
    ships = roster()
    grades = (("KARLSRUHE", "5", "4+"), ("EMDEN", "4+", "4-"), ("CAP TRAFALGAR", "3", "3"))
    for id_, whole, hurt in grades:
        ship = ships[id_]
        assert GRADES[running.speed_now(ship, {})] == whole
        ship.damage = (ship.capacity + 1) // 2
        assert GRADES[running.speed_now(ship, {})] == hurt


def test_a_half_damaged_german_surprises_nobody() -> None:
    ships = roster()
    war = War(turn=3, last=10, ships=ships, known=Knowledge(), segment=1)
    emden = ships["EMDEN"]
    emden.moved, emden.segment = True, 1
    emden.damage = 1
    assert surprise.may(war, "EMDEN")
    emden.damage = 2
    assert not surprise.may(war, "EMDEN")


def test_who_cannot_catch_anybody_stays_with_those_that_stand() -> None:
    fox, sydney = group("FOX", "SYDNEY")
    runners, rest = group("EMDEN"), group("SCHARNHORST")
    after, watch = chase.assign([fox, sydney], [runners], rest, "ALL", {})
    assert (after, watch) == ([[sydney]], [fox])


def test_two_grades_behind_is_too_far_to_follow_and_one_is_not() -> None:
    """R5, R7: the Dupleix (4-) has no chance with the Emden (4+), the Kent (4) a small one."""
    dupleix, kent = group("DUPLEIX", "KENT")
    assert chase.assign([dupleix, kent], [group("EMDEN")], [], "ALL", {}) == ([[kent]], [])


def test_pursuers_of_no_use_are_out_of_the_fight() -> None:
    (fox,) = group("FOX")
    assert chase.assign([fox], [group("EMDEN")], [], "ALL", {}) == ([[]], [])


def test_pursuers_are_shared_with_those_that_stand() -> None:
    pursuers = group("SYDNEY", "MELBOURNE")
    after, watch = chase.assign(pursuers, [group("EMDEN")], group("SCHARNHORST"), "ALL", {})
    assert [g.id for g in after[0]] == ["MELBOURNE"] and [g.id for g in watch] == ["SYDNEY"]


def test_nobody_follows_where_none_is_told_to() -> None:
    pursuers = group("SYDNEY", "MELBOURNE")
    after, watch = chase.assign(pursuers, [group("EMDEN")], group("SCHARNHORST"), "NONE", {})
    assert after == [[]] and watch == pursuers[::-1]
