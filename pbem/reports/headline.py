"""A report in one line: the subject of its mail, and the result of a game in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.model import ALL, Plain
from pbem.roles import seat
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
    named = report.label.startswith("turn") or not report.turn  # turn 0 is the set-up
    turn = report.label if named else f"turn {report.turn}"
    turn += " again" if report.taken_back else ""
    label = "" if turn.startswith(report.label) else f" ({report.label})"
    head = layout.ascii_fold(f"{report.game} {report.side_name}, {turn}{label}")
    until = "closes" if report.owed and report.seat not in report.owed else "due"
    due = f"; {until} {layout.day(report.deadline)}" if report.deadline else ""
    news = layout.ascii_fold(_news(report))[: LONG - len(head) - len(due) - 2].rstrip(" ,;")
    return (f"{head}: {news}{due}" if news else f"{head}{due}")[:LONG].strip()


def _news(report: Report) -> str:
    """What happened, in a few words; after the end of the game, who won."""
    if report.result is None:
        return report.news
    return f"the game is over, {_outcome(report.result.result, report.side)}"


def owing(report: Plain) -> str:
    """Who must answer a window that not every side must: `Orders are due from German; you may
    write.`; empty if every side must. report: as JSON data."""
    owed, reader = report.get("owed", ()), seat(report["side"], report.get("role", ""))
    names = ", ".join("you" if side == reader else _name(side) for side in owed)
    if not owed or reader == ALL:
        return f"Orders are due from {names}." if owed else ""
    return f"Orders are due from {names}; {'the others' if reader in owed else 'you'} may write."


def _name(side: str) -> str:
    """A side's word as a name."""
    return side.replace("_", " ").title()


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
        return f"{_name(result)} won"
    return "you have won" if result == reader else "you have lost"
