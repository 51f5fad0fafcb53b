"""`pbem resend`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.admin.seats import require_seat
from pbem.cli.common import as_json, emit, game_argument, role_option
from pbem.cli.completion import sides
from pbem.outbound.forward import resend
from pbem.roles import seat
from pbem.store.game_dir import writing


@click.command
@game_argument
@click.argument("side", shell_complete=sides())
@role_option
@click.option("--window", type=int, help="The window that the report opened; default: the newest.")
@as_json
@click.pass_obj
def command(home: Path, name: str, side: str, role: str, window: int | None, as_json: bool) -> None:
    """Put a side's report into the outbox again.

    It is unchanged, but goes to the side's present addresses and keys.
    """
    side = seat(side, role)
    with writing(home, name) as game:
        require_seat(game, side)
        file = resend(game, side, game.register.window if window is None else window)
    emit({"game": name, "side": side, "file": file}, f"{file} is in the outbox again", as_json)
