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
    if "search" not in [item.verb for item in seen.menu[side.upper()]]:
        return "\n".join(line for line in text.splitlines() if _offered(seen, line))
    turns = bot_german.agreed(seen, Luck(luck)) if side == GERMAN else running(seen)
    return f"RUN {turns};\n{text}" if turns > 1 else text


def _offered(report: Report, line: str) -> bool:
    """4.8 Once all have moved: a standing order, or one that the menu still has?"""
    actor, _, said = line.partition(": ")
    verbs = [item.verb for item in report.menu.get(actor, ())]
    return line.startswith("@") or any(said.startswith(verb) for verb in verbs)
