"""Bots read reports and write orders. Whole games: test_games."""

from __future__ import annotations

from typing import Any

import pytest

from games.atlantic_chase import bot
from games.atlantic_chase.board import BRITISH, GERMAN
from games.atlantic_chase.game import SYSTEM
from games.atlantic_chase.state import War
from pbem.bots.bot_orders import Match, waits
from pbem.model import Side

OPTIONS = {o.name: o.values[0] for o in SYSTEM.options}


def told(side: Side, scenario: str, luck: str = "y 1", **forces: dict[str, Any]) -> list[str]:
    """A bot's order lines with Initiative in good weather, some Task Forces changed; with strict
    dice, in which it runs no spells."""
    match = Match(SYSTEM, scenario, OPTIONS, "y")
    war = match.drive.state
    assert isinstance(war, War)
    war.active, war.weather = side, "good"
    for id_, fields in forces.items():
        force = war.forces[id_]
        force.line, force.at, force.box = [], "", ""
        for name, value in fields.items():
            setattr(force, name, value)
    report = {**match.report(side).plain, "dice_mode": "strict"}
    return bot.orders(side, report, luck).splitlines()


def programme(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith(("@", "RUN", "turn"))]


def test_the_same_report_and_luck_give_the_same_orders() -> None:
    assert told(GERMAN, "berlin") == told(GERMAN, "berlin")
    assert len({str(told(GERMAN, "berlin", f"luck {n}")) for n in range(9)}) > 1


def test_only_the_active_side_writes_a_programme() -> None:
    """The other has its standing orders, as the game begins."""
    match = Match(SYSTEM, "cerberus", OPTIONS, "y")
    lines = bot.orders(BRITISH, match.report(BRITISH).plain, "y 1").splitlines()
    assert lines and programme(lines) == []


def test_standing_orders_are_given_once_and_again_when_one_is_missing() -> None:
    match = Match(SYSTEM, "cerberus", OPTIONS, "y")
    report = match.report(BRITISH).plain
    first = bot.orders(BRITISH, report, "y 1").splitlines()
    assert bot.orders(BRITISH, {**report, "standing": first}, "y 1") == ""
    again = bot.orders(BRITISH, {**report, "standing": first[1:]}, "y 1").splitlines()
    assert again == [line for line in first if line.startswith("@BRITISH:")]


def test_standing_orders_in_force_are_written_as_the_bot_writes_them() -> None:
    """Else it would send them in every mail."""
    match = Match(SYSTEM, "cerberus", OPTIONS, "y")
    match.window()
    lines = bot.orders(BRITISH, match.report(BRITISH).plain, "y 2").splitlines()
    assert not [line for line in lines if line.startswith("@BRITISH:")]


def test_a_side_that_owes_no_mail_sends_none() -> None:
    """After the first window, in which both send their standing orders."""
    match = Match(SYSTEM, "cerberus", OPTIONS, "y")
    match.window()
    report = match.report(GERMAN).plain
    assert report["owed"] == ["british"]
    assert bot.orders(GERMAN, report, "y 2") == ""


@pytest.mark.parametrize(
    ("line", "intel", "completes"),
    [(["H13", "H12"], [], True), (["H13", "H12"], ["H12"], False), (["G10", "G09"], [], False)],
)
def test_r109_a_convoy_completes_at_its_port(
    line: list[str], intel: list[str], completes: bool
) -> None:
    lines = told(BRITISH, "rheinuebung", TF6={"line": line, "intel": intel})
    assert ("TF6: complete;" in lines) == completes


@pytest.mark.parametrize("mail", ["action", "full"])
def test_the_bots_wait_in_every_window_that_they_owe_nothing(mail: str) -> None:
    """`bots_wait`: no report is made for them there, and they would write nothing."""
    match = Match(SYSTEM, "nordmark", OPTIONS | {"play": "asked", "mail": mail}, "wait 1")
    silent = 0
    for _ in range(12):
        for side in match.drive.sides:
            if waits(SYSTEM, match.drive, side):
                silent += 1
                assert bot.orders(side, match.report(side).plain, "wait 1 9") == ""
        match.window()
    assert silent >= 8


