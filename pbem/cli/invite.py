"""`pbem invite`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.admin.letters import invite
from pbem.cli.common import as_json, emit, game_argument, role_option, say, system_of, warn_of_page
from pbem.cli.completion import sides
from pbem.roles import seat
from pbem.store.game_dir import writing


@click.command
@game_argument
@click.argument("side", shell_complete=sides())
@role_option
@click.option("--email", required=True, metavar="ADDR", help="The player's mail address.")
@click.option(
    "--tz", default="", metavar="ZONE", help="The player's time zone, such as Europe/Berlin."
)
@as_json
@click.pass_obj
def command(
    home: Path, name: str, side: str, role: str, email: str, tz: str, as_json: bool
) -> None:
    """Write a joining letter to a player; it goes to the outbox and to stdout."""
    from pbem.base.clock import zone_named
    from pbem.base.config import require_address
    from pbem.outbound.addresses import own_address

    side = seat(side, role)
    require_address(email)
    if tz:
        tz = zone_named(tz)
    with writing(home, name) as game:
        letter = invite(game, system_of(game), side, email, tz)
        address = own_address(game)
    if not address:
        say("pbem.toml names no address, so nobody can answer this letter by mail")
        say("hint: write address = ... and a mailbox into it, and invite again")
    warn_of_page(home)
    emit({"game": name, "side": side, "letter": letter}, letter, as_json)
