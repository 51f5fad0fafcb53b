"""`pbem lint`"""

from __future__ import annotations

import click
from msgspec import to_builtins

from pbem.cli.common import as_json, emit
from pbem.cli.completion import system_names
from pbem.text.layout import counted


@click.command
@click.argument("system", shell_complete=system_names)
@click.option("--scenario", default="", help="The only scenario to play; default: all.")
@click.option(
    "--games",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    help="Number of bot games in each scenario, and of games whose players order anything.",
)
@click.option("--seed", default="lint", show_default=True, help="Other seeds play other games.")
@as_json
@click.pass_context
def command(
    ctx: click.Context, system: str, scenario: str, games: int, seed: str, as_json: bool
) -> None:
    """Check a rule system for its author's mistakes.

    Reads the system and lets bots play it under watch, and players who order anything that the
    checks accept. Each finding names the line of the system, what is wrong and what to do.
    The exit code is 1 if there are findings.
    """
    from pbem.admin.setup import scenario_of
    from pbem.cli.common import system_named
    from pbem.lint.run import examined, in_order

    rules = system_named(system)
    names = [scenario_of(rules, scenario).name] if scenario else []
    notes = examined(rules, names, games, seed)
    findings = in_order(notes)
    count = counted(len(findings), "finding", "findings")
    remarks = [f"remark: {text}" for text in notes.remarks]
    end = f"{system}: {count if findings else 'no findings'}"
    text = "\n".join([*map(str, findings), *remarks, end])
    found = {"system": system, "findings": to_builtins(findings), "remarks": notes.remarks}
    emit(found, text, as_json)
    ctx.exit(1 if findings else 0)
