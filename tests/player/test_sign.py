"""Signing: what is shown is what is signed, and what is signed is what is executed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.toy.game import SYSTEM, ZONES
from orders.canon import streams
from orders.model import Action, Order, OrderSet
from pbem.base.report_json import Report
from pbem.dice.chains import DiceChains
from pbem.errors import Findings, PbemError, Usage
from pbem.player.reader import read_text
from pbem.player.sign import encrypted, require_clean, signed
from pbem.reports.render import form
from tests.counts import few
from tests.referee import Referee, key_of


def test_the_form_unedited_is_a_valid_set(referee: Referee) -> None:
    for side in ("fox", "hunter"):
        report = referee.report(side)
        reading = read_text(SYSTEM, Report.of(report), form(report))
        require_clean(reading, "orders.txt")
        text = signed(SYSTEM, Report.of(report), reading.orders, DiceChains(key_of(side)), 0)
        (outcome,) = referee.receive(text)
        assert outcome.status == "accepted"
    assert referee.register.all_in()


def test_the_sequence_is_at_least_that_of_the_report(referee: Referee) -> None:
    report = referee.report("fox")
    for given_, used in ((5, report["seq"]), (report["seq"] + 9, report["seq"] + 9)):
        (unit,) = streams(
            signed(SYSTEM, Report.of(report), OrderSet(), DiceChains(key_of("fox")), given_)
        )
        assert f"SEQ : {used} " in unit.canonical.decode()


def test_mistakes_are_not_signed(referee: Referee) -> None:
    report = referee.report("fox")
    bad = form(report).replace("FOX: move", "BEAR: move")
    with pytest.raises(Findings, match="unknown-unit"):
        require_clean(read_text(SYSTEM, Report.of(report), bad), "orders.txt")
    headless = "BEGIN ORDERS\nFOX: move A2;\nEND ORDERS"
    with pytest.raises(PbemError):
        require_clean(read_text(SYSTEM, Report.of(report), headless), "orders.txt")


def test_orders_of_a_game_older_than_encrypted_mail_are_sent_as_they_are(referee: Referee) -> None:
    report = referee.report("fox")
    agreed = json.loads(report["setup"]["text"])
    del agreed["mail"]
    report["setup"]["text"] = json.dumps(agreed)
    assert encrypted(Report.of(report), "BEGIN ORDERS") == "BEGIN ORDERS"


@pytest.mark.parametrize("text", ["", "BEGIN ORDERS END ORDERS " * 2])
def test_one_block_is_signed(text: str, referee: Referee) -> None:
    with pytest.raises((Findings, Usage)):
        read_text(SYSTEM, Report.of(referee.report("fox")), text)


ACTIONS = st.builds(
    lambda verb, zone: Action(verb, {"to": zone}),
    st.sampled_from(["move", "pounce"]),
    st.sampled_from(ZONES),
)
ORDERS = st.builds(
    lambda actions, standing, turn: Order(
        "HOUND", tuple(actions), standing=standing, turn=None if standing else turn
    ),
    st.lists(ACTIONS, min_size=1, max_size=2),
    st.booleans(),
    st.integers(2, 8),
)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> object:
    """Without suggestions: these bind after other orders (test_edited_forms.py)."""
    made = Referee.toy(Path(tmp_path_factory.mktemp("sign"))).report("hunter")
    return {**made, "suggest": []}


@settings(max_examples=few(60))
@given(orders=st.lists(ORDERS, max_size=4, unique_by=lambda o: (o.standing, o.turn)))
def test_what_is_signed_is_what_is_read(orders: list[Order], report: dict[str, object]) -> None:
    given_ = OrderSet(tuple(orders))
    text = signed(SYSTEM, Report.of(report), given_, DiceChains(key_of("hunter")), 0)
    reading = read_text(SYSTEM, Report.of(report), text)
    assert not reading.refusals
    assert not reading.diagnostics
    assert reading.orders.orders == given_.orders
