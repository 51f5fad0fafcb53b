"""What commands share: find a rule system, print results, read and write files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

import games
from pbem.base.files import write_named
from pbem.cli.completion import game_names, option_values, scenario_names
from pbem.errors import NotFound, PbemError, RulesFault, Usage
from pbem.model import System
from pbem.store.game_dir import LEDGER, Game
from pbem.text.layout import dated, moment, printable

if TYPE_CHECKING:
    from pbem.base.report_json import Report

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
game_argument = click.argument("name", metavar="GAME", shell_complete=game_names)


class Choice(click.Choice[str]):
    """A choice of words that still accepts those of release 0.1.0. former: old word to new."""

    def __init__(self, words: Iterable[str], former: Mapping[str, str]) -> None:
        super().__init__(list(words))
        self.former = former

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the present word. Raises click.BadParameter."""
        return super().convert(self.former.get(value, value), param, ctx)


scenario_option = click.option(
    "--scenario",
    default="",
    shell_complete=scenario_names,
    help="The scenario; default: the first.",
)
options_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="K=V",
    shell_complete=option_values,
    help="A game option; repeatable.",
)
mail_option = click.option(
    "--mail",
    type=Choice(["plain", "encrypted"], {"sealed": "encrypted"}),
    default="plain",
    show_default=True,
    help="encrypted: orders and reports are mailed as age files.",
)


def system_named(name: str, edition: str = "") -> System:
    """Load the rule system of that name: its present edition, or the archive of `edition` if there
    is one.

    Raises NotFound, and RulesFault if it cannot be imported or cannot work.
    """
    from pbem.engine.editions import former
    from pbem.engine.validate import validate

    if name not in games.SYSTEMS and name not in (known := games.names()):
        raise NotFound(f"there is no system {name!r}", f"systems: {', '.join(known)}")
    try:
        system = former(name, edition) or games.load(name)
    except Exception as wrong:
        if os.environ.get("PBEM_DEBUG"):
            raise
        raise _not_loaded(name, wrong) from wrong
    validate(system)
    return system


def whole_systems() -> list[System]:
    """Every rule system that can be loaded; what is wrong with others is said, and hides none."""
    found = []
    for name in games.names():
        try:
            found.append(system_named(name))
        except PbemError as error:
            say(f"{error.opening}{error.message}\nhint: {error.hint}")
    return found


def _not_loaded(name: str, wrong: Exception) -> PbemError:
    """The error for a system that cannot be imported, whatever its module raised: NotFound if its
    package is not there, else RulesFault with the line of its author."""
    from orders.verbs import DeclarationError
    from pbem.data import provider
    from pbem.rulecode import of_import

    package, said = provider(name).partition(".")[0], str(wrong)
    if isinstance(wrong, ModuleNotFoundError) and wrong.name == package:
        return NotFound(
            f"the system {name} cannot be loaded: {said}", "install the package that provides it"
        )
    place = str(of_import(wrong, provider(name)) or "")
    if isinstance(wrong, DeclarationError):  # its text begins with the line of the declaration
        place, _, said = said.partition(": ")
    elif not isinstance(wrong, ImportError):  # whose texts say what is wrong
        said = f"{type(wrong).__name__}: {said}"
    return RulesFault(
        f"the system {name} cannot be loaded: {said}",
        "repair the package that provides it (PBEM_DEBUG=1: traceback)",
        place,
    )


def game_file(name: str) -> Path | None:
    """The file of a game if that is what was named; None for the name of a game in a home.

    Raises NotFound for a path that leads to no file.
    """
    path = Path(name)
    if path.is_file():
        return path
    if (path / LEDGER).is_file() and path.parent != Path():
        hint = f"name its home: --home {quote(str(path.parent))}, and then {path.name}"
        raise NotFound(f"{name} is the folder of a game", hint)
    if "/" in name or path.suffix:
        raise NotFound(f"there is no file {name}")
    return None


role_option = click.option(
    "--role", default="", metavar="NAME", help="Only for the officers with this role of the side."
)


def system_of(game: Game) -> System:
    """Load the rule system of a game, in the edition that it is played by. Raises NotFound."""
    return system_named(game.register.created.system, game.register.pinned.edition)


def system_for(report: Report) -> System:
    """Load the rule system of a report, in the edition that made it. Raises NotFound."""
    return system_named(report.system, report.edition)


