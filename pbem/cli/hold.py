"""`pbem hold`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.admin.commands import hold
from pbem.cli.common import as_json, emit, game_argument
from pbem.store.game_dir import writing


@click.command
@game_argument
@click.option("--reason", default="", metavar="TEXT", help="The reason, mailed to every side.")
@as_json
@click.pass_obj
def command(home: Path, name: str, reason: str, as_json: bool) -> None:
    """Put a game on hold: no window closes until `pbem resume`. Orders are still accepted."""
    with writing(home, name) as game:
        hold(game, reason)
    emit({"game": name, "held": True, "reason": reason}, f"{name} is on hold", as_json)
