"""Bots read reports and write orders; every line of theirs must stand."""

from __future__ import annotations

import pytest

from games.bismarck import bot
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.game import SYSTEM
from pbem.bots import Match
from pbem.reader import read_text

OPTIONS = {"visibility": "errata", "fuel": "twelve", "dorsetshire": "Z20"}


@pytest.mark.parametrize("seed", ["one", "two"])
def test_every_order_of_a_bot_is_understood(seed: str) -> None:
    game = Match(SYSTEM, "basic", OPTIONS, seed)
    while game.drive.over is None:
        for side in (BRITISH, GERMAN):
            report = game.report(side)
            text = f"BEGIN ORDERS\n{bot.orders(side, report, seed)}\nEND ORDERS\n"
            reading = read_text(SYSTEM, report, text)
            assert reading.diagnostics == ()
        game.window()


def test_the_same_report_and_luck_give_the_same_orders() -> None:
    report = Match(SYSTEM, "basic", OPTIONS, "x").report(GERMAN)
    assert bot.orders("german", report, "a") == bot.orders("german", report, "a")
    assert len({bot.orders("german", report, str(i)) for i in range(20)}) > 1


def test_the_raiders_break_out_and_the_british_keep_watch() -> None:
    game = Match(SYSTEM, "basic", OPTIONS, "y")
    for _ in range(12):
        game.window()
    war = game.drive.state
    assert war.ships["BISMARCK"].zone != "F20"
    assert any(s.mode == "patrol" for s in war.fleet(BRITISH))
    assert any(war.forces[BRITISH])


@pytest.mark.parametrize(
    ("fuel", "turns", "zones"), [("-", 6, 6), ("9/11", 6, 6), ("1", 6, 4), ("0/13", 7, 3)]
)
def test_how_far_fuel_goes(fuel: str, turns: int, zones: int) -> None:
    assert bot.range_left(fuel, turns) == zones


def test_a_raider_keeps_away_from_what_it_sees() -> None:
    assert bot.away("H5", "H6") not in ("H5", "H6", "G5", "I6")
