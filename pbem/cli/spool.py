"""`pbem spool`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, read_bytes
from pbem.errors import Usage
from pbem.mail.letter import LARGEST
from pbem.mail.office import put


@click.command
@as_json
@click.pass_obj
def command(home: Path, as_json: bool) -> None:
    """Lay one mail from standard input aside for the next tick (procmail, sieve, .forward)."""
    if not home.is_dir():
        raise Usage(f"there is no folder {home}", "see --home")
    raw = read_bytes("-")
    path = put(home, raw[: LARGEST + 1])
    emit({"file": str(path)}, f"spooled {len(raw)} bytes", as_json)
