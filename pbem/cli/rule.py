"""`pbem rule`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, game_argument, read_bytes
from pbem.game import writing
from pbem.moderate import read_ruling, rule


@click.command
@game_argument
@click.argument("file", metavar="FILE.toml")
@click.option("--reason", required=True, metavar="TEXT", help="Shown in every later report.")
@as_json
@click.pass_obj
def command(home: Path, name: str, file: str, reason: str, as_json: bool) -> None:
    """Record a ruling: text = "what holds", rule = "7.23". Every side is told the same."""
    ruling = read_ruling(read_bytes(file).decode("utf-8-sig", "replace"), file)
    with writing(home, name) as game:
        timely = rule(game, ruling, reason)
        window = game.register.window
    late = "" if timely else "; flagged, because orders for it are in"
    emit(
        {"game": name, "window": window, "timely": timely, "reason": reason},
        f"ruled for window {window} of {name} and later{late}",
        as_json,
    )
