"""Admirals who search: from reports alone, alike under a seed, by orders that may be mailed."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

import pytest

from games.atlantic_chase import audit
from games.atlantic_chase.board import BRITISH, GERMAN, SIDES
from games.atlantic_chase.game import SYSTEM
from pbem.admin.setup import options_of
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match
from pbem.bots.strong import Strong
from pbem.engine.position import encode
from pbem.errors import Usage
from pbem.model import Plain, Side
from tests.atlantic_chase.test_secrecy import WINDOWS, World

SMALL = {"playouts": 3, "worlds": 1}
OPERATIONS = ("rheinuebung", "berlin", "roesselsprung", "cerberus", "nordmark", "juno")


def strong(side: Side, scenario: str = "rheinuebung", play: str = "plotted") -> Strong:
    options = options_of(SYSTEM, {"play": play})
    return Strong(SYSTEM, scenario, options, side, "x", SMALL)


def played(
    scenario: str, *sides: Side, play: str = "plotted", most: int = 99
) -> dict[Side, Strong]:
    """A game of these, or its first windows, which is audited after every window; what they gave
    was judged as mails are."""
    options = options_of(SYSTEM, {"play": play})
    bots = {side: strong(side, scenario, play) for side in sides}
    match = Match(SYSTEM, scenario, options, f"played {scenario}", players=bots)
    for _ in islice(match.play(), most):
        pass
    return bots


def plain(value: Any) -> Any:
    return json.loads(encode(value))


def filled(piece: dict[str, Any]) -> dict[str, Any]:
    """Without what is empty, which one of both leaves out."""
    return {name: told for name, told in piece.items() if told}


@pytest.mark.some(2)
@pytest.mark.parametrize("scenario", OPERATIONS)
@pytest.mark.parametrize("side", SIDES)
def test_it_thinks_by_its_reports_alone_and_its_worlds_show_what_they_do(
    scenario: str, side: Side
) -> None:
    """Given copies of the reports, with no game behind them, it orders the same; and all that a
    report shows of the board is so in its worlds."""
    first = played(scenario, side, most=9)[side]
    other, searched = strong(side, scenario), 0
    for report in map(plain, first.reports):
        other.orders(Report.of(plain(report)))
        for world in other.worlds if other.drawn == report["window"] else ():
            audit.audit(world.state)
            view = SYSTEM.view(world.state, side)
            for rows, told in ((view.units, "units"), (view.contacts, "contacts")):
                assert [filled(plain(row)) for row in rows] == [filled(r) for r in report[told]]
            assert filled(plain(view.board)) == filled(report["board"])
            searched += 1
    assert other.explained == first.explained
    assert searched or not first.drawn


@pytest.mark.parametrize("side", SIDES)
def test_worlds_that_look_alike_give_equal_worlds_and_orders(side: Side) -> None:
    """Two games in which the other side has sealed other orders."""
    both, pair = (World(side, False), World(side, True)), (strong(side), strong(side))
    for _ in range(WINDOWS + 1):
        gave = [bot.orders(world.made(side)) for bot, world in zip(pair, both, strict=True)]
        assert gave[0] == gave[1]
        assert pair[0].explained == pair[1].explained
        for bot in pair:
            bot._draw("test")
        drawn = [[encode(world.state) for world in bot.worlds] for bot in pair]
        assert drawn[0] == drawn[1]
        for world in both:
            world.window("")
    books = [world.drive.books for world in both]
    assert books[0] != books[1]


@pytest.mark.some(1)
@pytest.mark.parametrize("scenario", OPERATIONS)
def test_both_sides_play_a_game_to_its_end(scenario: str) -> None:
    bots = played(scenario, *SIDES)
    assert all(bot.reports for bot in bots.values())


def test_a_game_played_asked() -> None:
    assert played("rheinuebung", GERMAN, play="asked", most=16)[GERMAN].reports


@pytest.mark.parametrize("scenario", ["campaign", "lofoten"])
def test_nobody_searches_in_the_campaign_and_in_single_battles(scenario: str) -> None:
    with pytest.raises(Usage, match="has no bot that searches"):
        strong(BRITISH, scenario)


def test_it_says_what_it_does() -> None:
    reports: list[Plain] = []
    bot = strong(GERMAN)
    options = options_of(SYSTEM, {})
    said = set()

    class Kept:
        explained = ""

        def orders(self, report: Report) -> Any:
            reports.append(report.plain)
            given = bot.orders(report)
            said.add(bot.explained)
            return given

    for _ in Match(SYSTEM, "rheinuebung", options, "says 1", players={GERMAN: Kept()}).play():
        pass
    assert any("playouts, next best" in line and "\n" not in line for line in said)
