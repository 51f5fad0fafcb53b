"""`pbem spool`"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from pbem.cli.common import as_json, emit
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
    source = sys.stdin.buffer
    raw = source.read(LARGEST + 1)
    path = put(home, raw)
    size = len(raw) + sum(map(len, iter(partial(source.read, LARGEST), b"")))
    emit({"file": str(path)}, f"spooled {size} bytes", as_json)
