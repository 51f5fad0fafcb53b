"""The subject of a report's mail: what happened, and until when to answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.model import ALL
from pbem.reports.wording import brief
from pbem.text import layout

if TYPE_CHECKING:
    from pbem.base.report_json import Report

LONG = 60
"""Characters before the semicolon; phones show no more in a list of mails."""


def subject(report: Report, tz: str = "", dates: str = "", again: bool = False) -> str:
    """The subject of a report's mail, in one line of ASCII.

    `[hunt] Battleship found in C6; orders by Wed 25 Nov 20:00`: first what happened, shortened at a
    word where it is too long, then what is wanted by when, in the reader's zone. dates: as for
    `layout.when`; again: does it replace a report that an undo has made void?
    """
    tag = layout.ascii_fold(f"[{report.game}]")
    replayed = "Played again: " if again or report.taken_back else ""
    said = layout.ascii_fold(replayed + brief(report.plain)).replace(";", ",")
    news = shortened(said, LONG - len(tag) - 1)
    due = layout.day_of(report.deadline, tz, "", dates)
    return layout.ascii_fold(f"{tag} {news}{wanted(report, due, tz)}")


def redated(said: str, report: Report, tz: str = "", dates: str = "", held: bool = False) -> str:
    """The subject `said` of a report's mail, with the present deadline at its end.

    report: the report, with the present deadline. held: is the game on hold? Then no window closes.
    """
    news = said.rpartition("; ")[0] or said
    due = layout.day_of(report.deadline, tz, "", dates)
    return layout.ascii_fold(f"{news}{'; on hold' if held else wanted(report, due, tz)}")


def wanted(report: Report, due: str, tz: str) -> str:
    """What a report wants, as the end of its subject; empty after the end."""
    if report.result:
        return ""
    zone = "" if tz else " UTC"
    if report.side == ALL or (report.owed and report.seat not in report.owed):
        return f"; closes {due}{zone}" if due else ""
    verb = "answer" if report.questions else "orders"
    return f"; {verb} by {due}{zone}" if due else f"; {verb} when you are ready"


def shortened(text: str, room: int) -> str:
    """A text of at most `room` characters, cut between words."""
    if len(text) <= room:
        return text
    cut = text[: room - 2].rpartition(" ")[0] or text[: room - 3]
    return cut.rstrip(" ,;:") + "..."
