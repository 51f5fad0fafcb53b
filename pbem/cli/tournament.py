"""`pbem tournament`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click
from msgspec import to_builtins

from pbem.base.clock import now, stamp
from pbem.base.config import load
from pbem.cli.common import as_json, emit, mail_option, options_option, system_named, warn_of_page
from pbem.cli.completion import scenario_names, system_names
from pbem.cli.offer import choices_of
from pbem.errors import Busy, NotFound, Usage

if TYPE_CHECKING:
    from pbem.club.state import Club, Tournament

KINDS = ("swiss", "paired", "ladder")


@click.command
@click.argument("name", required=False)
@click.option("--system", default="", shell_complete=system_names, help="Announce one of it.")
@click.option("--kind", type=click.Choice(KINDS), default="swiss", show_default=True)
@click.option("--rounds", default=3, show_default=True, help="Rounds; a ladder has no end.")
@click.option("--size", default=0, metavar="N", help="Begin by itself with N entrants.")
@click.option("--scenario", default="", shell_complete=scenario_names, help="Default: the first.")
@options_option
@click.option("--dice", default="", help="fast (default), strict or seeded.")
@mail_option
@click.option("--chart", default="png", show_default=True, help="Charts in mails: png or none.")
@click.option("--press", default="none", show_default=True, help="Press: as for `pbem new`.")
@click.option("--missed", default="told", show_default=True, help="told or hidden.")
@click.option("--schedule", "rule", default="", metavar="RULE", help="As for `pbem schedule`.")
@click.option("--words", default="", metavar="TEXT", help="Your conditions, in a sentence.")
@click.option("--begin", is_flag=True, help="Begin now, with those who have entered.")
@click.option("--end", is_flag=True, help="Pair no more rounds; it ends with its last game.")
@click.option("--remove", default="", metavar="ADDR", help="Take an entrant out of it.")
@as_json
@click.pass_obj
def command(
    home: Path,
    /,
    name: str | None,
    system: str,
    begin: bool,
    end: bool,
    remove: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Announce a tournament, begin or end it, or show its table; without NAME list all.

    People enter it by mail: JOIN NAME. Its games are made, offered and opened by ticks. `swiss`
    pairs equal scores, `paired` likewise with two games, sides swapped; in a `ladder` neighbours
    play, and a winner takes the place of whoever he beat above him. When the last game has ended,
    everybody gets the table.
    """
    from pbem.club.state import locked, read

    config = load(home)
    if not name:
        found = read(home, config).state.tournaments
        lines = [f"{n}  {t.kind} of {t.system}: {_stage(t)}" for n, t in found.items()]
        emit(to_builtins(found), "\n".join(lines) or "no tournaments", as_json)
        return
    if not (system or begin or end or remove):
        _show(read(home, config), name, as_json)
        return
    with locked(home, config) as club:
        if system:
            _announce(club, name, system, given)
        _change(club, name, begin, end)
        if remove:
            from pbem.club.tournaments import remove as take_out

            take_out(club, name, remove.lower())
        club.commit()
        if system:
            warn_of_page(home)
        one = club.state.tournaments[name]
    emit(to_builtins(one), f"{name}: {_stage(one)}", as_json)


def _announce(club: Club, name: str, system: str, given: dict[str, Any]) -> None:
    """Announce a tournament. Raises Usage."""
    from pbem.club.state import Tournament, TournamentKind
    from pbem.club.tournaments import found
    from pbem.turns.schedule import read_rule

    if club.config.club is None:
        raise Usage("this home has no club", 'add a table [club] with name = "..." to pbem.toml')
    kind = next(one for one in get_args(TournamentKind) if one == given["kind"])
    if given["rule"]:
        read_rule([given["rule"]])
    one = Tournament(
        kind=kind,
        system=system,
        choices=choices_of(given),
        rule=given["rule"],
        rounds=0 if kind == "ladder" else given["rounds"],
        size=given["size"],
        words=given["words"].strip(),
    )
    found(club, system_named(system), name, one)


def _change(club: Club, name: str, begin: bool, end: bool) -> None:
    """Begin or end a tournament. Raises NotFound, Busy."""
    one = _named(club, name)
    if begin:
        if one.began:
            raise Busy(f"{name} has begun already")
        if len(one.entrants) < 2:
            raise Busy(f"{name} has fewer than two entrants", f"people enter with JOIN {name}")
        one.began = stamp(now())
    if end:
        one.closing = one.closing or stamp(now())


def _named(club: Club, name: str) -> Tournament:
    """Return a tournament. Raises NotFound."""
    if name not in club.state.tournaments:
        known = ", ".join(club.state.tournaments) or "none"
        raise NotFound(f"there is no tournament {name}", f"tournaments: {known}")
    return club.state.tournaments[name]


def _stage(one: Tournament) -> str:
    """Say how far a tournament has come."""
    if one.ended:
        return "ended"
    if one.closing:
        return f"{len(one.entrants)} entrants, no more rounds; it ends with its last game"
    if not one.began:
        return f"{len(one.entrants)} entered, not begun"
    return f"{len(one.entrants)} entrants, round {len(one.played)}"


def _show(club: Club, name: str, as_json: bool) -> None:
    """Print a tournament's table."""
    from pbem.club.tournaments import called, standing, table_lines

    one = _named(club, name)
    table = standing(club, one, {})
    shown = [{**to_builtins(place), "name": called(club, place.name)} for place in table]
    text = "\n".join([f"{name}: {_stage(one)}", *table_lines(club, one, table)])
    emit({"name": name, "stage": _stage(one), "table": shown}, text, as_json)