def emit(result: object, text: str, as_json: bool) -> None:
    """Print the result to stdout: `text`, or with `as_json` `result`, JSON data or structs."""
    if as_json:
        text = json.dumps(result, indent=1, sort_keys=True, default=_plain)
    click.echo(text.rstrip("\n"))


def _plain(thing: object) -> object:
    import msgspec

    return msgspec.to_builtins(thing)


def local_time(iso: str) -> str:
    """Format a time as `2026-11-22 05:29 CET`, in the zone of this machine. Empty stays empty."""
    if not iso:
        return ""
    when = moment(iso).astimezone()
    return f"{when:%Y-%m-%d %H:%M} {when.tzname()}"


def local_date(iso: str) -> str:
    """Format a time as `Sun 22 Nov 2026 05:29 CET`, in the zone of this machine."""
    return dated(moment(iso).astimezone())


def at_home(home: Path) -> str:
    """The option that a hint needs for a command to find this home; empty where none is needed."""
    named = os.environ.get("PBEM_HOME")
    return "" if home == Path(named or ".") else f" --home {quote(str(home))}"


def say(text: str) -> None:
    """Print a message to stderr; stdout is for results. It may quote a letter or a file of somebody
    else's, so control characters, by which a terminal does what it is told, become spaces."""
    click.echo("\n".join(map(printable, text.split("\n"))), err=True)


def warn_of_page(home: Path) -> None:
    """Say that whoever joins in a browser alone will have nothing to give orders with, if reports
    bring no order page."""
    from pbem.base.config import load

    config = load(home)
    if config.address and config.order_page == "off":
        say("reports bring no order page, so who joins in a browser cannot sign orders there")
        say('hint: write order_page = "on" into pbem.toml, before its first [table]')


def read_bytes(name: str) -> bytes:
    """Read a file, or standard input for `-`. Raises NotFound."""
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
"""Errors that a game's rules may raise for values that do not occur in that game."""


def read_report(name: str) -> Report:
    """Read a report.json, as gzip or not; check its digest and the types of its fields.

    Raises NotFound, Usage.
    """
    from pbem.base.gzipped import plain_of
    from pbem.base.report_json import FORMATS
    from pbem.base.schema import decoded, require_report
    from pbem.reports.report import digest

    found = decoded(plain_of(read_bytes(name), name), name, AS_MAILED)
    if not isinstance(found, dict) or found.get("format") not in FORMATS:
        raise Usage(f"{name} is not a report.json of this program", AS_MAILED)
    if digest(found) != found.get("digest"):
        raise Usage(f"{name} was altered or cut short: its digest does not fit", AS_MAILED)
    return require_report(found, name, AS_MAILED)


@contextmanager
def named(name: str) -> Iterator[None]:
    """Add the file's name to Usage errors raised inside, unless it is standard input."""
    try:
        yield
    except Usage as error:
        if name != "-" and name not in error.message:
            error.message = f"{name}: {error.message}"
        raise


@contextmanager
def used(name: str) -> Iterator[None]:
    """Turn errors inside, where a report is used, into a Usage error that names the file.

    The types of a report's fields are checked when it is read; a value may still be unknown to its
    game, such as a place that is not on the map.
    """
    try:
        yield
    except BROKEN as error:
        if os.environ.get("PBEM_DEBUG"):
            raise
        raise Usage(
            f"{name}: it contains a value that its game does not know "
            f"({type(error).__name__}: {str(error)[:200]})",
            f"{AS_MAILED}; if you did, report this {_whose(error)} (PBEM_DEBUG=1: traceback)",
        ) from None


def _whose(error: Exception) -> str:
    """Whose mistake an error is, for the hint."""
    from pbem.rulecode import of_error

    place = of_error(error)
    return f"fault of the rules ({place}) to their author" if place else "bug"


def write_out(path: Path | None, content: bytes) -> None:
    """Write to a file and say so on stderr, or to stdout (None, `-`). Raises Usage for a PNG on a
    terminal, Busy on a full disk, else OSError."""
    path = None if path == Path("-") else path
    if path is None and content.startswith(b"\x89PNG") and sys.stdout.isatty():
        raise Usage("a png cannot be shown on a terminal", "write it to a file: ... > chart.png")
    if path is None:
        click.echo(content, nl=False)
        return
    write_named({path: content})
    say(f"wrote {path}")
