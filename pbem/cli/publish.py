"""`pbem publish`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, game_argument, system_of
from pbem.errors import Usage
from pbem.replay.walk import require_over
from pbem.store.game_dir import reading


@click.command
@game_argument
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The page; the bundle is FILE with .zip. Default: HOME/GAME/GAME.html.",
)
@as_json
@click.pass_obj
def command(home: Path, name: str, out: Path | None, as_json: bool) -> None:
    """After the end of a game: write an HTML replay and, next to it, the public bundle for audits.

    Both contain the truth of every window and all orders and dice, but no addresses, names or mail.
    """
    from pbem.replay.publish import publish

    if out and out.suffix.lower() == ".zip":
        raise Usage(f"{out} is the name of a bundle", "name the page instead: -o FILE.html")
    game = reading(home, name)
    system = system_of(game)
    require_over(game, system)
    done = publish(game, system, out or game.path(f"{name}.html"))
    result = {
        "game": name,
        "page": str(done.page),
        "bundle": str(done.bundle),
        "windows": done.windows,
    }
    emit(result, f"{done.page}\n{done.bundle}", as_json)
