"""The bot of either side: order text from its report alone."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import convert

from games.bismarck.board import GERMAN
from games.bismarck.bot_common import Report, running
from games.bismarck.verbs import GRAMMAR
from pbem.kit.bots import Luck, written


def orders(side: str, report: Mapping[str, object], luck: str) -> str:
    """Order text for one side, from its report (decoded report.json) alone."""
    from games.bismarck import bot_british, bot_german

    seen = convert(report, Report)
    lines = bot_german.lines if side == GERMAN else bot_british.lines
    text = written(lines(seen, Luck(luck)), GRAMMAR)
    turns = running(seen)
    return f"RUN {turns};\n{text}" if turns > 1 else text
