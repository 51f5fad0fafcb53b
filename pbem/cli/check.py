"""`pbem check`"""

from __future__ import annotations

import click
from msgspec import to_builtins

from orders.canon import decode
from pbem.cli.common import as_json, emit, read_bytes, read_report, system_for, used
from pbem.cli.completion import FILE
from pbem.cli.understanding import facts, told
from pbem.player.reader import problem, read_text


@click.command
@click.argument("orders", type=FILE)
@click.option(
    "--report", required=True, metavar="REPORT.json", type=FILE, help="The report that you answer."
)
@as_json
@click.pass_context
def command(ctx: click.Context, orders: str, report: str, as_json: bool) -> None:
    """Check orders offline, with the referee's own checker and your report.

    The exit code is 1 if there are mistakes.
    """
    answered = read_report(report)
    text = decode(read_bytes(orders))
    with used(report):
        system = system_for(answered)
        reading = read_text(system, answered, text, orders)
        found = [*reading.refusals, *reading.diagnostics]
        meant = facts(system, answered, reading)
        said = told(system, answered, reading, orders)
    problems = [problem(orders, d) for d in found]
    emit({**meant, "problems": to_builtins(problems)}, said, as_json)
    ctx.exit(1 if found else 0)
