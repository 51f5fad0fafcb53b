"""`pbem resume`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.admin.commands import resume
from pbem.cli.common import as_json, emit, game_argument, local_time
from pbem.store.game_dir import writing


@click.command
@game_argument
@click.option("--deadline", default="", metavar="ISO", help="The open window's new deadline.")
@as_json
@click.pass_obj
def command(home: Path, name: str, deadline: str, as_json: bool) -> None:
    """Take a game off hold. A deadline that has passed is replaced by the schedule's next one.

    This also continues a game in which a wrong clock wrote a record with a time in the future.
    """
    with writing(home, name) as game:
        chosen = resume(game, deadline)
    said = f"{name} goes on" + (f"; due {local_time(chosen)}" if chosen else "")
    emit({"game": name, "held": False, "deadline": chosen}, said, as_json)
