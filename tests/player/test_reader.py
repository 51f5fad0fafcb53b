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


def test_another_line_that_other_orders_overtake_is_a_mistake() -> None:
    report = shown(SYSTEM, begin(), BRITISH)
    (wrong,) = judged(SYSTEM, report, f"{FORCE}\nPRINCE OF WALES: patrol;").diagnostics
    assert "PRINCE OF WALES" in wrong.source
