"""`pbem press`"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from pbem.cli.common import as_json, emit, game_argument
from pbem.cli.completion import sides
from pbem.errors import Usage
from pbem.model import Plain
from pbem.store.game_dir import reading, writing


@click.command
@game_argument
@click.argument("words", nargs=-1, metavar="[TEXT]")
@click.option(
    "--from",
    "by",
    default="",
    metavar="SIDE",
    shell_complete=sides(),
    help="Send TEXT as a message from this side.",
)
@click.option(
    "--to",
    multiple=True,
    metavar="SIDE",
    shell_complete=sides(),
    help="To this side; default: all others.",
)
@click.option("--pass", "passed", type=int, metavar="N", help="Send waiting message N on.")
@click.option("--refuse", type=int, metavar="N", help="Refuse message N; only its sender is told.")
@click.option("--reason", default="", metavar="TEXT", help="Why it is refused.")
@as_json
@click.pass_obj
def command(
    home: Path,
    name: str,
    words: tuple[str, ...],
    by: str,
    to: tuple[str, ...],
    passed: int | None,
    refuse: int | None,
    reason: str,
    as_json: bool,
) -> None:
    """Messages between sides: list those that wait for you, decide on one, or enter one.

    Without options the waiting messages are listed.
    """
    from pbem.admin import press

    if bool(by) + (passed is not None) + (refuse is not None) > 1 or bool(words) != bool(by):
        raise Usage("give --from SIDE and TEXT, --pass N, --refuse N, or nothing to list messages")
    if by:
        said = _enter(home, name, by, to, " ".join(words))
        emit({"game": name, "said": said}, f"the message from {by} {said}", as_json)
        return
    if passed is None and refuse is None:
        found = press.listed(reading(home, name))
        emit({"game": name, "waiting": found}, _lines(found), as_json)
        return
    number = passed if passed is not None else refuse or 0
    with writing(home, name) as game:
        press.decide(game, number, passed is not None, reason)
    what = "passed on" if passed is not None else "refused"
    emit({"game": name, "number": number, "state": what}, f"message {number} is {what}", as_json)


def _enter(home: Path, name: str, by: str, to: tuple[str, ...], text: str) -> str:
    from pbem.admin import press
    from pbem.admin.seats import require_side

    with writing(home, name) as game:
        require_side(game, by)
        return press.send(game, press.Message(by, " ".join(to), text), passed=True)


def _lines(found: Sequence[Plain]) -> str:
    """Format the waiting messages."""
    from pbem.admin.press import quoted

    if not found:
        return "no messages wait"
    return "\n".join(
        f"{one['number']}  from {one['by']} to {', '.join(one['to'])}\n{quoted(one['text'])}"
        for one in found
    )
