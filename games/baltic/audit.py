"""What must hold in every position."""

from __future__ import annotations

from games.baltic.state import War
from games.baltic.tables import SETTINGS


def audit(state: War) -> None:
    """Raises AssertionError with the clause that is broken."""
    for vessel in state.vessels.values():
        assert 0 <= vessel.hull <= vessel.of.hull, f"84: {vessel.id} has {vessel.hull} hull boxes"
        assert 0 <= vessel.ram <= vessel.of.ram, f"102: {vessel.id} has {vessel.ram} troopers"
        assert 0 <= vessel.heading < 5760, f"2.1: {vessel.id} points to {vessel.heading}"
        assert vessel.splash <= vessel.of.jink, f"89: {vessel.id} has too many splash markers"
        assert vessel.coast in SETTINGS, f"161: {vessel.id} coasts at {vessel.coast}"
        ids = {weapon.id for weapon in vessel.weapons}
        assert vessel.lost <= ids, f"148: {vessel.id} lost what she does not have"
    for side, pool in state.pools.items():
        assert pool >= 0, f"208: the pool of {side} is below nothing"
    for marker in state.markers.values():
        assert 0 <= marker.planes <= 6, f"103: {marker.id} has {marker.planes} planes"
        assert marker.boxes >= 0, f"129: {marker.id} has dropped more than it had"
    for salvo in state.salvoes.values():
        assert salvo.fp > 0, f"118: {salvo.id} is spent and still on the table"
    for card in state.cards.values():
        assert card.setting in SETTINGS, f"23: {card.id} steams at {card.setting}"
