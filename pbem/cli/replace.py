"""`pbem replace`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.admin.commands import readdress, replace
from pbem.cli.common import as_json, emit, game_argument, local_time, role_option
from pbem.cli.completion import sides
from pbem.cli.enlist import Said, as_said
from pbem.errors import Usage
from pbem.roles import seat
from pbem.store.game_dir import Game, writing


@click.command
@game_argument
@click.argument("side", shell_complete=sides())
@role_option
@as_said
@click.option("--officer", default=0, metavar="N", help="Only this officer, not the whole side.")
@click.option("--lost", is_flag=True, help="The same player has lost his key.")
@as_json
@click.pass_obj
def command(
    home: Path,
    name: str,
    side: str,
    role: str,
    said: Said,
    officer: int,
    lost: bool,
    as_json: bool,
) -> None:
    """Give a side to another player, replace a lost key, or change a player's address.

    With --key another player takes over: all sides are told that a key changed, and the new player
    gets the report of the open window. With --email alone the same player has a new address; no
    other side is told.

    With --lost --key the new key becomes valid after two days, unless the old key signs before:
    then it was not lost. `pbem tick`, or --lost without --key, then makes the change.
    """
    _require_one_thing(said, lost)
    side = seat(side, role)
    with writing(home, name) as game:
        if lost:
            text = _lost(game, side, said, officer)
            number = max(o.number for o in game.register.officers if o.side == side)
        elif said.key:
            number = replace(game, side, said.newcomer(), officer)
            text = f"officer {number} of {side} in {name} takes over"
        else:
            number = readdress(game, side, said.email, said.tz, officer)
            text = f"mail of officer {number} of {side} in {name} goes to {said.email}"
    emit({"game": name, "side": side, "officer": number}, text, as_json)


def _require_one_thing(said: Said, lost: bool) -> None:
    """Raise Usage unless the options mean one thing: a player, a lost key or an address."""
    other = said.email or said.player or said.tz or said.recovery
    moves = said.email and not (said.player or said.recovery or said.anchor or said.age)
    if (lost and other) or not (lost or said.key or moves):
        raise Usage(
            "give the new player's --key FILE.pub, or --lost and the same player's new --key",
            "for the same player's new address give --email ADDR alone",
        )


def _lost(game: Game, side: str, said: Said, officer: int) -> str:
    """Announce a lost key, or replace it if its time has come; say which."""
    from pbem.admin.lost_keys import carry_out, lose

    if said.key:
        due = lose(game, side, said.newcomer(), officer)
        text = f"all sides of {game.name} are told; the new key of {side} is valid from {due}"
        closes = game.register.deadline
        if closes and closes <= due:
            text += (
                f"\nthe window closes before that, {local_time(closes)}, and {side} cannot sign "
                f"until then: `pbem extend {game.name} --by 2d` gives it time"
            )
        return text
    carry_out(game, side)
    return f"the new key of {side} in {game.name} is valid from now on"
