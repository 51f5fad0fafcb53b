"""`pbem standby`"""

from __future__ import annotations

from pathlib import Path

import click
from msgspec import to_builtins

from pbem.base.config import load
from pbem.cli.common import as_json, emit


@click.command
@click.option("--remove", default="", metavar="ADDR", help="Take somebody off the list.")
@as_json
@click.pass_obj
def command(home: Path, /, remove: str, as_json: bool) -> None:
    """List the standby players of the club in order of entry, or take one off the list.

    People put themselves on it by mail: STANDBY SYSTEM. Who is taken off is told by mail.
    """
    from pbem.club.state import locked, read

    config = load(home)
    if remove:
        from pbem.club.standby import remove as take_off

        with locked(home, config) as club:
            systems = take_off(club, remove.lower())
            club.commit()
        said = f"{remove} is no longer on the standby list"
        emit({"removed": remove, "systems": systems}, said, as_json)
        return
    found = read(home, config).state.standby
    lines = [" ".join([one.email, one.system, one.side]).strip() for one in found]
    emit(to_builtins(found), "\n".join(lines) or "nobody stands by", as_json)
