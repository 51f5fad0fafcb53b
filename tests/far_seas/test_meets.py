"""What a side is asked about a meeting: every figure and every choice that it is shown."""

from __future__ import annotations

import pytest

from games.far_seas import melee, plans
from games.far_seas.asks import Meets
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.state import War
from pbem.model import Side
from tests.far_seas.fights import position
from tests.far_seas.test_asked import Singapore, windows


def asked(side: Side, *german: str, area: str = "28", how: str = "search", sea: str = "") -> Meets:
    """The question of a side about a meeting with the Sydney and the Fox."""
    case = {"german": german, "british": ["SYDNEY", "FOX"], "area": area, "how": how}
    war, fight = position(case | {"favoured": GERMAN if how == "surprise" else ""})
    war.areas = tuple(sea.split())
    return plans.question(war, melee.begin(war, fight), side, "SOME")


def test_it_shows_the_slowest_own_ship_and_the_fastest_enemy() -> None:
    (german,) = Singapore().drive.pause.asked[GERMAN]
    (british,) = Singapore().drive.pause.asked[BRITISH]
    assert isinstance(german, Meets) and isinstance(british, Meets)
    assert (german.speed, german.fastest) == ("4+", "5-")
    assert (british.speed, british.fastest) == ("4", "4+")
    assert (german.german, british.german) == (True, False)
    assert (german.rule, german.may_run) == ("R1", True)


def test_who_was_surprised_is_asked_for_targets_alone() -> None:
    question = asked(GERMAN, "EMDEN", how="surprise")
    assert question.choices == ("ORDERS", "FIRE AT SYDNEY", "FIRE AT FOX")
    assert (question.rule, question.may_run, question.usual) == ("K2", False, "")


@pytest.mark.parametrize(
    ("sea", "ways"),
    [("28", ["RUN"]), ("28 24", ["RUN"]), ("28 24 26", ["RUN TO 24", "RUN TO 26"])],
)
def test_a_refuge_is_asked_for_where_there_are_several(sea: str, ways: list[str]) -> None:
    choices = asked(GERMAN, "EMDEN", sea=sea).choices
    assert [c for c in choices if c == "RUN" or c.startswith("RUN TO")] == ways


def test_one_ship_is_not_asked_to_run_apart() -> None:
    assert "RUN APART" not in asked(GERMAN, "EMDEN").choices
    assert "RUN APART" in asked(GERMAN, "EMDEN", "DRESDEN").choices


def test_plans_may_run_after_the_first_and_the_second_round() -> None:
    after = [c for c in asked(BRITISH, "EMDEN").choices if c.startswith("RUN AFTER")]
    assert after == ["RUN AFTER 1", "RUN AFTER 2"]


def test_no_question_has_a_single_answer_and_a_side_is_asked_once_a_turn() -> None:
    turns: list[int] = []
    for game in windows("coronel", "b1"):
        found = [q for qs in game.drive.pause.asked.values() for q in qs if isinstance(q, Meets)]
        assert all(len(q.choices) > 1 for q in found)
        state: War = game.drive.state
        turns += [state.turn] if found else []
    assert turns
    assert len(turns) == len(set(turns))
