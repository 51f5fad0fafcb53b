"""The door by which the orders of a test come in: the checks that a mailed set meets.

What a player cannot send, a test cannot play. Orders are read with the words of the side's own
report and judged by its menu and by the system's checks, by the function that the referee's intake,
`pbem check` and the bots call.

    report = shown(SYSTEM, state, RAIDER)
    book.take(submitted(SYSTEM, report, "RAIDER: move C3;"))
"""

from __future__ import annotations

from collections.abc import Sequence

from orders.diagnose import format_all
from orders.model import OrderSet
from orders.reading import Reading
from orders.rows import typed
from pbem.base.report_json import Moderator, Report
from pbem.engine.role_views import role_view
from pbem.engine.runner import Closing
from pbem.model import Question, Side, System
from pbem.player.reader import read_text
from pbem.reports.report import SILENT, Account, Frame, Words, draft
from pbem.roles import role_of


class RefusedError(AssertionError):
    """Orders of a test that a player could not send; the text is what he would read."""


def shown(
    system: System,
    state: object,
    side: Side,
    scenario: str = "",
    questions: Sequence[Question] = (),
    closing: Closing | None = None,
    owed: Sequence[Side] = (),
    words: Words = SILENT,
) -> Report:
    """The report that `side` has of a position when a window opens, without a digest.

    scenario: by default the first. questions: put to the side, as Q1, Q2 ... closing: the window
    that closed before; without it this is the first. owed: who must answer. words: for the texts
    of events and questions, by default none.
    """
    closed = closing.window if closing else 0
    frame = Frame(
        game="g",
        setup="",
        digest="0" * 64,
        scenario=scenario or system.scenarios[0].name,
        title=system.title,
        window=closed + 1,
        closed=closed,
        opened="",
        deadline="",
        head="0" * 64,
        moderator=Moderator("", "0" * 16),
        dice_mode="seeded",
        owed=owed,
    )
    account = Account(
        told=closing.told if closing else (),
        rolls=closing.rolls if closing else (),
        questions=questions,
    )
    seen = role_view(system, state, side) if role_of(side) else system.view(state, side)
    return draft(system, frame, side, seen, account, words)


def submitted(system: System, report: Report, text: str, refused: Sequence[str] = ()) -> OrderSet:
    """The orders that stand when a side sends `text`, which has no BEGIN and END.

    refused: the codes of what must be wrong with it (`not-now`), as it is written; these orders do
    not stand, as by mail. Raises RefusedError, with the messages that the player would read, if
    anything else is refused, or less.
    """
    reading = judged(system, report, text)
    require(reading, text, refused)
    return reading.orders


def legal(system: System, report: Report, lines: Sequence[str]) -> list[str]:
    """Those of these lines that the side can send: for orders that a test draws at random."""
    found = judged(system, report, "\n".join(lines)).diagnostics
    wrong = {one.line - 2 for one in found}  # the first line is BEGIN ORDERS
    return [line for number, line in enumerate(lines) if number not in wrong]


def judged(system: System, report: Report, text: str) -> Reading:
    """The orders that stand, as their verbs' structs can hold them, and what is wrong with the
    others."""
    reading = read_text(system, report, f"BEGIN ORDERS\n{text}\nEND ORDERS\n", report.side)
    for order in reading.orders.orders:
        for action in (*order.actions, *order.otherwise):
            typed(action.args, system.grammar.verb(action.verb).type)
    return reading


def require(reading: Reading, text: str, refused: Sequence[str] = ()) -> None:
    """Assert that these are the codes of what is wrong with orders, and that nothing else is.
    Raises RefusedError."""
    if [one.code for one in reading.diagnostics] != list(refused):
        said = format_all(reading.diagnostics, "orders") or "nothing was refused"
        raise RefusedError(f"{said}\nexpected: {', '.join(refused) or 'no refusal'}\n\n{text}")
