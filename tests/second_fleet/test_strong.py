"""Commanders who search: from reports alone, alike under a seed, by orders that may be mailed."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from games.second_fleet import audit, knowledge
from games.second_fleet.board import NATO, SIDES, SOVIET
from games.second_fleet.game import SYSTEM
from orders.model import OrderSet
from pbem.admin.setup import options_of
from pbem.analysis.thought import Page, Reader
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match
from pbem.bots.strong import Strong
from pbem.dice.sources import Seeded
from pbem.engine.position import encode
from pbem.errors import Usage
from pbem.model import Plain, Side
from tests.second_fleet.test_secrecy import OWN, World

SMALL = {"playouts": 2, "worlds": 2, "particles": 40}


def strong(side: Side, scenario: str = "gap", **options: str) -> Strong:
    return Strong(SYSTEM, scenario, options_of(SYSTEM, options), side, "x", SMALL)


@cache
def played(scenario: str, side: Side) -> tuple[Strong, list[str]]:
    """Two days of a game, and what the bot explained; what it gave was judged as mails are."""
    bot, said = strong(side, scenario), []
    match = Match(
        SYSTEM, scenario, options_of(SYSTEM, {}), f"played {scenario}", players={side: bot}
    )
    for _ in match.play():
        said.append(bot.explained)
        if match.drive.state.turn > 6:
            break
    return bot, said


def copied(report: Plain) -> Plain:
    found: Plain = json.loads(json.dumps(report))
    return found


def shown(view: Any, what: str) -> Any:
    rows = view[what] if isinstance(view, dict) else getattr(view, what)
    return json.loads(encode(rows))


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_it_thinks_by_its_reports_alone_and_its_worlds_show_what_they_do(side: Side) -> None:
    """Given copies of the reports, with no game behind them, it orders the same. Own units,
    contacts, points and bases of a world look to the side as its report has them."""
    first, said = played("gap", side)
    other, searched = strong(side), 0
    for plain, told in zip(first.reports, said, strict=True):
        given = other.orders(Report.of(copied(plain)))
        assert isinstance(given, OrderSet)
        assert other.explained == told
        if other.drawn != plain["window"]:
            continue
        for world in other.worlds:
            audit.audit(world.state)
            game = other._playout(world, 0, Seeded("any", b""))
            view = SYSTEM.view(game.drive.state, side)
            for what in ("units", "contacts", "board"):
                assert shown(view, what) == shown(plain, what), (plain["window"], what)
            searched += 1
    assert searched >= 12
    assert any("playouts, next best" in text for text in said)


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_ships_under_a_contact_look_as_it_was_told(side: Side) -> None:
    """6.16/2 Most contacts that are held are some ships of the enemy's printed set-up."""
    bot = played("gap", side)[0]
    held = agree = 0
    for world in bot.worlds:
        war = world.state
        for key, name in war.held[side].items():
            look, known = knowledge.look(war, side, key), war.known[side][name]
            agree += (look.at, look.types, look.level) == (known.place, known.types, known.level)
        held += sum(not known.lost for known in war.known[side].values())
    assert agree > 0.8 * held or not held


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_worlds_that_look_alike_give_equal_worlds_and_orders(side: Side) -> None:
    """Two true states that the side cannot tell apart: ships, places, damage and errands of the
    other are not the same."""
    pair, both = (strong(side), strong(side)), (World(side, False), World(side, True))
    for own in (*OWN[side], "", ""):
        gave = [
            bot.orders(Report.of(copied(world.report(side))))
            for bot, world in zip(pair, both, strict=True)
        ]
        assert gave[0] == gave[1]
        assert pair[0].explained == pair[1].explained
        for world in both:
            world.pages = False
            world.window(own)
    drawn = [[encode(world.state) for world in bot.worlds] for bot in pair]
    assert drawn[0]
    assert drawn[0] == drawn[1]
    assert both[0].drive.state.vessels != both[1].drive.state.vessels


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_lifeline_is_searched_too(side: Side) -> None:
    bot, said = played("lifeline", side)
    assert bot.drawn
    assert any("playouts, next best" in text for text in said)


@pytest.mark.parametrize("options", [{"fog": "open"}, {"windows": "turn"}, {"play": "asked"}])
def test_other_options_and_the_campaign_are_refused_in_a_sentence(options: dict[str, str]) -> None:
    with pytest.raises(Usage, match="no bot that searches for this scenario with these options"):
        strong(NATO, **options)
    with pytest.raises(Usage, match="no bot that searches for this scenario"):
        strong(NATO, "banner")


def test_what_a_side_could_think_is_played_from_the_first_window_of_each_turn() -> None:
    reports = played("gap", SOVIET)[0].reports
    reader = Reader(SYSTEM, "gap", options_of(SYSTEM, {}), SOVIET, "x", SMALL)
    found = [reader.results(Page(plain, OrderSet()), 1) for plain in reports[:5]]
    assert list(map(bool, found)) == [True, False, False, False, True]
