"""What a receipt says of the set that a new one of the same window replaces: nothing that it leaves
out is lost in silence, and `pbem check` says as much."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.far_seas.game import SYSTEM
from games.toy.game import SYSTEM as TOY
from pbem.admin.setup import Choices
from pbem.player.reader import USUAL_ANSWER
from tests.cli.commands import pbem
from tests.referee import Referee


@pytest.fixture
def referee(tmp_path: Path) -> Referee:
    """The second window of a turn, for which the British have orders of the first."""
    made = Referee.made(tmp_path, SYSTEM, Choices(scenario="war", seed="form"))
    made.open()
    made.turn(british="BRITISH: seek none; FOX: hold; @HAMPSHIRE: hold;")
    return made


def test_a_set_that_adds_one_order_is_told_what_it_drops(referee: Referee) -> None:
    first = referee.order(
        "british",
        "ABSENT UNTIL 2026-12-24; @KENT: stand; FOX: cruise; FOX: stand; MINOTAUR: hold;",
    )
    outcome = referee.order("british", "MINOTAUR: hold; MONTCALM: cruise;")
    lost = ["ABSENT UNTIL 2026-12-24;", "@KENT: stand;", "FOX: cruise;", "FOX: stand;"]
    assert outcome.receipt["replaced"] == lost
    number = first.receipt["number"]
    assert f"This set replaces all of receipt {number}." in outcome.text
    assert "This set replaces" not in first.text
    assert outcome.text.index("NO LONGER IN FORCE") < outcome.text.index("  FOX: cruise;")
    assert outcome.receipt["this_turn"] == ["BRITISH: seek none;", "FOX: hold;"]


def test_what_holds_all_the_same_is_not_called_replaced(referee: Referee) -> None:
    """The set before said again what earlier windows had ordered; the new one does not."""
    referee.order("british", "FOX: hold; @HAMPSHIRE: hold; BRITISH: seek none; MONTCALM: hold;")
    outcome = referee.order("british", "MONTCALM: cruise;")
    assert outcome.receipt["replaced"] == ["MONTCALM: hold;"]
    again = referee.order("british", "FOX: cruise; MONTCALM: cruise;")
    assert again.receipt["replaced"] == ["FOX: hold;"], "of the first window"


def test_a_whole_set_with_one_order_changed_names_that_one(referee: Referee) -> None:
    first = "MONTCALM: cruise; MINOTAUR: hold; @KENT: stand;"
    referee.order("british", first)
    outcome = referee.order("british", first.replace("MINOTAUR: hold", "MINOTAUR: cruise"))
    assert outcome.receipt["replaced"] == ["MINOTAUR: hold;"]


def test_check_tells_what_a_receipt_does_of_questions_and_standing_orders(tmp_path: Path) -> None:
    """Before they are mailed: what is left out of a set is no order to leave it."""
    made = Referee.made(tmp_path, TOY, Choices(options={"play": "asked"}, seed="snap"))
    made.open()
    made.turn(hunter="@HOUND: pounce C5;")
    while not made.report("hunter")["questions"]:
        made.run(force=True)
    (tmp_path / "x.txt").write_text(made.orders("hunter", "@HOUND: pounce D5;"), "utf-8")
    window = str(made.register.window)
    report = made.folder / "reports" / "hunter" / window / "report.json"
    said = pbem("check", tmp_path / "x.txt", "--report", report).out
    assert "Questions without an answer\n  Q1: " in said
    assert "Standing orders in force\n  @HOUND: pounce D5;\n" in said
    facts = json.loads(pbem("check", tmp_path / "x.txt", "--report", report, "--json").out)
    receipt = made.order("hunter", "@HOUND: pounce D5;").receipt
    for name in ("defaults", "standing", "replaced"):
        assert facts[name] == receipt[name]


def test_an_answer_left_as_the_form_has_it_is_said_to_give_way_to_orders(tmp_path: Path) -> None:
    """Nobody wonders why an order was carried out, or why it was not."""
    made = Referee.made(tmp_path, TOY, Choices(options={"play": "asked"}, seed="snap"))
    made.open()
    while not made.report("hunter")["questions"]:
        made.run(force=True)
    (question,) = made.report("hunter")["questions"]
    usual, *others = question["choices"]
    assert question["default"] == usual
    form, other = f"Q1: {usual};", f"Q1: {others[0]};"
    order = f"HOUND: pounce {others[0]};"
    for lines, noted in ((form, ""), (f"{other} {order}", ""), (f"{form} {order}", USUAL_ANSWER)):
        said = {u["order"]: u["note"] for u in made.order("hunter", lines).receipt["understood"]}
        assert said[form if form in lines else other] == noted
    made.run(force=True)
    assert made.report("hunter")["units"][0]["place"] == others[0]
