"""Reports of windows inside a run: they are sent with the mail of the run's last window."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.base.report_json import Report
from pbem.model import Side
from pbem.outbound.report_files import SignedReport
from pbem.reports.report import decode
from pbem.store.game_dir import Game


class Earlier(Struct, frozen=True):
    """The report of a window inside a run."""

    report: Report
    signed_report: SignedReport


def earlier_of(game: Game, side: Side, windows: Sequence[int]) -> list[Earlier]:
    """Read the reports of a side for those windows, as they were stored."""
    found = []
    for window in windows:
        data, signature = (
            game.read("reports", side, str(window), name) for name in ("report.json", "report.seal")
        )
        found.append(Earlier(decode(data), SignedReport(data, signature, f"-{window}")))
    return found
