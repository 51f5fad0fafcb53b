"""What is true of every state: checked after each window of simulated games and by every audit."""

from __future__ import annotations

from itertools import pairwise

from games.atlantic_chase import board, tables
from games.atlantic_chase.board import GERMAN
from games.atlantic_chase.state import TaskForce, War


def audit(war: War) -> None:
    """Raises AssertionError if the state breaks an invariant of the rules."""
    seen: set[str] = set()
    for id_, force in sorted(war.forces.items()):
        assert id_ == force.id
        _force(war, force)
        assert force.ships or force.unknown, f"R239: {id_} has no ship"
        assert len(set(force.ships)) == len(force.ships), f"R001: one ship twice in {id_}"
        twice = seen & set(force.ships)
        assert not twice, f"R001: {sorted(twice)} in two Task Forces"
        seen |= set(force.ships)
    for ship in war.ships.values():
        # R253: who leaves a Battle is of its Task Force until the board is cleared
        left = ship.gone == "out" and war.fight is not None
        assert not ship.gone or left or ship.id not in seen, f"{ship.id} is {ship.gone} and in play"
    limits = tables.rules().limits
    assert sum(f.side == GERMAN for f in war.forces.values()) <= limits.german, "R024"
    assert sum(f.side != GERMAN for f in war.forces.values()) <= limits.british, "R024"


def _force(war: War, force: TaskForce) -> None:
    """R003, R036-R039, R064, R079"""
    id_ = force.id
    places = [bool(force.line), bool(force.at), bool(force.box)]
    assert places.count(True) == 1, f"R003: {id_} is {places}"
    assert len(force.line) <= tables.rules().limits.line, f"R036: {id_}"
    assert len(set(force.line)) == len(force.line), f"R037: {id_} crosses itself"
    for a, b in pairwise(force.line):
        assert board.adjacent(a, b, force.side, war.opened), f"R039: {id_} jumps from {a} to {b}"
    assert set(force.intel) <= set(force.line), f"R064: {id_} has Intel elsewhere"
    assert set(force.contact) <= set(force.hexes), f"R079: {id_} has a Contact elsewhere"
    assert all(cell in board.HEXES for cell in force.hexes), f"{id_} is off the board"
