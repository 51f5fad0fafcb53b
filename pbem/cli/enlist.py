"""`pbem enlist`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, game_argument, read_bytes, system_of
from pbem.errors import Usage
from pbem.game import Game, writing
from pbem.joining import require_anchor
from pbem.setup import enlist, enlist_bot, enlist_by_letter


@click.command
@game_argument
@click.argument("side", default="")
@click.option("--email", default="", metavar="ADDR", help="Where the side's mail goes.")
@click.option("--key", metavar="FILE.pub", help="The player's SSH public key.")
@click.option("--anchor", default="", metavar="HEX", help="The anchor of that key's dice chain.")
@click.option("--age", "own_age", default="", metavar="age1...",
              help="Seal his mail to this age key; ECDSA keys need one.")  # fmt: skip
@click.option("--recovery", metavar="FILE.pub", help="The public half of his recovery key.")
@click.option("--letter", metavar="FILE", help="The player's signed answer to a letter.")
@click.option("--bot", is_flag=True, help="The referee's own bot plays this side.")
@click.option("--name", "player", default="", metavar="N", help="The player's name.")
@click.option("--tz", default="", metavar="ZONE", help="His time zone, Europe/Berlin.")
@as_json
@click.pass_obj
def command(
    home: Path, name: str, side: str, email: str, key: str | None, anchor: str, own_age: str,
    recovery: str | None, letter: str | None, bot: bool, player: str, tz: str, as_json: bool,
) -> None:  # fmt: skip
    """Register an SSH public key (ed25519, ecdsa, rsa) for a side; again adds an officer."""
    from pbem.clock import zone

    if tz:
        zone(tz)
    if (
        bool(key) + bool(letter) + bot != 1
        or ((anchor or recovery or own_age) and not key)
        or not (side or letter)
    ):
        raise Usage("give a side and the player's --key FILE.pub or --bot, or his --letter FILE")
    with writing(home, name) as game:
        system_of(game)
        if letter:
            side = _by_letter(game, letter, side)
        elif bot:
            enlist_bot(game, side, email, player, tz)
        else:
            anchor = require_anchor(anchor)
            public, paper = public_of(key or ""), recovery_of(recovery)
            enlist(
                game, side, public, email, player, tz, anchor=anchor, recovery=paper,
                own_age=own_age,
            )  # fmt: skip
        officer = game.register.officers[-1]
        public, number = officer.key, officer.number
    emit(
        {"game": name, "side": side, "officer": number, "key": public},
        f"enlisted officer {number} of {side} in {name}",
        as_json,
    )


def _by_letter(game: Game, file: str, side: str) -> str:
    """The side that the answer is for, which must be `side` where one is given."""
    joined, _ = enlist_by_letter(game, read_bytes(file), side)
    return joined


def recovery_of(path: str | None) -> str:
    """The public line of a recovery key without its comment, empty without a file."""
    return " ".join(public_of(path).split()[:2]) if path else ""


def public_of(path: str) -> str:
    """The one line of a public key's file. Raises NotFound, Usage."""
    lines = read_bytes(path).decode("utf-8-sig", "replace").strip().splitlines()
    if len(lines) != 1:
        raise Usage(f"{path} is no public key", "it is one line: ssh-ed25519 AAAA... name")
    return lines[0]
