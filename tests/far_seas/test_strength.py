"""The odds that questions show and orders test: gun class times the damage that is left."""

from __future__ import annotations

import pytest

from games.far_seas.strength import odds, strength
from tests.far_seas.ratings import roster

SHIPS = roster()


def hurt(name: str, damage: int) -> int:
    """The strength of a ship with that damage."""
    ship = roster()[name]
    ship.damage = damage
    return strength(ship)


def test_a_ship_counts_its_gun_class_for_each_point_of_damage_it_can_take() -> None:
    assert [hurt("SCHARNHORST", d) for d in (0, 1, 8)] == [27, 24, 3]
    assert [hurt("KENT", d) for d in (0, 5)] == [12, 2]
    assert [hurt("EMDEN", d) for d in (0, 3)] == [4, 1]


def test_a_ship_that_is_sunk_counts_nothing() -> None:
    assert hurt("EMDEN", 4) == hurt("EMDEN", 5) == 0


@pytest.mark.parametrize(
    ("own", "enemy", "said"),
    [
        (["EMDEN"], ["EMDEN"], "1.0"),
        (["SCHARNHORST"], ["KENT"], "0.4"),  # 12 to 27, 0.444
        (["SCHARNHORST"], ["KENT", "EMDEN"], "0.6"),  # 16 to 27, 0.593
        (["KENT"], ["SYDNEY", "FOX"], "1.3"),  # 16 to 12, 1.333
        (["EMDEN"], ["SCHARNHORST", "EMDEN"], "7.8"),  # 31 to 4: half a tenth counts as one
        (["EMDEN"], [], "0.0"),
        ([], ["EMDEN"], "99.0"),
    ],
)
def test_odds_are_enemies_for_one_of_our_own(own: list[str], enemy: list[str], said: str) -> None:
    assert odds([SHIPS[i] for i in own], [SHIPS[i] for i in enemy]) == said


def test_odds_end_at_ninety_nine() -> None:
    one = roster()["CORMORAN"]
    one.damage = 1
    assert strength(one) == 1
    fleet = [s for s in SHIPS.values() if s.type in ("BB", "BC", "AC")]
    assert sum(map(strength, fleet)) > 99
    assert odds([one], fleet) == "99.0"
