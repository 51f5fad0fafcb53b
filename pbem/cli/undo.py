"""`pbem undo`"""

from __future__ import annotations

import sys
from pathlib import Path

import click
from msgspec import to_builtins

from pbem.admin.undo import learnt, undo, window_to_undo
from pbem.cli.common import as_json, emit, game_argument, say, system_of
from pbem.errors import Busy
from pbem.store.game_dir import reading, writing
from pbem.text.layout import counted


@click.command
@game_argument
@click.option(
    "--reopen", is_flag=True, help="Open a new window for new orders; else the orders are kept."
)
@click.option("--dry-run", "dry", is_flag=True, help="Only say what it would do.")
@click.option("--yes", is_flag=True, help="Do not ask on a terminal.")
@as_json
@click.pass_obj
def command(home: Path, name: str, reopen: bool, dry: bool, yes: bool, as_json: bool) -> None:
    """Take back the last closed window and tell every side the same.

    The orders are kept: make a ruling if needed, then `pbem run` resolves them again with the same
    dice. With --reopen the sides send new orders for a new window. On a terminal you are asked
    first, because the notices cannot be called back.
    """
    game = reading(home, name)
    known, window = learnt(game), window_to_undo(game, reopen)
    if dry:
        text = f"window {window} of {name} would be undone, {_then(reopen)}"
        facts = {"window": window, "reopen": reopen, "learnt": known}
        emit(facts, "\n".join([text, *_lines(known)]), as_json)
        return
    asks = not yes and sys.stdin.isatty()
    if asks:
        say("\n".join(_lines(known)))
        sides = counted(len(game.register.sides), "side", "sides")
        click.confirm(f"Undo window {window} of {name} and tell {sides}?", abort=True, err=True)
    with writing(home, name) as game:
        if window_to_undo(game, reopen) != window:
            raise Busy(f"another window of {name} was closed meanwhile", "look, and undo again")
        known, window = learnt(game), game.register.window
        done = undo(game, system_of(game), reopen)
        against = game.register.against([*done.windows, window][0]) if reopen else []
    undone = f"window {done.windows[0]} of {name} is undone; " if done.windows else ""
    text = f"{undone}window {done.opens} is open {_then(reopen)}"
    if against:
        text += f"\nno signed consent of {', '.join(against)}: audits will report this"
    facts = to_builtins(done) | {"learnt": known, "against": against}
    emit(facts, text if asks else "\n".join([text, *_lines(known)]), as_json)


def _then(reopen: bool) -> str:
    """Say what becomes of the orders."""
    return "for new orders" if reopen else "with its orders kept: rule if needed, then `pbem run`"


def _lines(known: dict[str, list[str]]) -> list[str]:
    """List what each side has already learnt, for the moderator."""
    return [
        line
        for side, told in known.items()
        for line in (f"{side} had learnt:", *(f"  {one}" for one in told or ["nothing new"]))
    ]
