"""3, 4.1 The order of appearance and its notes 7-14."""

from __future__ import annotations

import pytest

from games.bismarck import availability, tables
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.events import (
    AirReady,
    EscortLeft,
    Mobilised,
    OrderFailed,
    Released,
    Scored,
    ShipEntered,
)
from games.bismarck.state import War
from games.bismarck.verbs import GRAMMAR
from orders.book import opened
from tests.bismarck.fake_table import FakeTable, begin, books

IN_PORT = ["KING GEORGE V", "VICTORIOUS", "KENYA", "GALATEA", "HERMIONE", "AURORA", "REPULSE"]
FORCE_H = ["ARK ROYAL", "RENOWN", "SHEFFIELD"]


def announce(war: War, turn: int) -> FakeTable:
    war.turn = turn
    table = FakeTable()
    availability.announce(table, war)
    return table


def hold(war: War, ship: str) -> str:
    return war.ships[ship].hold


def test_3_everybody_is_at_his_place() -> None:
    war = begin()
    places = {s.id: s.zone for s in war.ships.values()}
    assert len(places) == 24 and len(war.air) == 22
    assert [places[n] for n in ("BISMARCK", "HOOD", "RODNEY", "RAMILLIES", "EDINBURGH")] == [
        "F20",
        "G15",
        "K18",
        "S7",
        "T17",
    ]
    assert places["REVENGE"] == places["DORSETSHIRE"] == ""
    assert {u.base for u in war.air.values() if u.type == "torpedo"} == {"VICTORIOUS", "ARK ROYAL"}
    assert war.level == 4 and war.fog and war.turn == 4


def test_notes_7_8_free_the_turn_after_a_german_ship_is_located() -> None:
    war = begin()
    war.turn = 5
    war.discover("PRINZ EUGEN")
    assert all(hold(war, n) == "port" for n in IN_PORT)
    announce(war, 5)
    assert all(hold(war, n) == "port" for n in IN_PORT)
    table = announce(war, 6)
    (freed,) = table.heard(Released)
    assert sorted(n.upper() for n in freed.who) == sorted(IN_PORT)
    assert not table.heard(Released, GERMAN)


def test_notes_7_8_free_once_bergen_was_seen_empty() -> None:
    war = begin()
    war.bergen_seen_empty = 6
    announce(war, 6)
    assert hold(war, "REPULSE") == "port"
    announce(war, 7)
    assert hold(war, "REPULSE") == ""


def test_notes_7_8_our_safety_valve() -> None:
    war = begin()
    announce(war, 11)
    assert hold(war, "REPULSE") == "port"
    announce(war, 12)
    assert hold(war, "REPULSE") == ""


def test_note_10_force_h_sails_four_turns_after_the_bismarck_is_located() -> None:
    war = begin()
    war.turn = 8
    war.discover("PRINZ EUGEN")
    war.turn = 9
    war.discover("BISMARCK")
    announce(war, 12)
    assert all(hold(war, n) == "later" for n in FORCE_H)
    announce(war, 13)
    assert all(hold(war, n) == "" for n in FORCE_H)


@pytest.mark.parametrize(("zone", "free"), [("J17", True), ("I17", False)])
def test_note_11_edinburgh_patrols_until_a_german_is_within_ten_zones(
    zone: str, free: bool
) -> None:
    war = begin()
    edinburgh = war.ships["EDINBURGH"]
    assert edinburgh.mode == "patrol"
    war.ships["BISMARCK"].zone = type(edinburgh.zone)(zone)
    war.discover("BISMARCK")
    announce(war, 5)
    assert (edinburgh.hold == "") == free


def test_note_13_revenge_enters_at_turn_17_or_later_as_chosen() -> None:
    war = begin()
    war.turn = 10
    table = FakeTable()
    availability.choices(table, war, books(war, british="BRITISH: enter REVENGE turn 19;"))
    assert not table.told
    for turn in (17, 18):
        assert not announce(war, turn).heard(ShipEntered)
    table = announce(war, 19)
    assert [(e.who, e.zone) for e in table.heard(ShipEntered)] == [("Revenge", "L3")]
    assert not table.heard(ShipEntered, GERMAN)


def test_note_13_without_a_choice_revenge_enters_at_once() -> None:
    war = begin()
    assert not announce(war, 16).heard(ShipEntered)
    assert announce(war, 17).heard(ShipEntered)


def test_note_13_no_earlier() -> None:
    war = begin()
    table = FakeTable()
    no = {BRITISH: ["bad-turn"]}
    availability.choices(table, war, books(war, "BRITISH: enter REVENGE turn 16;", refused=no))
    assert not war.entries


def test_note_13_a_standing_choice_that_was_carried_out_is_no_order_that_fails() -> None:
    war = begin()
    war.turn = 10
    table = FakeTable()
    given = books(war, british="@BRITISH: enter REVENGE turn 19;")
    availability.choices(table, war, given)
    announce(war, 19)
    war.turn = 20
    given[BRITISH] = opened(GRAMMAR, war.turn, given[BRITISH].standing)
    availability.choices(table, war, given)
    assert not table.heard(OrderFailed)


def test_note_14_dorsetshire_enters_at_turn_23() -> None:
    war = begin()
    announce(war, 22)
    assert war.ships["DORSETSHIRE"].zone == ""
    announce(war, 23)
    assert war.ships["DORSETSHIRE"].zone == "Z10"


def test_note_14_the_card_puts_her_elsewhere() -> None:
    war = availability.begin("basic", {"dorsetshire": "Z20"}, {})
    announce(war, 23)
    assert war.ships["DORSETSHIRE"].zone == "Z20"


def test_5_2_the_bismarck_may_have_twelve_factors() -> None:
    war = availability.begin("basic", {"fuel": "twelve"}, {})
    assert war.ships["BISMARCK"].fuel == war.ships["BISMARCK"].tank == 12


def test_12_42_an_escort_is_mobilised_for_a_point() -> None:
    war = begin()
    war.turn = 5
    war.discover("BISMARCK")
    war.turn = 6
    given = books(war, british="BRITISH: mobilise RODNEY;")
    war.found.clear()
    table = FakeTable()
    availability.convoy_phase(table, war, given)
    assert table.heard(OrderFailed) and hold(war, "RODNEY") == "escort"
    assert not table.heard(OrderFailed, GERMAN)
    war.turn = 5
    war.discover("BISMARCK")
    war.turn = 6
    table = FakeTable()
    availability.convoy_phase(table, war, given)
    assert hold(war, "RODNEY") == ""
    assert [e.who for e in table.heard(Mobilised, BRITISH)] == ["Rodney"]
    assert not table.heard(Mobilised, GERMAN)
    assert table.heard(EscortLeft, GERMAN)
    (score,) = table.heard(Scored)
    assert (score.side, score.points) == (GERMAN, 1)
    assert "Rodney" not in score.what
    availability.convoy_phase(table, war, given)
    assert len(table.heard(Scored)) == 1


def test_6_42_the_owner_hears_that_a_unit_is_ready() -> None:
    war = begin()
    war.air["SCAPA1"].ready = 9
    table = announce(war, 9)
    assert [e.who for e in table.heard(AirReady)] == [("LR recon Scapa Flow 1",)]
    assert not table.heard(AirReady, GERMAN)


def test_release_figures_are_data() -> None:
    notes = tables.release({})
    assert (notes.later, notes.patrol_within, notes.port_latest) == (4, 10, 12)
