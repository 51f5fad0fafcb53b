"""Bots read reports and write orders; every line of theirs must stand."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import convert

from games.bismarck import bot
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.events import AirFlew, AirLanded, AirLost
from games.bismarck.events_battle import Struck
from games.bismarck.game import SYSTEM
from games.bismarck.report import Report
from games.bismarck.verbs import Search
from pbem.bots.bot_orders import Match
from pbem.kit.bots import Luck, unoffered
from pbem.player.reader import read_text

OPTIONS = {"visibility": "errata", "fuel": "twelve", "dorsetshire": "Z20"}


@pytest.mark.parametrize("seed", ["one", "two"])
def test_every_order_of_a_bot_is_understood(seed: str) -> None:
    game = Match(SYSTEM, "basic", OPTIONS, seed)
    while game.drive.over is None:
        for side in (BRITISH, GERMAN):
            report = game.report(side)
            seen, luck = convert(report.plain, Report), Luck(seed)
            told = bot.british(seen, luck.lot) if side == BRITISH else bot.german(seen, luck.lot)
            assert not unoffered(told, seen.menu, SYSTEM.grammar)
            text = f"BEGIN ORDERS\n{bot.orders(side, report.plain, seed)}\nEND ORDERS\n"
            reading = read_text(SYSTEM, report, text)
            assert reading.diagnostics == ()
            assert "OrderFailed" not in [e["kind"] for e in report.plain["events"]]
        game.window()


def test_the_same_report_and_luck_give_the_same_orders() -> None:
    report = Match(SYSTEM, "basic", OPTIONS, "x").report(GERMAN)
    assert bot.orders("german", report.plain, "a") == bot.orders("german", report.plain, "a")
    assert len({bot.orders("german", report.plain, str(i)) for i in range(20)}) > 1


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


@pytest.mark.parametrize(
    ("source", "age", "calls"),
    [("search", 6, True), ("search", 7, False), ("HUFF-DUFF", 0, False), ("passed", 0, False)],
)
def test_escorts_are_called_away_when_a_german_was_located(
    source: str, age: int, calls: bool
) -> None:
    report = Match(SYSTEM, "basic", OPTIONS, "y").report(BRITISH).plain
    seen = {"id": "EN1", "type": "BB", "place": "H5", "age": age, "source": source}
    escorts = {"name": "ship", "kind": "unit", "values": ["RAMILLIES", "RODNEY"]}
    whole = [*report["menu"]["BRITISH"], {"verb": "mobilise", "args": [escorts]}]
    menu = {**report["menu"], "BRITISH": whole}
    orders = bot.orders("british", {**report, "contacts": [seen], "menu": menu}, "y")
    assert ("mobilise RAMILLIES" in orders) is calls


def test_german_bombers_fly_out_strike_and_come_home() -> None:
    """9.1 They go where something was seen, by day, and the zone is searched for them."""
    told: list[Any] = []
    for n in range(6):
        for closing in Match(SYSTEM, "basic", OPTIONS, f"bombers {n}").play():
            told += [one.event for one in closing.told if GERMAN in one.to]
    bombers = [e for e in told if isinstance(e, AirFlew) and "bomber" in e.who.lower()]
    assert {e.mode for e in bombers} == {"attack"}
    assert any(isinstance(e, Struck) for e in told)
    landed = [e.who for e in told if isinstance(e, AirLanded) and "bomber" in e.who.lower()]
    assert len(bombers) // 2 <= len(landed) <= len(bombers)
    assert not any(isinstance(e, AirLost) for e in told)


def test_reconnaissance_searches_where_it_is() -> None:
    report = convert(Match(SYSTEM, "basic", OPTIONS, "z").report(GERMAN).plain, Report)
    (search,) = [order for _, order in bot.german(report, 0) if isinstance(order, Search)]
    assert len(bot.watched(report, 0)) > 1
    assert [*search.zones] == sorted(bot.watched(report, 0))
