"""Admirals who search: from reports alone, alike under a seed, by orders that may be mailed."""

from __future__ import annotations

import json

import pytest

from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.game import SYSTEM
from games.far_seas.mind import courses
from pbem.admin.setup import options_of
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match
from pbem.bots.strong import Strong
from pbem.engine.position import encode
from pbem.model import Plain, Side
from tests.far_seas.test_secrecy import windows

SMALL = {"playouts": 2, "worlds": 1, "particles": 20}
SIDES = (BRITISH, GERMAN)


def strong(side: Side, scenario: str = "war") -> Strong:
    return Strong(SYSTEM, scenario, options_of(SYSTEM, {}), side, "x", SMALL)


def played(scenario: str, *sides: Side, play: str = "plotted") -> dict[Side, Strong]:
    """A game of these, which is audited after every window; what they gave was judged as mails
    are."""
    options = options_of(SYSTEM, {"play": play})
    bots = {side: strong(side, scenario) for side in sides}
    for _ in Match(SYSTEM, scenario, options, f"played {scenario}", players=bots).play():
        pass
    return bots


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_worlds_show_the_side_what_its_reports_do(side: Side) -> None:
    """Given copies of the reports, with no game behind them, it thinks the same."""
    first = played("coronel", side)[side]
    other = strong(side, "coronel")
    for plain in first.reports:
        other.orders(Report.of(json.loads(json.dumps(plain))))
        for world in other.worlds if other.drawn == plain["window"] else ():
            war = world.state
            assert units(SYSTEM.view(war, side).units) == {
                u["id"]: (u["place"], u["damage"], u.get("leader", "")) for u in plain["units"]
            }
            assert SYSTEM.view(war, side).board.points
            if side == GERMAN:
                shown = {c["id"]: c["place"] for c in plain["contacts"]}
                assert {s.id: s.area for s in war.fleet(BRITISH)} == shown
    assert other.explained == first.explained


def units(shown: object) -> dict[str, tuple[str, int, str]]:
    return {u.id: (u.place, u.damage, u.leader) for u in shown}  # type: ignore[attr-defined]


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_worlds_that_look_alike_give_equal_worlds_and_orders(side: Side) -> None:
    """Two true states that the side cannot tell apart, window after window."""
    pair = strong(side), strong(side)
    for both in windows(side):
        gave = [bot.orders(world.made(side)) for bot, world in zip(pair, both, strict=True)]
        assert gave[0] == gave[1]
        assert pair[0].explained == pair[1].explained
        assert [encode(w.state) for w in pair[0].worlds] == [
            encode(w.state) for w in pair[1].worlds
        ]


@pytest.mark.some(1)
@pytest.mark.parametrize("scenario", [s.name for s in SYSTEM.scenarios])
def test_both_sides_play_a_game_to_its_end(scenario: str) -> None:
    assert all(bot.reports for bot in played(scenario, *SIDES).values())


def test_a_game_played_asked() -> None:
    assert all(bot.reports for bot in played("emden", *SIDES, play="asked").values())


def test_plans_are_the_bots_own() -> None:
    plains: list[Plain] = [{"plan": course.plan} for side in SIDES for course in courses(side)]
    assert len(plains) > 3
