"""`pbem init`"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pbem.base.config import FILE, is_address
from pbem.base.files import write_new
from pbem.cli.common import as_json, emit
from pbem.errors import Usage
from pbem.text.messages import part


@click.command
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--address", default="", metavar="ADDR", help="The address that games write from.")
@click.option("--moderator", default="", metavar="ADDR", help="Your own address, for alerts.")
@as_json
@click.pass_obj
def command(home: Path, folder: Path | None, address: str, moderator: str, as_json: bool) -> None:
    """Prepare FOLDER (default: --home) for games and mail, and say what comes next.

    It writes the file pbem.toml with every setting and what it means; mail is off until you fill
    in a mailbox and a delivery. A file that exists is left as it is.
    """
    home = folder or home
    if sys.stdin.isatty() and not (address and moderator):
        address = address or click.prompt("Address that games write from", default="", err=True)
        moderator = moderator or click.prompt("Your own address", default="", err=True)
    for one in filter(None, (address.replace("{game}", "g"), moderator)):
        if not is_address(one):
            raise Usage(f"{one} is not a mail address", "an address is like games@example.org")
    home.mkdir(parents=True, exist_ok=True)
    path = home / FILE
    if path.exists():
        raise Usage(f"{path} exists already", "edit it; docs/moderator.md explains every key")
    unset = {"a": "" if address else "# ", "m": "" if moderator else "# "}
    facts = {
        "address": address or "games@example.org",
        "moderator": moderator or "you@example.org",
        **unset,
    }
    write_new(path, part("settings", **facts).encode("ascii"))
    program = Path(sys.argv[0]).resolve()
    text = part("prepared", path=path, home=home.resolve(), program=program)
    emit({"home": str(home), "settings": str(path)}, text, as_json)
