"""`pbem mail-test`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.base.config import load
from pbem.cli.common import as_json, emit

if TYPE_CHECKING:
    from pbem.scheduler.mail_test import MailTest


@click.command
@click.option(
    "--wait",
    type=click.FloatRange(0),
    default=120.0,
    show_default=True,
    help="Seconds to wait for the mail.",
)
@as_json
@click.pass_context
def command(ctx: click.Context, wait: float, as_json: bool) -> None:
    """Send a mail to the games' own address, and wait until it is in the mailbox.

    It shows whether the settings in pbem.toml work, how long mail takes, and whether the server
    that receives it trusts the one that sends it (SPF, DKIM, DMARC). Other mail stays as it is.
    Stop cron meanwhile: a tick could fetch the mail first. The exit code is 1 if it does not
    arrive.
    """
    from pbem.scheduler.mail_test import mail_test

    home: Path = ctx.obj
    done = mail_test(home, load(home), wait)
    emit(done, "\n".join(_lines(done, wait)), as_json)
    ctx.exit(0 if done.seconds is not None else 1)


def _lines(done: MailTest, wait: float) -> list[str]:
    """Say what worked, and what to look at if something did not."""
    if not done.sent:
        return [f"NOT sent: {done.why}", "look at [delivery] in pbem.toml"]
    lines = [f"sent from {done.address} to the same address"]
    if done.why:
        return [*lines, f"the mailbox cannot be read: {done.why}", "look at [mailbox] in pbem.toml"]
    if done.seconds is None:
        late = f"NOT in the mailbox after {wait:g} seconds"
        return [*lines, late, "look in the spam folder, and at the filter that fills the mailbox"]
    lines.append(f"in the mailbox after {done.seconds:g} seconds")
    checks = [f"{check} {result}" for check, result in done.checks.items()]
    lines.append(", ".join(checks) or "the receiving server noted no SPF, DKIM or DMARC")
    if any(result not in ("pass", "none") for result in done.checks.values()):
        lines.append("players' providers may take such mail for spam: see docs/moderator.md")
    return lines
