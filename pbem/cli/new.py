"""`pbem new`"""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click
from msgspec import to_builtins

from pbem.admin.setup import CALLED, Choices, create
from pbem.cli.common import as_json, at_home, emit, mail_option, options_option, system_named
from pbem.cli.completion import one_of, scenario_names, system_names
from pbem.dice.sources import LINKED
from pbem.errors import NotFound, Usage
from pbem.model import DiceKind
from pbem.store.records import AIDS, CHARTS, MISSED, PRESS

UNHIDDEN = (
    "note: --missed hidden hides little with {dice} dice: reports name every side that gave no "
    "link for the dice, so all learn who sent nothing; only hand and seeded dice need no links"
)


@click.command
@click.argument("system", shell_complete=system_names)
@click.argument("name", metavar="GAME")
@click.option(
    "--scenario",
    default="",
    shell_complete=scenario_names,
    help="The scenario; default: the first.",
)
@options_option
@click.option(
    "--dice",
    default="",
    shell_complete=one_of(get_args(DiceKind)),
    help="How rolls are made: fast (default), strict, hand or seeded.",
)
@mail_option
@click.option(
    "--chart",
    default="png",
    shell_complete=one_of(CHARTS),
    show_default=True,
    help="png: mails show the chart; none: they draw it in characters.",
)
@click.option(
    "--press",
    default="none",
    shell_complete=one_of(PRESS),
    show_default=True,
    help="Messages between sides: none, open, moderated or anonymous.",
)
@click.option(
    "--missed",
    default="told",
    shell_complete=one_of(MISSED),
    show_default=True,
    help="Whether all sides learn who missed a window once it has closed: told or hidden "
    "(with fast and strict dice missing links tell it all the same).",
)
@click.option(
    "--aids",
    default="allowed",
    shell_complete=one_of(AIDS),
    show_default=True,
    help="Whether players may let `pbem where` reckon where enemies are: allowed or none.",
)
@click.option("--seed", default="", help="The seed of seeded dice; implies --dice seeded.")
@click.option(
    "--table",
    "tables",
    multiple=True,
    type=click.Path(path_type=Path),
    help="House rules: your own table file (TOML) in place of the system's; repeatable.",
)
@as_json
@click.pass_obj
def command(
    home: Path,
    system: str,
    name: str,
    scenario: str,
    options: tuple[str, ...],
    dice: str,
    mail: str,
    chart: str,
    press: str,
    missed: str,
    aids: str,
    seed: str,
    tables: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Make a game: the folder HOME/GAME with its keys and ledger."""
    choices = Choices(
        scenario=scenario,
        options=dict(pair(o) for o in options),
        dice=dice,
        mail=CALLED[mail],
        chart=chart,
        press=press,
        missed=missed,
        aids=aids,
        seed=seed,
        house={t.name: _text(t) for t in tables},
    )
    game = create(home, system_named(system), name, choices)
    created = game.register.created
    if created.missed == "hidden" and created.dice in LINKED:
        click.echo(UNHIDDEN.format(dice=created.dice), err=True)
    sides, program = ", ".join(created.sides), f"pbem{at_home(home)}"
    emit(
        to_builtins(created),
        f"made {game.folder} ({system}, {created.scenario}); sides: {sides}\n"
        f"next: {program} invite {name} SIDE --email ADDR for each side (or enlist, if you have "
        f"the player's key), then {program} open {name}",
        as_json,
    )


def pair(option: str) -> tuple[str, str]:
    """Split NAME=VALUE. Raises Usage."""
    key, sep, value = option.partition("=")
    if not sep:
        raise Usage(f"--option {option}: write it as NAME=VALUE")
    return key, value


def _text(path: Path) -> str:
    """Read a file of house rules. Raises NotFound, Usage."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, IsADirectoryError):
        raise NotFound(f"there is no file {path}") from None
    except UnicodeDecodeError as error:
        raise Usage(
            f"{path}: it is not text in UTF-8: {error.reason} at byte {error.start}",
            "save it as UTF-8",
        ) from None
