"""Bots in games on disk: those that search, those of other styles, and plain ones.

A searching bot remembers what it was told and what it chose. Between two runs of the program that
is made again, from its side's reports in the game's folder and the numbers of the candidates that
it chose, which are kept in `private/`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from orders.model import OrderSet
from pbem.base.report_json import Report
from pbem.bots import bot_orders
from pbem.bots.kinds import PLAIN, STRONG, require
from pbem.bots.styled import styled
from pbem.model import Side, System
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.turns.close_window import report_of

if TYPE_CHECKING:
    from pbem.bots.strong import Strong


class Seats:
    """The bots of one game. They are kept while the program runs."""

    def __init__(self) -> None:
        self._searching: dict[Side, Strong] = {}

    def play(self, game: Game, system: System) -> list[Side]:
        """Let the enlisted bots answer the open window; see `bot_orders.play_bots`."""
        return bot_orders.play_bots(game, system, self._given)

    def _given(self, game: Game, system: System, report: Report) -> OrderSet:
        side = Side(report.side)
        seat = secrets.bot_seat(game, side)
        if seat is None or seat.kind == PLAIN:
            return bot_orders.plainly(game, system, report)
        if seat.kind != STRONG:
            require(seat.kind, system, side, game.register.created.scenario, game.register.options)
            style = system.styles(side)[seat.kind]
            return styled(system, style, report, bot_orders.luck(game, report))
        chosen = seat.chosen
        bot = self._searching.get(side)
        if bot is None or bot.reports[-1]["window"] != report.window - 1:
            bot = recalled(game, system, report, chosen)
        self._searching[side] = bot
        given = bot.orders(report)
        chosen = {**chosen, report.window: bot.choice}
        secrets.stage_bot(game, side, secrets.BotSeat(STRONG, chosen))
        return given


def recalled(game: Game, system: System, report: Report, chosen: dict[int, int]) -> Strong:
    """The searching bot of a report's side, as it was when that report came."""
    from pbem.bots.strong import Strong

    register, side = game.register, Side(report.side)
    luck = secrets.salted(game, f"bot {side}")
    bot = Strong(system, register.created.scenario, register.options, side, luck)
    for window in range(1, report.window):
        if game.find("reports", side, str(window), "report.json"):
            bot.recall(report_of(game, side, window), chosen.get(window))
    return bot
