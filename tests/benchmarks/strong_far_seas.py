"""Opponents of Far Seas' searching admirals, for `tests.benchmarks.strong`.

All but the bot are led as no world of the search is: German admirals are those of the beliefs'
tests; an Allied idler leaves half of his ships where they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.game import SYSTEM
from orders.model import OrderSet
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Player, judged
from pbem.model import Side
from tests.benchmarks.strong import Row
from tests.far_seas.admirals import War

SCENARIO = "war"
ROWS = (
    Row(GERMAN, "bot"),
    Row(GERMAN, "idler"),
    Row(BRITISH, "bot"),
    Row(BRITISH, "coaler"),
    Row(BRITISH, "shuttle"),
)


class Opponent(Player):
    """A bot whose ships are led otherwise."""

    explained = ""

    def __init__(self, side: Side, name: str, seed: str) -> None:
        self.side, self.name, self.seed = side, name, seed
        self.war = War(name if side == GERMAN else "bot", seed)

    def orders(self, report: Report) -> OrderSet:
        """See Player."""
        lines = SYSTEM.bot(self.side, report.plain, f"{self.seed} {report.window}")
        if self.name == "bot":
            return judged(SYSTEM, report, lines)
        try:
            return judged(SYSTEM, report, "\n".join(self._other(report, lines.splitlines())))
        except AssertionError:  # an order that may not be given now: the bot leads
            return judged(SYSTEM, report, lines)

    def _other(self, report: Report, lines: Sequence[str]) -> Iterator[str]:
        if self.side == BRITISH:
            for line in lines:
                idle = Random(f"{self.seed} {line.partition(':')[0]}").random() < 0.5
                if not (idle and ": move " in line):
                    yield line
            return
        ids = {unit["id"] for unit in report.plain["units"]}
        yield from (line for line in lines if line.partition(":")[0] not in ids)
        yield from self.war.led(report)


def opponent(row: Row, seed: str) -> Player:
    """Who plays against the bot of a row."""
    return Opponent(BRITISH if row.side == GERMAN else GERMAN, row.opponent, seed)


def rows() -> Sequence[Row]:
    """All, the known opponent first."""
    return ROWS
