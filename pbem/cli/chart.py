"""`pbem chart`"""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import click

from pbem.cli.common import as_json, emit, read_report, system_named, used, write_out
from pbem.errors import NotFound


@click.command
@click.argument("report", metavar="REPORT.json")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="To this file; else stdout.")
@click.option("--format", "form", type=click.Choice(["svg", "png"]), help="Default: as FILE says.")
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True)
@click.option("--detail", is_flag=True, help="Only the part that matters, enlarged, for phones.")
@as_json
def command(
    report: str, out: Path | None, form: str | None, theme: str, detail: bool, as_json: bool
) -> None:
    """Draw the chart of the report that you were sent. A png needs pbem[chart].

    With --json the picture is a text, an svg as it is and a png in base64.
    """
    from pbem.charts.picture_cache import picture

    known = read_report(report)
    wanted = form or ("png" if out and out.suffix.lower() == ".png" else "svg")
    with used(report):
        system = system_named(known.system)
        drawn = picture(system, known.plain, wanted, theme, detail)
    if drawn is None:
        raise NotFound(f"{system.title} has no chart", "its reports are text and pages")
    if as_json:
        text = drawn.decode() if wanted == "svg" else b64encode(drawn).decode("ascii")
        emit({"format": wanted, "theme": theme, "detail": detail, "chart": text}, "", True)
    else:
        write_out(out, drawn)
