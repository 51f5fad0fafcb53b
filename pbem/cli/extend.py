"""`pbem extend`"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import click

from pbem.admin.commands import extend
from pbem.base.clock import now, parse, stamp
from pbem.cli.common import as_json, emit, game_argument, local_time
from pbem.errors import Usage
from pbem.store.game_dir import writing
from pbem.turns.schedule import length


@click.command
@game_argument
@click.option("--to", "until", default="", metavar="ISO", help="The new deadline.")
@click.option("--by", default="", metavar="LENGTH", help="Later by this much: 12h, 2d.")
@click.option("--reason", default="", metavar="TEXT", help="The reason, mailed to every side.")
@as_json
@click.pass_obj
def command(home: Path, name: str, until: str, by: str, reason: str, as_json: bool) -> None:
    """Move the open window's deadline; every side is told."""
    if bool(until) == bool(by):
        raise Usage("give --to ISO or --by LENGTH", "such as --by 2d or --to 2026-11-24T20:00Z")
    with writing(home, name) as game:
        if by:
            start = parse(game.register.deadline) if game.register.deadline else now()
            until = stamp(start + timedelta(minutes=length(by, "--by")))
        extend(game, until, reason)
        deadline = game.register.deadline
    emit({"game": name, "deadline": deadline}, f"{name}: due {local_time(deadline)}", as_json)
