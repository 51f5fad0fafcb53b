"""What must hold of a state after every window."""

from __future__ import annotations

from games.far_seas import board, courses, movement
from games.far_seas.board import GERMAN
from games.far_seas.knowledge import Sighting
from games.far_seas.state import Ship, War


def audit(war: War) -> None:
    """Raise AssertionError where an invariant is broken."""
    for ship in war.ships.values():
        _ship(war, ship)
    for seen in war.known.ships.values():
        _sighting(war, seen)
    river = [s.id for s in war.fleet(GERMAN) if s.duty == "river"]
    assert len(river) <= 1, f"G2: {river} lie in the Rufiji together"
    assert len(war.raided) == len(set(war.raided)), "E3: a station was raided twice"
    assert all(s.points > 0 for s in war.scores), "points are never lost"
    _merchants(war)


def _ship(war: War, ship: Ship) -> None:
    assert ship.area in board.AREAS or not ship.area, f"{ship.id} is in {ship.area}"
    assert not (ship.gone and ship.area), f"{ship.id} is {ship.gone} and on the board"
    assert ship.damage >= 0 and (not ship.sunk or ship.gone), f"{ship.id} should have sunk"
    if not ship.afloat:
        assert not ship.leader and not ship.duty, f"{ship.id} is off the board and busy"
        return
    in_play = not war.areas or ship.area in war.areas or ship.area not in board.SEA
    assert in_play, f"{ship.id} left the areas of the scenario"
    if ship.leader:
        lead = war.ships[ship.leader]
        same = lead.afloat and lead.side == ship.side and lead.area == ship.area
        assert same and not lead.leader, f"{ship.id} follows {lead.id}, which is not with it"
    _duty(war, ship)


def _duty(war: War, ship: Ship) -> None:
    mover = movement.mover_of(ship)
    ocean = courses.ocean_of(mover)
    assert not ocean or ship.area in ocean, f"5.5: {ship.id} left its ocean"
    if ship.duty == "convoy":
        assert not courses.convoyable(mover, war.options), f"M6: {ship.id} covers merchants"
    if ship.duty == "station":
        assert board.STATIONS[ship.post] == ship.area, f"M7: {ship.id} is not at {ship.post}"
        assert courses.guards(mover), f"M7: {ship.id} covers a station"
    if ship.duty in ("river", "watch"):
        assert ship.area == board.RIVER, f"G2: {ship.id} is not at the Rufiji"
        assert (ship.duty == "river") == (ship.side == GERMAN), f"G2: {ship.id}"


def _sighting(war: War, seen: Sighting) -> None:
    ship = war.ships[seen.ship]
    assert ship.side == GERMAN, f"the Allies remember {seen.ship}"
    assert seen.area in board.AREAS and seen.turn <= war.turn
    exact = not seen.moves and ship.afloat
    assert not exact or ship.area == seen.area, f"{seen.ship} moved and nobody named it"


def _merchants(war: War) -> None:
    for area, count in war.taken.items():
        assert count <= board.AREAS[area].density, f"found h: {count} merchants taken in {area}"
