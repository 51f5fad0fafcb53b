"""`pbem simulate`"""

from __future__ import annotations

from pathlib import Path

import click

import games
from pbem import __version__
from pbem.admin.setup import options_of, scenario_of
from pbem.cli.bots import bot_option, kinds, seats
from pbem.cli.common import as_json, emit, options_option, scenario_option, system_named
from pbem.cli.completion import system_names
from pbem.cli.working import place, place_options, watched
from pbem.errors import Usage
from pbem.model import Plain
from pbem.text.layout import counted


@click.command
@click.argument("system", shell_complete=system_names)
@scenario_option
@options_option
@click.option(
    "--games",
    "count",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Number of games.",
)
@place_options(1)
@bot_option
@click.option(
    "--budget", type=click.IntRange(0), metavar="N", help="Playouts in a window of strong bots."
)
@click.option("--explain", is_flag=True, help="Print why strong bots ordered what they ordered.")
@click.option("--seed", default="pbem", show_default=True, help="Game i gets the seed `TEXT i`.")
@as_json
@click.pass_context
def command(
    ctx: click.Context,
    system: str,
    scenario: str,
    options: tuple[str, ...],
    count: int,
    jobs: int,
    cluster: str,
    keep: Path | None,
    bots: tuple[str, ...],
    budget: int | None,
    explain: bool,
    seed: str,
    as_json: bool,
) -> None:
    """Let bots play many games and count the results.

    The exit code is 1 if a game ended with an error.
    """
    from pbem.bots.kinds import STRONG
    from pbem.bots.simulate import simulate, summary
    from pbem.cli.new import pair

    rules = system_named(system)
    chosen = options_of(rules, dict(pair(o) for o in options))
    seeds = [f"{seed} {i}" for i in range(1, count + 1)]
    played = scenario_of(rules, scenario)
    name = played.name
    named = (
        f"{__version__} {system} {rules.edition} {rules.digest()} {name} {sorted(chosen.items())}"
    )
    playing = kinds(bots, rules, played, chosen)
    if (explain or budget is not None) and STRONG not in playing.values():
        option = "--explain" if explain else "--budget"
        raise Usage(f"{option} is for bots that search, and none plays", "add --bot strong")
    players = seats(playing, budget)
    if players:
        named = f"{named} bots {players.args}"
    running = simulate(
        games.load, system, name, chosen, seeds, place(jobs, cluster, keep), named, players
    )
    order = {seed: i for i, seed in enumerate(seeds)}
    ended = sorted(watched(running, count, "games"), key=lambda game: order[game.seed])
    found = {"system": system, "scenario": name, **summary(ended)}
    if explain:
        found["said"] = {game.seed: list(game.said) for game in ended}
    emit(found, _text(found), as_json)
    ctx.exit(1 if found["faults"] else 0)


def _text(found: Plain) -> str:
    """Format the counts for people."""
    n = found["games"]
    lines = [
        f"{seed}, window {line}" for seed, said in found.get("said", {}).items() for line in said
    ]
    lines += [f"{counted(n, 'game', 'games')} of {found['system']}, {found['scenario']}"]
    lines += [
        f"  {side:<12} {won:5}  {100 * won / n:5.1f} %" for side, won in found["wins"].items()
    ]
    for key in ("turns", "windows", "mails"):
        if spread := found[key]:
            least, most = spread["least"], spread["most"]
            lines.append(f"  {key}: {least} to {most}, median {spread['median']:g}")
    if ends := found["ends"]:  # none if every game ended with an error
        lines.append("  ended by " + ", ".join(f"{rule} {k}x" for rule, k in ends.items()))
    for fault in found["faults"]:
        lines.append(f"  FAULT seed {fault['seed']!r}: {fault['fault']}")
        lines += [f"    at {line}" for line in fault["lines"]]
    return "\n".join(lines)
