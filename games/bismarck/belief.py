"""What a side looks for, by its own reports alone: the British for the German ships, the Germans
for every British ship that they have seen."""

from __future__ import annotations

from collections.abc import Sequence

from games.bismarck import belief_british, belief_raider, belief_told
from games.bismarck.board import BRITISH, GERMAN
from pbem.inference.quarry import AnyQuarry
from pbem.model import Plain


def quarries(reports: Sequence[Plain]) -> Sequence[AnyQuarry]:
    """The quarries of the side of these reports (decoded report.json), in order."""
    side = reports[0]["side"] if reports else ""
    if side == BRITISH:
        along = belief_told.turns(reports)
        return [belief_raider.RaiderQuarry(ship, along) for ship in belief_told.SHIPS]
    if side == GERMAN:
        along = belief_told.turns(reports)
        seen = belief_british.contacts(reports)
        return [belief_british.ShipQuarry(contact, along) for contact in seen]
    return ()
