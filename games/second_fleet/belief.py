"""What a side looks for, by its own reports alone: every group, ship and submarine of the enemy's
printed set-up. In the campaign set-ups are sealed, so that nobody is known by name: there it is the
contacts whose marker has gone."""

from __future__ import annotations

from collections.abc import Sequence

from games.second_fleet import belief_told, belief_unit
from games.second_fleet.board import OTHER, SIDES
from pbem.inference.quarry import AnyQuarry
from pbem.model import Plain, Side


def quarries(reports: Sequence[Plain]) -> Sequence[AnyQuarry]:
    """The quarries of the side of these reports (decoded report.json), in order."""
    if not reports or reports[0]["side"] not in SIDES:
        return ()
    side, scenario = Side(reports[0]["side"]), reports[0]["scenario"]
    if scenario not in belief_told.PRINTED:
        return contacts(reports)
    units = belief_told.units(scenario, side)
    told = belief_told.told(units, belief_told.turns(reports))
    goals = belief_unit.numbers().goals.get(scenario, {}).get(OTHER[side], "")
    sunk = belief_told.sunk(reports)
    return [
        belief_unit.UnitQuarry(unit, about, goals)
        for unit, about in zip(units, told, strict=True)
        if unit.ships - sunk
    ]


def contacts(reports: Sequence[Plain]) -> Sequence[AnyQuarry]:
    """6.16 The contacts of the newest report whose marker has gone, from then on. A new contact may
    be one of them, or somebody else."""
    side = Side(reports[-1]["side"])
    along, more = belief_told.turns(reports), belief_unit.numbers().strangers
    found = []
    for unit in belief_told.contacts(reports[-1], side):
        later = [turn for turn in along if turn.turn > unit.since]
        (about,) = belief_told.told([unit], later, more)
        found.append(belief_unit.UnitQuarry(unit, about, ""))
    return found
