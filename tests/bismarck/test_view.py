"""What a side's report shows: own units, own knowledge, a chart that fits a mail."""

from __future__ import annotations

import pytest

from games.bismarck import board, chart_text, view
from games.bismarck.battle import fire
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.game import SYSTEM
from games.bismarck.knowledge import Contact
from games.bismarck.menu import form
from games.bismarck.report import SearchBoard
from games.bismarck.state import AirMode, Plan, TaskForce
from pbem.model import Side
from pbem.player.reader import read_text
from pbem.testing.orders import judged, shown
from tests.bismarck.fake_table import FakeTable, begin, report
from tests.reporting import whole

SIDES = (BRITISH, GERMAN)


@pytest.mark.parametrize("side", SIDES)
def test_only_own_units_are_shown(side: str) -> None:
    war = begin()
    own = {i for i, s in war.ships.items() if s.side == side and s.zone}
    own |= {i for i, u in war.air.items() if u.side == side}
    assert {u.id for u in view.view(war, Side(side)).units} == own


def test_the_referee_sees_both() -> None:
    war = begin()
    assert len(view.truth(war).units) == sum(len(view.view(war, s).units) for s in SIDES)


def test_the_referee_s_chart_shows_both() -> None:
    drawn = view.truth(begin()).board
    assert isinstance(drawn, SearchBoard)
    assert (drawn.chart.foe, "HD+" in drawn.chart.own) == (["BK+"], True)


@pytest.mark.parametrize("side", SIDES)
def test_the_form_as_it_stands_is_a_valid_set(side: str) -> None:
    war = begin()
    seen = {**report(war, Side(side)), "questions": []}
    text = "BEGIN ORDERS\n" + "\n".join(seen["form"]) + "\nEND ORDERS\n"
    assert read_text(SYSTEM, whole(seen), text).diagnostics == ()


@pytest.mark.parametrize("side", SIDES)
def test_the_chart_fits_the_mail_and_shows_every_zone(side: str) -> None:
    bare = chart_text.draw(chart_text.Marks(), side)
    assert len(bare.rows) == 26
    assert max(map(len, bare.rows)) <= 72
    assert max(map(len, bare.legend)) <= 62
    drawn = sum(len(row[1:].replace("###", " # ").split()) for row in bare.rows)
    assert drawn == len(chart_text.sheet().places)
    assert set(board.SEA) <= set(chart_text.sheet().places)


def test_neighbours_stand_next_to_each_other_on_the_chart() -> None:
    """2.2: a mark in each of the six neighbours lies within two lines and four columns."""
    centre = "M12"
    rows = chart_text.draw(chart_text.Marks(own={centre: "@@"}), GERMAN).rows
    line, at = next((i, r.index("@@")) for i, r in enumerate(rows) if "@@" in r)
    for zone in board.around(centre):
        rows = chart_text.draw(chart_text.Marks(own={str(zone): "@@"}), GERMAN).rows
        there, column = next((i, r.index("@@")) for i, r in enumerate(rows) if "@@" in r)
        assert abs(there - line) <= 1
        assert abs(column - at) <= 3


def test_contacts_are_drawn_by_age_and_the_first_number_of_a_zone_wins() -> None:
    war = begin()
    war.turn = 10
    for id_, zone, turn in (("EN1", "M12", 9), ("EN2", "M12", 9), ("EN3", "K10", 6)):
        war.known[BRITISH].contacts[id_] = Contact(id_, "BB", Zone(zone), turn, "search")
    chart = view.view(war, BRITISH).board
    assert isinstance(chart, SearchBoard)
    assert chart.chart.foe == ["X1", "x3"]


def test_the_zones_around_a_huff_duff_place_are_marked_at_sea() -> None:
    war = begin()
    heard = Contact("EN1", "BB", Zone("G1"), 4, "HUFF-DUFF")
    war.known[BRITISH].contacts["EN1"] = heard
    assert "".join(view.chart(war, BRITISH).rows).count("?") == 4  # the rest is off the board


@pytest.mark.parametrize(
    ("name", "mark"),
    [("Prince of Wales", "PW"), ("King George V", "KG"), ("Hood", "HD"), ("Repulse", "RP")],
)
def test_own_ships_are_marked_by_two_letters(name: str, mark: str) -> None:
    assert view.abbreviation(name) == mark


def test_own_task_forces_are_marked_by_their_number() -> None:
    war = begin()
    war.forces[BRITISH]["TF7"] = TaskForce("TF7", ["HOOD", "PRINCE OF WALES"])
    for id_ in ("HOOD", "PRINCE OF WALES"):
        war.ships[id_].force = "TF7"
    assert view.own_marks(war, BRITISH)["G15"] == "T7"


def test_task_forces_stand_in_the_order_of_their_names() -> None:
    war = begin()
    for name, ids in (("TF2", ["NORFOLK", "KENYA"]), ("TF1", ["HOOD", "SUFFOLK"])):
        war.forces[BRITISH][name] = TaskForce(name, ids)
    assert [u.id for u in view.view(war, BRITISH).units][:2] == ["TF1", "TF2"]


def test_a_task_force_shows_its_least_fuel_and_evasion() -> None:
    war = begin()
    war.ships["HOOD"].fuel, war.ships["HOOD"].hits.permanent = 3, 5
    shown = view.force_view(war, TaskForce("TF1", ["HOOD", "PRINCE OF WALES"]))
    assert (shown.fuel, shown.evasion) == ("3", 24)
    cruisers = view.force_view(war, TaskForce("TF2", ["NORFOLK", "SUFFOLK"]))
    assert (cruisers.fuel, cruisers.evasion) == ("-", 31)


