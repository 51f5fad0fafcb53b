"""7.2 Who may look where, and how sightings are worded: pure functions."""

from __future__ import annotations

import pytest

from games.bismarck import contacts, search
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.events import Located
from games.bismarck.state import TaskForce, War
from tests.bismarck.casebook import position
from tests.bismarck.deck import Deck
from tests.bismarck.fake_table import begin


def at_sea(**place: str) -> War:
    return position({"place": {k.replace("_", " "): v for k, v in place.items()}})


@pytest.mark.parametrize(("turn", "strength"), [(10, 4), (13, 3)])
def test_coasts_are_watched_by_day_and_by_night(turn: int, strength: int) -> None:
    """7.27"""
    war = at_sea(BISMARCK="V10")
    war.turn = turn
    for side, zone in ((BRITISH, "F15"), (BRITISH, "D9"), (GERMAN, "B18"), (GERMAN, "P23")):
        assert search.eyes(war, side)[zone].total == strength
    assert "M10" not in search.eyes(war, BRITISH)


def test_strength_adds_up_over_everything_in_a_zone() -> None:
    """7.21: a ship on patrol 4, one that moves 1, an air unit on patrol 6, of which 6 is air."""
    war = at_sea(NORFOLK="M10", SUFFOLK="M10")
    war.ships["NORFOLK"].mode = "patrol"
    unit = war.air["EIRE1"]
    unit.zone, unit.mode, unit.up = Zone("M10"), "patrol", 2
    eyes = search.eyes(war, BRITISH)["M10"]
    assert (eyes.total, eyes.air) == (11, 6)


def test_pseudonyms_do_not_depend_on_hidden_names_or_order() -> None:
    """7.23: types and task forces alone decide how ships are listed."""
    seen = []
    for first, second in (("NORFOLK", "HOOD"), ("SUFFOLK", "REPULSE")):
        war = at_sea(**{first: "M10", second: "M10", "VICTORIOUS": "M10"})
        ships = [war.ships["VICTORIOUS"], war.ships[first], war.ships[second]]
        seen.append(contacts.sightings(war, GERMAN, ships))
        assert contacts.sightings(war, GERMAN, ships[::-1])[0].id == "EN4"
    assert seen[0] == seen[1]
    assert [s.type for s in seen[0]] == ["BB", "CA", "CV"]


LOT = "CONTACTS/ORDER/-/GERMAN"


@pytest.mark.parametrize("lot", [1, 2])
def test_7_23_ships_that_look_alike_are_numbered_by_a_lot_that_nobody_sees(lot: int) -> None:
    """Not by their names, in whose order the state has them: the order of battle is public."""
    war = at_sea(HOOD="M10", RODNEY="M10", NORFOLK="M10")
    table = Deck(war, {LOT: [(lot,)]})
    search.call(table, war, GERMAN, Zone("M10"), search.Eyes(9, 9))
    (found,) = table.heard(Located, GERMAN)
    assert [(s.id, s.type) for s in found.seen] == [("EN1", "BB"), ("EN2", "BB"), ("EN3", "CA")]
    named = [war.tracks[GERMAN][s.id] for s in found.seen]
    assert named == [*(["HOOD", "RODNEY"] if lot == 1 else ["RODNEY", "HOOD"]), "NORFOLK"]
    assert table.dice == [(LOT, (lot,), ())]


def test_7_23_task_forces_that_look_alike_and_ships_in_them_are_numbered_by_lot() -> None:
    forces = {"TF1": ["HOOD", "RODNEY"], "TF2": ["RENOWN", "REPULSE"]}
    war = at_sea(HOOD="M10", RODNEY="M10", RENOWN="M10", REPULSE="M10")
    for name, ids in forces.items():
        war.forces[BRITISH][name] = TaskForce(name, ids)
        for id_ in ids:
            war.ships[id_].force = name
    table = Deck(war, {LOT: [(2,), (1,), (2,)]})  # of each force its ships, then both forces
    mixed = contacts.mixed(table, GERMAN, war.fleet(BRITISH))
    assert [s.id for s in mixed] == ["RENOWN", "REPULSE", "RODNEY", "HOOD"]
    assert [s.type for s in contacts.sightings(war, GERMAN, mixed)] == ["BB"] * 4


def test_7_23_no_lot_is_drawn_where_no_two_look_alike() -> None:
    war = at_sea(HOOD="M10", NORFOLK="M10", VICTORIOUS="M10")
    table = Deck(war)
    contacts.mixed(table, GERMAN, war.fleet(BRITISH))
    assert table.dice == []


def test_the_one_german_battleship_keeps_its_number() -> None:
    war = at_sea(BISMARCK="M10")
    ids = {contacts.pseudonym(war, BRITISH, war.ships["BISMARCK"]) for _ in range(3)}
    assert ids == {"EN1"}


def test_a_british_ship_gets_a_new_number_every_time() -> None:
    war = at_sea(NORFOLK="M10")
    ids = [contacts.pseudonym(war, GERMAN, war.ships["NORFOLK"]) for _ in range(2)]
    assert ids == ["EN1", "EN2"]


def test_ships_of_one_task_force_point_at_each_other() -> None:
    war = at_sea(HOOD="M10", NORFOLK="M10", KENYA="M10")
    war.forces[BRITISH]["TF1"] = TaskForce("TF1", ["HOOD", "NORFOLK"])
    for id_ in ("HOOD", "NORFOLK"):
        war.ships[id_].force = "TF1"
    seen = contacts.sightings(war, GERMAN, war.fleet(BRITISH))
    assert [(s.type, s.force) for s in seen] == [
        ("BB", ("EN1", "EN2")),
        ("CA", ("EN1", "EN2")),
        ("CA", ()),
    ]


def test_no_side_calls_a_zone_twice() -> None:
    war = begin()
    war.fog, war.level = False, 1
    zones = search.open_zones(war, BRITISH)
    assert len(set(zones)) == len(zones) > 30
