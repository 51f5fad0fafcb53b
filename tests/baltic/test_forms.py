"""The order form in the windows of a turn."""

from __future__ import annotations

import msgspec
import pytest

from games.baltic.between import Boost
from games.baltic.game import SYSTEM
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match
from pbem.model import Side
from pbem.player.reader import read_text, understood
from pbem.testing.orders import shown
from tests.baltic.casebook import load, play, position


def test_orders_of_planning_leave_the_form_of_the_next_window_whole() -> None:
    """Telegraph and bid are carried out by then (`System.spent`)."""
    match = Match(SYSTEM, "rig", {"windows": "phases"}, "forms")
    match.window()
    planning = match.report(Side("kalmar")).form
    assert "KALMAR: bid 1 first;" in planning and "VASA: speed half;" in planning
    match.window()
    form = match.report(Side("kalmar")).form
    assert "in force" not in form
    assert "KALMAR: stack " in form and "VASA: move ahead " in form


def test_164_the_receipt_says_that_of_dashes_with_conditions_one_is_carried_out() -> None:
    war = position(
        {
            "ships": {
                "VASA": "60 40 270 half",
                "ROVFAGEL": "20 20 90 half",
                "HAVSORN": "40 8 90 half",
                "SKARGARD": "10 10 90 half x2",
                "BLEKINGE": "10 40 90 half x2",
                "HOCHMEISTER": "66 10 270 stop",
            }
        }
    )
    report = shown(SYSTEM, war, Side("kalmar"))
    lines = "KALMAR: if round at least {} then dash {};"
    dashes = [lines.format(2, "SKARGARD"), lines.format(3, "SKARGARD")]
    text = "\n".join(["BEGIN ORDERS", *dashes, "END ORDERS", ""])
    found = understood(SYSTEM, report, read_text(SYSTEM, report, text))
    assert [order.note.split(":")[0] for order in found] == ["one dash a turn"] * 2


def test_139_a_mailed_answer_that_buys_no_whole_repair_is_refused_with_what_does() -> None:
    (case,) = [c for c in load() if c["name"] == "asked, the owner says what it may cost"]
    _, table, _ = play(case)
    (found,) = [q for q in table.asked if q["kind"] == "Boost"]
    fields = {key: found[key] for key in ("about", "choices", "default", "rule")}
    question = msgspec.convert(fields, Boost)
    assert question.choices == ("0", "3", "6")
    report = shown(SYSTEM, position(case), Side("teutonic"), questions=[question])
    for points, hints in (
        ("2", ["answers: 0, 3, 6"]),
        ("3", []),
        ("6", []),
        ("9", ["answers: 0, 3, 6"]),
    ):
        text = f"BEGIN ORDERS\nQ1: {points};\nEND ORDERS\n"
        problems = read_text(SYSTEM, report, text).diagnostics
        assert [one.hint for one in problems if one.code == "bad-answer"] == hints


SPEEDS = [
    ("@VASA: speed full; VASA: move ahead 6;", ""),
    ("VASA: move ahead 6; @VASA: speed full;", ""),
    ("@VASA: speed full; VASA: move ahead 9;", "her setting allows 3.00 to 5.00"),
    ("VASA: speed half; @VASA: speed full; VASA: move ahead 6;", "her setting allows"),
    ("@VASA: speed full; VASA: speed half; VASA: move ahead 4;", ""),
    ("@VASA: speed reverse; VASA: move ahead 2;", "her setting allows 3.00 to 5.00"),
    ("turn 3 VASA: speed full; VASA: move ahead 6;", "her setting allows 3.00 to 5.00"),
]
"""Sets of orders, and why one of them is refused; empty if all stand."""


def under_way() -> Report:
    """Kalmar's in a window for telegraph and moves, the Vasa at half ahead."""
    ships = {"VASA": "60 40 270 half", "HOCHMEISTER": "66 10 270 stop"}
    war = position({"options": {"windows": "turn"}, "ships": ships})
    return shown(SYSTEM, war, Side("kalmar"))


@pytest.mark.parametrize(("orders", "why"), SPEEDS)
def test_24_a_move_may_go_with_a_standing_order_for_the_telegraph(orders: str, why: str) -> None:
    """The standing order counts from this turn on, unless one of this turn comes before it."""
    text = f"BEGIN ORDERS\n{orders}\nEND ORDERS\n"
    found = [one for one in read_text(SYSTEM, under_way(), text).diagnostics if one.rule]
    assert [why in one.text for one in found] == ([True] if why else [])
