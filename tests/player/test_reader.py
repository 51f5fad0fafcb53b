"""What the checker makes of a form that the player has added orders to."""

from __future__ import annotations

import pytest

from games.bismarck.board import BRITISH
from games.bismarck.game import SYSTEM
from orders.show import show_order
from pbem.testing.orders import judged, shown
from tests.bismarck.fake_table import begin

FORCE = "HOOD: form PRINCE OF WALES as TF1;"


@pytest.mark.parametrize("first", [True, False])
def test_a_line_of_the_form_that_other_orders_overtake_is_left_out(first: bool) -> None:
    """The form lets both ships hold, each for itself; now they sail in a force."""
    report = shown(SYSTEM, begin(), BRITISH)
    form = report.plain["suggest"]
    assert {"HOOD: hold;", "PRINCE OF WALES: hold;"} <= {*form}
    reading = judged(SYSTEM, report, "\n".join([FORCE, *form] if first else [*form, FORCE]))
    assert not reading.diagnostics
    orders = [show_order(order, SYSTEM.grammar) for order in reading.orders.orders]
    assert "NORFOLK: hold" in orders
    assert not {"HOOD: hold", "PRINCE OF WALES: hold"} & {*orders}


@pytest.mark.parametrize("scope", ["@", "turn 9 "])
def test_what_reads_like_a_line_of_the_form_but_is_for_another_time_is_judged(scope: str) -> None:
    report = shown(SYSTEM, begin(), BRITISH)
    assert "NORFOLK: hold;" in report.plain["suggest"]
    reading = judged(SYSTEM, report, f"{scope}NORFOLK: move H3;\n{scope}NORFOLK: hold;")
    assert [d.code for d in reading.diagnostics] == ["contradiction"]


def test_another_line_that_other_orders_overtake_is_a_mistake() -> None:
    report = shown(SYSTEM, begin(), BRITISH)
    (wrong,) = judged(SYSTEM, report, f"{FORCE}\nPRINCE OF WALES: patrol;").diagnostics
    assert "PRINCE OF WALES" in wrong.source
