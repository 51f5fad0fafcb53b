"""`pbem offer`"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins

from pbem.admin.setup import CALLED, Choices
from pbem.base.clock import parse, stamp
from pbem.base.config import load
from pbem.cli.common import as_json, emit, mail_option, options_option, system_named, warn_of_page
from pbem.cli.completion import scenario_names, system_names
from pbem.cli.new import pair
from pbem.errors import Usage

if TYPE_CHECKING:
    from pbem.club.state import Offer


@click.command
@click.argument("system", required=False, shell_complete=system_names)
@click.argument("name", required=False, metavar="GAME")
@click.option("--scenario", default="", shell_complete=scenario_names, help="Default: the first.")
@options_option
@click.option("--dice", default="", help="fast (default), strict or seeded.")
@mail_option
@click.option("--chart", default="png", show_default=True, help="Charts in mails: png or none.")
@click.option("--press", default="none", show_default=True, help="Press: as for `pbem new`.")
@click.option("--missed", default="told", show_default=True, help="told or hidden.")
@click.option("--schedule", "rule", default="", metavar="RULE", help="As for `pbem schedule`.")
@click.option("--side", "sides", multiple=True, help="A side to offer; repeatable. Default: all.")
@click.option("--for", "held", multiple=True, metavar="SIDE=ADDR", help="Keep a seat for somebody.")
@click.option("--bot", "bots", multiple=True, metavar="SIDE", help="A side that a bot plays.")
@click.option("--bots-at", default="", metavar="TIME", help="Then bots take seats still open.")
@click.option("--paired", is_flag=True, help="Two games, GAMEa and GAMEb, with sides swapped.")
@click.option("--words", default="", metavar="TEXT", help="Your conditions, in a sentence.")
@click.option("--withdraw", metavar="GAME", default="", help="Withdraw an offer.")
@as_json
@click.pass_obj
def command(
    home: Path,
    /,
    system: str | None,
    name: str | None,
    paired: bool,
    withdraw: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Offer the seats of a game: make GAME if it does not exist, and let people join it by mail.

    It opens by itself when all seats are taken. People write JOIN GAME SIDE to the address of the
    home and get a joining letter. Without SYSTEM, list what is offered.
    """
    from pbem.club.offers import make
    from pbem.club.offers import withdraw as take_back
    from pbem.club.state import locked

    config = load(home)
    if withdraw:
        with locked(home, config) as club:
            take_back(club, withdraw)
        emit({"withdrawn": withdraw}, f"{withdraw} is no longer offered", as_json)
        return
    if not system:
        _list(home, as_json)
        return
    if not name:
        raise Usage("the game has no name", "pbem offer SYSTEM GAME")
    if config.club is None:
        raise Usage("this home has no club", 'add a table [club] with name = "..." to pbem.toml')
    offer = _offer(system, given)
    with locked(home, config) as club:
        names = make(club, system_named(system), name, offer, paired)
        result = {one: to_builtins(club.state.offers[one]) for one in names}
    warn_of_page(home)
    lines = [f"{one}: JOIN {one} {side}" for one in names for side in result[one]["seats"]]
    emit(result, "\n".join(lines) or f"offered {name}", as_json)


def _offer(system: str, given: Mapping[str, Any]) -> Offer:
    """Return the offer that the options describe. Raises Usage."""
    from pbem.club.state import Offer

    at = given["bots_at"]
    return Offer(
        system,
        choices=choices_of(given),
        rule=given["rule"],
        seats=list(given["sides"]),
        held={side: email.lower() for side, email in map(pair, given["held"])},
        bots=list(given["bots"]),
        bots_at=stamp(parse(at, "--bots-at")) if at else "",
        words=given["words"].strip(),
    )


def choices_of(given: Mapping[str, Any]) -> Choices:
    """Return what the options decide as `pbem new` does. Raises Usage."""
    return Choices(
        options=dict(pair(one) for one in given["options"]),
        mail=CALLED[given["mail"]],
        **{word: given[word] for word in ("scenario", "dice", "chart", "press", "missed")},
    )


def _list(home: Path, as_json: bool) -> None:
    """Print the games that wait for players."""
    from pbem.club.offers import open_offers, table_of
    from pbem.club.state import read

    club = read(home, load(home))
    tables = [table_of(club, system_named, name) for name in open_offers(club.state)]
    lines = [f"{t.name}  {t.title}: {', '.join(t.free) or 'no seat'} free" for t in tables]
    found = {t.name: {"title": t.title, "free": t.free, "taken": len(t.people)} for t in tables}
    emit(found, "\n".join(lines) or "nothing is offered", as_json)
