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
@click.option("--site", is_flag=True, help="Let the club's site show what all sides know.")
@click.option("--end", type=int, metavar="N", help="Remove spectator N.")
@as_json
@click.pass_obj
def command(
    home: Path, name: str, add: str, person: str, site: bool, end: int | None, as_json: bool
) -> None:
    """Spectators of a game: list them, add one, or remove one.

    They get reports of what all sides know, and at the end the truth.
    """
    from pbem.outbound import spectators

    if bool(add) + site + (end is not None) > 1:
        raise Usage("give only one of --add ADDR, --site and --end N")
    if not (add or site) and end is None:
        game = reading(home, name)
        known = spectators.addresses(game)
        found = {str(n): known[str(n)] for n in game.register.spectators}
        lines = [f"{number}  {address or 'the site'}" for number, address in found.items()]
        lines = lines or ["no spectators"]
        emit({"game": name, "spectators": found}, "\n".join(lines), as_json)
        return
    with writing(home, name) as game:
        if site:
            number = spectators.enrol_site(game)
            said = f"the site shows what all sides know of {name} from the next window on"
        elif end is None:
            number = spectators.enrol(game, add, person)
            said = f"spectator {number} of {name} gets reports from the next window on"
        else:
            number, said = end, f"spectator {end} of {name} gets no more mail"
            spectators.dismiss(game, end)
    emit({"game": name, "spectator": number}, said, as_json)
