"""`pbem spool`"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from pbem.cli.common import as_json, emit, say
from pbem.errors import PbemError, Usage
from pbem.inbound.fetch import add_to_spool
from pbem.inbound.letter import LARGEST

TRY_AGAIN = 75
"""EX_TEMPFAIL of sysexits.h: mail servers keep the mail and try again. For most other codes they
return it to its sender."""


@click.command
@as_json
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Store one mail from standard input for the next tick (for procmail, sieve, .forward).

    The exit code is 75 if it cannot be stored: mail servers then try again.
    """
    # TEMPFAIL for every error: a mail that is returned to its sender may be late for a deadline.
    try:
        _store(ctx.obj, as_json)
    except (OSError, PbemError) as error:
        say(f"error: {error}")
        ctx.exit(TRY_AGAIN)


def _store(home: Path, as_json: bool) -> None:
    """Store one mail, truncated after the largest size. Raises Usage, OSError.

    The rest is read and dropped: a mail server whose pipe breaks would count it as an error.
    """
    if not home.is_dir():
        raise Usage(f"there is no folder {home}", "see --home")
    source = sys.stdin.buffer
    raw = source.read(LARGEST + 1)
    if not raw.strip():
        raise Usage("no mail came on standard input", "pipe one mail into `pbem spool`")
    path = add_to_spool(home, raw)
    size = len(raw) + sum(map(len, iter(partial(source.read, LARGEST), b"")))
    emit({"file": str(path)}, f"spooled {size} bytes", as_json)
