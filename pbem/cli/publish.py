"""`pbem publish`"""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from pbem.base.analysis_json import FILE, Analysis
from pbem.cli.common import as_json, emit, game_argument, say, system_of
from pbem.errors import Damaged, Usage
from pbem.replay.walk import require_over
from pbem.store.game_dir import Game, reading
from pbem.store.records import Ended, Opening


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
    If `analyse` has written an analysis of the game, the replay has a graph of the chances.
    """
    from pbem.replay.publish import publish

    if out and out.suffix.lower() == ".zip":
        raise Usage(f"{out} is the name of a bundle", "name the page instead: -o FILE.html")
    game = reading(home, name)
    system = system_of(game)
    require_over(game, system)
    done = publish(game, system, out or game.path(f"{name}.html"), analysed=_analysis(game))
    result = {
        "game": name,
        "page": str(done.page),
        "bundle": str(done.bundle),
        "windows": done.windows,
    }
    emit(result, f"{done.page}\n{done.bundle}", as_json)


def _analysis(game: Game) -> Analysis | None:
    """Read the game's analysis; None if there is none, or if windows came, or changed, after it."""
    path = game.path(FILE)
    if not path.exists():
        return None
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Analysis)
    except msgspec.DecodeError as wrong:
        hint = f"`pbem analyse {game.name}` writes it again"
        raise Damaged(f"{path} is damaged: {wrong}", hint) from None
    if not _holds(game, found.head):
        say(f"{path} is of another state of the game: left out; run `pbem analyse {game.name}`")
        return None
    return found


def _holds(game: Game, head: str) -> bool:
    """Are there no windows, rulings or ends after the record with that hash?"""
    later = False
    for record in game.ledger.records():
        if later and isinstance(record.body, Opening | Ended):
            return False
        later = later or record.hash == head
    return later
