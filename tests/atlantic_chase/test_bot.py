"""Bots read reports and write orders. Whole games: test_games."""

from __future__ import annotations

from typing import Any

import pytest

from games.atlantic_chase import bot
from games.atlantic_chase.board import BRITISH, GERMAN
from games.atlantic_chase.game import SYSTEM
from games.atlantic_chase.state import War
from pbem.bots.bot_orders import Match
from pbem.model import Side

OPTIONS = {o.name: o.values[0] for o in SYSTEM.options}


def told(side: Side, scenario: str, luck: str = "y 1", **forces: dict[str, Any]) -> list[str]:
    """A bot's order lines with Initiative in good weather, some Task Forces changed."""
    match = Match(SYSTEM, scenario, OPTIONS, "y")
    war = match.drive.state
    assert isinstance(war, War)
    war.active, war.weather = side, "good"
    for id_, fields in forces.items():
        force = war.forces[id_]
        force.line, force.at, force.box = [], "", ""
        for name, value in fields.items():
            setattr(force, name, value)
    return bot.orders(side, match.report(side).plain, luck).splitlines()


def programme(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith("@")]


def test_the_same_report_and_luck_give_the_same_orders() -> None:
    assert told(GERMAN, "berlin") == told(GERMAN, "berlin")
    assert len({str(told(GERMAN, "berlin", f"luck {n}")) for n in range(9)}) > 1


def test_only_the_active_side_writes_a_programme() -> None:
    match = Match(SYSTEM, "rheinuebung", OPTIONS, "y")
    lines = bot.orders(BRITISH, match.report(BRITISH).plain, "y 1").splitlines()
    assert lines and programme(lines) == []


def test_standing_orders_are_given_once_and_again_when_one_is_missing() -> None:
    match = Match(SYSTEM, "rheinuebung", OPTIONS, "y")
    report = match.report(BRITISH).plain
    first = bot.orders(BRITISH, report, "y 1").splitlines()
    assert bot.orders(BRITISH, {**report, "standing": first}, "y 1") == ""
    again = bot.orders(BRITISH, {**report, "standing": first[1:]}, "y 1").splitlines()
    assert again == [line for line in first if line.startswith("@BRITISH:")]


def test_standing_orders_in_force_are_written_as_the_bot_writes_them() -> None:
    """Else it would send them in every mail."""
    match = Match(SYSTEM, "rheinuebung", OPTIONS, "y")
    match.window()
    lines = bot.orders(BRITISH, match.report(BRITISH).plain, "y 2").splitlines()
    assert not [line for line in lines if line.startswith("@BRITISH:")]


@pytest.mark.parametrize(
    ("line", "intel", "completes"),
    [(["H13", "H12"], [], True), (["H13", "H12"], ["H12"], False), (["G10", "G09"], [], False)],
)
def test_r109_a_convoy_completes_at_its_port(
    line: list[str], intel: list[str], completes: bool
) -> None:
    lines = told(BRITISH, "rheinuebung", TF6={"line": line, "intel": intel})
    assert ("TF6: complete;" in lines) == completes


def test_r138_a_line_with_intel_becomes_a_station_and_is_engaged() -> None:
    line = ["K08", "K09"]
    lines = told(BRITISH, "rheinuebung", KG1={"line": line, "intel": ["K08"]}, TF2={"at": "K08"})
    assert "BRITISH: signals KG1 at K08;" in lines
    assert "TF2: if station KG1 then engage KG1 else search KG1;" in lines


def test_r102_airbases_strike_in_good_weather_only() -> None:
    lines = told(BRITISH, "rheinuebung", KG1={"at": "I12"})
    assert any(": strike KG1 at I12" in line for line in lines)


def test_the_raiders_of_cerberus_make_for_home() -> None:
    """Their operation scores in Wilhelmshaven and Kiel, so they seek no fight."""
    lines = programme(told(GERMAN, "cerberus"))
    assert any(line.startswith("KG1: course") for line in lines)
    assert not any("engage" in line or "search" in line for line in lines)
