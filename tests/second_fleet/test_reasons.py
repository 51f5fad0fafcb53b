"""An order that a unit cannot be given is refused by the rule that forbids it."""

from __future__ import annotations

import pytest

from games.second_fleet.game import SYSTEM
from pbem.model import Side
from pbem.testing.orders import RefusedError, shown, submitted
from tests.second_fleet.casebook import position


@pytest.mark.parametrize(
    ("place", "order", "reason"),
    [
        ("CCHER 2812", "deep", "submarines of two hexes a turn and more go deep (198)"),
        ("PPSLV 3310", "deep", "3310 is coastal: nobody goes deep there (199)"),
    ],
)
def test_a_submarine_that_cannot_go_deep_is_told_why(place: str, order: str, reason: str) -> None:
    ship, hex_ = place.split()
    options = {"level": "advanced", "deep": "yes"}
    war = position({"turn": 1, "options": options, "ships": {ship: hex_, "SCYLA": "3133"}})
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, shown(SYSTEM, war, Side("soviet")), f"{ship}: {order};")
    assert f"error not-now: {reason}\n" in str(said.value)
