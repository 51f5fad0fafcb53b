"""What commands share: reaching a system, printing results, reading files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

import games
from pbem.errors import NotFound, Usage
from pbem.model import System
from pbem.store.game_dir import Game

if TYPE_CHECKING:
    from pbem.base.report_json import Report

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
game_argument = click.argument("name", metavar="GAME")


class Choice(click.Choice[str]):
    """A choice of words that still takes those of release 0.1.0. former: old word to new."""

    def __init__(self, words: Iterable[str], former: Mapping[str, str]) -> None:
        super().__init__(list(words))
        self.former = former

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word as it is called now."""
        return super().convert(self.former.get(value, value), param, ctx)


mail_option = click.option(
    "--mail",
    type=Choice(["plain", "encrypted"], {"sealed": "encrypted"}),
    default="plain",
    show_default=True,
    help="encrypted: orders and reports are age files.",
)


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
    return system_named(game.register.created.system)


def emit(result: object, text: str, as_json: bool) -> None:
    """The result on stdout: as JSON, or as text for people. result: JSON data or structs."""
    if as_json:
        text = json.dumps(result, indent=1, sort_keys=True, default=_plain)
    click.echo(text.rstrip("\n"))


def _plain(thing: object) -> object:
    import msgspec

    return msgspec.to_builtins(thing)


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


AS_MAILED = "use the one attached to your report, as it is"
BROKEN = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
)
"""What the rules of a game meet in values that no such game has."""


def read_report(name: str) -> Report:
    """A report.json whose digest fits and whose fields are of their types. Raises NotFound,
    Usage."""
    from pbem.base.report_json import FORMAT
    from pbem.base.schema import decoded, require_report
    from pbem.reports.report import digest

    found = decoded(read_bytes(name), name, AS_MAILED)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise Usage(f"{name} is not a report.json of this program", AS_MAILED)
    if digest(found) != found.get("digest"):
        raise Usage(f"{name} was altered or cut short: its digest does not fit", AS_MAILED)
    return require_report(found, name, AS_MAILED)


@contextmanager
def named(name: str) -> Iterator[None]:
    """What is read inside is this file: errors about it name it, unless it is standard input."""
    try:
        yield
    except Usage as error:
        if name != "-" and name not in error.message:
            error.message = f"{name}: {error.message}"
        raise


@contextmanager
def used(name: str) -> Iterator[None]:
    """What is done with a report inside: its fields are of their types, but a value may still be
    one that its game does not know (a place that is on no map). Raises Usage, which names the
    file."""
    try:
        yield
    except BROKEN as error:
        if os.environ.get("PBEM_DEBUG"):
            raise
        raise Usage(
            f"{name}: it holds a value that its game does not know "
            f"({type(error).__name__}: {str(error)[:200]})",
            f"{AS_MAILED}; if it is, report this: PBEM_DEBUG=1 shows where it stands",
        ) from None


def write_out(path: Path | None, content: bytes) -> None:
    """To a file (said on stderr), or to stdout. Raises Usage for a picture on a terminal."""
    if path is None and content.startswith(b"\x89PNG") and sys.stdout.isatty():
        raise Usage("a png cannot be shown on a terminal", "write it to a file: ... > chart.png")
    if path is None:
        click.echo(content, nl=False)
        return
    path.write_bytes(content)
    say(f"wrote {path}")
