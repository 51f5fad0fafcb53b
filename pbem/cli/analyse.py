"""`pbem analyse`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem import __version__
from pbem.audit import publication
from pbem.audit.archive import laid_out, require_game
from pbem.base.analysis_json import FILE
from pbem.base.files import write_atomic
from pbem.cli.common import as_json, emit, game_argument, game_file, system_named, system_of
from pbem.cli.working import CORES, gauged, place, place_options
from pbem.store.game_dir import Game, finished, reading


@click.command
@game_argument
@click.option(
    "--within",
    type=click.FloatRange(0.1, 50),
    default=3,
    metavar="POINTS",
    show_default=True,
    help="From each window games are played until the chance is known within so many points.",
)
@click.option(
    "--playouts",
    type=click.IntRange(20, 100_000),
    default=1067,
    show_default=True,
    help="But no more games than these.",
)
@click.option(
    "--apart",
    type=click.IntRange(0, 100_000),
    default=100,
    show_default=True,
    help="Games for each choice of orders, which tell luck and skill apart; 0: not told apart.",
)
@click.option(
    "--thought",
    type=click.IntRange(0, 100_000),
    default=40,
    show_default=True,
    help="Games from what each side could think, in each turn; 0: left out.",
)
@place_options(CORES)
@click.option("--seed", default="pbem", show_default=True, help="Other seeds give other playouts.")
@as_json
@click.pass_context
def command(
    ctx: click.Context,
    name: str,
    within: float,
    playouts: int,
    apart: int,
    thought: int,
    jobs: int,
    cluster: str,
    keep: Path | None,
    seed: str,
    as_json: bool,
) -> None:
    """After the end of a game: each side's chances in every window, and what moved them.

    From every position bots play the game to its end many times, under other dice. GAME is a game
    of this home, or the .zip of a published one. The result is also written to
    HOME/GAME/analysis.json, from which `publish` draws a graph in the replay.
    """
    import msgspec

    from pbem.analysis import report, whole
    from pbem.analysis.moments import digest, moments
    from pbem.analysis.rounds import Aim
    from pbem.bots.work import in_rounds

    game = _game(ctx, name)
    system = system_of(game)
    along = moments(game, system)
    work = whole.work(system_named, system, along, seed)
    under = whole.begun(work, whole.Asked(Aim(within / 100, playouts, apart), thought))
    named = f"{__version__} {system.edition} {digest(along.moments)} {seed}"
    running = in_rounds(under.key_rounds(), work, place(jobs, cluster, keep), named)
    gauged(running, under, "playouts", under.add)
    result = whole.result(game.register.created.game, system, along, under)
    if not Path(name).is_file():
        write_atomic(game.path(FILE), msgspec.json.encode(result))
    emit(msgspec.to_builtins(result), report.text(result), as_json)


def _game(ctx: click.Context, name: str) -> Game:
    """Open a game of this home, the ledger of one, or its bundle. Raises NotFound, Usage,
    BadProof."""
    path = game_file(name)
    if not path:
        return reading(ctx.obj, name)
    require_game(path)
    if not publication.is_bundle(path):
        return finished(path)
    ledger = publication.read(path).parts[publication.LEDGER]
    return finished(ctx.with_resource(laid_out(ledger)))
