"""`pbem spectators`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, game_argument
from pbem.errors import Usage
from pbem.store.game_dir import reading, writing


@click.command
@game_argument
@click.option("--add", default="", metavar="ADDR", help="Add a spectator with this address.")
@click.option("--name", "person", default="", metavar="N", help="The spectator's name.")
@click.option("--end", type=int, metavar="N", help="Remove spectator N.")
@as_json
@click.pass_obj
def command(home: Path, name: str, add: str, person: str, end: int | None, as_json: bool) -> None:
    """Spectators of a game: list them, add one, or remove one.

    They get reports of what all sides know, and at the end the truth.
    """
    from pbem.outbound import spectators

    if add and end is not None:
        raise Usage("give either --add ADDR or --end N")
    if not add and end is None:
        game = reading(home, name)
        known = spectators.addresses(game)
        found = {str(n): known[str(n)] for n in game.register.spectators}
        lines = [f"{n}  {address}" for n, address in found.items()] or ["no spectators"]
        emit({"game": name, "spectators": found}, "\n".join(lines), as_json)
        return
    with writing(home, name) as game:
        if end is None:
            number = spectators.enrol(game, add, person)
            said = f"spectator {number} of {name} gets reports from the next window on"
        else:
            number, said = end, f"spectator {end} of {name} gets no more mail"
            spectators.dismiss(game, end)
    emit({"game": name, "spectator": number}, said, as_json)
