"""`pbem replace`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, game_argument
from pbem.cli.enlist import public_of
from pbem.clock import zone
from pbem.game import writing
from pbem.moderate import replace


@click.command
@game_argument
@click.argument("side")
@click.option("--email", default="", metavar="ADDR", help="Where the side's mail goes now.")
@click.option("--key", required=True, metavar="FILE.pub", help="The new player's public key.")
@click.option("--name", "player", default="", metavar="N", help="His name.")
@click.option("--tz", default="", metavar="ZONE", help="His time zone, Europe/Berlin.")
@as_json
@click.pass_obj
def command(
    home: Path, name: str, side: str, email: str, key: str, player: str, tz: str, as_json: bool
) -> None:  # fmt: skip
    """Let another player take over a side; the former keys sign no more."""
    if tz:
        zone(tz)
    with writing(home, name) as game:
        number = replace(game, side, public_of(key), email, player, tz)
    emit(
        {"game": name, "side": side, "officer": number},
        f"officer {number} of {side} in {name} takes over",
        as_json,
    )
