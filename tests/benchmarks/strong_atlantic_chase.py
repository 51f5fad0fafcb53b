"""Opponents of Atlantic Chase's searching admirals, for `tests.benchmarks.strong`.

All but the bot are led as no enemy of the search's worlds is: the reckless attack whatever is in
reach, however strong it is; the shy act once in a spell, against the weak alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.atlantic_chase.board import BRITISH, GERMAN, SIDES
from games.atlantic_chase.bot import orders_of
from games.atlantic_chase.bot_sea import PLAIN, Temper
from games.atlantic_chase.game import SYSTEM
from games.atlantic_chase.verbs import GRAMMAR
from orders.model import OrderSet
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Player, judged
from pbem.kit.bots import written
from pbem.model import Side
from tests.benchmarks.strong import Row

SCENARIO = "rheinuebung"
TEMPERS = {
    "bot": PLAIN,
    "reckless": Temper(worth=9, most=12, each=4, nerve=-6),
    "shy": Temper(worth=-3, most=1, each=1, nerve=5),
}
ROWS = (
    *(Row(side, name) for name in TEMPERS for side in SIDES),
    *(Row(side, "bot", "berlin") for side in SIDES),
)


class Opponent(Player):
    """A bot of another temper."""

    explained = ""

    def __init__(self, side: Side, temper: Temper, seed: str) -> None:
        self.side, self.temper, self.seed = side, temper, seed

    def orders(self, report: Report) -> OrderSet:
        """See Player."""
        luck = f"{self.seed} {report.window}"
        lines = orders_of(self.side, report.plain, luck, self.temper)
        return judged(SYSTEM, report, written(lines, GRAMMAR))


def opponent(row: Row, seed: str) -> Player:
    """Who plays against the bot of a row."""
    return Opponent(BRITISH if row.side == GERMAN else GERMAN, TEMPERS[row.opponent], seed)


def rows() -> Sequence[Row]:
    """All, those in one operation first."""
    return ROWS
