"""`pbem undo`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, game_argument, system_of
from pbem.game import writing
from pbem.undo import undo


@click.command
@game_argument
@click.option("--reopen", is_flag=True, help="Open a new window for new orders.")
@as_json
@click.pass_obj
def command(home: Path, name: str, reopen: bool, as_json: bool) -> None:
    """Take back the last closed window; every side is told the same."""
    with writing(home, name) as game:
        done = undo(game, system_of(game), reopen)
    text = f"window {done['windows'][0]} of {name} is undone; window {done['opens']} is open " + (
        "for new orders" if reopen else "with its orders kept: a ruling, then `pbem run`"
    )
    emit(done, text, as_json)
