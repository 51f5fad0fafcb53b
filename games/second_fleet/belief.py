"""What a side looks for, by its own reports alone: every group, ship and submarine of the enemy's
printed set-up. In the campaign set-ups are sealed, so that nobody is known by name."""

from __future__ import annotations

from collections.abc import Sequence

from games.second_fleet import belief_told, belief_unit
from games.second_fleet.board import OTHER, SIDES
from pbem.model import Plain, Side
from pbem.quarry import AnyQuarry


def quarries(reports: Sequence[Plain]) -> Sequence[AnyQuarry]:
    """The quarries of the side of these reports (decoded report.json), in order."""
    if not reports or reports[0]["side"] not in SIDES:
        return ()
    side, scenario = Side(reports[0]["side"]), reports[0]["scenario"]
    units = belief_told.units(scenario, side)
    told = belief_told.told(units, belief_told.turns(reports))
    goals = belief_unit.numbers().goals.get(scenario, {}).get(OTHER[side], "")
    sunk = belief_told.sunk(reports)
    return [
        belief_unit.UnitQuarry(unit, about, goals)
        for unit, about in zip(units, told, strict=True)
        if unit.ships - sunk
    ]
