"""Bots of other styles than the plain one."""

from __future__ import annotations

import pytest

import games
from pbem.admin.setup import options_of
from pbem.bots.bot_orders import Match, order_set
from pbem.bots.kinds import known, seated
from pbem.bots.styled import Styled
from pbem.model import Side, System

WORDS = [
    (name, side, style)
    for name in games.SYSTEMS
    for side in dict.fromkeys(s for one in games.load(name).scenarios for s in one.sides)
    for style in games.load(name).styles(side)
]


def test_both_sides_of_every_system_have_one() -> None:
    assert {name for name, _, _ in WORDS} == {*games.SYSTEMS} - {"toy"}
    for name in {name for name, _, _ in WORDS}:
        rules = games.load(name)
        assert all(rules.styles(side) for one in rules.scenarios for side in one.sides)


def first(system: System, side: Side) -> str:
    """The first scenario that a side plays in."""
    return next(s.name for s in system.scenarios if side in s.sides)


@pytest.mark.some(3)
@pytest.mark.parametrize(("name", "side", "style"), WORDS)
def test_a_style_plays_a_whole_game_in_its_own_way(name: str, side: Side, style: str) -> None:
    """Its orders pass the checks of a mailed set, from the side's report alone. A side that has
    little to choose may play a game as the plain bot would, but not several."""
    assert any(_plays_otherwise(games.load(name), side, style, f"style {n}") for n in range(6))


def _plays_otherwise(system: System, side: Side, style: str, seed: str) -> bool:
    """Does it order anything in that game that the plain bot would not?"""
    scenario, options = first(system, side), options_of(system, {})
    players = seated({side: style}, None, system, scenario, options, seed)
    match = Match(system, scenario, options, seed, players=players)
    own = False
    for _ in range(400):
        report, window = match.report(side), match.drive.opens
        own |= players[side].orders(report) != order_set(system, report, f"{seed} {window}")
        match.window()
        system.audit(match.drive.state)
        if match.drive.over:
            return own
    raise AssertionError(f"no end of {seed}")


@pytest.mark.parametrize(("name", "side", "style"), WORDS)
def test_equal_reports_and_luck_give_equal_orders(name: str, side: Side, style: str) -> None:
    system = games.load(name)
    scenario, options = first(system, side), options_of(system, {})
    report = Match(system, scenario, options, "style").report(side)
    one, other = (Styled(system, system.styles(side)[style], "x") for _ in range(2))
    assert one.orders(report) == other.orders(report)
    assert style in known(system, side)
