"""The bot of either side: order text from its report alone."""

from __future__ import annotations

from games.far_seas.board import GERMAN
from games.far_seas.bot_common import Luck, Report


def orders(side: str, report: Report, luck: str) -> str:
    """Order text for one side, from its report (decoded report.json) alone."""
    from games.far_seas import bot_allied, bot_german

    lines = bot_german.lines if side == GERMAN else bot_allied.lines
    return "\n".join(f"{actor}: {order};" for actor, order in lines(report, Luck(luck)))