def test_in_narrow_seas_hunters_lay_courses_once_a_spell_and_again_after_a_battle() -> None:
    """A line that a search has shortened would grow again, into hexes that give Intel."""
    match = Match(SYSTEM, "nordmark", OPTIONS | {"play": "asked"}, "y")
    war = match.drive.state
    assert isinstance(war, War)
    war.forces["KG1"].box, war.forces["KG1"].at = "", "J11"
    report = {**match.report(GERMAN).plain, "window": 5}
    board = {**report["board"], "actions": 2}
    fought = [{"kind": "BattleEnded"}]

    def courses(**changed: Any) -> list[str]:
        lines = bot.orders(GERMAN, {**report, "events": [], **changed}, "y 1").splitlines()
        return [line for line in lines if "KG2: course" in line]

    assert courses() and not courses(board=board) and courses(board=board, events=fought)


def test_r138_a_line_with_intel_becomes_a_station_and_is_engaged() -> None:
    line = ["K08", "K09"]
    lines = told(BRITISH, "rheinuebung", KG1={"line": line, "intel": ["K08"]}, TF2={"at": "K08"})
    assert "BRITISH: signals KG1 at K08;" in lines
    assert "TF2: if station KG1 then engage KG1;" in lines


def test_r102_airbases_strike_in_good_weather() -> None:
    lines = told(BRITISH, "rheinuebung", KG1={"at": "I12"})
    assert any(": strike KG1" in line for line in lines)


def test_what_costs_no_initiative_comes_first() -> None:
    """A course that stands below a strike is lost with Initiative."""
    lines = programme(told(BRITISH, "rheinuebung", KG1={"at": "I12"}, TF5={"at": "H12"}))
    verbs = [line.partition(": ")[2].split()[0] for line in lines]
    assert "course" in verbs and "strike" in verbs
    assert max(i for i, v in enumerate(verbs) if v == "course") < verbs.index("strike")


def test_later_actions_wait_for_what_earlier_ones_leave() -> None:
    """The first line of the hunt alone has no condition; a target that is gone does no harm."""
    lines = told(BRITISH, "rheinuebung", KG1={"at": "I12"}, TF2={"at": "I12"}, TF1={"at": "I12"})
    hunts = [line for line in lines if "strike KG1" in line or "engage KG1" in line]
    assert len(hunts) > 1 and all(" then " in line for line in hunts[1:])


def test_a_boat_shows_a_line_and_signals_make_it_a_station() -> None:
    """R144, R138 In one programme: Recon, Signals, and who attacks the Station."""
    line = ["G10", "F10", "F09", "E09", "E08"]
    games = [told(GERMAN, "rheinuebung", f"y {n}", TF6={"line": line}) for n in range(9)]
    scouting = next(g for g in games if any("then attack TF6" in line for line in g))
    at = next(line.split()[2].rstrip(";") for line in scouting if ": recon" in line)
    assert f"GERMAN: if intel of TF6 at least 1 then signals TF6 at {at};" in scouting


def test_a_raider_makes_for_a_tanker_and_becomes_a_station_there() -> None:
    """Special rule `rendezvous`: both must be Stations of one hex."""
    force = {"line": ["H09", "G09", "G08"]}
    games = [told(GERMAN, "rheinuebung", f"meet{n} 2", KG1=force) for n in range(6)]
    assert any("@KG1: lapse toward G08 station G08;" in lines for lines in games)


def test_fleets_far_apart_run_the_first_spells_in_one_mail() -> None:
    """Both sides agree to four spells of Berlin, and to none where dice are strict."""
    match = Match(SYSTEM, "berlin", OPTIONS, "y")
    for side, spell in ((GERMAN, 3), (BRITISH, 4)):
        report = match.report(side).plain
        text = bot.orders(side, report, "y 1")
        assert (
            text.startswith("RUN 4;\n")
            and "strike" not in text
            and f"turn {spell} {side.upper()}: finish pass" in text
        )
        assert "RUN" not in bot.orders(side, {**report, "dice_mode": "strict"}, "y 1")
    closings = [match.window() for _ in range(3)]
    assert [c.window for c in closings] == [1, 2, 3] and match.mails == 1


def test_r008_damaged_at_a_port_it_waits_in_the_box() -> None:
    match = Match(SYSTEM, "roesselsprung", OPTIONS, "y")
    war = match.drive.state
    assert isinstance(war, War)
    war.forces["TF3"].line, war.forces["TF3"].at = [], "I12"
    war.ships["LONDON"].damaged = True
    lines = bot.orders(BRITISH, match.report(BRITISH).plain, "y 1").splitlines()
    assert "TF3: port;" in lines


def test_the_raiders_of_cerberus_make_for_home() -> None:
    """Their operation scores in Wilhelmshaven, so they seek no fight."""
    lines = programme(told(GERMAN, "cerberus"))
    assert any(line.startswith("KG1: course") for line in lines)
    assert not any("engage" in line or "search" in line for line in lines)
