"""`pbem digest`"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import click

from pbem.base.clock import now, stamp
from pbem.base.config import load
from pbem.cli.common import as_json, emit
from pbem.errors import NotFound


@click.command
@click.option("--days", default=7, show_default=True, type=click.IntRange(1), help="How far back.")
@as_json
@click.pass_obj
def command(home: Path, days: int, as_json: bool) -> None:
    """Show the moderator's digest: what needs you, next deadlines, missed windows, ended games.

    With [digest] in pbem.toml a tick mails it to the moderator at the times named there.
    """
    from pbem.scheduler.digest import compose

    if not home.is_dir():
        raise NotFound(f"there is no folder {home}", "see --home")
    digest = load(home).digest
    said = compose(home, stamp(now() - timedelta(days=days)), digest.zone if digest else "UTC")
    emit({"subject": said.subject, "text": said.text}, said.text, as_json)
