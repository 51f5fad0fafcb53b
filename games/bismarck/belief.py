"""What a side looks for: the British for the German ships, by their own reports alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.bismarck import belief_told
from games.bismarck.belief_raider import RaiderQuarry
from games.bismarck.board import BRITISH
from pbem.quarry import Quarry


def quarries(reports: Sequence[Mapping[str, Any]]) -> Sequence[Quarry[Any, Any]]:
    """The quarries of the side of these reports (decoded report.json), in order."""
    if not reports or reports[0]["side"] != BRITISH:
        return ()
    along = belief_told.turns(reports)
    return [RaiderQuarry(ship, along) for ship in belief_told.SHIPS]
