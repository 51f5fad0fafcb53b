"""4 Orders that come too late for their turn, as a report of the window shows."""

from __future__ import annotations

import pytest

from games.bismarck.board import BRITISH
from games.bismarck.game import SYSTEM
from games.bismarck.state import TaskForce
from pbem.testing.orders import judged, shown
from tests.bismarck.fake_table import begin


@pytest.mark.parametrize(
    ("order", "later"),
    [
        ("HOOD: move H10", "HOOD: move"),
        ("SUFFOLK: patrol", "SUFFOLK: patrol"),
        ("SUFFOLK: hold", "SUFFOLK: hold"),
        ("PLYM2: fly R18", "PLYM2: fly"),
        ("BRITISH: search all", "BRITISH: search"),
        ("TF1: break", "TF1: break"),
        ("TF1: move H10", "TF1: move"),
        ("PRINCE OF WALES: hold", "TF1: hold"),
    ],
)
def test_4_2_who_has_moved_is_told_how_to_order_the_next_turn(order: str, later: str) -> None:
    war = begin()
    war.forces[BRITISH]["TF1"] = TaskForce("TF1", ["PRINCE OF WALES", "NORFOLK"])
    for name in ("PRINCE OF WALES", "NORFOLK"):
        war.ships[name].zone, war.ships[name].force = war.ships["HOOD"].zone, "TF1"
    war.sailing = True
    seen, turn = shown(SYSTEM, war, BRITISH), war.turn + 1
    (found,) = judged(SYSTEM, seen, f"{order};").diagnostics
    assert found.text.startswith("all have moved: ")
    assert found.hint == f"for the next turn: turn {turn} {later} ..."
    rest = order.removeprefix(order.partition(":")[0]).partition(" ")[2]
    assert not judged(SYSTEM, seen, f"turn {turn} {later.partition(':')[0]}: {rest};").diagnostics


def test_4_2_in_the_last_turn_nobody_is_told_to_order_another() -> None:
    war = begin()
    war.sailing, war.turn = True, SYSTEM.turns
    (found,) = judged(SYSTEM, shown(SYSTEM, war, BRITISH), "BRITISH: search all;").diagnostics
    assert "turn" not in found.hint
