"""`pbem analyse`"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import click

from pbem import __version__
from pbem.audit import publication
from pbem.base.analysis_json import FILE
from pbem.cli.audit import laid_out
from pbem.cli.common import as_json, emit, game_argument, system_named, system_of
from pbem.store.game_dir import Game, finished, reading

Item = TypeVar("Item")


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
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1,
    help="Number of processes. Default: one for each core.",
)
@click.option("--seed", default="pbem", show_default=True, help="Other seeds give other playouts.")
@click.option(
    "--keep",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep results in FILE; a run that was stopped goes on from it.",
)
@as_json
@click.pass_context
def command(
    ctx: click.Context,
    name: str,
    playouts: int,
    apart: int,
    jobs: int,
    seed: str,
    keep: Path | None,
    as_json: bool,
) -> None:
    """After the end of a game: each side's chances in every window, and what moved them.

    From every position bots play the game to its end many times, under other dice. GAME is a game
    of this home, or the .zip of a published one. The result is also written to
    HOME/GAME/analysis.json, from which `publish` draws a graph in the replay.
    """
    import msgspec

    from pbem.analysis import chances, report
    from pbem.analysis.moments import moments
    from pbem.analysis.work import carried_out
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
    running = carried_out(keys, work, jobs, keep, named)
    done = [(chances.Unit.of(key), counts) for key, counts in _watched(running, len(keys))]
    gathered = chances.gathered(found, register.sides, done)
    result = report.analysis(game.name, system, along, gathered, heaviest(along, system), seed)
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


def _watched(running: Iterator[Item], length: int) -> Iterator[Item]:
    """The items, with a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield from running
        return
    with click.progressbar(running, length=length, label="playouts", file=sys.stderr) as bar:
        yield from bar
