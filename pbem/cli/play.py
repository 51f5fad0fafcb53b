"""`pbem play`"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path

import click
import msgspec

from orders.reading import Reading
from pbem.base.report_json import Report
from pbem.bots.practice import NAME, Practice, begin, send
from pbem.bots.seats import Seats
from pbem.cli.bots import bot_option, kinds
from pbem.cli.common import (
    as_json,
    emit,
    options_option,
    say,
    scenario_option,
    system_named,
    system_of,
)
from pbem.cli.completion import system_names
from pbem.cli.understanding import told
from pbem.errors import Findings, Usage
from pbem.model import System
from pbem.store.game_dir import reading
from pbem.turns.close_window import Resolved


@click.command
@click.argument("system", shell_complete=system_names)
@click.option("--side", default="", help="The side you play; default: the first.")
@scenario_option
@options_option
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    help="Folder of the game; continues a game that is there.",
)
@bot_option
@click.option("--seed", default="", help="Use seeded dice, which can be repeated.")
@click.option("--yes", is_flag=True, help="Send every order form unedited, until the end.")
@as_json
def command(
    system: str,
    side: str,
    scenario: str,
    options: tuple[str, ...],
    folder: Path | None,
    bots: tuple[str, ...],
    seed: str,
    yes: bool,
    as_json: bool,
) -> None:
    """Practise against a bot: edit the order file, press Enter, read the report.

    If --dir contains a game, it continues.
    """
    from pbem.admin.setup import options_of, scenario_of
    from pbem.cli.new import pair

    if not yes and not sys.stdin.isatty():
        raise Usage(
            "play needs a terminal: it asks before every window",
            "in a script, --yes sends the order forms unedited",
        )
    home = folder or Path(tempfile.mkdtemp(prefix="pbem-play-"))
    rules, said = _system(home, system), dict(pair(o) for o in options)
    played = scenario_of(rules, scenario)
    playing = kinds(bots, rules, played, options_of(rules, said))
    practice = begin(home, rules, side, said, seed, played.name, playing)
    last = _play(practice, yes)
    ended = {"window": last.window, "result": msgspec.to_builtins(last.over)} if last else {}
    facts = {"home": str(home), "game": NAME, "side": practice.side, **ended}
    emit(facts, _text(practice, last), as_json)


def _system(home: Path, name: str) -> System:
    """Load the rule system, for a game that continues in the edition that it began with."""
    going = (home / NAME / "ledger.jsonl").exists()
    return system_of(reading(home, NAME)) if going else system_named(name)


def _play(practice: Practice, yes: bool) -> Resolved | None:
    """Play windows until the end, or until the player stops; return the last one."""
    last: Resolved | None = None
    bots = Seats()
    while last is None or last.over is None:
        if not yes:
            say(f"\nread  {practice.report}\nedit  {practice.orders}")
            if click.prompt("Enter to send, q to stop", default="", show_default=False) == "q":
                return last
        try:
            last = send(practice, bots.play, _nobody if yes else partial(_understood, practice))
        except (Findings, Usage) as error:
            if yes:
                raise
            say(error.message)
            continue
        say(f"window {last.window} is closed; {last.label}")
    return last


def _understood(practice: Practice, report: Report, reading: Reading) -> None:
    """Print what was understood, before the window closes."""
    say(told(practice.system, report, reading, practice.orders.name))


def _nobody(report: Report, reading: Reading) -> None:
    """Forms that are sent unedited are not read by anybody."""


def _text(practice: Practice, last: Resolved | None) -> str:
    over = last.over if last else None
    if over is None:
        return f"to continue: pbem play {practice.system.name} --dir {practice.home}"
    return f"the game is over: {over.result} ({over.rule}) {over.why}"
