"""`pbem analyse`"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from pbem import __version__
from pbem.audit import publication
from pbem.base.analysis_json import FILE
from pbem.cli.audit import laid_out
from pbem.cli.common import as_json, emit, game_argument, system_named, system_of
from pbem.cli.working import CORES, place, place_options, watched
from pbem.store.game_dir import Game, finished, reading


@click.command
@game_argument
@click.option(
    "--playouts",
    type=click.IntRange(20, 100_000),
    default=300,
    show_default=True,
    help="Games played from each window.",
)
@click.option(
    "--apart",
    type=click.IntRange(0, 100_000),
    default=100,
    show_default=True,
    help="Games for each choice of orders, which tell luck and skill apart; 0: not told apart.",
)
@place_options(CORES)
@click.option("--seed", default="pbem", show_default=True, help="Other seeds give other playouts.")
@as_json
@click.pass_context
def command(
    ctx: click.Context,
    name: str,
    playouts: int,
    apart: int,
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

    from pbem.analysis import chances, report
    from pbem.analysis.believed import believed
    from pbem.analysis.moments import moments
    from pbem.bots.work import carried_out
    from pbem.replay.frames import sorted_frames
    from pbem.story.plot import heaviest

    game = _game(ctx, name)
    system = system_of(game)
    along = moments(game, system)
    found = [along.moments[window] for window in sorted(along.moments)]
    register = along.register
    played = chances.Played(
        system=system.name,
        edition=system.edition,
        scenario=register.created.scenario,
        sides=register.sides,
        options=register.options,
        seed=seed,
    )
    keys = [unit.key for unit in chances.units(found, register.sides, playouts, apart)]
    work = partial(chances.worked, system_named, played, {m.window: m for m in found})
    named = f"{__version__} {system.edition} {register.head} {seed}"
    running = carried_out(keys, work, place(jobs, cluster, keep), named)
    done = watched(running, len(keys), "playouts")
    gathered = chances.gathered(found, register.sides, done)
    thought = believed(system, sorted_frames(along), register.sides, seed)
    told = heaviest(along, system)
    result = report.analysis(game.name, system, along, gathered, told, thought, seed)
    if not Path(name).is_file():
        game.path(FILE).write_bytes(msgspec.json.encode(result))
    emit(msgspec.to_builtins(result), report.text(result), as_json)


def _game(ctx: click.Context, name: str) -> Game:
    """Open a game of this home, the ledger of one, or its bundle. Raises NotFound, BadProof."""
    path = Path(name)
    if not path.is_file():
        return reading(ctx.obj, name)
    if not publication.is_bundle(path):
        return finished(path)
    ledger = publication.read(path).parts[publication.LEDGER]
    return finished(ctx.with_resource(laid_out(ledger)))
