"""`pbem note`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, game_argument
from pbem.errors import Usage
from pbem.outbound.notices import note
from pbem.store.game_dir import writing
from pbem.store.seats import mailed_seats


@click.command
@game_argument
@click.argument("words", nargs=-1, required=True, metavar="[SIDE] TEXT")
@as_json
@click.pass_obj
def command(home: Path, name: str, words: tuple[str, ...], as_json: bool) -> None:
    """Send a note to one side, or without SIDE to all. Put TEXT in quotes."""
    with writing(home, name) as game:
        sides = [str(side) for side in mailed_seats(game.register)]
        if len(words) > 1 and words[0] in sides:
            sides, words = [words[0]], words[1:]
        elif len(words) > 1:  # a misspelt side must not send all sides what was meant for one
            hint = f"sides: {', '.join(sides)}; to all of them: put the text in quotes"
            raise Usage(f"{name} has no side {words[0]!r}; nothing was sent", hint)
        text = " ".join(words).strip()
        if not text or text in game.register.seats:
            raise Usage("a note needs a text", "write: pbem note GAME [SIDE] TEXT")
        note(game, sides, text + "\n")
    emit({"game": name, "sides": sides}, f"note sent to {', '.join(sides)}", as_json)
