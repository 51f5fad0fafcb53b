"""Bots of another style than the plain one."""

from __future__ import annotations

from orders.model import OrderSet
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Player, judged
from pbem.inference.style import Style
from pbem.kit.bots import written
from pbem.model import System


def styled(system: System, style: Style, report: Report, luck: str) -> OrderSet:
    """Orders in that style, judged like a mailed set."""
    return judged(system, report, written(style.orders(report.plain, luck), system.grammar))


class Styled(Player):
    """A side's bot of one style in one game."""

    explained = ""

    def __init__(self, system: System, style: Style, seed: str) -> None:
        self.system, self.style, self.seed = system, style, seed

    def orders(self, report: Report) -> OrderSet:
        """See Player. Its luck is that of a plain bot."""
        return styled(self.system, self.style, report, f"{self.seed} {report.window}")
