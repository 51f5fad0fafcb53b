"""`pbem rule`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.admin.rulings import Ruling, read_ruling, rule
from pbem.cli.common import as_json, emit, game_argument, read_bytes, system_named, system_of
from pbem.cli.completion import FILE
from pbem.model import System
from pbem.store.game_dir import Game, writing
from pbem.store.records import Ruled


@click.command
@game_argument
@click.argument("file", metavar="FILE.toml", type=FILE)
@click.option(
    "--reason",
    required=True,
    metavar="TEXT",
    help="The reason, shown in later reports of the sides that are told.",
)
@as_json
@click.pass_obj
def command(home: Path, name: str, file: str, reason: str, as_json: bool) -> None:
    """Record a ruling and tell every side.

    FILE.toml contains text = "what is decided" and perhaps rule = "7.23". It may also change the
    state ([[edit]]), permit another edition ([permit]) and name the sides that are told its text
    (to); see docs/moderator.md.
    """
    ruling = read_ruling(read_bytes(file).decode("utf-8-sig", "replace"), file)
    with writing(home, name) as game:
        body = rule(game, _system(game, ruling.ruling), ruling, reason)
    said = {"window": body.window, "timely": body.timely, "reason": body.reason}
    opened = {"opens": body.opens} if body.opens else {}
    emit({"game": name, **said, **opened}, _text(name, body), as_json)


def _system(game: Game, ruling: Ruling) -> System:
    """Load the rule system in the edition that the ruling permits, else in that of the game."""
    if ruling.permit:
        return system_named(game.register.created.system, ruling.permit.edition)
    return system_of(game)


def _text(name: str, body: Ruled) -> str:
    late = "" if body.timely else "; marked as late, because orders for it are in"
    done = f"ruled for window {body.window} of {name} and later{late}"
    if not body.opens:
        return done
    return f"{done}\nwindow {body.opens} replaces it: new reports are in the outbox"
