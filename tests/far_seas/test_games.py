"""Whole games: between the bots, and of players who order anything that the rules let them."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from games.far_seas.game import SYSTEM
from pbem.admin.setup import Choices, create, enlist_bot, open_game
from pbem.bots.bot_orders import play_bots
from pbem.bots.simulate import play
from pbem.reports.filters import UNBOUND
from pbem.store.game_dir import writing
from pbem.turns.close_window import run
from tests.conftest import Clock
from tests.luck import pinned
from tests.referee import Referee

OPTIONS = {o.name: o.values[0] for o in SYSTEM.options} | {"play": "plotted"}
SCENARIOS = [s.name for s in SYSTEM.scenarios]
ENDS = {"victory", "no raider left"}


def test_a_game_is_the_same_again() -> None:
    one, two = (play(games.load, "far_seas", "war", OPTIONS, "again") for _ in range(2))
    assert one == two and not one.fault


# Through files: signatures, reports, ledger


@pytest.mark.some(1)
@pytest.mark.parametrize(("scenario", "mode"), [("war", "plotted"), ("coronel", "asked")])
def test_games_through_files_are_whole(
    scenario: str, mode: str, tmp_path: Path, clock: Clock
) -> None:
    choices = Choices(scenario=scenario, options={"play": mode}, dice="seeded", seed="files")
    create(tmp_path, SYSTEM, "g1", choices)
    with writing(tmp_path, "g1") as game:
        for side in game.register.sides:
            enlist_bot(game, side)
        open_game(game, SYSTEM)
        while game.register.window and not game.register.over:
            play_bots(game, SYSTEM)
            run(game, SYSTEM)
    referee = Referee(tmp_path, SYSTEM)
    over = referee.register.over
    assert over and over.rule in ENDS
    found = referee.audit()
    assert found.whole, found.findings


def test_a_fast_game_without_anchors_is_whole(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sides stand in the rulebook's order, the German first; a ledger sorts them. Keys enlisted
    bare have no link at first, and reports name the sides that have none."""
    pinned(monkeypatch, "emden 2")
    referee = Referee.made(tmp_path, SYSTEM, Choices(scenario="emden", options={}, dice="fast"))
    referee.open()
    for _ in range(3):
        referee.go("german", "british")
    flags = referee.report("british", 2)["flags"]
    assert UNBOUND.format(sides="german, british") in flags
    found = referee.audit()
    assert found.whole, found.findings
