"""`pbem story`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, game_argument, system_of
from pbem.replay.walk import require_over
from pbem.store.game_dir import reading


@click.command
@game_argument
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Where to write it. Default: HOME/GAME/story.",
)
@as_json
@click.pass_obj
def command(home: Path, name: str, out: Path | None, as_json: bool) -> None:
    """After the end of a game: write its story as a page, and as Markdown with pictures.

    It tells where the game turned, with charts of what really was beside what each side believed,
    the points and the losses. It contains no addresses, names of players or mail.
    """
    game = reading(home, name)
    system = system_of(game)
    require_over(game, system)
    from pbem.story.write import story

    done = story(game, system, out or game.path("story"))
    result = {
        "game": name,
        "page": str(done.page),
        "text": str(done.text),
        "pictures": [str(path) for path in done.pictures],
        "moments": done.moments,
    }
    emit(result, f"{done.page}\n{done.text}", as_json)
