"""Searching bots that play a side of a game on disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import games
from games.toy.game import SYSTEM
from pbem.admin.setup import options_of
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match, luck
from pbem.bots.practice import NAME, begin, send
from pbem.bots.seats import Seats
from pbem.bots.strong import Strong
from pbem.bots.styled import styled
from pbem.model import Side, Window
from pbem.player.reader import read_text
from pbem.store import secrets
from pbem.store.game_dir import reading, writing
from pbem.turns.close_window import report_of
from tests.cli.commands import pbem
from tests.referee import Referee

SMALL = {"playouts": 4, "worlds": 2, "turns": 1, "particles": 20, "windows": 12}


@pytest.mark.parametrize("name", games.SYSTEMS)
def test_a_bot_made_again_orders_the_same(name: str) -> None:
    """From its reports and choices, as the program finds them at the next run."""
    system = games.load(name)
    scenario, options = system.scenarios[0], options_of(system, {})
    for side in scenario.sides:

        def made(of: Side = side) -> Strong:
            return Strong(system, scenario.name, options, of, "again", SMALL)

        bot, again = made(), made()
        match = Match(system, scenario.name, options, "again", players={side: bot})
        choices = dict[int, int]()
        for _ in range(5):
            match.window()
            choices[bot.reports[-1]["window"]] = bot.choice
        *past, last = [Report.of(json.loads(json.dumps(plain))) for plain in bot.reports]
        for report in past:
            again.recall(report, choices[report.window])
        again.orders(last)
        assert (again.explained, again.choice) == (bot.explained, choices[last.window])


STRONG = {Side("hunter"): "strong"}


def chosen(home: Path, game: str = NAME) -> list[int]:
    """The windows in which the hunter's bot chose."""
    seat = secrets.bot_seat(reading(home, game), "hunter")
    assert seat and seat.kind == "strong"
    return list(seat.chosen)


def test_a_practice_game_against_a_strong_bot_goes_on_later(tmp_path: Path) -> None:
    kept, anew = (begin(tmp_path / word, SYSTEM, "fox", {}, "x", bots=STRONG) for word in "ab")
    assert not chosen(kept.home)
    bots = Seats()
    for window in range(1, 4):
        send(kept, bots.play)
        send(anew, Seats().play)
        assert len(chosen(kept.home)) == len(chosen(anew.home)) == window
    assert Referee(kept.home, SYSTEM, NAME).audit().whole


def test_it_is_made_from_what_its_side_was_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    practice = begin(tmp_path, SYSTEM, "fox", {}, "x", bots=STRONG)
    for _ in range(2):
        send(practice, Seats().play)
    read = list[int]()
    real = Strong.recall

    def recall(self: Strong, report: Report, choice: int | None) -> None:
        seat = secrets.bot_seat(reading(practice.home, NAME), "hunter")
        assert seat and (report.side, choice) == ("hunter", seat.chosen[report.window])
        read.append(report.window)
        real(self, report, choice)

    monkeypatch.setattr(Strong, "recall", recall)
    send(practice, Seats().play)
    assert read == [1, 2]


def test_one_that_takes_over_reads_the_reports_before(tmp_path: Path) -> None:
    practice = begin(tmp_path, SYSTEM, "fox", {}, "x")
    send(practice)
    with writing(tmp_path, NAME) as game:
        secrets.stage_bot(game, "hunter", secrets.BotSeat("strong"))
        assert Seats().play(game, SYSTEM) == ["hunter"]
    assert chosen(tmp_path) == [2]


def test_the_commands(tmp_path: Path) -> None:
    """By `enlist`, `play` and `demo`; a system or scenario without such a bot is refused."""
    home = ("--home", str(tmp_path))
    assert pbem(*home, "init", str(tmp_path)).code == 0
    assert pbem(*home, "new", "toy", "g1").code == 0
    assert pbem(*home, "enlist", "g1", "fox", "--bot").code == 0
    assert pbem(*home, "enlist", "g1", "hunter", "--style", "strong").code == 0
    assert pbem(*home, "open", "g1").code == 0
    assert pbem(*home, "run", "g1").code == 0
    assert chosen(tmp_path, "g1") == [1]
    assert not (tmp_path / "g1/private/bot-fox.json").exists()
    played = pbem("play", "toy", "--bot", "strong", "--yes", "--dir", str(tmp_path / "p"))
    assert "the game is over" in played.out
    assert (tmp_path / "p/practice/private/bot-hunter.json").exists()
    shown = pbem("demo", "toy", "--bot", "fox=strong", "--dir", str(tmp_path / "d"), "--json")
    assert shown.json["result"]
    none = ("play", "second_fleet", "--scenario", "banner", "--bot", "strong", "--yes")
    assert "no bot that searches for this scenario" in pbem(*none).err


def test_a_damaged_list_of_choices_says_what_to_do(tmp_path: Path) -> None:
    begin(tmp_path, SYSTEM, "fox", {}, "x", bots=STRONG)
    (tmp_path / NAME / "private/bot-hunter.json").write_text("[1]")
    shown = pbem("play", "toy", "--yes", "--dir", str(tmp_path))
    assert 'write {"kind":"strong"} into it' in shown.err


def test_a_seat_of_another_style(tmp_path: Path) -> None:
    """It orders as that style does, and its system must have it."""
    home = ("--home", str(tmp_path))
    assert pbem(*home, "init", str(tmp_path)).code == 0
    assert pbem(*home, "new", "bismarck", "g1").code == 0
    shown = pbem(*home, "enlist", "g1", "german", "--style", "barrier")
    assert "german has no bot 'barrier'" in shown.err
    assert not reading(tmp_path, "g1").register.officers
    assert pbem(*home, "enlist", "g1", "german", "--style", "roamer").code == 0
    assert pbem(*home, "enlist", "g1", "british", "--style", "plain").code == 0
    assert pbem(*home, "open", "g1").code == 0
    with writing(tmp_path, "g1") as game:
        system = games.load("bismarck")
        assert sorted(Seats().play(game, system)) == ["british", "german"]
        report = report_of(game, Side("german"), Window(1))
        style = system.styles(Side("german"))["roamer"]
        given = read_text(system, report, game.register.sets[Side("german")].canonical, "set")
        assert given.orders.orders == styled(system, style, report, luck(game, report)).orders
