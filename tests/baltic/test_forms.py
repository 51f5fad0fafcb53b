"""The order form in the windows of a turn."""

from __future__ import annotations

from games.baltic.game import SYSTEM
from pbem.bots.bot_orders import Match
from pbem.model import Side


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
