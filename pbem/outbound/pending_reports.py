"""Reports of windows that ran on: they wait for the mail of the last."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.base.report_json import Report
from pbem.model import Side
from pbem.outbound.mime import Part
from pbem.reports.report import decode
from pbem.store.game_dir import Game


class Earlier(Struct, frozen=True):
    """The report of a window that ran on, and the attachments that bring it."""

    report: Report
    parts: tuple[Part, ...]


def earlier_of(game: Game, side: Side, windows: Sequence[int]) -> list[Earlier]:
    """The reports of a side that wait for the mail of their run, as they were laid by."""
    found = []
    for window in windows:
        data, signature = (
            game.read("reports", side, str(window), name) for name in ("report.json", "report.seal")
        )
        parts = (
            Part("application/json", data, f"report-{window}.json"),
            Part("text/plain; charset=us-ascii", signature, f"report-{window}.seal"),
        )
        found.append(Earlier(decode(data), parts))
    return found
