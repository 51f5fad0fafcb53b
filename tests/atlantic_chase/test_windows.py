"""Windows amid a programme, in games played `asked`: the form says what goes on by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.atlantic_chase.game import SYSTEM
from pbem.admin.setup import Choices
from tests.referee import Referee

HUNT = (
    "UB1: recon G10; UB2: recon E13; GERMAN: if intel of TF6 at least 1 then signals TF6 at E13; "
    "UB1: recon F10; GERMAN: finish pass;"
)


@pytest.fixture
def hunting(tmp_path: Path) -> Referee:
    """UB1 is in G10, and the Germans have kept Initiative."""
    choices = Choices(scenario="berlin", options={"play": "asked"}, seed="q1")
    referee = Referee.made(tmp_path, SYSTEM, choices)
    referee.open()
    referee.turn(german=HUNT)
    assert referee.report("german")["board"]["active"] == "german"
    return referee


def remark(referee: Referee, side: str = "german") -> str:
    """What the form says of the programme; empty if it says nothing."""
    lines: list[str] = referee.report(side)["suggest"]
    return "".join(one for one in lines if "your programme goes on" in one)


def test_r091_the_form_lists_the_lines_that_are_left_until_they_have_had_their_turn(
    hunting: Referee,
) -> None:
    signals = "GERMAN: if intel of TF6 at least 1 then signals TF6 at E13;"
    assert f": UB2: recon E13; {signals} UB1: recon F10; ]" in remark(hunting)
    assert not remark(hunting, "british")
    hunting.order("german", "@GERMAN: seize always;")
    hunting.run(force=True)
    assert f": {signals} UB1: recon F10; ]" in remark(hunting), "a standing order is no line"


def test_r091_lines_of_a_new_programme_take_the_place_of_all_that_are_left(
    hunting: Referee,
) -> None:
    hunting.turn(german="UB2: recon F10; UB1: recon E13;")
    assert "goes on, unless you send other lines: UB1: recon E13; ]" in remark(hunting)


def test_r091_what_a_line_says_behind_also_is_left_when_its_first_action_has_had_its_turn(
    hunting: Referee,
) -> None:
    hunting.turn(german="UB1: if spell at least 1 then recon F10 also recon E12; UB2: recon F10;")
    assert "other lines: UB1: recon E12; UB2: recon F10; ]" in remark(hunting)


def test_r091_of_two_lines_alike_the_second_is_left(hunting: Referee) -> None:
    hunting.turn(german="UB1: recon F10; UB1: recon F10; UB2: recon F10;")
    assert "other lines: UB1: recon F10; UB2: recon F10; ]" in remark(hunting)


def test_r091_a_receipt_lists_the_lines_that_a_new_programme_replaces(hunting: Referee) -> None:
    """All of them, whoever the new lines are for; other orders replace none."""
    rest = [
        "UB2: recon E13;",
        "GERMAN: if intel of TF6 at least 1 then signals TF6 at E13;",
        "UB1: recon F10;",
    ]
    report = hunting.report("german")
    assert report["this_turn"] == [*rest, "GERMAN: finish pass;"]
    assert "this_turn" not in hunting.report("british")
    for lines in ("@GERMAN: seize always;", "UB1: recon A1;"):
        receipt = hunting.order("german", lines).receipt
        assert receipt["this_turn"] == report["this_turn"]
    for lines in ("KG1: complete;", "GERMAN: if spell at least 1 then stop;"):
        receipt = hunting.order("german", lines).receipt
        assert set(rest) <= set(receipt["replaced"]), lines
        assert receipt["this_turn"] == ["GERMAN: finish pass;"]
    receipt = hunting.order("german", f"{rest[2]} GERMAN: finish pass;").receipt
    assert not set(receipt["replaced"]) & {rest[2], "GERMAN: finish pass;"}, "said again"


def test_r091_the_other_side_is_told_that_it_is_not_its_spell(hunting: Referee) -> None:
    (said,) = hunting.report("british")["suggest"]
    assert said == "[ the enemy has Initiative ]"
    outcome = hunting.order("british", "@BRITISH: seize always;")
    assert outcome.receipt["without_orders"] == [], "none is due"
