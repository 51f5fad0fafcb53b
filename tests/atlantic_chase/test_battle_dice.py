"""The numbers of Battle, with the examples of the rules (T28 to T32, T45)."""

from __future__ import annotations

import pytest

from games.atlantic_chase import battle_dice as dice
from games.atlantic_chase import battle_moves as moves
from games.atlantic_chase.events_battle import Manoeuvred
from games.atlantic_chase.state import Battle, Ship
from tests.atlantic_chase.casebook import CaseTable, position
from tests.casetable import run


def ship(id_: str, damaged: bool = False) -> Ship:
    from games.atlantic_chase.tables import cards

    return Ship(id_, cards()[id_].side, damaged=damaged)


@pytest.mark.parametrize(
    ("own", "foe", "found"),
    [
        ("far", "far", "extreme"),
        ("far", "near", "long"),
        ("close", "far", "long"),
        ("near", "near", "short"),
        ("near", "close", "point blank"),
        ("close", "close", "point blank"),
    ],
)
def test_r191_ranges(own: str, foe: str, found: str) -> None:
    assert dice.range_of(own, foe) == dice.range_of(foe, own) == found


def test_r191_which_dice_count() -> None:
    """T30"""
    assert dice.kept((1, 4, 6), "extreme") == 5
    assert dice.kept((1, 4, 6), "point blank") == 10
    assert dice.kept((5, 5), "short") == 10
    with pytest.raises(ValueError, match="3 dice at long"):
        dice.kept((1, 4, 6), "long")


def test_r193_gunnery_of_glasgow_and_gneisenau() -> None:
    """T28, T29: at short range, the one with smoke on either."""
    glasgow, gneisenau = ship("GLASGOW"), ship("GNEISENAU")
    assert dice.guns(glasgow, "short") == 1 and dice.guns(gneisenau, "short") == 3
    assert dice.gunnery_hits(6 - 1 + 1) == 0
    assert dice.gunnery_hits(10 + 3 + dice.smoke_malus([False, True])) == 1
    assert dice.smoke_malus([True, True]) == -2


def test_r196_torpedoes_gain_by_a_slow_target() -> None:
    """T31"""
    assert dice.speed_bonus(ship("RODNEY")) == 1
    assert dice.speed_bonus(ship("HOOD")) == 0
    assert dice.speed_bonus(ship("TANKER 1")) == 2


def test_r203_enemies_near_and_a_slowest_ship_count_once() -> None:
    """T32, T45"""
    own, foes = [ship("RODNEY")], [ship("HIPPER"), ship("PRINZ EUGEN")]
    zones = {"RODNEY": "far", "HIPPER": "near", "PRINZ EUGEN": "near"}
    assert dice.break_away_bonus(own, foes, zones) == -1 - 1 + 2
    zones |= {"HIPPER": "far", "PRINZ EUGEN": "far"}
    assert dice.break_away_bonus(own, foes, zones) == -1 + 2
    slow = [ship("RODNEY"), ship("HIPPER", damaged=True)]
    zones |= {"HIPPER": "far"}
    assert dice.break_away_bonus(own, slow, zones) == 2


def test_r197_the_slowest_move_first_and_in_each_class_the_idle_side() -> None:
    forces = {"TF1": "at I10 | Hood, Rodney", "KG1": "at I10 | Hipper, Scheer"}
    case = {"forces": forces, "rule": "R197", "name": "order"}
    war = position(case)
    war.fight = Battle("TF1", "KG1", "I10", "good", "battle", 3)
    war.fight.zones = dict.fromkeys(("HOOD", "RODNEY", "HIPPER", "SCHEER"), "far")
    table = CaseTable(war, case)
    run(moves.manoeuvre(table, war))
    order = [event.ship for _, event in table.told if isinstance(event, Manoeuvred)]
    assert order == ["RODNEY", "SCHEER", "HIPPER", "HOOD"]
