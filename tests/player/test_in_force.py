"""What a new set leaves of the orders of earlier ones, and who has no order then."""

from __future__ import annotations

from msgspec.structs import replace

from games.bismarck.board import BRITISH
from games.bismarck.game import SYSTEM
from games.second_fleet.game import SYSTEM as SECOND_FLEET
from pbem.base.report_json import Report
from pbem.player.in_force import earlier, lasting, without
from pbem.testing.orders import judged, shown
from tests.bismarck.fake_table import begin


def kept(*lines: str) -> Report:
    """The first British report, with these orders of earlier sets in force."""
    return replace(shown(SYSTEM, begin(), BRITISH), standing=list(lines))


def test_orders_for_a_later_turn_are_replaced_by_others_for_it() -> None:
    report = kept("turn 9 NORFOLK: patrol;", "turn 9 SUFFOLK: patrol;", "@NORFOLK: patrol;")
    reading = judged(SYSTEM, report, "turn 9 NORFOLK: hold;")
    assert not reading.diagnostics
    assert earlier(SYSTEM, report, reading).replaced == ["turn 9 NORFOLK: patrol;"]
    assert lasting(SYSTEM, report, reading) == [
        "turn 9 SUFFOLK: patrol;",
        "@NORFOLK: patrol;",
        "turn 9 NORFOLK: hold;",
    ]


def test_standing_orders_are_replaced_and_cleared() -> None:
    report = kept("@NORFOLK: patrol;", "@SUFFOLK: patrol;", "turn 9 SUFFOLK: hold;")
    reading = judged(SYSTEM, report, "@SUFFOLK: none;\n@NORFOLK: hold;")
    assert earlier(SYSTEM, report, reading).replaced == ["@NORFOLK: patrol;", "@SUFFOLK: patrol;"]
    assert lasting(SYSTEM, report, reading) == ["turn 9 SUFFOLK: hold;", "@NORFOLK: hold;"]


def test_orders_for_this_turn_stand_beside_a_set_unless_it_takes_their_place() -> None:
    report = kept()
    line = f"turn {report.turn} NORFOLK: patrol;"
    report = replace(report, standing=[line])
    reading = judged(SYSTEM, report, "NORFOLK: hold;\nSUFFOLK: hold;")
    assert earlier(SYSTEM, report, reading).replaced == []
    assert earlier(SECOND_FLEET, report, reading).replaced == [line]
    waits = judged(SYSTEM, report, "NORFOLK: if contact at least BB then hold;")
    assert not waits.diagnostics
    assert earlier(SECOND_FLEET, report, waits).replaced == []


def test_whoever_has_an_order_in_force_is_not_without_one() -> None:
    report = kept()
    idle = {*without(SYSTEM, report, judged(SYSTEM, report, ""))}
    assert {"Norfolk", "Suffolk", "Hood", "Manchester"} <= idle
    lines = [f"turn {report.turn} NORFOLK: patrol;", "@SUFFOLK: patrol;", "turn 9 HOOD: hold;"]
    ordered = replace(report, standing=lines)
    reading = judged(SYSTEM, ordered, "MANCHESTER: hold;")
    assert idle - {*without(SYSTEM, ordered, reading)} == {"Norfolk", "Suffolk", "Manchester"}


def test_a_set_replaces_settings_about_the_same_matter_alone() -> None:
    report = replace(
        kept("@BRITISH: shadow auto;", "@BRITISH: if night then strike bb also break off yes;"),
        this_turn=["BRITISH: high speed shadow on;", "BRITISH: search all;", "HOOD: hold;"],
    )
    reading = judged(SYSTEM, report, "@BRITISH: strike bb;\nBRITISH: search F20;")
    assert not reading.diagnostics
    found = earlier(SYSTEM, report, reading)
    assert found.kept == ["@BRITISH: shadow auto;"]
    assert found.this_turn == ["BRITISH: high speed shadow on;", "HOOD: hold;"]
    assert found.replaced == [
        "@BRITISH: if night then strike bb also break off yes;",
        "BRITISH: search all;",
    ]
    assert "Hood" not in without(SYSTEM, report, reading)
