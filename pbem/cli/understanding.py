"""What a set of orders means, as `pbem check`, `pbem sign` and `pbem play` say it."""

from __future__ import annotations

from msgspec import to_builtins

from orders.diagnose import format_all
from orders.reading import Reading
from pbem.base.report_json import Report
from pbem.model import System
from pbem.player.in_force import earlier, lasting, without_orders
from pbem.player.reader import defaults, understood
from pbem.text.layout import first_named, wrap


def told(system: System, report: Report, reading: Reading, name: str) -> str:
    """Mistakes, then each order as it is understood, with the questions that have no answer, what
    is in force beside the set, what it replaces and who has no order.

    name: of the file, for messages.
    """
    mistakes = format_all([*reading.refusals, *reading.diagnostics], name)
    lines = ["Understood as"]
    for line in understood(system, report, reading):
        lines.append(f"  {line.order}")
        if line.note:
            lines.append(f"      note: {line.note}")
    for head, lasts in (
        ("Questions without an answer", defaults(report, reading)),
        ("Standing orders in force", lasting(system, report, reading)),
    ):
        lines += [head, *(f"  {line}" for line in lasts)] if lasts else []
    before = earlier(system, report, reading)
    if before.this_turn:
        lines += ["Ordered earlier this turn", *(f"  {line}" for line in before.this_turn)]
    if before.replaced:
        lines += ["No longer in force", *(f"  {line}" for line in before.replaced)]
    idle = without_orders(system, report, reading)
    said = [first_named(idle), system.idle] if idle else ["none"]
    lines.append(wrap(f"Without orders: {'. '.join(filter(None, said))}", hang="  "))
    return "\n".join([*([mistakes] if mistakes else []), *lines])


def facts(system: System, report: Report, reading: Reading) -> dict[str, object]:
    """The same as data, for `--json`; without the mistakes."""
    before = earlier(system, report, reading)
    return {
        "understood": to_builtins(understood(system, report, reading)),
        "without_orders": without_orders(system, report, reading),
        "defaults": defaults(report, reading),
        "standing": lasting(system, report, reading),
        "this_turn": before.this_turn,
        "replaced": before.replaced,
    }
