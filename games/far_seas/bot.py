"""The bot of either side: order text from its report alone."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import convert

from games.far_seas.board import GERMAN
from games.far_seas.report import Report
from games.far_seas.verbs import GRAMMAR
from pbem.kit.bots import Lines, Luck, written


def orders(side: str, report: Mapping[str, object], luck: str) -> str:
    """Order text for one side, from its report (decoded report.json) alone."""
    return written(lines(side, report, luck), GRAMMAR)


def lines(side: str, report: Mapping[str, object], luck: str) -> Lines:
    """The same as lines."""
    from games.far_seas import bot_allied, bot_german

    seen = convert(report, Report, from_attributes=True)
    return (bot_german.lines if side == GERMAN else bot_allied.lines)(seen, Luck(luck))
