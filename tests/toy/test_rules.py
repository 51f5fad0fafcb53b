"""Fox and Hound, clause by clause (games/toy/RULES.md), with typed dice."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from games.toy.game import SYSTEM, near
from pbem.admin.setup import Choices
from tests.conftest import Clock
from tests.referee import Referee

TWIG = "NOISE/TWIG/-/FOX/1/1D6"
QUIET, SNAP = 4, 3


@pytest.fixture
def wood(tmp_path: Path, clock: Clock) -> Referee:
    """Plotted, with typed dice."""
    return Referee.toy(tmp_path / "home", dice="hand")


def turn(referee: Referee, die: int = QUIET, **lines: str) -> None:
    """One window: order lines by side, and the die."""
    for side, text in lines.items():
        assert referee.order(side, text).good
    referee.run(force=True, values={TWIG: [die]})


def place(referee: Referee, side: str) -> str:
    found: str = referee.report(side)["units"][0]["place"]
    return found


def kinds(referee: Referee, side: str) -> list[str]:
    return [e["kind"] for e in referee.report(side)["events"]]


def result(referee: Referee) -> Mapping[str, str]:
    found: Mapping[str, str] = referee.report("fox")["result"]
    assert found == referee.report("hunter")["result"]
    return found


def at(referee: Referee, fox: str, hound: str) -> Referee:
    """The same game with other starting places."""
    choices = Choices(dice="hand", options={"play": referee.register.options["play"]})
    begin = SYSTEM.begin("wood", {}, {})
    begin.place = {"FOX": fox, "HOUND": hound}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(SYSTEM), "begin", lambda *_: begin)
        other = Referee.made(referee.home / "other", SYSTEM, choices)
        other.open()
    return other


def test_1_1_start(wood: Referee) -> None:
    assert (place(wood, "fox"), place(wood, "hunter")) == ("A1", "E5")
    assert wood.report("fox")["turn"] == 1


@pytest.mark.parametrize(
    ("zone", "around"),
    [("A1", ["A2", "B1"]), ("C3", ["B3", "C2", "C4", "D3"]), ("E5", ["D5", "E4"])],
)
def test_2_1_neighbours(zone: str, around: list[str]) -> None:
    assert near(zone) == around


def test_2_1_moves(wood: Referee) -> None:
    turn(wood, fox="FOX: move B1;", hunter="HOUND: move D5;")
    assert (place(wood, "fox"), place(wood, "hunter")) == ("B1", "D5")
    assert kinds(wood, "fox") == ["Moved"]
    turn(wood)
    assert (place(wood, "fox"), place(wood, "hunter")) == ("B1", "D5")
    assert kinds(wood, "fox") == []


def test_2_1_one_step(wood: Referee) -> None:
    outcome = wood.order("fox", "FOX: move C1;")
    assert [p["code"] for p in outcome.receipt["problems"]] == ["not-now"]
    turn(wood)
    assert place(wood, "fox") == "A1"


def test_2_1_a_standing_step_that_is_too_far_is_no_step(wood: Referee) -> None:
    turn(wood, fox="@FOX: move C1;")
    assert place(wood, "fox") == "A1"


@pytest.mark.parametrize("die", [1, 2, SNAP, QUIET, 5, 6])
def test_3_1_twig(die: int, wood: Referee) -> None:
    turn(wood, die, fox="FOX: move B1;")
    heard = "TwigSnapped" in kinds(wood, "hunter")
    assert heard == ("TwigSnapped" in kinds(wood, "fox")) == (die <= 3)
    assert [r["dice"] for r in wood.report("fox")["rolls"]] == [[die]]
    rows = [e.get("row") for e in wood.report("fox")["events"] if e["kind"] == "TwigSnapped"]
    assert set(rows) <= {""}
    contacts = wood.report("hunter")["contacts"]
    assert [c["place"] for c in contacts] == (["row B"] if heard else [])


def test_3_2_pounce(wood: Referee) -> None:
    turn(wood, SNAP, hunter="HOUND: pounce D5;")
    assert place(wood, "hunter") == "D5"
    turn(wood, QUIET, hunter="HOUND: pounce C5;")
    assert place(wood, "hunter") == "D5"


def test_3_2_after_its_move(wood: Referee) -> None:
    turn(wood, SNAP, hunter="HOUND: move E4; HOUND: pounce E3;")
    assert place(wood, "hunter") == "E3"


def test_3_2_too_far(wood: Referee) -> None:
    turn(wood, SNAP, hunter="HOUND: pounce A1;")
    assert place(wood, "hunter") == "E5"


def test_3_2_by_mail(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.toy(tmp_path / "home", dice="hand", play="asked")
    turn(referee, SNAP, hunter="HOUND: move E4; HOUND: pounce E3;")
    (question,) = referee.report("hunter")["questions"]
    assert (question["default"], question["choices"]) == ("E3", ["E4", "D4", "E3", "E5"])
    assert referee.report("fox")["questions"] == []
    turn(referee, hunter="Q1: D4;")
    assert place(referee, "hunter") == "D4"


@pytest.mark.parametrize(
    ("orders", "lands"),
    [
        ("HOUND: pounce D4;", "D4"),
        ("Q1: E5; HOUND: pounce D4;", "E5"),
        ("Q1: E3; HOUND: pounce D4;", "D4"),
        ("Q1: E3; HOUND: pounce A1;", "E3"),
        ("Q1: E3;", "E3"),
        ("", "E3"),
    ],
)
def test_3_2_an_order_in_the_window_of_the_question_answers_it(
    tmp_path: Path, clock: Clock, orders: str, lands: str
) -> None:
    """If no answer does, or one that only repeats the default, as the form has it."""
    referee = Referee.toy(tmp_path / "home", dice="hand", play="asked")
    turn(referee, SNAP, hunter="HOUND: move E4; HOUND: pounce E3;")
    turn(referee, hunter=orders)
    assert place(referee, "hunter") == lands


def test_3_2_who_would_move_in_the_window_of_the_pounce_is_told_that_it_is_too_late(
    tmp_path: Path, clock: Clock
) -> None:
    referee = Referee.toy(tmp_path / "home", dice="hand", play="asked")
    turn(referee, SNAP, hunter="HOUND: move E4;")
    said = referee.order("hunter", "HOUND: move E3; turn 2 HOUND: move E3; Q1: E4;").receipt
    notes = [u["note"] for u in said["understood"]]
    assert notes[:2] == ["nothing: the moves of this turn are made", ""]


def test_4_1_caught(wood: Referee) -> None:
    referee = at(wood, "C3", "C4")
    turn(referee, hunter="HOUND: move C3;")
    assert (result(referee)["result"], result(referee)["rule"]) == ("hunter", "4.1")


def test_4_1_passing_each_other_is_no_meeting(wood: Referee) -> None:
    referee = at(wood, "C3", "C4")
    turn(referee, fox="FOX: move C4;", hunter="HOUND: move C3;")
    assert result(referee) is None


def test_4_1_caught_by_a_pounce(wood: Referee) -> None:
    referee = at(wood, "C3", "C4")
    turn(referee, SNAP, hunter="HOUND: pounce C3;")
    assert (result(referee)["result"], result(referee)["rule"]) == ("hunter", "4.1")


def test_4_2_free(wood: Referee) -> None:
    for number in range(1, 9):
        assert wood.report("fox")["turn"] == number
        assert not result(wood)
        turn(wood)
    assert (result(wood)["result"], result(wood)["rule"]) == ("fox", "4.2")


def test_4_2_a_pounce_on_the_last_turn_still_counts(wood: Referee) -> None:
    referee = at(wood, "C3", "C4")
    for _ in range(7):
        turn(referee)
    turn(referee, SNAP, hunter="HOUND: pounce C3;")
    assert result(referee)["result"] == "hunter"