def test_the_subject_of_a_mail_names_the_contacts_of_this_turn_and_the_last() -> None:
    war = begin()
    for number, turn in ((1, 10), (2, 9), (3, 8)):
        id_ = f"EN{number}"
        war.known[BRITISH].contacts[id_] = Contact(id_, "BB", Zone("M12"), turn, "search")
    contacts = view.enemies(war.known[BRITISH], 10)
    assert [c.age for c in contacts] == [0, 1, 2]
    assert view.news(war, contacts) == "EN1 BB M12, EN2 BB M12"
    assert view.news(war, []) == "visibility 4, fog"


def test_the_subject_of_a_mail_names_three_contacts_at_most() -> None:
    war = begin()
    for number in range(1, 5):
        id_ = f"EN{number}"
        war.known[BRITISH].contacts[id_] = Contact(id_, "CA", Zone("M12"), 10, "search")
    news = view.news(war, view.enemies(war.known[BRITISH], 10))
    assert news == "EN1 CA M12, EN2 CA M12, EN3 CA M12"


def test_own_marks_are_all_different() -> None:
    war = begin()
    marks = [view.abbreviation(s.name) for s in war.ships.values() if s.side == BRITISH]
    assert len(set(marks)) == len(marks)


def test_several_units_in_a_zone_are_marked_so() -> None:
    war = begin()
    assert view.own_marks(war, BRITISH)["G15"] == "HD+"
    war.ships["SUFFOLK"].zone = Zone("G15")  # a third changes nothing
    assert view.own_marks(war, BRITISH)["G15"] == "HD+"


@pytest.mark.parametrize("side", SIDES)
def test_no_menu_names_a_zone_or_an_enemy(side: str) -> None:
    """Menus are short: paths are left to the board, units are the side's own."""
    war = begin()
    seen = view.view(war, Side(side))
    own = {u.id for u in seen.units} | {"REVENGE"}
    for items in seen.menu.values():
        for item in items:
            for arg in item.args:
                assert arg.kind not in ("path", "places", "place") or not arg.values
                assert arg.kind not in ("unit", "units") or set(arg.values) <= own


@pytest.mark.parametrize(
    ("unit", "strikes", "patrols"), [("EIRE1", False, True), ("BREST BOMBERS", True, False)]
)
def test_9_11_bombers_may_be_told_to_strike_and_lr_recon_to_patrol(
    unit: str, strikes: bool, patrols: bool
) -> None:
    war = begin()
    side = war.air[unit].side
    verbs = {item.verb for item in view.view(war, side).menu[unit]}
    assert ("strike" in verbs, "patrol" in verbs) == (strikes, patrols)


def test_a_long_mark_does_not_run_into_a_zones_number() -> None:
    free = chart_text.draw(chart_text.Marks(), BRITISH).rows[8]
    drawn = chart_text.draw(chart_text.Marks(own={"I9": "T1+"}), BRITISH).rows[8]
    assert " 10" in free
    assert "T1+. " in drawn
    assert "T1+10" not in drawn


def test_the_suggested_set_searches_for_the_hunter_alone() -> None:
    war = begin()
    assert form(war, BRITISH)[1] == "BRITISH: search all;"
    assert form(war, GERMAN)[0] == "GERMAN: search none;"


def test_the_form_of_a_quiet_turn_tells_of_runs_and_agrees_to_none() -> None:
    """Not to the German in Bergen, who has to leave it in time (12.33)."""
    war = begin()
    assert "RUN 2" in form(war, BRITISH)[0] and form(war, BRITISH)[0].startswith("[ ")
    assert "RUN" not in "".join(form(war, GERMAN))
    war.ships["BISMARCK"].zone = Zone("V10")
    assert "RUN 2" in form(war, GERMAN)[0]
    war.turn, war.known[BRITISH].contacts["EN1"] = 9, Contact("EN1", "BB", Zone("V10"), 8, "search")
    assert "RUN" not in "".join(form(war, BRITISH))


def test_a_turn_after_own_ships_were_located_is_not_called_quiet() -> None:
    """Who was located has heard of it (7.23), and had better see every turn."""
    war = begin()
    war.turn, war.located_last[BRITISH] = 9, ["BISMARCK"]
    war.ships["BISMARCK"].zone = Zone("B9")
    assert not any("RUN 2" in line for line in form(war, GERMAN))
    assert any("RUN 2" in line for line in form(war, BRITISH))


def test_a_side_is_told_which_of_its_ships_were_sunk_and_when() -> None:
    war = begin()
    war.turn = 14
    war.ships["HOOD"].sunk = True
    fire.sink(FakeTable(), war, war.ships["HOOD"], "D6")
    assert view.view(war, BRITISH).lost == {"HOOD": "was sunk in turn 14, 0400 May 24"}
    assert not view.view(war, GERMAN).lost
    said = judged(SYSTEM, shown(SYSTEM, war, BRITISH), "HOOD: move D7;").diagnostics
    assert [d.text for d in said] == ["'HOOD' was sunk in turn 14, 0400 May 24"]


@pytest.mark.parametrize(
    ("path", "mode", "up", "line"),
    [
        ("K20 K21", "move", 1, "EIRE1: fly K20 K21;"),
        ("K20", "patrol", 1, "EIRE1: patrol K20;"),
        ("", "move", 1, "EIRE1: hold;"),
        ("", "patrol", 1, "EIRE1: patrol;"),
        ("", "move", 4, "EIRE1: return;"),
    ],
)
def test_6_21_the_form_lets_an_aircraft_go_on_as_without_orders(
    path: str, mode: AirMode, up: int, line: str
) -> None:
    war = begin()
    unit, zones = war.air["EIRE1"], tuple(map(Zone, path.split()))
    unit.zone, unit.mode, unit.up, unit.plan = Zone("K19"), mode, up, Plan(zones, zones)
    assert line in form(war, BRITISH)
