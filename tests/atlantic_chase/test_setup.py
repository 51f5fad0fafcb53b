"""The pieces of the game and how operations begin."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec import to_builtins

from games.atlantic_chase import programme, tables, verbs
from games.atlantic_chase.board import BRITISH, CELLS, GERMAN, PORTS
from games.atlantic_chase.events import Lapsed, ShipDamaged, ShipHit, StationPlaced
from games.atlantic_chase.game import SYSTEM
from games.atlantic_chase.opening import begin
from games.atlantic_chase.view import view
from pbem.kit.checks import Refused

OPERATIONS = [s.name for s in SYSTEM.scenarios]


@pytest.mark.parametrize("name", OPERATIONS)
def test_r002_stealth_forces_are_in_no_task_force_and_u_boats_begin_in_their_box(name: str) -> None:
    war = begin(name, {})
    ships = {ship for force in war.forces.values() for ship in force.ships}
    assert not ships & set(war.stealth)
    for stealth in war.stealth.values():
        assert (stealth.at == "") == (stealth.kind == "uboat")


@pytest.mark.parametrize("name", OPERATIONS)
def test_r004_both_sides_see_every_piece_of_the_other(name: str) -> None:
    war = begin(name, {})
    seen = {side: view(war, side) for side in (GERMAN, BRITISH)}
    for side, other in ((GERMAN, BRITISH), (BRITISH, GERMAN)):
        pieces = {u.id: to_builtins(u)["piece"] for u in seen[side].units}
        own = {id_: piece for id_, piece in pieces.items() if piece.get("sort") != "spare"}
        foes = {c.id: to_builtins(c)["piece"] for c in seen[other].contacts}
        assert own == foes and own


def test_r005_the_slowest_ship_sets_the_speed_its_side_as_it_is_up() -> None:
    war = begin("rheinuebung", {})
    kg1, tf7 = war.forces["KG1"], war.forces["TF7"]
    assert (war.speed(kg1), war.speed(tf7)) == (tables.MEDIUM, tables.VERY_SLOW)
    war.ships["BISMARCK"].damaged = True
    assert war.speed(kg1) == tables.SLOW


def test_r006_a_task_force_is_in_the_hexes_of_its_segments_or_station_and_in_none_in_a_box() -> (
    None
):
    war = begin("rheinuebung", {})
    assert war.forces["TF3"].hexes == ("K08", "J08")
    assert war.forces["KG2"].hexes == ("G08",)
    assert war.forces["TF1"].hexes == ()


def test_r007_every_port_has_its_hexes() -> None:
    assert all(port.hexes and set(port.hexes) <= set(CELLS) for port in PORTS.values())
    assert PORTS["NEW YORK"].hexes == ("F01", "F02")


def test_r024_ten_british_and_five_german_pieces() -> None:
    war = begin("rheinuebung", {})
    assert (war.free_piece(BRITISH), war.free_piece(GERMAN)) == ("TF9", "KG4")
    for number, side in ((9, BRITISH), (10, BRITISH), (4, GERMAN), (5, GERMAN)):
        force = war.forces["TF1" if side == BRITISH else "KG1"]
        war.forces[f"{'TF' if side == BRITISH else 'KG'}{number}"] = force
    assert (war.free_piece(BRITISH), war.free_piece(GERMAN)) == ("", "")


def test_r092_nine_actions_and_what_is_done_between_them() -> None:
    names = {GRAMMAR_NAMES[kind] for kind in programme.ACTS}
    actions = {"strike", "complete", "engage", "search", "pass", "signals", "course"}
    parts = {"split", "merge", "reinforce", "recon", "attack"}
    assert names == actions | parts | {"port", "leave port", "disperse"}


GRAMMAR_NAMES = {verb.type: verb.name for verb in verbs.GRAMMAR.verbs}


@pytest.mark.parametrize("ship", ["DUNKERQUE", "BEARN", "WASHINGTON", "WICHITA"])
def test_r219_french_and_american_ships_are_british_in_control(ship: str) -> None:
    assert tables.cards()[ship].side == BRITISH


def test_house_tables_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be replaced"):
        begin("berlin", {}, {"ships.toml": ""})


def test_9_4_a_destroyer_squadron_escorts_pq_17_by_option() -> None:
    assert "DD SQUADRON" not in begin("roesselsprung", {"escort": "none"}).ships
    war = begin("roesselsprung", {"escort": "squadron"})
    assert war.forces["TF1"].ships == ["CONVOY 1", "DD SQUADRON"]
    assert war.total(GERMAN) == 1


def test_9_3_the_late_convoy_stays_until_spell_6() -> None:
    from games.atlantic_chase.victory import require_sailing

    war = begin("berlin", {})
    war.turn = 5
    with pytest.raises(Refused):
        require_sailing(war, war.forces["TF7"])
    war.turn = 6
    require_sailing(war, war.forces["TF7"])


def test_r091_agreed_runs_stop_at_milestones_alone() -> None:
    """7.1 A ship damaged or sunk, also by Hits on the map; a Hit that changes nothing is none."""
    hit = partial(ShipHit, rule="R181", ship="HOOD", hits=1)
    assert not SYSTEM.public(hit(state="afloat"))
    assert SYSTEM.public(hit(state="damaged")) and SYSTEM.public(hit(state="sunk"))
    assert SYSTEM.public(ShipDamaged(rule="R178", ship="HOOD", state="damaged"))
    placed = StationPlaced(rule="R177", force="KG1", at="K08", name="Bismarck")
    assert SYSTEM.public(placed)
    lapsed = Lapsed(rule="R047", force="TF1", gone=("I12",), left=1, station="")
    assert not SYSTEM.public(lapsed)
