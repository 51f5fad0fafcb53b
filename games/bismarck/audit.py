"""What must hold of every state, whatever was ordered and rolled. Checked after every step."""

from __future__ import annotations

from games.bismarck import board, calendar, contacts
from games.bismarck.battle.charts import charts
from games.bismarck.state import SIDES, War
from pbem.model import Side


def audit(war: War) -> None:
    """Raise AssertionError, naming what is wrong, when an invariant is broken."""
    assert calendar.FIRST <= war.turn <= calendar.LAST, f"turn {war.turn}"
    assert 1 <= war.level <= calendar.X, f"visibility {war.level}"
    _ships(war)
    _damage(war)
    _forces(war)
    _air(war)
    for side in SIDES:
        _knowledge(war, side)
    assert len({c.day for c in war.convoys}) == len(war.convoys), "10.26 two convoys in a day"


def _ships(war: War) -> None:
    """2.2, 5.18, 5.2 Ships are at sea in zones open to them, with fuel left or none to spend."""
    for key, ship in war.ships.items():
        assert key == ship.id == ship.name.upper(), f"{key} is {ship.id}"
        if ship.zone:
            assert ship.zone in board.SEA, f"{ship.id} in {ship.zone}"
            assert not board.closed(ship.zone, ship.side), f"{ship.id} in {ship.zone}"
        if ship.fuel is not None:
            assert 0 <= ship.fuel <= (ship.tank or 0), f"{ship.id} has {ship.fuel} factors"
        assert ship.mode == "move" or ship.patrol, f"{ship.id} cannot patrol (2.423)"


def _damage(war: War) -> None:
    """9.7 No section has lost more boxes than it has; a ship is sunk when all midships boxes are
    gone, and only then; evasion lost for a time is at most what the hits took."""
    tables = charts(war.house)
    for ship in war.ships.values():
        for box in ("bow", "stern", "port", "starboard", "midships"):
            hit, whole = getattr(ship.hits, box), getattr(ship.sections, box)
            assert 0 <= hit <= whole, f"{ship.id} has lost {hit} of {whole} {box} boxes"
        gone = ship.hits.midships == ship.sections.midships
        assert ship.sunk == gone, f"{ship.id} is {'not ' if gone else ''}sunk (9.714)"
        most = tables.evasion_loss(ship.name, ship.type) * ship.hits.midships
        assert 0 <= ship.hits.temporary <= most, f"{ship.id}: evasion (9.723)"
    sunk = {s.what for s in war.scores if s.rule in ("12.31", "12.41")}
    assert sunk == {f"the {s.name} sunk" for s in war.ships.values() if s.sunk}, "12.31, 12.41"


def _forces(war: War) -> None:
    """5.4 A task force has two ships or more, in one zone, and each ship knows its own."""
    for side in SIDES:
        for name, force in war.forces[side].items():
            ships = [war.ships[i] for i in force.ships]
            assert name == force.name and len(ships) > 1, f"{name} has {force.ships}"
            assert {s.side for s in ships} == {side}, f"{name} is mixed"
            assert len({s.zone for s in ships}) == 1, f"{name} is scattered"
            patrols = force.mode == "move" or any(s.patrol for s in ships)
            assert patrols, f"{name} cannot patrol (5.31)"
            assert all(s.force == name for s in ships), f"{name} is not in its ships' books"
    members = {i for side in SIDES for f in war.forces[side].values() for i in f.ships}
    assert members == {s.id for s in war.ships.values() if s.force}, "5.43"


def _air(war: War) -> None:
    """6.2 No unit is in the air longer than its endurance, or in two places."""
    for unit in war.air.values():
        assert not unit.zone or unit.zone in board.SEA | board.LAND, f"{unit.id} in {unit.zone}"
        assert not (unit.lost and unit.zone), f"{unit.id} is lost"
        if unit.flying:
            assert unit.up <= unit.face.endurance, f"{unit.id} is up {unit.up} turns (6.21)"


def _knowledge(war: War, side: Side) -> None:
    """Each pseudonym stands for one enemy ship, and none is numbered higher than were issued."""
    tracks, known = war.tracks[side], war.known[side]
    for id_, name in tracks.items():
        assert war.ships[name].side != side, f"{id_} is {name}, its own"
        assert int(id_[2:]) <= known.issued, f"{id_} was never issued"
    assert set(known.contacts) <= set(tracks), f"{side} knows a contact that nobody is"
    for id_, contact in known.contacts.items():
        ship = war.ships[tracks[id_]]
        assert contact.type == contacts.general(ship), f"{id_} is no {contact.type}"
        assert contact.turn <= war.turn, f"{id_} is from the future"
