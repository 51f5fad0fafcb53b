"""`pbem where`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.chart import by_name
from pbem.cli.common import as_json, emit, read_report, say, system_for, used, write_out
from pbem.cli.completion import FILE
from pbem.errors import NotFound


@click.command
@click.argument("reports", metavar="REPORT.json...", type=FILE, nargs=-1, required=True)
@click.option("-o", "--out", type=click.Path(path_type=Path), help="The chart: FILE.svg or .png.")
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True)
@click.option("--detail", is_flag=True, help="Only the part that matters, enlarged for phones.")
@click.option(
    "--which", default="", help="Whom the chart is about, or all; default: the first not found."
)
@click.option("--seed", default="pbem", show_default=True, help="Other seeds give other guesses.")
@as_json
def command(
    reports: tuple[str, ...],
    out: Path | None,
    theme: str,
    detail: bool,
    which: str,
    seed: str,
    as_json: bool,
) -> None:
    """Reckon where enemies can be, from all your reports of a game.

    REPORT.json are the reports that you were mailed, packed or not, one for each window, in any
    order. Nothing else is read, and nothing leaves this machine. A missing report makes the answer
    vaguer. In a game that was made with `--aids none` the command says so and does nothing.
    """
    from pbem.belief.where import chosen, in_order, scene, text, where
    from pbem.charts.picture_cache import drawn

    ending = by_name(out)  # a wrong name is told before anything is reckoned
    if out and not out.parent.is_dir():
        raise NotFound(f"there is no folder {out.parent} for the chart {out.name}")
    known = in_order([read_report(name) for name in reports])
    with used(reports[-1]):
        system = system_for(known[-1])
        found = where(system, known, seed)
        one = chosen(found, which)
        emit(found, text(found), as_json)
        if out:
            picture = drawn(scene(system, known[-1], one, detail), ending, theme, detail)
            write_out(out, picture)
        elif which:
            say("name a file for the chart with -o")
