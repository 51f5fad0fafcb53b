"""`pbem open`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.admin.setup import open_game
from pbem.cli.common import as_json, emit, game_argument, system_of
from pbem.store.game_dir import writing


@click.command
@game_argument
@click.option("--deadline", default="", metavar="ISO", help="When window 1 closes.")
@as_json
@click.pass_obj
def command(home: Path, name: str, deadline: str, as_json: bool) -> None:
    """Open window 1 and put the first reports into the outbox."""
    with writing(home, name) as game:
        window = open_game(game, system_of(game), deadline)
    emit(
        {"game": name, "window": window, "deadline": game.register.deadline},
        f"{name} is open; the first reports are in {game.path('outbox')}",
        as_json,
    )
