"""The whole turn: bots and random players through many windows, and the order of the phases."""

from __future__ import annotations

import pytest

from games.bismarck import calendar
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.game import SYSTEM
from pbem.bots.bot_orders import Match
from pbem.engine.drive import Drive
from pbem.engine.position import encode
from pbem.model import Side

OPTIONS = {"visibility": "errata", "fuel": "standard", "dorsetshire": "Z10"}


def match(seed: str) -> Match:
    return Match(SYSTEM, "basic", OPTIONS, seed)


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_two_bots_play_to_the_end(seed: str) -> None:
    """11.23, 12.14: 31 turns at most, sound after every one."""
    game = match(seed)
    windows = list(game.play())
    assert 1 <= len(windows) <= 31
    assert game.drive.over is not None and game.drive.over.result in (BRITISH, GERMAN, "draw")


def test_a_game_can_be_resumed_at_every_window_and_comes_out_the_same() -> None:
    game = match("resume")
    for _ in range(8):
        game.window()
        position = game.drive.position()
        again = Drive.resume(SYSTEM, game.drive.sides, OPTIONS, position)
        assert encode(again.state) == encode(game.drive.state)


def test_without_orders_the_game_ends_in_bergen() -> None:
    """12.33: nobody sails, so the third turn is the last."""
    game = match("silence")
    while game.drive.over is None:
        game.drive.close({}, game.dice)
    assert (game.drive.state.turn, game.drive.over.rule) == (6, "12.33")


def test_the_weather_of_a_turn_is_told_before_its_orders() -> None:
    """4.2: what the report shows is what the turn will have."""
    game = match("weather")
    closing = game.window()
    told = [t.event for t in closing.told if type(t.event).__name__ == "VisibilitySet"]
    board = game.report(Side("german")).plain["board"]
    assert [getattr(e, "level", "") for e in told] == [board["level"]]
    assert board["level"] == calendar.level_name(game.drive.state.level)


def test_everything_a_side_is_told_has_a_rule() -> None:
    game = match("rules")
    for _ in range(12):
        assert all(t.event.rule and t.to for t in game.window().told)
