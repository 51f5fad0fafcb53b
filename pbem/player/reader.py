"""Parses and judges orders, using only the sender's report and the public board.

The referee's intake, the offline checker, `sign` and the bots all use these functions, so that they
judge alike and no message can tell more than the sender's report does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from orders.canon import Unit, streams
from orders.diagnose import Alone, judge
from orders.model import Order, OrderSet
from orders.parse import read_line, understand
from orders.reading import Diagnostic, Reading
from orders.show import show, show_order, show_word
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
    read = judge(read, report.plain, system.check, system.after, words.seen)
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
    lines += [
        Understood(f"{q}: {' '.join(v) if isinstance(v, list) else v};", "")
        for q, v in reading.orders.answers.items()
    ]
    return lines


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


def without(report: Report, reading: Reading) -> list[str]:
    """The names of units on the menu to which this set gives no order for this turn.

    Units in a force or under a leader are left out: they do as these do. None is named where the
    order form has a remark alone: then no order of the turn is due any more.
    """
    if report.suggest and all(line.startswith("[") for line in report.suggest):
        return []
    given = {o.actor for o in reading.orders.orders if _now(o)}
    left: Plain = reading.leaves  # with the units that the set itself makes
    free = [u for u in left["units"] if not u.get("force") and not u.get("leader")]
    return [u["name"] for u in free if u["id"] in left["menu"] and u["id"] not in given]


def _now(order: Order) -> bool:
    """Whether an order is for this turn alone, whatever happens in it."""
    return order.turn is None and not order.standing and not order.trigger


def defaults(report: Report, reading: Reading) -> list[str]:
    """The questions that the set does not answer, each with its default: `Q1: SUFFOLK`."""
    return [f"{q.id}: {q.default}" for q in report.questions if q.id not in reading.orders.answers]


def standing(system: System, reading: Reading, report: Report) -> list[str]:
    """The standing orders in force after this set, as order lines."""
    named = {o.actor for o in reading.orders.orders if o.standing} | set(reading.orders.cleared)
    kept = [s for s in report.standing if s.split(":")[0].lstrip("@ ") not in named]
    fresh = OrderSet(tuple(o for o in reading.orders.orders if o.standing))
    return [*kept, *show(fresh, system.grammar).splitlines()]


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
