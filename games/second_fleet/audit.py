"""What must hold in every position."""

from __future__ import annotations

from games.second_fleet import ice
from games.second_fleet.board import BASES, wet
from games.second_fleet.state import GONE, War, enemy
from games.second_fleet.tables import INT_ATK, limits


def audit(state: War) -> None:
    """Raises AssertionError with the clause that is broken."""
    for ship in state.vessels.values():
        assert wet(ship.hex), f"6.13/1: {ship.id} is on land in {ship.hex}"
        assert ship.sunk or not ice.bars(state, ship.type, ship.hex), (
            f"226: {ship.id} is in pack ice"
        )
        assert not ship.group or state.groups.get(ship.group) == ship.side or ship.sunk, (
            f"83: {ship.id} sails in a group that is not there"
        )
    for side in state.known:
        _stacks(state, side)
        for key in state.held[side]:
            members = state.members(key)
            seen = members and (state.open or members[0].level)
            assert seen, f"97: {key} is held without a marker"
        for name in state.known[side]:
            assert name in state.called[side].stands_for, f"6.16/3: {name} stands for nobody"
    for hex_, field in state.fields.items():
        assert 0 <= field.air <= GONE and 0 <= field.port <= GONE, f"181: {hex_}"
    for unit in state.squadrons.values():
        aboard = not unit.lost and unit.at in ("base", "cap", "return")
        assert not aboard or state.spot(unit.base), f"264: {unit.id} is aboard a ship that sank"
    _fields(state)


def _stacks(war: War, side: str) -> None:
    """20, 36, 116 Ships of one hex share a marker; groups are together; enemies are apart."""
    for ship in war.vessels.values():
        if ship.side != side or ship.sunk or ship.sub:
            continue
        stack = war.surface(ship.side, ship.hex)
        marks = {s.level for s in stack if not s.decoy}  # ruling 55: a decoy may have a lower one
        assert len(marks) < 2, f"116: the markers of {ship.hex} differ"
        foes = war.surface(enemy(ship.side), ship.hex)
        landing = ship.hex in BASES and not any(s.sheet.combat for s in foes)  # 6.3/5
        met = ship.hex in BASES and not any(s.sheet.combat for s in stack)
        assert not foes or landing or met, f"20: enemies share {ship.hex}"
        if ship.group:
            mates = war.members(ship.group)
            assert all(m.hex == ship.hex for m in mates), f"83: {ship.group} is not together"


def _fields(war: War) -> None:
    """35 Interceptors and attackers of an airfield."""
    counts: dict[str, int] = {}
    for unit in war.squadrons.values():
        if not unit.lost and unit.at == "base" and not unit.embarked and unit.role in INT_ATK:
            counts[unit.base] = counts.get(unit.base, 0) + 1
    for base, count in sorted(counts.items()):
        assert count <= limits().airfield, f"35: {count} interceptors and attackers in {base}"
