"""`pbem run`"""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from pbem.cli.common import as_json, emit, game_argument, system_of
from pbem.cli.completion import FILE
from pbem.errors import Busy
from pbem.store.game_dir import reading, writing
from pbem.turns.close_window import Resolved, load_values, run


@click.command
@game_argument
@click.option(
    "--now",
    "force",
    is_flag=True,
    help="Close it even if orders are missing; defaults replace them.",
)
@click.option("--dry-run", is_flag=True, help="Try it with other dice and change nothing.")
@click.option(
    "--dice", "values", metavar="FILE.toml", type=FILE, help="The dice that you rolled, by label."
)
@click.option("--deadline", default="", metavar="ISO", help="The next window's deadline.")
@as_json
@click.pass_obj
def command(
    home: Path,
    name: str,
    force: bool,
    dry_run: bool,
    values: str | None,
    deadline: str,
    as_json: bool,
) -> None:
    """Close the open window, if all orders are in or it is due, and write the next reports."""
    from pbem.base.clock import parse, stamp

    deadline = stamp(parse(deadline, "--deadline")) if deadline else ""
    meant = reading(home, name).register.window if force else 0
    with writing(home, name) as game:
        if force and game.register.window != meant:
            raise Busy(
                f"another command has just closed window {meant} of {name}",
                f"`pbem status {name}` shows what is open now",
            )
        system = system_of(game)
        if any(o.bot for o in game.register.officers):
            from pbem.bots.seats import Seats

            Seats().play(game, system)
        done = run(
            game,
            system,
            force,
            load_values(values) if values else None,
            dry_run,
            deadline,
        )
    emit(msgspec.to_builtins(done), _text(name, done, dry_run), as_json)


def _text(name: str, done: Resolved, dry: bool) -> str:
    """Say which windows closed, who sent no orders, and what is open now."""
    lines = [f"{name}: window {one.window} is closed, the run goes on" for one in done.before]
    lines += [f"{name}: window {done.window} {'would close' if dry else 'is closed'}"]
    if done.missing and not done.before:  # windows inside a run have no orders of their own
        lines.append(f"no orders from {', '.join(done.missing)}: standing orders and defaults")
    if done.over:
        over = done.over
        lines.append(f"the game is over: {over.result} ({over.rule}) {over.why}")
    else:
        lines.append(f"window {done.opens} is open: {done.label}")
    return "\n".join(lines)
