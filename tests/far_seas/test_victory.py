"""The end of the war: points against the levels of a scenario; what landings still want."""

from __future__ import annotations

import pytest

from games.far_seas import setup, victory
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.state import War
from pbem.model import Over
from tests.far_seas.casebook import OPTIONS


def over(german: int, british: int, scenario: str = "war") -> Over:
    """The end with so many points on each side, in the last turn."""
    war = setup.begin(scenario, OPTIONS)
    war.turn = war.last
    war.score(GERMAN, german, "captures", "E1", "x")
    war.score(BRITISH, british, "sunk", "K2", "x")
    found = victory.ending(war)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("points", "result", "why"),
    [
        (95, "german", "a decisive victory at 95 or more"),
        (94, "german", "a narrow victory at 75 or more"),
        (75, "german", "a narrow victory at 75 or more"),
        (74, "draw", "a draw from 55 to 74"),
        (55, "draw", "a draw from 55 to 74"),
        (54, "british", "a narrow victory at 54 or less"),
        (35, "british", "a narrow victory at 54 or less"),
        (34, "british", "a decisive victory at 34 or less"),
    ],
)
def test_points_at_the_edge_of_a_level(points: int, result: str, why: str) -> None:
    """What both sides have scored is set off before the levels are looked up."""
    found = over(points + 30, 30)
    assert (found.result, found.rule) == (result, "victory")
    assert found.why == f"{points + 30} points to 30, {points} in all; {why}"


@pytest.mark.parametrize("scenario", ["coronel", "emden", "konigsberg"])
def test_each_scenario_has_its_own_levels(scenario: str) -> None:
    decisive, german, british, crushing = setup.begin(scenario, OPTIONS).levels
    assert decisive > german > british + 1 and british > crushing
    shift = 60  # so that no side's own points are below nothing
    ends = [over(n + shift, shift, scenario).result for n in (german, german - 1, british)]
    assert ends == ["german", "draw", "british"]


def test_the_war_goes_on_while_a_raider_is_left_or_has_still_to_come() -> None:
    war = setup.begin("war", OPTIONS)
    for ship in war.fleet(GERMAN):
        war.lose(ship.id, "sunk")
    assert war.fleet(BRITISH) and victory.ending(war) is None  # the Cormoran comes in turn 2
    war.ships["CORMORAN"].gone = "sunk"
    found = victory.ending(war)
    assert found and (found.rule, found.result) == ("no raider left", "british")


def test_the_last_turn_is_played() -> None:
    war = setup.begin("emden", OPTIONS)
    war.turn = war.last - 1
    assert victory.ending(war) is None
    war.turn = war.last
    assert victory.ending(war) is not None


# Found c: what landings still want


def wanted(turn: int, **committed: dict[str, int]) -> dict[str, tuple[int, int, int, int, int]]:
    war: War = setup.begin("war", OPTIONS)
    war.turn = turn
    war.committed = {name.replace("_", " "): sent for name, sent in committed.items()}
    return victory.due(war)


def test_landings_are_wanted_until_their_last_turn() -> None:
    assert list(wanted(1)) == ["tsingtao", "kamerun", "samoa", "new guinea"]
    assert list(wanted(3)) == ["tsingtao", "kamerun", "samoa", "new guinea"]
    assert list(wanted(4)) == ["tsingtao", "kamerun", "new guinea"]
    assert list(wanted(9)) == ["kamerun"]
    assert wanted(10) == {}


def test_what_was_sent_counts_by_turn_in_all_or_at_best() -> None:
    found = wanted(
        3,
        tsingtao={"2": 2, "3": 1},
        kamerun={"2": 3, "3": 1},
        samoa={"1": 1, "2": 0},
        new_guinea={"1": 0, "2": 2},
    )
    assert found == {
        "tsingtao": (25, 2, 1, 2, 8),
        "kamerun": (10, 7, 4, 2, 9),
        "samoa": (22, 2, 1, 1, 3),
        "new guinea": (23, 3, 2, 1, 4),
    }
    nothing = [sent for _, _, sent, _, _ in wanted(2).values()]
    assert nothing == [0, 0, 0, 0]


def test_other_scenarios_want_none() -> None:
    assert victory.due(setup.begin("emden", OPTIONS)) == {}
