"""`pbem check`"""

from __future__ import annotations

from typing import Any

import click

from orders.canon import decode
from orders.diagnose import format_all
from pbem.cli.common import as_json, emit, read_bytes, read_report, system_named, used
from pbem.player.reader import problem, read_text, understood, without
from pbem.text.layout import wrap


@click.command
@click.argument("orders")
@click.option("--report", required=True, metavar="REPORT.json", help="The report you answer.")
@as_json
@click.pass_context
def command(ctx: click.Context, orders: str, report: str, as_json: bool) -> None:
    """Check orders as the referee will, from your own report alone. Exit 1 with mistakes."""
    answered = read_report(report)
    text = decode(read_bytes(orders))
    with used(report):
        system = system_named(answered["system"])
        reading = read_text(system, answered, text, orders)
        found = [*reading.refusals, *reading.diagnostics]
        facts: dict[str, Any] = {
            "understood": understood(system, answered, reading),
            "problems": [problem(orders, d) for d in found],
            "without_orders": without(answered, reading),
        }
    emit(facts, _text(facts, format_all(found, orders)), as_json)
    ctx.exit(1 if found else 0)


def _text(facts: dict[str, Any], mistakes: str) -> str:
    lines = ["Understood as"]
    for line in facts["understood"]:
        lines.append(f"  {line['order']}")
        if line["note"]:
            lines.append(f"      note: {line['note']}")
    idle = f"Without orders: {', '.join(facts['without_orders']) or 'none'}"
    lines.append(wrap(idle, hang="  "))
    return "\n".join([*([mistakes] if mistakes else []), *lines])
