"""`pbem enlist`"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from pbem.admin.letters import enlist_by_letter
from pbem.admin.setup import Newcomer, enlist, enlist_bot
from pbem.base.clock import zone_named
from pbem.base.config import require_address
from pbem.cli.common import (
    as_json,
    emit,
    game_argument,
    named,
    read_bytes,
    role_option,
    system_of,
)
from pbem.cli.completion import FILE, sides
from pbem.errors import Usage
from pbem.model import Side, System
from pbem.player.joining import require_anchor
from pbem.roles import seat
from pbem.store.game_dir import Game, writing


class Said(NamedTuple):
    """The options that describe a new officer."""

    email: str
    key: str | None
    """File of the SSH public key."""
    anchor: str
    age: str
    """Age recipient."""
    recovery: str | None
    """File of the public half of the recovery key."""
    player: str
    """The player's name."""
    tz: str

    def newcomer(self) -> Newcomer:
        """Read the key files; return the new officer. Raises NotFound, Usage."""
        return Newcomer(
            key=public_of(self.key or ""),
            email=self.email,
            name=self.player,
            tz=self.tz,
            anchor=require_anchor(self.anchor),
            recovery=recovery_of(self.recovery),
            age=self.age,
        )


SAYS = (
    click.option("--email", default="", metavar="ADDR", help="The player's mail address."),
    click.option("--key", metavar="FILE.pub", type=FILE, help="His SSH public key."),
    click.option("--anchor", default="", metavar="HEX", help="The anchor of the key's dice chain."),
    click.option(
        "--age",
        default="",
        metavar="age1...",
        help="Encrypt his mail to this age key, not the SSH key; needed with ECDSA.",
    ),
    click.option(
        "--recovery", metavar="FILE.pub", type=FILE, help="The public half of his recovery key."
    ),
    click.option("--name", "player", default="", metavar="N", help="The player's name."),
    click.option("--tz", default="", metavar="ZONE", help="His time zone, such as Europe/Berlin."),
)


def as_said(command: Callable[..., None]) -> Callable[..., None]:
    """Decorate a command with the options of a new officer, passed to it as one argument `said`.

    The command raises Usage for an invalid time zone or address.
    """

    @wraps(command)
    def gathered(*args: Any, **options: Any) -> None:
        said = Said(**{field: options.pop(field) for field in Said._fields})
        if said.tz:
            said = said._replace(tz=zone_named(said.tz))
        if said.email:
            require_address(said.email)
        command(*args, said=said, **options)

    for option in reversed(SAYS):
        gathered = option(gathered)
    return gathered


@click.command
@game_argument
@click.argument("side", default="", shell_complete=sides())
@role_option
@as_said
@click.option(
    "--letter", metavar="FILE", type=FILE, help="The player's signed answer to a joining letter."
)
@click.option("--bot", is_flag=True, help="Let the referee's own bot play this side.")
@click.option(
    "--style",
    default="",
    metavar="KIND",
    help="As --bot, but another bot: strong (searches) or a style of the system.",
)
@as_json
@click.pass_obj
def command(
    home: Path,
    name: str,
    side: str,
    role: str,
    said: Said,
    letter: str | None,
    bot: bool,
    style: str,
    as_json: bool,
) -> None:
    """Register a player's SSH public key (ed25519, ecdsa, rsa) for a side.

    Give --key, --letter or --bot. Enlisting again for the same side adds another officer to it.
    With --role he sees and orders only a part of the side, as the rule system says.
    """
    side = seat(side, role)
    bot |= bool(style)
    keyed = said.anchor or said.recovery or said.age
    one = bool(said.key) + bool(letter) + bot == 1
    if not one or (keyed and not said.key) or not (side or letter):
        raise Usage("give a side and the player's --key FILE.pub or --bot, or his --letter FILE")
    with writing(home, name) as game:
        system = system_of(game)
        if letter:
            side = _by_letter(game, letter, side)
        elif bot:
            if style:
                _require_bot(game, system, side, style)
            enlist_bot(game, side, said.email, said.player, said.tz, kind=style)
        else:
            enlist(game, side, said.newcomer())
        officer = game.register.officers[-1]
        together = sum(one.side == officer.side for one in game.register.officers)
    text = f"enlisted officer {officer.number} of {side} in {name}"
    if together > 1:
        text += f"; {together} play it now, and the newest set counts, whoever sent it"
    said_of = {"game": name, "side": side, "officer": officer.number, "key": officer.key}
    emit(said_of, text, as_json)


def _require_bot(game: Game, system: System, side: str, kind: str) -> None:
    """Raises Usage if the side has no such bot."""
    from pbem.bots.kinds import require

    require(kind, system, Side(side), game.register.created.scenario, game.register.options)


def _by_letter(game: Game, file: str, side: str) -> str:
    """Enlist by a joining letter's answer; return its side, which must be `side` if given."""
    with named(file):
        joined, _ = enlist_by_letter(game, read_bytes(file), side)
    return joined


def recovery_of(path: str | None) -> str:
    """Read the public line of a recovery key, without its comment; empty without a file."""
    return " ".join(public_of(path).split()[:2]) if path else ""


def public_of(path: str) -> str:
    """Read the line in a public key file. Raises NotFound, Usage."""
    from pbem.crypto.sshsig import BadSignature, wire_key

    lines = read_bytes(path).decode("utf-8-sig", "replace").strip().splitlines()
    if len(lines) != 1:
        raise Usage(f"{path} is not a valid public key", "it is one line: ssh-ed25519 AAAA... name")
    try:
        wire_key(lines[0])
    except BadSignature as error:
        raise Usage(f"{path}: {error.message}", error.hint) from None
    return lines[0]
