"""Opponents of 2nd Fleet's searching commanders, for `tests.benchmarks.strong`.

Beside the bot three that no world of the search has: the bold seek each other out, the wary keep
away from each other, and the fickle do this one turn and that the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import convert

from games.second_fleet.board import OTHER, SIDES
from games.second_fleet.bot_manner import PLAIN, Manner, Mannered
from games.second_fleet.game import SYSTEM
from games.second_fleet.report import Report as Seen
from games.second_fleet.verbs import GRAMMAR
from orders.model import OrderSet
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Player, judged
from pbem.kit.bots import Luck, written
from pbem.model import Side
from tests.benchmarks.strong import Row

SCENARIO = "gap"
ROWS = (
    *(Row(side, name) for name in ("bot", "bold", "wary") for side in SIDES),
    *(Row(side, "bot", "lifeline") for side in SIDES),
    *(Row(side, "fickle") for side in SIDES),
)
MANNERS = {
    "bot": PLAIN,
    "bold": Manner("bold", ships="forward", hunts="yes", subs="chase", brave="yes"),
    "wary": Manner("wary", ships="back", hunts="no", subs="slip", brave="no"),
}


def fickle(luck: Random) -> Manner:
    """Any manner there is."""
    return Manner(
        "fickle",
        ships=luck.choice(("usual", "forward", "half", "back")),
        hunts=luck.choice(("usual", "yes", "no")),
        subs=luck.choice(("usual", "slip", "chase")),
        brave=luck.choice(("usual", "yes", "no")),
    )


class Opponent(Player):
    """A bot of another manner; of none, if it is fickle."""

    explained = ""

    def __init__(self, side: Side, manner: Manner | None, seed: str) -> None:
        self.side, self.manner, self.seed = side, manner, seed

    def orders(self, report: Report) -> OrderSet:
        """See Player."""
        seen = convert(report.plain, Seen, from_attributes=True)
        manner = self.manner or fickle(Random(f"{self.seed} {seen.turn}"))
        bot = Mannered(seen, Luck(f"{self.seed} {report.window}"), self.side, manner)
        return judged(SYSTEM, report, written(bot.lines(), GRAMMAR))


def opponent(row: Row, seed: str) -> Player:
    """Who plays against the bot of a row."""
    return Opponent(OTHER[row.side], MANNERS.get(row.opponent), seed)


def rows() -> Sequence[Row]:
    """All, those against the bot that they know first."""
    return ROWS
