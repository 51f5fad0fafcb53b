"""`pbem demo`"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
from msgspec import to_builtins

from pbem.base.config import FILE
from pbem.cli.bots import bot_option, kinds, seats
from pbem.cli.common import as_json, emit, mail_option, say, scenario_option, system_named
from pbem.cli.completion import system_names
from pbem.errors import Usage
from pbem.model import Plain, System
from pbem.store.game_dir import games
from pbem.turns.close_window import Resolved


@click.command
@click.argument("system", default="bismarck", shell_complete=system_names)
@click.option("--seed", default="pbem", show_default=True, help="Each seed gives another game.")
@click.option(
    "--dice",
    type=click.Choice(["seeded", "fast"]),
    default="seeded",
    show_default=True,
    help="fast: every roll has a proof.",
)
@mail_option
@scenario_option
@bot_option
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    help="Folder for the game; default: a new temporary one.",
)
@as_json
def command(
    system: str,
    seed: str,
    dice: str,
    mail: str,
    scenario: str,
    bots: tuple[str, ...],
    folder: Path | None,
    as_json: bool,
) -> None:
    """Let two bots play a whole game through signed order files and reports."""
    from pbem.admin.setup import CALLED, options_of, scenario_of
    from pbem.bots.demo import NAME, demo

    rules = system_named(system)
    home = folder or Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    if games(home) or (home / FILE).exists():
        raise Usage(f"{home} contains games already, which people may play", "choose another --dir")
    played = scenario_of(rules, scenario)
    players = seats(kinds(bots, rules, played, options_of(rules, {})), None)
    playing = demo(home, rules, seed, dice, CALLED[mail], played.name, players=players)
    windows = list(_shown(playing, rules))
    facts: Plain = {
        "home": str(home),
        "game": NAME,
        "system": system,
        "side": played.sides[0],
        "windows": sum(1 + len(done.before) for done in windows),
        "result": to_builtins(windows[-1].over),
    }
    emit(facts, _text(facts, rules), as_json)


def _shown(windows: Iterator[Resolved], system: System) -> Iterator[Resolved]:
    """Show progress if stderr is a terminal; pass the windows through."""
    for done in windows:
        if sys.stderr.isatty():
            click.echo(f"\r\x1b[K{system.title}: {done.label}", nl=False, err=True)
        yield done
    if sys.stderr.isatty():
        say("")


def _text(facts: Plain, system: System) -> str:
    """Say how the game ended, what is in the folder, and what to try next."""
    home, game, over = facts["home"], facts["game"], facts["result"]
    side = facts["side"]
    return "\n".join(
        [
            f"{system.title} was played to its end in {facts['windows']} windows.",
            f"result: {over['result']} ({over['rule']}) {over['why']}",
            "",
            f"{home} is now a home with one game in it:",
            "  orders/            the signed order files of the bots",
            f"  {game}/reports/      the reports of every side, window by window",
            f"  {game}/outbox/       the same reports as mails ready to be sent",
            f"  {game}/ledger.jsonl  the ledger, which anybody can audit",
            "",
            "Try next:",
            f"  pbem --home {home} report {game} {side}",
            f"  pbem --home {home} report {game} {side} --window 5",
            f"  pbem --home {home} audit {game}",
            f"  pbem rules {system.name}",
        ]
    )
