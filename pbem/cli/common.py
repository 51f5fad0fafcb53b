"""What commands share: reaching a system, printing results, reading files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

import games
from pbem.errors import NotFound, Usage
from pbem.game import Game
from pbem.model import System

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
game_argument = click.argument("name", metavar="GAME")


def system_named(name: str) -> System:
    """The rule system of that name. Raises NotFound."""
    try:
        return games.load(name)
    except KeyError:
        raise NotFound(
            f"there is no system {name!r}", f"systems: {', '.join(games.names())}"
        ) from None
    except (ImportError, AttributeError) as wrong:
        raise NotFound(
            f"the system {name} cannot be loaded: {wrong}", "mend the package that brings it"
        ) from wrong


def system_of(game: Game) -> System:
    """The rule system that a game is played by."""
    return system_named(game.register.created["system"])


def emit(result: Any, text: str, as_json: bool) -> None:
    """The result on stdout: as JSON, or as text for people."""
    click.echo(json.dumps(result, indent=1, sort_keys=True) if as_json else text.rstrip("\n"))


def say(text: str) -> None:
    """Talk goes to stderr."""
    click.echo(text, err=True)


def read_bytes(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`. Raises NotFound."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        raise NotFound(f"there is no file {name}") from None


def read_report(name: str, whole: bool = True) -> dict[str, Any]:
    """A report.json. whole: its digest has to fit. Raises NotFound, Usage."""
    from pbem.report import FORMAT, digest

    hint = "use the one attached to your report, as it is"
    try:
        found = json.loads(read_bytes(name))
        known = isinstance(found, dict) and found.get("format") == FORMAT
        sound = known and (not whole or digest(found) == found.get("digest"))
    except (ValueError, RecursionError):
        raise Usage(f"{name} is no report.json", hint) from None
    if not known:
        raise Usage(f"{name} is no report.json of this program", hint)
    if not sound:
        raise Usage(f"{name} was altered or cut short: its digest does not fit", hint)
    report: dict[str, Any] = found
    return report


def write_out(path: Path | None, content: bytes) -> None:
    """To a file (said on stderr), or to stdout. Raises Usage for a picture on a terminal."""
    if path is None and content.startswith(b"\x89PNG") and sys.stdout.isatty():
        raise Usage("a png cannot be shown on a terminal", "write it to a file: ... > chart.png")
    if path is None:
        click.echo(content, nl=False)
        return
    path.write_bytes(content)
    say(f"wrote {path}")
