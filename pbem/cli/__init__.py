"""The command line. One file per command, imported only when that command runs."""

from __future__ import annotations

import atexit
import gc
import os

# Most commands end before collecting garbage would pay; long ones still collect.
gc.set_threshold(100_000, 20, 20)

import sys  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from importlib import import_module  # noqa: E402

from pbem.cli.later import load_later  # noqa: E402

load_later()

from pathlib import Path  # noqa: E402

import click  # noqa: E402

from pbem import __version__  # noqa: E402
from pbem.errors import PbemError  # noqa: E402

SECTIONS: dict[str, dict[str, str]] = {
    "Set up a game": {
        "init": "Prepare a folder for games and mail.",
        "mail-test": "Send a mail to yourself and see whether it arrives.",
        "systems": "List the rule systems.",
        "rules": "Show a system's orders and options.",
        "new": "Make a game.",
        "invite": "Write a joining letter to a player.",
        "enlist": "Register a player's key for a side.",
        "open": "Start window 1 and write the first reports.",
        "schedule": "Show or set when windows close.",
    },
    "Run games": {
        "tick": "For cron: fetch and receive mail, close due windows, send.",
        "status": "Show deadlines, which orders are in, and problems.",
        "digest": "Show what needs you in all games, next deadlines, missed windows.",
        "receive": "Receive order files; write a receipt for each.",
        "run": "Close the open window and write reports.",
        "report": "Show a side's report, or the referee's.",
        "log": "Show what happened in a game, record by record.",
        "outbox": "List the mails of a game, and which are unsent.",
        "spool": "Store a mail from stdin for the next tick.",
    },
    "Act as the moderator": {
        "note": "Send a note from the moderator.",
        "press": "Messages between sides: list, approve, refuse, enter.",
        "extend": "Move the open window's deadline.",
        "hold": "Put a game on hold.",
        "resume": "Take a game off hold.",
        "rule": "Record a ruling and tell every side.",
        "undo": "Take back the last closed window.",
        "replace": "Give a side to another player, or change his address.",
        "resend": "Put a side's report into the outbox again.",
        "spectators": "Spectators of a game: list, add, remove.",
        "renew-age": "Replace the age key to which orders are encrypted.",
        "end": "End a game by the moderator's decision.",
        "publish": "After the end: write a replay page and a public bundle.",
        "story": "After the end: write the story of the game, with pictures.",
        "analyse": "After the end: each side's chances, and what moved them.",
    },
    "Run a club": {
        "offer": "Offer the seats of a game, or list what is offered.",
        "standby": "List the standby players of the club.",
        "tournament": "Announce a tournament, or show its table.",
        "standings": "Rate players by the ledgers of finished games.",
    },
    "Play": {
        "keygen": "Make an SSH key pair.",
        "join": "Answer a joining letter.",
        "read": "Decrypt, verify and show a report or receipt.",
        "form": "Write the order form of a report.",
        "check": "Check orders as the referee will.",
        "sign": "Sign orders.",
        "chart": "Draw the chart of a report.",
        "where": "Reckon where enemies can be, from your reports.",
        "page": "Make the order page, which writes and signs orders.",
        "wish": "Sign a wish to a club: JOIN, STANDBY or LEAVE.",
        "reveal": "Reveal your dice link for a locked window.",
        "rekey": "Change your key, or replace a lost one.",
        "play": "Practise against a bot.",
    },
    "Try, check and write systems": {
        "demo": "Let two bots play a whole game through files.",
        "audit": "Check a game's ledger by replaying it.",
        "simulate": "Let bots play many games and count the results.",
        "new-system": "Write a package with a rule system of your own to begin from.",
        "lint": "Check a rule system for its author's mistakes.",
    },
}
"""Every command with its one line of help, by who needs it: the only place to add a command."""

COMMANDS = {name: line for section in SECTIONS.values() for name, line in section.items()}

FORMER = {"desk": "page", "reseal": "renew-age"}
"""Names in release 0.1.0, which scripts may use: they still work, but are not listed."""


def _enter(ctx: click.Context, option: click.Parameter, home: Path | None) -> None:
    """Make the folder known to the command, as `ctx.obj`."""
    if home is not None:
        ctx.obj = home


def home_option(default: str | None = None, hidden: bool = False) -> click.Option:
    """Return the option `--home`, for the program (with its default) or for one command."""
    return click.Option(
        ["--home"],
        envvar="PBEM_HOME" if default else None,
        default=default,
        hidden=hidden,
        type=click.Path(path_type=Path, file_okay=False),
        callback=_enter,
        expose_value=False,
        help="The folder with one folder for each game (or set PBEM_HOME).",
    )


class Commands(click.Group):
    """A group that imports a command only when it is called: help and start-up stay fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order in which a game needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import the command of that name; None if there is none."""
        name = FORMER.get(name, name)
        if name not in COMMANDS:
            return None
        module = import_module(f"pbem.cli.{name.replace('-', '_')}")
        command: click.Command = module.command
        command.name = name
        command.help = command.help or COMMANDS[name]
        if not any(option.name == "home" for option in command.params):
            command.params.append(home_option(hidden=name in SECTIONS["Play"]))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in their sections, without importing any."""
        widest = max(map(len, COMMANDS))
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), text) for name, text in commands.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command as click does, with a hint for a misspelt name."""
        if args and args[0] not in COMMANDS.keys() | FORMER.keys() and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"There is no command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with: pbem demo. Exit codes: 0 done, 1 findings, 2 usage, 3 not found, "
    "4 busy or not due, 5 damaged data.",
)
@click.version_option(__version__, prog_name="pbem")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Referee for hidden-movement naval wargames by e-mail."""
    if os.environ.get("NO_COLOR"):  # https://no-color.org; click itself sees to terminals
        ctx.color = False


cli.params.insert(0, home_option("."))


def start() -> None:
    """Run the program, and end it at once.

    What an interpreter does as it ends, which is to take all modules and objects apart, takes a
    tenth of a turn's time and is of no use: files are closed and synced where they are written.
    With PBEM_DEBUG it ends as usual, so that profilers and debuggers can say their last.
    """
    code: str | int | None = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code
    if os.environ.get("PBEM_DEBUG") or not (code is None or isinstance(code, int)):
        sys.exit(code)
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (BrokenPipeError, ValueError):  # who reads has seen enough, as in `main`
        code = 0
    os._exit(code or 0)


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line. Errors end with a message and an exit code, never with a traceback."""
    try:
        code: object = cli.main(args=args, prog_name="pbem", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        _say("stopped")
        sys.exit(130)
    except PbemError as error:
        _say(error.opening + error.message, error.hint)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        sys.exit(_fault(error))
    sys.exit(code if isinstance(code, int) else 0)


def _fault(error: Exception) -> int:
    """Report an unexpected error and return the exit code; with PBEM_DEBUG raise it."""
    if os.environ.get("PBEM_DEBUG"):
        raise error
    if isinstance(error, OSError):
        from pbem.base.files import what_helps

        said, hint = what_helps(error)
        _say(f"error: {said}", hint)
        return 3 if isinstance(error, FileNotFoundError | NotADirectoryError) else 4
    from pbem.rulecode import described, of_error

    traced = "the traceback that PBEM_DEBUG=1 shows"
    _say(
        described(error),
        f"this is a mistake in the rule system, not in pbem: report it to its author with {traced}"
        if of_error(error)
        else f"this is a bug in pbem: please report it with {traced}",
    )
    return 5


def _say(text: str, hint: str = "") -> None:
    click.echo(text, err=True)
    if hint:
        click.echo(f"hint: {hint}", err=True)
