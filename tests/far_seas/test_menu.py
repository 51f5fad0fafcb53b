"""What each ship is offered: by the board, by the ship, by the scenario; and the form."""

from __future__ import annotations

import msgspec
import pytest

from games.far_seas import setup
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.check import CHECKS
from games.far_seas.game import SYSTEM
from games.far_seas.menu import form, menu
from games.far_seas.state import War
from games.far_seas.view import view
from pbem.bots.bot_orders import Match
from pbem.model import Side
from pbem.player.in_force import without_orders
from pbem.player.reader import read_text
from pbem.reports.examples import with_examples
from pbem.testing.orders import judged, shown
from tests.far_seas.casebook import OPTIONS, play, position, report
from tests.far_seas.test_check import order


def sea(scenario: str = "war", **place: str) -> War:
    """Those ships alone, in the first segment."""
    ids = {id_.replace("_", " "): area for id_, area in place.items()}
    return position({"scenario": scenario, "place": ids})


def offered(war: War, side: Side, ship: str) -> dict[str, tuple[str, ...]]:
    """Verbs of a ship, each with the values of its first argument."""
    items = menu(war, side)[ship]
    return {item.verb: tuple(map(str, item.args[0].values)) if item.args else () for item in items}


def test_who_sails_alone_joins_nobody() -> None:
    assert "join" not in offered(sea(EMDEN="24"), GERMAN, "EMDEN")
    assert "join" in offered(sea(EMDEN="24", DRESDEN="7"), GERMAN, "EMDEN")


@pytest.mark.parametrize(("scenario", "far"), [("war", True), ("coronel", False)])
def test_g1_the_canal_is_offered_where_both_its_ends_are_in_play(scenario: str, far: bool) -> None:
    areas = offered(sea(scenario, LEIPZIG="20"), GERMAN, "LEIPZIG")["move"]
    assert "20" in areas
    assert ("7" in areas) is far


def test_g1_the_canal_of_the_allies_is_no_question() -> None:
    by = [a.name for i in menu(sea(SUFFOLK="7"), BRITISH)["SUFFOLK"] for a in i.args]
    assert "by" not in by


@pytest.mark.parametrize(
    ("ship", "area", "may"),
    [
        ("KRONPRINZ WILHELM", "7", True),
        ("KRONPRINZ WILHELM", "8", False),  # no neutral port
        ("DRESDEN", "7", False),  # no liner
    ],
)
def test_found_b_liners_are_interned_where_there_is_a_neutral_port(
    ship: str, area: str, may: bool
) -> None:
    assert ("intern" in offered(sea(**{ship: area}), GERMAN, ship)) is may


def test_found_b_who_has_no_port_hears_where_there_are() -> None:
    war = sea(KRONPRINZ_WILHELM="8")
    problem = CHECKS.check(order(war, GERMAN, "KRONPRINZ WILHELM: intern;"), report(war, GERMAN))
    assert problem
    assert problem.hint == "neutral ports are in 5, 6, 7, 9, 11, 19, 20, 24"


def test_the_form_names_leaders_and_lone_ships_and_leaves_who_lies_in_the_river_there() -> None:
    war = sea(SCHARNHORST="21", GNEISENAU="21", LEIPZIG="20", KONIGSBERG="31")
    war.ships["GNEISENAU"].leader = "SCHARNHORST"
    war.ships["KONIGSBERG"].duty = "river"
    inside, alone, squadron = form(war, GERMAN)
    assert inside == "KONIGSBERG: river; [stays in it]"
    assert alone == "LEIPZIG: cruise;"
    assert squadron == "SCHARNHORST: cruise; [with her squadron: GNEISENAU]"


@pytest.mark.parametrize("scenario", ["war", "coronel"])
def test_m5_unedited_forms_keep_the_squadrons_of_the_start_together(scenario: str) -> None:
    game = Match(SYSTEM, scenario, {**OPTIONS, "play": "plotted"}, "form")
    sets = {}
    for side in (GERMAN, BRITISH):
        seen = game.report(side)
        text = "\n".join(["BEGIN ORDERS", *seen.suggest, "END ORDERS\n"])
        reading = read_text(SYSTEM, seen, text)
        assert not reading.diagnostics
        sets[side] = reading.orders
    game.drive.close(sets, game.dice)
    assert game.drive.state.ships["GNEISENAU"].leader == "SCHARNHORST"


def test_who_follows_a_leader_is_not_told_to_be_without_orders() -> None:
    war = sea(SCHARNHORST="21", GNEISENAU="21", LEIPZIG="20")
    war.ships["GNEISENAU"].leader = "SCHARNHORST"
    seen = shown(SYSTEM, war, GERMAN)
    reading = judged(SYSTEM, seen, "LEIPZIG: cruise;")
    assert without_orders(SYSTEM, seen, reading) == ["Scharnhorst"]


def test_who_has_moved_in_this_turn_is_not_told_to_be_without_orders() -> None:
    war = sea(LEIPZIG="20", EMDEN="25")
    war.ships["EMDEN"].moved = True
    seen = shown(SYSTEM, war, GERMAN)
    assert without_orders(SYSTEM, seen, judged(SYSTEM, seen, "")) == ["Leipzig"]


def test_the_allied_form_leaves_duties_alone() -> None:
    war = sea(SUFFOLK="7", BERWICK="7", GLORY="4")
    war.ships["BERWICK"].leader = "SUFFOLK"
    war.ships["GLORY"].duty = "convoy"
    assert form(war, BRITISH) == [
        "BRITISH: seek any;",
        "SUFFOLK: cruise; [with her squadron: BERWICK]",
    ]


def test_e2_more_escorts_than_merchants_leave_none() -> None:
    war = sea(GLORY="2", CANOPUS="2")
    for id_ in ("GLORY", "CANOPUS"):
        war.ships[id_].duty = "convoy"
    assert msgspec.to_builtins(view(war, GERMAN).board)["merchants"]["2"] == 0


def test_e4_segments_are_numbered_from_one() -> None:
    case = {
        "turns": 1,
        "place": {"EMDEN": "24", "DRESDEN": "7"},
        "orders": {"german": "EMDEN: cruise;"},
        "then": [{"german": "DRESDEN: cruise;"}],
    }
    _, table, _ = play(case)
    assert table.segments == [1, 2]


def test_a_scenario_has_no_segment_before_it_begins() -> None:
    assert setup.begin("emden", OPTIONS).segment == 0


@pytest.mark.parametrize("name", [s.name for s in SYSTEM.scenarios])
@pytest.mark.parametrize("side", [GERMAN, BRITISH])
def test_the_example_of_every_verb_of_a_report_is_one_that_its_side_may_send(
    name: str, side: Side
) -> None:
    """Allies are not told to join the Scharnhorst."""
    match = Match(SYSTEM, name, OPTIONS, "examples")
    made = match.report(side)
    found = with_examples(SYSTEM, made)
    assert all(verb.example for verb in found.values())
    assert name != "coronel" or side == GERMAN or found["join"].example == "ALBION: join ASAMA;"
