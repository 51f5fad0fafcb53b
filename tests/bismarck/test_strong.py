"""Bots that search: from reports alone, alike under a seed, by orders that may be mailed."""

from __future__ import annotations

import json

import pytest

from games.bismarck import audit
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.game import SYSTEM
from orders.model import OrderSet
from pbem.admin.setup import options_of
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match
from pbem.bots.strong import Strong
from pbem.engine.position import encode
from pbem.model import Plain, Side
from tests.bismarck.test_secrecy import windows

SMALL = {"playouts": 4, "worlds": 1, "turns": 1, "particles": 40}
SIDES = (BRITISH, GERMAN)


def strong(side: Side, seed: str = "x") -> Strong:
    return Strong(SYSTEM, "basic", options_of(SYSTEM, {}), side, seed, SMALL)


class Kept(Strong):
    """One that keeps what it read and gave."""

    def __init__(self, side: Side, seed: str = "x") -> None:
        super().__init__(SYSTEM, "basic", options_of(SYSTEM, {}), side, seed, SMALL)
        self.read: list[Plain] = []
        self.gave: list[OrderSet] = []
        self.why: list[str] = []

    def orders(self, report: Report) -> OrderSet:
        """See Strong."""
        self.read.append(copied(report.plain))
        self.gave.append(super().orders(report))
        self.why.append(self.explained)
        return self.gave[-1]


def copied(report: Plain) -> Plain:
    found: Plain = json.loads(json.dumps(report))
    return found


def played(seed: str, *sides: Side, play: str = "plotted") -> dict[Side, Kept]:
    """A game of these, which is audited after every window; what they gave was judged as mails
    are."""
    players = {side: Kept(side) for side in sides}
    match = Match(SYSTEM, "basic", options_of(SYSTEM, {"play": play}), seed, players=players)
    for _ in match.play():
        pass
    return players


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_its_orders_come_from_its_reports_and_its_seed_alone(side: Side) -> None:
    """Another bot that is given copies of the reports, with no game behind them, orders the same,
    and gives the same reasons."""
    one = played("alone 1", side)[side]
    other = strong(side)
    for report, gave, why in zip(one.read, one.gave, one.why, strict=True):
        assert other.orders(Report.of(copied(report))) == gave
        assert other.explained == why
    assert any("playouts, next best" in why for why in one.why)


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_worlds_that_look_alike_give_equal_worlds_and_orders(side: Side) -> None:
    """Two true states that the side cannot tell apart, window after window."""
    pair = strong(side), strong(side)
    states: tuple[list[bytes], list[bytes]] = [], []
    true: tuple[list[bytes], list[bytes]] = [], []
    for both in windows(side):
        gave = [bot.orders(world.made(side)) for bot, world in zip(pair, both, strict=True)]
        assert gave[0] == gave[1]
        assert pair[0].explained == pair[1].explained
        for bot, world, kept, real in zip(pair, both, states, true, strict=True):
            if not bot.worlds:  # there has been nothing to choose yet
                bot._draw("test")
            kept += [encode(one.state) for one in bot.worlds]
            real.append(encode(world.drive.state))
    assert states[0] and states[0] == states[1]
    assert true[0] != true[1]


@pytest.mark.some(1)
@pytest.mark.parametrize("play", ["plotted", "asked"])
def test_both_sides_play_a_game_to_its_end(play: str) -> None:
    players = played("both 1", *SIDES, play=play)
    assert all(bot.read for bot in players.values())


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_worlds_keep_the_invariants_and_show_the_side_what_it_knows(side: Side) -> None:
    """A view of a world shows own units, contacts and weather as the report does."""
    reports = played("worlds 2", side)[side].read
    bot = strong(side)
    for plain in reports[:14]:
        bot.orders(Report.of(copied(plain)))
        for world in bot.worlds if bot.drawn == plain["window"] else ():
            audit.audit(world.state)
            view = SYSTEM.view(world.state, side)
            shown = {u.id: u.place for u in view.units}
            assert shown == {u["id"]: u["place"] for u in plain["units"]}
            assert [c.id for c in view.contacts] == [c["id"] for c in plain["contacts"]]
            assert view.board.level == plain["board"]["level"]
            assert view.board.convoys == plain["board"]["convoys"]


def test_another_seed_is_another_captain() -> None:
    assert len({strong(GERMAN, f"{i}").mind.course for i in range(9)}) > 1  # type: ignore[attr-defined]
