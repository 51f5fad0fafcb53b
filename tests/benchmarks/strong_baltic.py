"""Opponents of Baltic's searching captains, for `tests.benchmarks.strong`.

All but the bot are led as no enemy of the search's worlds is: the bold close in and mind no fire,
the wary mind it more than anything, the greedy go after the weakest and forget the goal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import convert

from games.baltic import report as baltic
from games.baltic.bot import Bot
from games.baltic.bot_helm import PLAIN, Manner
from games.baltic.game import FINLAND, HANSA, KALMAR, SYSTEM, TEUTONIC
from games.baltic.verbs import GRAMMAR
from orders.model import OrderSet
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Player, judged
from pbem.kit.bots import Luck, written
from pbem.model import Side
from tests.benchmarks.strong import Row

SCENARIO = "flight"
SIDES = {"rig": (TEUTONIC, KALMAR), "narrows": (FINLAND, TEUTONIC), "flight": (KALMAR, HANSA)}
ROWS = (
    *(Row(side, name) for name in ("bot", "bold", "wary") for side in SIDES[SCENARIO]),
    *(Row(side, "bot", name) for name in ("rig", "narrows") for side in SIDES[name]),
    *(Row(side, "greedy") for side in SIDES[SCENARIO]),
)
MANNERS = {
    "bot": PLAIN,
    "bold": Manner(risk=0.0, pull=3.0, later=0.4),
    "wary": Manner(risk=2.5, pull=0.5, later=1.6),
    "greedy": Manner(goal=0.1, pull=1.6, aim="weakest"),
}


FACTORS = {"risk": (0.1, 4.0), "later": (0.1, 4.0), "pull": (0.1, 4.0), "goal": (0.1, 4.0)}
"""What `tests.benchmarks.tune` tunes, between which bounds."""


class Opponent(Player):
    """A bot of another manner."""

    explained = ""

    def __init__(self, side: Side, manner: Manner, seed: str) -> None:
        self.side, self.manner, self.seed = side, manner, seed

    def orders(self, report: Report) -> OrderSet:
        """See Player."""
        seen = convert(report.plain, baltic.Report, from_attributes=True)
        bot = Bot(seen, Luck(f"{self.seed} {report.window}"), self.side, self.manner)
        return judged(SYSTEM, report, written(bot.lines(), GRAMMAR))


def opponent(row: Row, seed: str) -> Player:
    """Who plays against the bot of a row."""
    sides = SIDES[row.scenario or SCENARIO]
    return Opponent(sides[0] if row.side == sides[1] else sides[1], MANNERS[row.opponent], seed)


def led(side: Side, factors: Mapping[str, float], seed: str) -> Player:
    """A captain with these factors."""
    return Opponent(side, convert(factors, Manner), seed)


def rows() -> Sequence[Row]:
    """All, those against the bot that they know first."""
    return ROWS
