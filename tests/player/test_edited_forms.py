"""The form edited as people do: an order is added and the line of the form above it is left."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from tests.conftest import Clock
from tests.referee import Referee


def told(referee: Referee, side: str, added: str, above: bool = False) -> dict[str, list[str]]:
    """Send the form with one line added below or above its own lines; what the receipt lists as
    understood and as wrong."""
    form = "\n".join(referee.report(side)["suggest"])
    outcome = referee.order(side, f"{added}\n{form}" if above else f"{form}\n{added}")
    receipt = outcome.receipt
    return {
        "understood": [one["order"].rstrip(";") for one in receipt["understood"]],
        "wrong": [one["code"] for one in receipt["problems"]],
    }


def of(lines: dict[str, list[str]], unit: str) -> list[str]:
    return [line for line in lines["understood"] if line.startswith(f"{unit}:")]


@pytest.fixture
def bismarck(tmp_path: Path, clock: Clock) -> Referee:
    return Referee.opened(tmp_path, games.load("bismarck"), dice="seeded", play="plotted")


@pytest.mark.parametrize("above", [False, True])
def test_an_own_order_takes_the_place_of_the_forms_line(above: bool, bismarck: Referee) -> None:
    """And is carried out: the line of the form would have kept her where she is."""
    assert "HOOD: hold;" in bismarck.report("british")["suggest"]
    lines = told(bismarck, "british", "HOOD: move F14;", above)
    assert (of(lines, "HOOD"), lines["wrong"]) == (["HOOD: move F14"], [])
    bismarck.run(force=True)
    while not bismarck.closed_turns():
        bismarck.run(force=True)
    assert bismarck.unit("british", "HOOD")["place"] == "F14"


def test_an_order_with_a_condition_comes_before_the_forms_line(bismarck: Referee) -> None:
    """Which counts where the condition is not met: both bind, and the receipt has them so."""
    lines = told(bismarck, "british", "HOOD: if turn over 30 then move F14;")
    assert of(lines, "HOOD") == ["HOOD: if turn over 30 then move F14", "HOOD: hold"]
    assert not lines["wrong"]


def test_of_two_own_orders_the_second_is_refused_and_both_are_named(bismarck: Referee) -> None:
    form = "HOOD: move F14;\nHOOD: move G14;\nHOOD: patrol;"
    outcome = bismarck.order("british", form)
    found = [(one["code"], one["text"]) for one in outcome.receipt["problems"]]
    assert [code for code, _ in found] == ["contradiction"] * 2
    assert found[0][1].startswith("'move G14' contradicts 'move F14', which HOOD")
    assert of({"understood": [u["order"] for u in outcome.receipt["understood"]]}, "HOOD") == [
        "HOOD: move F14"
    ]


def test_the_same_order_twice_is_no_contradiction(bismarck: Referee) -> None:
    lines = told(bismarck, "british", "HOOD: hold;")
    assert (set(of(lines, "HOOD")), lines["wrong"]) == ({"HOOD: hold"}, [])


def test_an_own_order_that_is_wrong_leaves_the_forms_line(bismarck: Referee) -> None:
    lines = told(bismarck, "british", "HOOD: move A1;")
    assert of(lines, "HOOD") == ["HOOD: hold"]
    assert len(lines["wrong"]) == 1


@pytest.mark.parametrize("above", [False, True])
def test_the_smallest_game_does_the_same(above: bool, referee: Referee) -> None:
    assert referee.report("fox")["suggest"] == ["FOX: move A2;"]
    lines = told(referee, "fox", "FOX: move B1;", above)
    assert (lines["understood"], lines["wrong"]) == (["FOX: move B1"], [])
    referee.run(force=True)
    assert referee.unit("fox", "FOX")["place"] == "B1"
