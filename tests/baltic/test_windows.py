"""What may be ordered in the later windows of a turn: each offers what still has an effect, and its
form suggests nothing that was ordered or done before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.baltic.game import SYSTEM
from pbem.admin.setup import Choices
from tests.baltic.casebook import position
from tests.referee import Referee


def opened(home: Path, **options: str) -> Referee:
    """In the first window of turn 1."""
    made = Referee.made(home, SYSTEM, Choices(scenario="rig", options=options, seed="windows"))
    made.open()
    while not made.report("kalmar")["turn"]:
        made.run(force=True)
    return made


def stage(referee: Referee) -> str:
    board: dict[str, Any] = referee.report("kalmar")["board"]
    return str(board["stage"])


@pytest.fixture
def chosen(tmp_path: Path) -> Referee:
    """Kalmar, the highest bidder, chooses its place."""
    referee = opened(tmp_path, play="asked")
    referee.turn(kalmar="VASA: speed full; KALMAR: bid 3 first;")
    assert [q["kind"] for q in referee.report("kalmar")["questions"]] == ["Place"]
    return referee


def test_23_the_window_of_places_takes_no_telegraph_or_bid_again(chosen: Referee) -> None:
    for side in ("kalmar", "teutonic"):
        (remark,) = chosen.report(side)["suggest"]
        assert remark.startswith("[ a side chooses its place now")
    for order in ("VASA: speed flank;", "KALMAR: bid 3 last;", "KALMAR: resign;"):
        outcome = chosen.order("kalmar", order)
        (problem,) = outcome.receipt["problems"]
        assert problem["code"] == "not-now"
        assert "it is too late for it in turn 1" in problem["text"]
        assert problem["hint"].startswith("turn 2 ")
    assert not chosen.order("kalmar", "turn 2 VASA: speed half; Q1: LAST;").receipt["problems"]


def test_157_nor_does_that_of_the_set_up(tmp_path: Path) -> None:
    made = Referee.made(tmp_path, SYSTEM, Choices(scenario="rig", options={"play": "asked"}))
    made.open()
    assert made.report("kalmar")["suggest"] == ["KALMAR: bid 0 first;"]
    made.run(force=True)
    assert stage(made) == "place"
    for side in ("kalmar", "teutonic"):
        assert "ships are set up in later windows" in made.report(side)["suggest"][0]
        assert made.refused(side, f"{side.upper()}: bid 1 first;") == ["not-now"]


def test_27_planning_and_orders_in_one_leave_the_cards_to_the_window_of_places(
    tmp_path: Path,
) -> None:
    referee = opened(tmp_path, play="asked", windows="turn")
    referee.turn(kalmar="KALMAR: bid 3 first; VASA: speed full; VASA: move ahead 5;")
    assert stage(referee) == "orders"
    lines = referee.report("kalmar")["suggest"]
    assert "[ VASA has orders in force ]" in lines
    assert not any("bid" in line or "speed" in line for line in lines)
    assert referee.refused("kalmar", "VASA: speed flank;") == ["not-now"]
    assert referee.refused("kalmar", "VASA: move ahead 7;") == []


def test_152_a_window_between_turns_takes_no_orders_for_cards(tmp_path: Path) -> None:
    """Hits with two tens ask Kalmar which critical hit a battleship suffers."""
    ships = {"VASA": "60 24 270 half", "HOCHMEISTER": "5 24 90 half"}
    there = {"turn": 2, "ships": ships, "set": {"vessels.VASA.tenners": 2}}
    war = position(there | {"options": {"play": "asked", "windows": "phases"}})
    referee = Referee.opened(tmp_path, SYSTEM, "seeded", war, play="asked")
    while stage(referee) != "between":
        referee.run(force=True)
    assert stage(referee) == "between"
    (remark,) = referee.report("kalmar")["suggest"]
    assert remark.startswith("[ all cards are played;")
    assert referee.refused("kalmar", "VASA: move ahead 3;") == ["not-now"]
    assert referee.refused("kalmar", "KALMAR: stack VASA;") == ["not-now"]
    assert referee.refused("kalmar", "KALMAR: choose engine; VASA: choose rudder;") == []


def test_162_a_reserve_is_not_called_without_orders_where_cards_get_none(tmp_path: Path) -> None:
    referee = opened(tmp_path, windows="rounds")
    referee.run(force=True)
    assert stage(referee) == "stack"
    outcome = referee.order("kalmar", "KALMAR: reserve VASA;")
    assert outcome.receipt["without_orders"] == []


def test_every_window_of_a_turn_says_what_it_is_for(tmp_path: Path) -> None:
    referee, found = opened(tmp_path, windows="rounds"), []
    while referee.report("kalmar")["turn"] == 1:
        window = str(referee.register.window)
        pages = referee.folder / "reports" / "kalmar" / window
        found.append((pages / "report.txt").read_text("utf-8").splitlines()[2].split("Kalmar")[1])
        assert f"<br>{found[-1].strip()}</p>" in (pages / "report.html").read_text("utf-8")
        referee.run(force=True)
    assert [said.strip() for said in found][:4] == ["planning", "stacks", "round 1", "round 2"]
