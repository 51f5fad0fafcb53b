"""The command line. One file per command, imported only when that command runs."""

from __future__ import annotations

import gc

gc.set_threshold(100_000, 20, 20)  # a command ends before collecting would pay; long ones still do

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
    "receive": "Take order files; a receipt for each.",
    "run": "Close the open window and write reports.",
    "tick": "For cron: fetch, receive, run what is due, send.",
    "spool": "Lay a mail from stdin aside for the next tick.",
    "report": "Show a side's report, or the referee's.",
    "status": "Who is in, what is open, what is late.",
    "schedule": "Say when windows close.",
    "extend": "Move the open window's deadline.",
    "hold": "Stop a game's clock.",
    "resume": "Let a held game go on.",
    "replace": "Let another player take over a side.",
    "renew-age": "Make a new age key that orders are encrypted to.",
    "rule": "Record a ruling and tell every side.",
    "undo": "Take back the last closed window.",
    "note": "Send a note from the moderator.",
    "press": "Messages between sides: list, pass on, enter.",
    "spectators": "Who watches a game: list, add, end.",
    "resend": "Put a side's report into the outbox again.",
    "end": "End a game by the moderator's decision.",
    "audit": "Check a game's ledger by replaying it.",
    "publish": "After the end: a replay page and a bundle to check.",
    "keygen": "Make an SSH key pair.",
    "join": "Answer a joining letter.",
    "read": "Verify a report or receipt you were sent.",
    "form": "Write the order form of a report.",
    "check": "Check orders as the referee will.",
    "sign": "Sign orders.",
    "reveal": "Open your dice link of a locked window.",
    "rekey": "Change your key, or name another for a lost one.",
    "chart": "Draw the chart of a report.",
    "page": "Make the order page, which writes and signs orders.",
    "play": "Practise against a bot.",
    "demo": "Two bots play a whole game through files.",
    "simulate": "Let bots play many games and count.",
}
"""Every command with its one line of help: the one place to add a command."""

FORMER = {"desk": "page", "reseal": "renew-age"}
"""Names of release 0.1.0 that scripts may use; they go on working and are not listed."""


class Commands(click.Group):
    """Commands found by name, so that help costs no imports."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of a game's life."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of that name, imported now."""
        name = FORMER.get(name, name)
        if name not in COMMANDS:
            return None
        module = import_module(f"pbem.cli.{name.replace('-', '_')}")
        command: click.Command = module.command
        command.name = name
        command.help = command.help or COMMANDS[name]
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with a hint for a misspelt name."""
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
    help="Folder that holds one folder per game (PBEM_HOME).",
)
@click.version_option(__version__, prog_name="pbem")
@click.pass_context
def cli(ctx: click.Context, home: Path) -> None:
    """Referee for hidden-movement naval wargames by e-mail."""
    ctx.obj = home


def start() -> None:
    """The program's entry. What lives at its end is not searched for rubbish once more: the
    interpreter's last collection would take 6 % of a turn."""
    try:
        main()
    finally:
        gc.freeze()


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line; errors end in words and an exit code, never in a traceback."""
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
    """A fault of the program (or of the machine) in words; PBEM_DEBUG shows where."""
    import os

    if os.environ.get("PBEM_DEBUG"):
        raise error
    if isinstance(error, OSError):
        _say(f"error: {error.strerror or error}: {error.filename or ''}".rstrip(": "))
        return 4
    _say(
        f"fault: {type(error).__name__}: {error}",
        "this is a mistake in pbem; PBEM_DEBUG=1 shows where, please report it",
    )
    return 5


def _say(text: str, hint: str = "") -> None:
    click.echo(text, err=True)
    if hint:
        click.echo(f"hint: {hint}", err=True)
