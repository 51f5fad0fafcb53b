"""Parses and judges orders, using only the sender's report and the public board.

The referee's intake, the offline checker, `sign` and the bots all use these functions, so that they
judge alike and no message can tell more than the sender's report does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from orders.canon import Unit, streams
from orders.diagnose import Alone, judge
from orders.model import OrderSet
from orders.parse import read_line, understand
from orders.reading import Diagnostic, Reading
from orders.show import show_order, show_word
from orders.vocabulary import LEADING, Vocabulary
from pbem.base.report_json import Report
from pbem.errors import Findings
from pbem.model import Plain, System
from pbem.player.role_orders import may_order, within_role
from pbem.player.run_word import (
    LINKS,
    WORD,
    links_note,
    links_of,
    note,
    turns_of,
    without_strict_run,
)

if TYPE_CHECKING:
    from pbem.base.mail_json import Problem, Understood


def read_unit(system: System, report: Report, unit: Unit) -> Reading:
    """One unit of mail, parsed and judged by the sender's report, with its diagnostics."""
    words = Vocabulary.of(report.plain, system.grammar)
    read = understand(unit, system.grammar, words)
    judges = system.check, system.after, words.seen, system.contradicts
    read = judge(read, report.plain, *judges)
    return within_role(without_strict_run(read, report.dice_mode), report)


def legal_alone(system: System, report: Report) -> Callable[[str], bool]:
    """A function that tells whether a line of orders could be sent by itself in answer to the
    report."""
    words = Vocabulary.of(report.plain, system.grammar)
    names = (words.language, words.actors, words.units, words.contacts)
    alone = Alone(report.plain, words.seen, system.check)

    def legal(line: str) -> bool:
        read = read_line(line, *names)
        return read is not None and all(
            alone.stands(order, place) and may_order(report, order)
            for order, place in zip(read.orders, read.places, strict=True)
        )

    return legal


def parse_text(system: System, report: Plain, text: str, name: str = "orders.txt") -> Reading:
    """The one unit of mail in `text`, parsed but not judged. report: as JSON data, which is all
    that parsing needs; name: of the file, for messages.

    Raises Findings if there is not exactly one.
    """
    (unit,) = _one_unit(text, name)
    return understand(unit, system.grammar, Vocabulary.of(report, system.grammar))


def read_text(system: System, report: Report, text: str, name: str = "orders.txt") -> Reading:
    """The one unit of mail in `text`, parsed and judged. name: of the file, for messages.

    Raises Findings if there is not exactly one.
    """
    return read_unit(system, report, *_one_unit(text, name))


def _one_unit(text: str, name: str) -> list[Unit]:
    units = streams(text, name)
    if len(units) != 1:
        raise Findings(
            f"{name}: expected one block BEGIN ORDERS ... END ORDERS, found {len(units)}",
            "`pbem form REPORT.json` writes a form to edit",
        )
    return units


def understood(system: System, report: Report, reading: Reading) -> list[Understood]:
    """Every word, order and answer of a set as it will be executed, for receipts and `check`, each
    with what it will do or cost."""
    from pbem.base.mail_json import Understood

    words = reading.orders.words
    lines = [
        Understood(show_word(word, words[word]), _meaning(word, reading.orders, report))
        for word in LEADING
        if word in words
    ]
    lines += [
        Understood(show_order(order, system.grammar), system.note(order, seen))
        for order, seen in zip(reading.orders.orders, reading.seen, strict=True)
    ]
    lines += [
        Understood(f"@{actor}: none;", "standing orders cleared")
        for actor in reading.orders.cleared
    ]
    notes = answer_notes(report, reading)
    lines += [
        Understood(f"{q}: {' '.join(v) if isinstance(v, list) else v};", notes.get(q, ""))
        for q, v in reading.orders.answers.items()
    ]
    return lines


def answer_notes(report: Report, reading: Reading) -> dict[str, str]:
    """Question to a note on its answer, if that only repeats the default, as the order form does,
    and the set has orders as well: `pbem.table.Table` lets orders that answer count first."""
    if not any(order.turn in (None, report.turn) for order in reading.orders.orders):
        return {}
    usual = {q.id: q.default for q in report.questions if len(q.choices) != 1}
    given = reading.orders.answers.items()
    return {q: USUAL_ANSWER for q, said in given if said == usual.get(q)}


USUAL_ANSWER = "the default: orders of this set that answer otherwise count before it"


WORD_NOTES = {
    "FINAL": "this set counts as complete, even if some of it was refused",
    "ABSENT": "no reminders before that day; deadlines wait if the game's schedule allows it",
    "RESIGN": "the game is put on hold until the moderator decides",
    "CONSENT": "recorded under your signature",
    "PREFER": "holds once these orders are in force; a mail confirms it",
}
"""What the words before the first unit do, for receipts."""


def _meaning(word: str, orders: OrderSet, report: Report) -> str:
    if word == LINKS:
        return links_note(links_of(orders), report.window, report.dice_mode)
    return note(turns_of(orders), report.window) if word == WORD else WORD_NOTES[word]


def defaults(report: Report, reading: Reading) -> list[str]:
    """The questions that the set does not answer, each with its default: `Q1: SUFFOLK`. Those with
    a single choice are left out."""
    chosen = (q for q in report.questions if len(q.choices) != 1)
    return [f"{q.id}: {q.default}" for q in chosen if q.id not in reading.orders.answers]


def problem(name: str, found: Diagnostic) -> Problem:
    """A diagnostic as a receipt contains it. name: of the file, for messages."""
    from pbem.base.mail_json import Problem

    return Problem(
        code=found.code,
        text=found.text,
        where=f"{name}:{found.line}:{found.column}",
        line=found.source,
        start=found.at,
        length=found.length,
        hint=found.hint,
        rule=found.rule,
    )
