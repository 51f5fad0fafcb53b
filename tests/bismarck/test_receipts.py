"""Orders that the board forbids: each is told by its own word, the rest of the set counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.bismarck.game import SYSTEM
from pbem.admin.setup import Choices
from tests.conftest import Clock
from tests.referee import Referee

GOOD = "SUFFOLK: hold;"
BAD = {
    "land-zone": "NORFOLK: move D10;",
    "too-far": "NORFOLK: move Z29 A8 Z29 A8 Z29;",
    "out-of-endurance": "SCAPA1: fly Z29 mode move;",
    "unknown-zone": "NORFOLK: move A30;",
    "unknown-unit": "BISMARCK: move A12;",
    "unknown-verb": "NORFOLK: mvoe C7;",
    "not-now": "VICTORIOUS: patrol;",
}


@pytest.fixture
def bismarck(tmp_path: Path, clock: Clock) -> Referee:
    referee = Referee.made(tmp_path / "home", SYSTEM, Choices(dice="seeded", seed="x"))
    referee.open()
    return referee


@pytest.mark.parametrize("code", BAD)
def test_a_forbidden_order_is_refused_alone(code: str, bismarck: Referee) -> None:
    outcome = bismarck.order("british", f"{GOOD}\n{BAD[code]}")
    assert outcome.status == "partly"
    (problem,) = outcome.receipt["problems"]
    assert problem["code"] == code
    assert problem["text"]
    assert [u["order"] for u in outcome.receipt["understood"]] == ["SUFFOLK: hold"]
    assert not bismarck.register.all_in()


def test_a_ship_in_a_task_force_does_as_that_does(bismarck: Referee) -> None:
    formed = bismarck.order("british", "HOOD: form PRINCE OF WALES as TF1;")
    assert "TF1" in formed.receipt["without_orders"]
    assert not {"Hood", "Prince of Wales"} & {*formed.receipt["without_orders"]}
    bismarck.order("german", "FINAL;")
    bismarck.run(force=True)
    sails = bismarck.order("british", "TF1: hold;")
    assert not {"TF1", "Hood", "Prince of Wales"} & {*sails.receipt["without_orders"]}
    idle = bismarck.order("british", "SUFFOLK: hold;")
    assert {"TF1", "Norfolk"} <= {*idle.receipt["without_orders"]}
    assert "Hood" not in idle.receipt["without_orders"]


def test_a_ship_of_a_task_force_is_told_when_her_own_order_holds(bismarck: Referee) -> None:
    said = (
        "HOOD: form PRINCE OF WALES as TF1; @HOOD: move H3; turn 9 HOOD: hold; @NORFOLK: move H3;"
    )
    notes = {u["order"]: u["note"] for u in bismarck.order("british", said).receipt["understood"]}
    waits = "sails with TF1 and does this only once she has left it"
    assert notes["@HOOD: move H3"] == notes["turn 9 HOOD: hold"] == waits
    assert notes["@NORFOLK: move H3"] == ""


def test_4_1_who_may_not_sail_yet_is_offered_no_course_and_is_not_without_orders(
    bismarck: Referee,
) -> None:
    menu = bismarck.report("british")["menu"]
    offered = {ship: {item["verb"] for item in menu[ship]} for ship in menu}
    sail = {"move", "patrol", "hold", "intercept"}
    assert offered["KING GEORGE V"] & sail == {"hold"}
    assert offered["EDINBURGH"] & sail == {"patrol"}
    assert offered["HOOD"] & sail == sail
    receipt = bismarck.order("british", "KING GEORGE V: if turn over 1 then move H17;").receipt
    (problem,) = receipt["problems"]
    assert "waits in port until the Germans are known to be out, or turn 12" in problem["text"]
    assert problem["rule"] == "4.1"
    assert not {"King George V", "Edinburgh"} & {*receipt["without_orders"]}
    assert "Hood" in receipt["without_orders"]


NOTES = {
    "BRITISH: search C6": "not this turn, in fog: C6 (7.31)",
    "NORFOLK: attack never": (
        "another of her type that attacks beside her is chosen by lot, and she may be (9.242)"
    ),
}


def test_a_receipt_says_what_the_report_forbids_already(bismarck: Referee) -> None:
    """The first turn has fog (7.32)."""
    said = "".join(f"{order}; " for order in NOTES)
    notes = {u["order"]: u["note"] for u in bismarck.order("british", said).receipt["understood"]}
    assert notes == NOTES


def test_a_zone_that_no_german_ship_can_reach_is_noted(bismarck: Referee) -> None:
    said = "GERMAN: huffduff Z29; BISMARCK: attack always;"
    notes = [u["note"] for u in bismarck.order("german", said).receipt["understood"]]
    assert notes == [
        "no ship of yours can be in or next to Z29 this turn: a die names one (10.22)",
        "only where you search: 'GERMAN: search ...' (9.23)",
    ]


@pytest.mark.parametrize(
    ("side", "order", "text"),
    [
        ("german", "GERMAN: shadow auto;", "only the British shadow"),
        (
            "british",
            "BRITISH: mobilise RODNEY;",
            "RODNEY stays with her convoy: no German was located before this turn",
        ),
        (
            "british",
            "VICTORIOUS: attack always;",
            "'attack' to VICTORIOUS has no effect: aircraft carriers never attack ships",
        ),
    ],
)
def test_a_refusal_says_why(side: str, order: str, text: str, bismarck: Referee) -> None:
    (problem,) = bismarck.order(side, order).receipt["problems"]
    assert problem["text"] == text
