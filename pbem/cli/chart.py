"""`pbem chart`"""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import click

from pbem.cli.common import as_json, emit, read_report, system_for, used, write_out
from pbem.cli.completion import FILE
from pbem.errors import NotFound, Usage


@click.command
@click.argument("report", metavar="REPORT.json", type=FILE)
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Output file; default: stdout.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["svg", "png"]),
    help="Default: by the name of the output file, else svg.",
)
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True)
@click.option("--detail", is_flag=True, help="Only the important part, enlarged for phones.")
@click.option("--which", default="", help="Name of the chart, where a report has several.")
@as_json
def command(
    report: str,
    out: Path | None,
    form: str | None,
    theme: str,
    detail: bool,
    which: str,
    as_json: bool,
) -> None:
    """Draw the chart of a report.

    A report may have several charts; the first is the default, and an unknown name lists them.
    With --json the picture is a string: an SVG as it is, a PNG in base64.
    """
    from pbem.charts.picture_cache import picture

    known = read_report(report)
    wanted = form or by_name(out)
    with used(report):
        system = system_for(known)
        drawn = picture(system, known.plain, wanted, theme, detail, which=which)
    if drawn is None:
        raise NotFound(f"{system.title} has no chart", "its reports are text and HTML only")
    if as_json:
        text = drawn.decode() if wanted == "svg" else b64encode(drawn).decode("ascii")
        told = {"format": wanted, "theme": theme, "detail": detail, "which": which}
        emit({**told, "chart": text}, "", True)
    else:
        write_out(out, drawn)


def by_name(out: Path | None) -> str:
    """Return the format that a file's name ends in; `svg` without a file. Raises Usage."""
    ending = out.suffix.lower().removeprefix(".") if out else "svg"
    if ending not in ("svg", "png"):
        raise Usage(f"{out} is no name of a picture that pbem can draw", "end it in .svg or .png")
    return ending
