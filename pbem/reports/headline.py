"""A report in one line: the subject of its mail, and the result of a game in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.model import ALL, Plain
from pbem.text import layout

if TYPE_CHECKING:
    from pbem.base.report_json import Report

LONG = 140
"""Characters that a subject has at most."""


def subject(report: Report) -> str:
    """The subject of a report's mail, in one line of ASCII.

    `g1 Royal Navy, turn 14 (1200 May 24): news; due Fri 27 Nov 20:00 UTC`. A turn that is played
    again after an undo is `turn 14 again`. If the line would be too long, the news is shortened.
    """
    turn = report.label if report.label.startswith("turn") else f"turn {report.turn}"
    turn += " again" if report.taken_back else ""
    label = "" if turn.startswith(report.label) else f" ({report.label})"
    head = layout.ascii_fold(f"{report.game} {report.side_name}, {turn}{label}")
    due = f"; due {layout.day(report.deadline)}" if report.deadline else ""
    news = layout.ascii_fold(_news(report))[: LONG - len(head) - len(due) - 2].rstrip(" ,;")
    return (f"{head}: {news}{due}" if news else f"{head}{due}")[:LONG].strip()


def _news(report: Report) -> str:
    """What happened, in a few words; after the end of the game, who won."""
    if report.result is None:
        return report.news
    return f"the game is over, {_outcome(report.result.result, report.side)}"


def because(result: Plain) -> str:
    """Why the game is over, as a sentence with the rule. result: of a report, as JSON data."""
    rule = f" ({result['rule']})" if result.get("rule") else ""
    why = result.get("why") or "By the rules"
    return f"{why[:1].upper()}{why[1:]}{rule}."


def outcome(result: str, report: Plain) -> str:
    """A result in words for the reader of a report: `you have won`, for spectators `British won`.

    result: a side, `draw` or `none`.
    """
    return _outcome(result, report["side"])


def _outcome(result: str, reader: str) -> str:
    if result in ("draw", "none"):
        return "a draw" if result == "draw" else "no result"
    if reader == ALL:
        return f"{result.replace('_', ' ').capitalize()} won"
    return "you have won" if result == reader else "you have lost"
