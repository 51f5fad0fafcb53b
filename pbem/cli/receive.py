"""`pbem receive`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, game_argument, named, read_bytes, system_of
from pbem.cli.completion import FILE, sides
from pbem.inbound.arrival import Input
from pbem.inbound.attachments import unpack
from pbem.inbound.intake import Outcome, receive
from pbem.store.game_dir import Game, writing


@click.command
@game_argument
@click.argument("files", nargs=-1, metavar="[FILE...|-]", type=FILE)
@click.option(
    "--for",
    "side",
    default="",
    metavar="SIDE",
    shell_complete=sides(),
    help="Enter orders that a side gave you by phone.",
)
@as_json
@click.pass_context
def command(
    ctx: click.Context, name: str, files: tuple[str, ...], side: str, as_json: bool
) -> None:
    """Receive order files or .eml mails; a receipt for each goes to the outbox and to stdout.

    A player's answer to a joining letter enlists him, like `pbem enlist --letter`. The exit code is
    0 only if every input contained an accepted or already known set.
    """
    home: Path = ctx.obj
    inputs = [i for f in pairs(files or ("-",), side) for i in unpack(f)]
    with writing(home, name) as game:
        system = system_of(game)
        if side:
            from pbem.admin.seats import require_seat

            require_seat(game, side)
        outcomes = [_joined(game, i) or receive(game, system, i) for i in inputs]
    every = [o for group in outcomes for o in group]
    emit([o.receipt for o in every], "\n".join(o.text for o in every), as_json)
    ctx.exit(0 if all(any(o.good for o in group) for group in outcomes) else 1)


def _joined(game: Game, arrived: Input) -> list[Outcome]:
    """Enlist by an answer to a joining letter; return no outcome if the input is not one."""
    from pbem.admin.letters import enlist_by_letter
    from pbem.player.joining import is_join

    if not is_join(arrived.raw):
        return []
    with named(arrived.name):
        side, number = enlist_by_letter(game, arrived.raw)
    facts = {"status": "accepted", "code": "enlisted", "side": side, "officer": number}
    return [Outcome("accepted", facts, f"enlisted officer {number} of {side} in {game.name}")]


def pairs(files: tuple[str, ...], side: str) -> list[Input]:
    """Read the inputs; a detached signature `X.sig` next to `X` belongs to it."""
    found = []
    for name in files:
        if name.endswith(".sig") and name.removesuffix(".sig") in files:
            continue
        beside = Path(name + ".sig")
        detached = beside.read_bytes() if name != "-" and beside.is_file() else None
        shown = "stdin" if name == "-" else Path(name).name
        found.append(Input(shown, read_bytes(name), detached, side))
    return found
