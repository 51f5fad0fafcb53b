"""`pbem renew-age`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.admin.commands import renew_age
from pbem.cli.common import as_json, emit, game_argument
from pbem.errors import Usage
from pbem.store.game_dir import writing


@click.command
@game_argument
@click.option("--yes", is_flag=True, help="Do it without asking.")
@as_json
@click.pass_obj
def command(home: Path, name: str, yes: bool, as_json: bool) -> None:
    """Replace the age key to which orders are encrypted, if it was lost or others may have it.

    Every side is told by a signed note, and later reports name the new key.
    """
    import sys

    if not yes and not sys.stdin.isatty():
        raise Usage(
            "orders encrypted to the old key may become unreadable", "in a script, confirm by --yes"
        )
    if not yes:
        click.confirm(f"Make a new age key for {name}?", abort=True, err=True)
    with writing(home, name) as game:
        public = renew_age(game)
    emit({"game": name, "age": public}, f"orders of {name} are encrypted to {public} now", as_json)
