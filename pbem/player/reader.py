"""Reading orders with the eyes of their sender: his report.json and the public board, no more.

The referee's intake, the offline checker, `sign` and the bots all read through here.
"""

from __future__ import annotations

from orders.canon import Unit, streams
from orders.diagnose import judge
from orders.model import Order, OrderSet
from orders.parse import understand
from orders.reading import Diagnostic, Reading
from orders.show import show, show_order, show_word
from orders.vocabulary import LEADING, Vocabulary
from pbem.base.mail_json import Problem, Understood
from pbem.base.report_json import Report
from pbem.errors import Findings
from pbem.model import System
from pbem.player.run_word import WORD, judged, note, turns_of


def read_unit(system: System, report: Report, unit: Unit) -> Reading:
    """One unit of mail, read and judged by the sender's own report."""
    words = Vocabulary.of(report.plain, system.grammar)
    read = judge(understand(unit, system.grammar, words), report.plain, system.check)
    return judged(read, report.dice_mode)


def parse_text(system: System, report: Report, text: str, name: str = "orders.txt") -> Reading:
    """The one unit of mail in `text`, understood but not judged. Raises Findings."""
    (unit,) = _one_unit(text, name)
    return understand(unit, system.grammar, Vocabulary.of(report.plain, system.grammar))


def read_text(system: System, report: Report, text: str, name: str = "orders.txt") -> Reading:
    """The one unit of mail in `text`. Raises Findings when there is not exactly one."""
    return read_unit(system, report, *_one_unit(text, name))


def _one_unit(text: str, name: str) -> list[Unit]:
    units = streams(text, name)
    if len(units) != 1:
        raise Findings(
            f"{name}: one block BEGIN ORDERS ... END ORDERS expected, {len(units)} found",
            "`pbem form REPORT.json` writes one to edit",
        )
    return units


def understood(system: System, report: Report, reading: Reading) -> list[Understood]:
    """Every word and order as it will be executed, with what it takes."""
    words = reading.orders.words
    lines = [
        Understood(show_word(word, words[word]), _meaning(word, reading.orders, report))
        for word in LEADING
        if word in words
    ]
    lines += [
        Understood(show_order(order, system.grammar), system.note(order, report.plain))
        for order in reading.orders.orders
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


MEANT = {
    "FINAL": "this set counts as whole, whatever of it was refused",
    "ABSENT": "no reminders before that day; deadlines wait as the game's schedule lets them",
    "RESIGN": "the game is held until the moderator decides",
    "CONSENT": "recorded under your signature",
}
"""What the words before the first unit do."""


def _meaning(word: str, orders: OrderSet, report: Report) -> str:
    return note(turns_of(orders), report.window) if word == WORD else MEANT[word]


def without(report: Report, reading: Reading) -> list[str]:
    """Units that this set gives nothing to do this turn; who sails in a force, or with a leader,
    does as that."""
    given = {o.actor for o in reading.orders.orders if _now(o)}
    led = {u["id"] for u in report.plain["units"] if u.get("force") or u.get("leader")}
    left = report.menu.keys() - given - led
    return [unit.name for unit in report.units if unit.id in left]


def _now(order: Order) -> bool:
    return order.turn is None and not order.standing


def defaults(report: Report, reading: Reading) -> list[str]:
    """The questions left open, with what happens without an answer."""
    return [f"{q.id}: {q.default}" for q in report.questions if q.id not in reading.orders.answers]


def standing(system: System, reading: Reading, report: Report) -> list[str]:
    """The standing orders that this set leaves in force."""
    named = {o.actor for o in reading.orders.orders if o.standing} | set(reading.orders.cleared)
    kept = [s for s in report.standing if s.split(":")[0].lstrip("@ ") not in named]
    fresh = OrderSet(tuple(o for o in reading.orders.orders if o.standing))
    return [*kept, *show(fresh, system.grammar).splitlines()]


def problem(name: str, found: Diagnostic) -> Problem:
    """A diagnostic as the receipt holds it. name: what messages call the file."""
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
