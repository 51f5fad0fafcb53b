"""Man pages of all commands, made from their help when a wheel is built."""

from __future__ import annotations

import re
from inspect import cleandoc
from pathlib import Path

import click

from pbem import __version__
from pbem.cli import COMMANDS, cli

BLOCK = re.compile("^\b$\n(.*?)(?=\n\n|\\Z)", re.MULTILINE | re.DOTALL)
"""A paragraph that click leaves as it is laid out: it begins with a line of one backspace."""


def write(folder: Path) -> list[Path]:
    """Write `pbem.1`, and `pbem-NAME.1` for each command, into a folder; return the files."""
    from click_man.core import write_man_pages

    context = click.Context(cli, info_name="pbem")
    for name, line in COMMANDS.items():
        command = cli.get_command(context, name)
        assert command is not None
        command.short_help = line.rstrip(".")
        command.help = _laid_out(cleandoc(command.help or line))
        cli.add_command(command, name)  # click-man asks for commands that are loaded
    cli.short_help = "referee for hidden-movement naval wargames by e-mail"
    folder.mkdir(parents=True, exist_ok=True)
    # one space for the date: the same sources give the same pages
    write_man_pages("pbem", cli, version=__version__, target_dir=str(folder), date=" ")
    pages = sorted(folder.glob("pbem*.1"))
    for page in pages:  # the name in its head is that of its file: PBEM-TICK(1)
        page.write_text(page.read_text("utf-8").replace('.TH "PBEM ', '.TH "PBEM-', 1), "utf-8")
    return pages


def _laid_out(text: str) -> str:
    """Mark blocks that are laid out by hand for roff, which would fill them."""
    return BLOCK.sub(lambda found: f".nf\n{found[1]}\n.fi", text)
