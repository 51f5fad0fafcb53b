"""`pbem undo`"""

from __future__ import annotations

from pathlib import Path

import click
from msgspec import to_builtins

from pbem.admin.undo import learnt, undo
from pbem.cli.common import as_json, emit, game_argument, system_of
from pbem.store.game_dir import writing


@click.command
@game_argument
@click.option(
    "--reopen", is_flag=True, help="Open a new window for new orders; else the orders are kept."
)
@as_json
@click.pass_obj
def command(home: Path, name: str, reopen: bool, as_json: bool) -> None:
    """Take back the last closed window and tell every side the same.

    The orders are kept: make a ruling if needed, then `pbem run` resolves them again with the same
    dice. With --reopen the sides send new orders for a new window.
    """
    with writing(home, name) as game:
        known, window = learnt(game), game.register.window
        done = undo(game, system_of(game), reopen)
        against = game.register.against([*done.windows, window][0]) if reopen else []
    undone = f"window {done.windows[0]} of {name} is undone; " if done.windows else ""
    text = f"{undone}window {done.opens} is open " + (
        "for new orders" if reopen else "with its orders kept: rule if needed, then `pbem run`"
    )
    if against:
        text += f"\nno signed consent of {', '.join(against)}: audits will report this"
    facts = to_builtins(done) | {"learnt": known, "against": against}
    emit(facts, "\n".join([text, *_lines(known)]), as_json)


def _lines(known: dict[str, list[str]]) -> list[str]:
    """List what each side has already learnt, for the moderator."""
    return [
        line
        for side, told in known.items()
        for line in (f"{side} had learnt:", *(f"  {one}" for one in told or ["nothing new"]))
    ]
