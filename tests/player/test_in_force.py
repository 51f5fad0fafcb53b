"""What a new set leaves of the orders of earlier ones, and who has no order then."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import games
from games.baltic.game import SYSTEM as BALTIC
from games.bismarck.board import BRITISH
from games.bismarck.game import SYSTEM
from orders.book import left
from orders.model import Action, Condition, Order, OrderSet
from orders.model import Test as Comparison
from orders.show import line
from pbem.base.report_json import Report
from pbem.model import System
from pbem.player.in_force import earlier, lasting, without_orders
from pbem.testing.orders import judged, shown
from tests.bismarck.fake_table import begin
from tests.systems import EVERY


class Whole(type(SYSTEM)):  # type: ignore[misc]
    """Bismarck, if a set's order for a unit replaced all said to it for the turn."""

    whole_sets = True


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
    assert earlier(Whole(), report, reading).replaced == [line]
    waits = judged(SYSTEM, report, "NORFOLK: if contact at least BB then hold;")
    assert not waits.diagnostics
    assert earlier(Whole(), report, waits).replaced == []


def test_whoever_has_an_order_in_force_is_not_without_one() -> None:
    report = kept()
    idle = {*without_orders(SYSTEM, report, judged(SYSTEM, report, ""))}
    assert {"Norfolk", "Suffolk", "Hood", "Manchester"} <= idle
    lines = [f"turn {report.turn} NORFOLK: patrol;", "@SUFFOLK: patrol;", "turn 9 HOOD: hold;"]
    ordered = replace(report, standing=lines)
    reading = judged(SYSTEM, ordered, "MANCHESTER: hold;")
    assert idle - {*without_orders(SYSTEM, ordered, reading)} == {
        "Norfolk",
        "Suffolk",
        "Manchester",
    }


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
    assert "Hood" not in without_orders(SYSTEM, report, reading)


def test_an_order_that_names_the_turn_that_is_played_is_one_for_it() -> None:
    report = kept()
    assert "Norfolk" in without_orders(SYSTEM, report, judged(SYSTEM, report, ""))
    reading = judged(SYSTEM, report, f"turn {report.turn} NORFOLK: patrol;")
    assert not reading.diagnostics
    assert "Norfolk" not in without_orders(SYSTEM, report, reading)
    later = judged(SYSTEM, report, f"turn {report.turn + 1} NORFOLK: patrol;")
    assert "Norfolk" in without_orders(SYSTEM, report, later)


class Prefixed(type(BALTIC)):  # type: ignore[misc]
    """A system in which an order that is no setting begins with the name of one: `force` stands,
    `force bombers` is done once."""

    grammar = replace(
        BALTIC.grammar,
        verbs=tuple(
            replace(verb, setting=False) if verb.name == "force bombers" else verb
            for verb in BALTIC.grammar.verbs
        ),
    )


@pytest.mark.parametrize("system", [*map(games.load, EVERY), Prefixed()], ids=[*EVERY, "prefixed"])
def test_a_receipt_lists_as_replaced_what_the_rules_replace(system: System) -> None:
    """Of every verb alone, with another, under a condition and as a reaction."""
    acts = [Action(verb.name, {}) for verb in system.grammar.verbs]
    night = Condition((Comparison("night", "is", "YES"),))
    orders = []
    for one, other in zip(acts, [*acts[1:], acts[0]], strict=True):
        orders += [
            Order("HOOD", (one,), standing=True),
            Order("HOOD", (one, other), standing=True),
            Order("HOOD", (one,), when=night, otherwise=(other,), standing=True),
            Order("HOOD", (one, other), when=night, standing=True, trigger="sighted"),
            Order("HOOD", (one,), standing=True, trigger="sighted"),
        ]
    report = kept(*(line(order, system.grammar) for order in orders))
    empty = judged(SYSTEM, kept(), "")
    for act in acts:
        fresh = Order("HOOD", (act,), standing=True)
        reading = replace(empty, orders=OrderSet((fresh,)))
        stay = left(orders, [fresh], system.grammar.settings())
        found = earlier(system, report, reading)
        assert found.kept == [line(order, system.grammar) for order in stay], act.verb
        gone = [order for order in orders if order not in stay]
        assert gone, act.verb
        assert found.replaced == [line(o, system.grammar) for o in gone if o != fresh], "again"
