"""`pbem sign`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from orders.canon import decode
from orders.header import LARGEST_SEQ
from pbem.cli.common import (
    as_json,
    emit,
    read_bytes,
    read_report,
    say,
    system_for,
    used,
    write_out,
)
from pbem.cli.completion import FILE
from pbem.cli.understanding import facts, told
from pbem.cli.unlock import unlocked
from pbem.player.reader import read_text

if TYPE_CHECKING:
    from pbem.base.report_json import Report


@click.command
@click.argument("orders", type=FILE)
@click.option("--key", required=True, type=click.Path(path_type=Path), help="Your private key.")
@click.option(
    "--report", required=True, metavar="REPORT.json", type=FILE, help="The report that you answer."
)
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Output file; default: stdout.")
@click.option("--reanchor", is_flag=True, help="Announce a new dice anchor for your key.")
@click.option(
    "--seq",
    "number",
    default=0,
    metavar="N",
    type=click.IntRange(0, LARGEST_SEQ),
    help="The number of this set, as a refusal asks for it; default: the time.",
)
@click.option(
    "--age",
    "to",
    default="",
    metavar="age1...",
    help="Encrypt to this age key of the moderator, from a later note.",
)
@click.option("--eml", is_flag=True, help="Write a mail that is ready to be sent.")
@as_json
def command(
    orders: str,
    key: Path,
    report: str,
    out: Path | None,
    reanchor: bool,
    number: int,
    to: str,
    eml: bool,
    as_json: bool,
) -> None:
    """Sign orders: write a file to mail; show on stderr what `pbem check` shows.

    In a game of encrypted mail the file is encrypted to the moderator.
    """
    from pbem.base.clock import now
    from pbem.dice.chains import DiceChains
    from pbem.player.numbering import sequence
    from pbem.player.sign import encrypted, require_clean, signed

    answered = read_report(report)
    written = decode(read_bytes(orders))
    seq = number or sequence(answered, now())
    dice_chains = DiceChains(unlocked(key), key.with_name(key.name + ".chain"))
    with used(report):
        system = system_for(answered)
        reading = read_text(system, answered, written, orders)
        require_clean(reading, orders)
        plain = signed(system, answered, reading.orders, dice_chains, seq, reanchor)
        text = encrypted(answered, plain, to)
        content = _mail(answered, text) if eml else text.encode("ascii")
        meant = facts(system, answered, reading)
        say(told(system, answered, reading, orders))
    if as_json:
        more = {} if text == plain else {"encrypted": text, "sealed": text}
        emit({**meant, "orders": plain, **more}, "", True)
    if out or not as_json:
        write_out(out, content)


def _mail(report: Report, text: str) -> bytes:
    """Return the orders as a mail to the moderator, with a placeholder for the sender. Raises
    ValueError if the report, which nobody need have signed, names something else than an address.
    """
    from pbem.base.clock import now, stamp
    from pbem.base.config import is_address
    from pbem.outbound.mime import Part, message

    address = report.moderator.mail or f"{report.game}@pbem.invalid"
    if not is_address(address):
        raise ValueError(f"{address!r} is not a mail address")
    return message(
        to=[address],
        sender=f"{report.side}@pbem.invalid",
        subject=f"{report.game} orders for window {report.window}",
        message_id=f"<{report.digest[:24]}.{int(now().timestamp())}@pbem.invalid>",
        sent=stamp(now()),
        bodies=[Part("text/plain; charset=us-ascii", text.encode("ascii"))],
    )
