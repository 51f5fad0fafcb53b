"""`pbem sign`"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from orders.canon import decode
from pbem.cli.common import (
    as_json,
    emit,
    read_bytes,
    read_report,
    say,
    system_named,
    write_out,
)  # fmt: skip
from pbem.reader import read_text, understood


@click.command
@click.argument("orders")
@click.option("--key", required=True, type=click.Path(path_type=Path), help="Your private key.")
@click.option("--report", required=True, metavar="REPORT.json", help="The report you answer.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Where to write; else stdout.")
@click.option("--eml", is_flag=True, help="As a mail ready to be sent.")
@as_json
def command(
    orders: str, key: Path, report: str, out: Path | None, eml: bool, as_json: bool
) -> None:
    """Sign orders: a file to mail, and on stderr each order as it will be understood."""
    from pbem.clock import now
    from pbem.keys import read_private
    from pbem.sign import require_clean, signed

    answered = read_report(report)
    system = system_named(answered["system"])
    reading = read_text(system, answered, decode(read_bytes(orders)), orders)
    require_clean(reading, orders)
    seq = int(now().timestamp())
    text = signed(system, answered, reading.orders, _unlocked(key, read_private), seq)
    content = _mail(answered, text) if eml else text.encode("ascii")
    lines = understood(system, answered, reading)
    for line in lines:
        say(f"  {line['order']}" + (f"   ({line['note']})" if line["note"] else ""))
    if as_json:
        emit({"understood": lines, "orders": text}, "", True)
    if out or not as_json:
        write_out(out, content)


def _unlocked(path: Path, read: Any) -> Any:
    """The private key; asks for its passphrase on a terminal."""
    import sys

    from pbem.keys import NeedsPassphrase

    try:
        return read(path)
    except NeedsPassphrase:
        if not sys.stdin.isatty():
            raise
        return read(path, click.prompt("Passphrase", hide_input=True, err=True).encode())


def _mail(report: dict[str, Any], text: str) -> bytes:
    from pbem.clock import now, stamp
    from pbem.post import Part, message

    return message(
        to=[report["moderator"]["mail"] or f"{report['game']}@pbem.invalid"],
        sender=f"{report['side']}@pbem.invalid",
        subject=f"{report['game']} orders for window {report['window']}",
        message_id=f"<{report['digest'][:24]}.{int(now().timestamp())}@pbem.invalid>",
        sent=stamp(now()),
        bodies=[Part("text/plain; charset=us-ascii", text.encode("ascii"))],
    )
