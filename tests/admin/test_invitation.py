"""What an invitation says of a game is what the game is."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from pbem.admin.commands import schedule
from pbem.admin.invitation import about
from pbem.admin.setup import Choices
from pbem.bots.bot_orders import Match
from pbem.store.game_dir import writing
from pbem.turns.schedule import read_rule
from tests.conftest import Clock
from tests.referee import Referee

SCENARIOS = [(name, one.name) for name in games.SYSTEMS for one in games.load(name).scenarios]


@pytest.mark.parametrize(("name", "scenario"), SCENARIOS)
def test_the_first_turn_of_a_scenario_is_that_of_its_first_report(name: str, scenario: str) -> None:
    system = games.load(name)
    (one,) = [s for s in system.scenarios if s.name == scenario]
    begun = Match(system, scenario, {}, "x").report(one.sides[0]).turn
    assert one.first == max(1, begun)  # a set-up is turn 0


def said(home: Path, system: str, scenario: str, play: str) -> str:
    options = {"play": play}
    choices = Choices(seed="x", scenario=scenario, options=options)
    referee = Referee.made(home, games.load(system), choices)
    with writing(home, referee.name) as game:
        schedule(game, read_rule(["every=2d at=20:00 zone=Europe/Berlin"]))
    register = referee.register
    return "\n".join(about(register, referee.system, register.sides[0]))


def test_turns_are_counted_and_their_numbers_named(tmp_path: Path, clock: Clock) -> None:
    plotted = said(tmp_path, "bismarck", "basic", "plotted")
    assert "Length: at most 31 turns. They are numbered 4 to 34." in plotted
    assert "Time: a turn stays open at least 2 days" in plotted
    assert "Choices go by mail" not in plotted


def test_who_plays_by_questions_hears_of_several_windows(tmp_path: Path, clock: Clock) -> None:
    asked = said(tmp_path, "far_seas", "coronel", "asked")
    assert "Length: at most 5 turns. They are numbered 6 to 10." in asked
    assert "Time: each window of a turn stays open at least 2 days" in asked
    assert "a turn may take several windows" in asked
