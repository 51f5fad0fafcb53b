"""What a side looks for, by its own reports alone: the Allies for every German at sea. Allied ships
lie open on the board, so that the Germans look for nobody."""

from __future__ import annotations

from collections.abc import Sequence

from games.far_seas import belief_raider, belief_told
from games.far_seas.board import BRITISH
from pbem.inference.quarry import AnyQuarry
from pbem.model import Plain


def quarries(reports: Sequence[Plain]) -> Sequence[AnyQuarry]:
    """The quarries of the side of these reports (decoded report.json), in order."""
    if not reports or reports[0]["side"] != BRITISH:
        return ()
    last = reports[-1]
    ships, areas = belief_told.raiders(last), tuple(last["board"]["areas"])
    told = belief_raider.crowd(ships, belief_told.turns(reports), areas)
    afloat = {contact["id"] for contact in last["contacts"]}
    return [
        belief_raider.RaiderQuarry(ship, about, areas)
        for ship, about in zip(ships, told, strict=True)
        if ship.id in afloat
    ]
