"""`pbem enlist`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem import private
from pbem.cli.common import as_json, emit, game_argument, read_bytes, system_of
from pbem.errors import Usage
from pbem.game import writing
from pbem.setup import enlist


@click.command
@game_argument
@click.argument("side")
@click.option("--email", default="", metavar="ADDR", help="Where the side's mail goes.")
@click.option("--key", metavar="FILE.pub", help="The player's SSH public key.")
@click.option("--bot", is_flag=True, help="The referee's own bot plays this side.")
@click.option("--name", "player", default="", metavar="N", help="The player's name.")
@click.option("--tz", default="", metavar="ZONE", help="His time zone, Europe/Berlin.")
@as_json
@click.pass_obj
def command(
    home: Path, name: str, side: str, email: str, key: str | None, bot: bool, player: str,
    tz: str, as_json: bool,
) -> None:  # fmt: skip
    """Register an SSH public key (ed25519, ecdsa, rsa) for a side; again adds an officer."""
    from pbem.clock import zone

    if tz:
        zone(tz)
    if bool(key) == bot:
        raise Usage("give the player's --key FILE.pub, or --bot")
    with writing(home, name) as game:
        system_of(game)
        public = private.make_bot_key(game, side) if bot else _public(key or "")
        number = enlist(game, side, public, email, player, tz, bot)
    emit(
        {"game": name, "side": side, "officer": number, "key": public},
        f"enlisted officer {number} of {side} in {name}",
        as_json,
    )


def _public(path: str) -> str:
    lines = read_bytes(path).decode("utf-8-sig", "replace").strip().splitlines()
    if len(lines) != 1:
        raise Usage(f"{path} is no public key", "it is one line: ssh-ed25519 AAAA... name")
    return lines[0]
