"""The command line. One file per command, imported only when that command runs."""

from __future__ import annotations

import gc

# Most commands end before collecting garbage would pay; long ones still collect.
gc.set_threshold(100_000, 20, 20)

import sys  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from importlib import import_module  # noqa: E402
from pathlib import Path  # noqa: E402

import click  # noqa: E402

from pbem import __version__  # noqa: E402
from pbem.errors import PbemError  # noqa: E402

COMMANDS: dict[str, str] = {
    "systems": "List the rule systems.",
    "rules": "Show a system's orders and options.",
    "new": "Make a game.",
    "invite": "Write a joining letter to a player.",
    "enlist": "Register a player's key for a side.",
    "open": "Start window 1 and write the first reports.",
    "receive": "Receive order files; write a receipt for each.",
    "run": "Close the open window and write reports.",
    "tick": "For cron: fetch and receive mail, close due windows, send.",
    "spool": "Store a mail from stdin for the next tick.",
    "report": "Show a side's report, or the referee's.",
    "status": "Show deadlines, which orders are in, and problems.",
    "schedule": "Set when windows close.",
    "extend": "Move the open window's deadline.",
    "hold": "Put a game on hold.",
    "resume": "Take a game off hold.",
    "replace": "Give a side to another player, or change his address.",
    "renew-age": "Replace the age key to which orders are encrypted.",
    "rule": "Record a ruling and tell every side.",
    "undo": "Take back the last closed window.",
    "note": "Send a note from the moderator.",
    "press": "Messages between sides: list, approve, refuse, enter.",
    "spectators": "Spectators of a game: list, add, remove.",
    "resend": "Put a side's report into the outbox again.",
    "end": "End a game by the moderator's decision.",
    "audit": "Check a game's ledger by replaying it.",
    "publish": "After the end: write a replay page and a public bundle.",
    "keygen": "Make an SSH key pair.",
    "join": "Answer a joining letter.",
    "read": "Decrypt, verify and show a report or receipt.",
    "form": "Write the order form of a report.",
    "check": "Check orders as the referee will.",
    "sign": "Sign orders.",
    "reveal": "Reveal your dice link for a locked window.",
    "rekey": "Change your key, or replace a lost one.",
    "chart": "Draw the chart of a report.",
    "page": "Make the order page, which writes and signs orders.",
    "play": "Practise against a bot.",
    "demo": "Let two bots play a whole game through files.",
    "new-system": "Write a package with a rule system of your own to begin from.",
    "simulate": "Let bots play many games and count the results.",
    "lint": "Check a rule system for its author's mistakes.",
}
"""Every command with its one line of help: the only place to add a command."""

FORMER = {"desk": "page", "reseal": "renew-age"}
"""Names in release 0.1.0, which scripts may use: they still work, but are not listed."""


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
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

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
@click.option(
    "--home",
    envvar="PBEM_HOME",
    default=".",
    type=click.Path(path_type=Path),
    help="The folder with one folder for each game (or set PBEM_HOME).",
)
@click.version_option(__version__, prog_name="pbem")
@click.pass_context
def cli(ctx: click.Context, home: Path) -> None:
    """Referee for hidden-movement naval wargames by e-mail."""
    ctx.obj = home


def start() -> None:
    """Run the program.

    At the end all objects are frozen, so that the interpreter's last garbage collection has nothing
    to do: it would take 6 % of a turn's time.
    """
    try:
        main()
    finally:
        gc.freeze()


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
    import os

    if os.environ.get("PBEM_DEBUG"):
        raise error
    if isinstance(error, OSError):
        _say(f"error: {error.strerror or error}: {error.filename or ''}".rstrip(": "))
        return 4
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
