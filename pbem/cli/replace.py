"""`pbem replace`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, game_argument
from pbem.cli.enlist import public_of, recovery_of
from pbem.clock import zone
from pbem.errors import Usage
from pbem.game import Game, writing
from pbem.joining import require_anchor
from pbem.moderate import replace


@click.command
@game_argument
@click.argument("side")
@click.option("--email", default="", metavar="ADDR", help="Where the side's mail goes now.")
@click.option("--key", metavar="FILE.pub", help="The public key that signs from now on.")
@click.option("--anchor", default="", metavar="HEX", help="The anchor of that key's dice chain.")
@click.option("--age", "own_age", default="", metavar="age1...",
              help="Seal his mail to this age key; ECDSA keys need one.")  # fmt: skip
@click.option("--recovery", metavar="FILE.pub", help="The public half of a new recovery key.")
@click.option("--officer", default=0, metavar="N", help="This officer's key alone, not all.")
@click.option("--lost", is_flag=True, help="The same player; his key is lost.")
@click.option("--name", "player", default="", metavar="N", help="The new player's name.")
@click.option("--tz", default="", metavar="ZONE", help="His time zone, Europe/Berlin.")
@as_json
@click.pass_obj
def command(
    home: Path, name: str, side: str, email: str, key: str | None, anchor: str, own_age: str,
    recovery: str | None, officer: int, lost: bool, player: str, tz: str, as_json: bool,
) -> None:  # fmt: skip
    """Let another player take over a side, or another key take the place of a lost one.

    All sides are told that a key changed. With --lost the new key signs two days later, unless
    the old one signs before; then `pbem tick`, or --lost without --key, puts it in place.
    """
    if tz:
        zone(tz)
    if (lost and (email or player or tz or recovery)) or not (lost or key):
        raise Usage("give the new player's --key FILE.pub, or --lost and the key of the same one")
    public, anchor = public_of(key) if key else "", require_anchor(anchor)
    with writing(home, name) as game:
        if lost:
            said = _lost(game, side, public, anchor, officer, own_age)
        else:
            number = replace(
                game, side, public, email, player, tz, anchor, recovery_of(recovery), officer,
                own_age,
            )  # fmt: skip
            said = f"officer {number} of {side} in {name} takes over"
        number = max(o.number for o in game.register.officers if o.side == side)
    emit({"game": name, "side": side, "officer": number}, said, as_json)


def _lost(game: Game, side: str, key: str, anchor: str, officer: int, own_age: str) -> str:
    from pbem.officers import carry_out, lose

    if key:
        due = lose(game, side, key, anchor, officer, own_age)
        return f"all sides of {game.name} are told; the new key of {side} signs from {due} on"
    carry_out(game, side)
    return f"the new key of {side} in {game.name} signs from now on"
