"""`pbem form`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, read_report, used, write_out
from pbem.cli.completion import FILE


@click.command
@click.argument("report", metavar="REPORT.json", type=FILE)
@click.argument("out", required=False, type=click.Path(path_type=Path), metavar="[ORDERS]")
@click.option("-o", "--out", "out_option", type=click.Path(path_type=Path), help="Same as ORDERS.")
@as_json
def command(report: str, out: Path | None, out_option: Path | None, as_json: bool) -> None:
    """Write the order form of a report, to be edited. Sent unedited it is a valid set."""
    from pbem.reports.render import form

    known = read_report(report)
    with used(report):
        text = form(known.plain)
    if as_json:
        emit({"form": text}, "", True)
    else:
        write_out(out or out_option, text.encode("ascii"))
