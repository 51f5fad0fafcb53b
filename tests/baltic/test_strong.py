"""Captains who search: from reports alone, alike under a seed, by orders that may be mailed."""

from __future__ import annotations

import json
from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec import convert

from games.baltic import audit
from games.baltic.game import SYSTEM
from games.baltic.known import Known
from games.baltic.report import Report as Seen
from orders.model import OrderSet
from pbem.admin.setup import options_of
from pbem.analysis.thought import Page, Reader
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match
from pbem.bots.strong import Strong
from pbem.engine.position import encode
from pbem.model import Plain, Side
from tests.baltic.test_secrecy import OWN, SIDES, World

SMALL = {"playouts": 2, "worlds": 1}
KALMAR = SIDES[0]


def strong(side: Side, scenario: str = "flight", options: dict[str, str] | None = None) -> Strong:
    return Strong(SYSTEM, scenario, options_of(SYSTEM, options or {}), side, "x", SMALL)


def played(
    scenario: str, *sides: Side, options: dict[str, str] | None = None, most: int = 99
) -> dict[Side, Strong]:
    """A game of these, or its first windows, which is audited after every window; what they gave
    was judged as mails are."""
    bots = {side: strong(side, scenario, options) for side in sides}
    whole = options_of(SYSTEM, options or {})
    match = Match(SYSTEM, scenario, whole, f"played {scenario}", players=bots)
    for _ in islice(match.play(), most):
        pass
    return bots


def shown(view: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a view or a report shows of each vessel that is seen on the table."""
    units, contacts = (
        (view["units"], view["contacts"]) if isinstance(view, dict) else (view.units, view.contacts)
    )
    rows = [json.loads(encode(row)) for row in (*units, *contacts)]
    own = {r["id"]: r for r in rows[: len(units)] if r["kind"] != "marker"}
    foes = {r["id"]: r for r in rows[len(units) :]}
    fields = ("place", "heading", "setting", "state", "down", "hull", "ram", "lost", "damage")
    return tuple(  # type: ignore[return-value]
        {id_: [row.get(name) for name in fields] for id_, row in some.items()}
        for some in (own, foes)
    )


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_it_thinks_by_its_reports_alone_and_its_worlds_show_what_they_do(side: Side) -> None:
    """Given copies of the reports, with no game behind them, it orders the same."""
    first = played("flight", side, most=9)[side]
    other, searched = strong(side), 0
    for plain in first.reports:
        given = other.orders(Report.of(json.loads(json.dumps(plain))))
        assert isinstance(given, OrderSet)
        for world in other.worlds if other.drawn == plain["window"] else ():
            audit.audit(world.state)
            assert shown(SYSTEM.view(world.state, side)) == shown(plain)
            searched += 1
    assert searched > 2
    assert other.explained == first.explained


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_worlds_that_look_alike_give_equal_worlds_and_orders(side: Side) -> None:
    """Two true states that the side cannot tell apart: hulls, loads, salvoes and orders of the
    other are not the same."""
    both, pair = (World(side, False), World(side, True)), (strong(side), strong(side))
    for own in OWN[side]:
        gave = [bot.orders(world.made(side)) for bot, world in zip(pair, both, strict=True)]
        assert gave[0] == gave[1]
        assert pair[0].explained == pair[1].explained
        for world in both:
            world.window(own)
    drawn = [[encode(world.state) for world in bot.worlds] for bot in pair]
    assert drawn[0]
    assert drawn[0] == drawn[1]
    assert "playouts, next best" in pair[0].explained


def test_both_sides_play_a_game_to_its_end() -> None:
    assert all(bot.drawn > 9 for bot in played("flight", *SIDES).values())


@pytest.mark.some(1)
@pytest.mark.parametrize("scenario", [s.name for s in SYSTEM.scenarios])
def test_one_side_plays_each_scenario(scenario: str) -> None:
    sides = next(s.sides for s in SYSTEM.scenarios if s.name == scenario)
    assert played(scenario, sides[0], most=7)[sides[0]].drawn > 4


@pytest.mark.some(1)
@pytest.mark.parametrize("options", [{"windows": "turn"}, {"windows": "rounds"}, {"play": "asked"}])
def test_games_with_other_windows(options: dict[str, str]) -> None:
    bot = played("flight", KALMAR, options=options, most=8)[KALMAR]
    assert (bot.drawn > 0) == (options == {"windows": "turn"})


def test_what_a_side_could_think_is_played_from_the_set_up_and_from_each_turn() -> None:
    reports: list[Plain] = played("flight", KALMAR, most=4)[KALMAR].reports
    reader = Reader(SYSTEM, "flight", options_of(SYSTEM, {}), KALMAR, "x", SMALL)
    found = [reader.results(Page(plain, OrderSet()), 1) for plain in reports[:4]]
    assert list(map(bool, found)) == [True, True, False, True]


@pytest.mark.some(2)
@pytest.mark.parametrize("scenario", [s.name for s in SYSTEM.scenarios])
def test_what_a_side_knows_shows_what_its_reports_do_through_a_whole_game(scenario: str) -> None:
    """After every window each side's table is sound, and looks to it as its newest report does."""
    sides = next(s.sides for s in SYSTEM.scenarios if s.name == scenario)
    options = options_of(SYSTEM, {})
    tables = {side: Known(side, scenario, options) for side in sides}
    match = Match(SYSTEM, scenario, options, f"known {scenario}")
    for _ in islice(match.play(), 99):
        for side, table in tables.items():
            plain = match.report(side).plain
            table.learn(convert(plain, Seen, from_attributes=True), plain["events"])
            if not plain["turn"]:
                continue  # nothing is on the table yet
            world = table.drawn(Random("draws"))
            audit.audit(world)
            assert shown(SYSTEM.view(world, side)) == shown(plain)
    assert match.drive.over
