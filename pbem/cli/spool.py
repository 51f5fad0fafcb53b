"""`pbem spool`"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from pbem.cli.common import as_json, emit, say
from pbem.errors import PbemError, Usage
from pbem.inbound.fetch import put
from pbem.inbound.letter import LARGEST

TRY_AGAIN = 75
"""What mail servers understand as: keep this mail, and try again (EX_TEMPFAIL of sysexits.h). At
any other code they send it back to its writer."""


@click.command
@as_json
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Lay one mail from standard input aside for the next tick (procmail, sieve, .forward).

    Exit code 75 when it could not be laid there: mail servers try again.
    """
    try:
        _take(ctx.obj, as_json)
    except (OSError, PbemError) as error:
        say(f"error: {error}")
        ctx.exit(TRY_AGAIN)


def _take(home: Path, as_json: bool) -> None:
    """One mail, cut behind the cap. Raises Usage, OSError."""
    if not home.is_dir():
        raise Usage(f"there is no folder {home}", "see --home")
    source = sys.stdin.buffer
    raw = source.read(LARGEST + 1)
    path = put(home, raw)
    size = len(raw) + sum(map(len, iter(partial(source.read, LARGEST), b"")))
    emit({"file": str(path)}, f"spooled {size} bytes", as_json)
