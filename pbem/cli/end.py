"""`pbem end`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, game_argument
from pbem.errors import Busy, Usage
from pbem.outbound.notices import end
from pbem.store.game_dir import writing


@click.command
@game_argument
@click.option("--result", required=True, metavar="SIDE|draw|none", help="The winner, if any.")
@click.option("--reason", required=True, metavar="TEXT", help="The reason, mailed to every side.")
@as_json
@click.pass_obj
def command(home: Path, name: str, result: str, reason: str, as_json: bool) -> None:
    """End a game by the moderator's decision; every side is told."""
    with writing(home, name) as game:
        known = (*game.register.sides, "draw", "none")
        if result not in known:
            raise Usage(f"--result cannot be {result!r}", f"it is one of {', '.join(known)}")
        if game.register.over:
            raise Busy(f"{name} is already over: {game.register.over.result}")
        end(game, result, reason)
    emit({"game": name, "result": result, "reason": reason}, f"{name} is over: {result}", as_json)
