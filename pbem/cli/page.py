"""`pbem page`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.base.files import write_named
from pbem.cli.common import (
    as_json,
    emit,
    read_report,
    system_for,
    system_named,
    used,
    whole_systems,
    write_out,
)
from pbem.cli.completion import FILE
from pbem.errors import Usage
from pbem.model import System


@click.command
@click.argument("report", required=False, metavar="[REPORT.json]", type=FILE)
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Output file; default: stdout.")
@click.option(
    "--system",
    "names",
    multiple=True,
    metavar="SYSTEM",
    help="Without a report: only for these systems; repeatable.",
)
@click.option(
    "--reply", default="", metavar="ADDRESS", help="The address to which orders are mailed."
)
@click.option(
    "--app",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Without a report: write the page as a web app that can be installed and works offline.",
)
@as_json
def command(
    report: str | None,
    out: Path | None,
    names: tuple[str, ...],
    reply: str,
    app: Path | None,
    as_json: bool,
) -> None:
    """Make the order page: one HTML file that writes, checks and signs orders in any browser.

    With a report the page is for that report. Without one the page opens a saved report.json: put
    it on any https server and set order_page_url in pbem.toml to its address. The page makes no
    network requests. --app writes a folder for such a server: the page, and what a phone needs to
    install it and to open it without a network.
    """
    from pbem.web import order_page

    if report and names:
        raise Usage("--system is for a page without a report", "leave out one of the two")
    if app and (report or out):
        raise Usage("--app is for a page without a report", "leave out the report and -o")
    if app:
        _folder(app, names, as_json)
        return
    if report:
        known = read_report(report)
        with used(report):
            content = order_page.page(system_for(known), known, reply)
    else:
        content = order_page.blank(_systems(names))
    if as_json:
        text = content.decode()
        emit({"page": text, "desk": text}, "", True)  # `desk`: scripts of release 0.1.0
    else:
        write_out(out, content)


def _systems(names: tuple[str, ...]) -> list[System]:
    """The systems of these names; without any, all."""
    return [system_named(name) for name in names] if names else whole_systems()


def _folder(folder: Path, names: tuple[str, ...], as_json: bool) -> None:
    """Write the web app."""
    from pbem.web.web_app import web_app

    files = web_app(_systems(names))
    folder.mkdir(parents=True, exist_ok=True)
    write_named({folder / name: content for name, content in files.items()})
    emit({"files": sorted(files)}, f"wrote {', '.join(files)} to {folder}", as_json)
