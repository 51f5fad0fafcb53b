"""`pbem status`"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import click
import msgspec
from msgspec import Struct, field

from pbem.base.clock import stamp
from pbem.cli.common import as_json, emit, local_date, local_time, say
from pbem.cli.completion import game_names
from pbem.errors import PbemError
from pbem.model import Plain, Side
from pbem.outbound.deliver import next_attempt
from pbem.scheduler.holds import clock_behind
from pbem.store import secrets
from pbem.store.game_dir import Game, games, reading
from pbem.store.register import Register
from pbem.store.seats import roles
from pbem.text.layout import counted, table, tidy
from pbem.turns.close_window import due
from pbem.turns.schedule import overdue
from pbem.turns.strict_dice import awaited

SIDES = ("Side", "Keys", "Orders", "Received", "Notes")
DONE, WAITS, WRONG = "green", "yellow", "red"
"""Colours on a terminal; the words say the same."""


@click.command
@click.argument("name", required=False, metavar="[GAME]", shell_complete=game_names)
@as_json
@click.pass_context
def command(ctx: click.Context, name: str | None, as_json: bool) -> None:
    """Show turn, window, deadline and which orders are in; without GAME one line for each game.

    This is for the moderator only: it shows when each side sent its orders.
    """
    home: Path = ctx.obj
    if name:
        game = facts(home, name)
        emit(game, _coloured(page(game), _colours(game)), as_json)
        return
    found, broken = list[Standing](), list[PbemError]()
    for each in games(home):
        try:
            found.append(facts(home, each))
        except PbemError as error:  # a broken game must not hide the others
            broken.append(error)
    text = "no game can be read" if broken else f"no games in {home}"
    text = overview(found) if found else text
    emit(found, _coloured(text, {one.game: _colour(one) for one in found}), as_json)
    for one in broken:
        say(f"error: {one.message}" + f"\nhint: {one.hint}" * bool(one.hint))
    ctx.exit(max((one.exit_code for one in broken), default=0))


class Seat(Struct, frozen=True):
    """A side in the open window, as `--json` prints it."""

    officers: int
    """Number of officers with a key."""
    inside: bool = field(name="in")
    """Whether its orders are complete."""
    seq: int | None
    """Sequence number of its set in force."""
    received: str | None
    """When that set arrived, UTC."""
    missed: int
    """Number of windows that closed without the orders that it owed."""
    owes: bool
    """Whether the open window waits for its orders; else it may write, but need not."""
    preferences: dict[str, str]
    """How its players want their mail, as they set it by mail; `zone` if they set one."""


Stage = Literal["new", "open", "held", "over"]


class Standing(Struct, frozen=True, omit_defaults=True):
    """The status of a game, as `--json` prints it."""

    game: str
    system: str
    state: Stage
    turn: int | None
    window: int
    deadline: str
    """UTC; empty without one."""
    due: str
    """Why the window can be closed now; empty if it cannot."""
    sides: dict[str, Seat]
    locked: bool
    """Whether the window's orders are locked, a step before closing with strict dice."""
    awaited: list[str]
    """Sides whose dice links a locked window waits for."""
    late: bool
    """Whether the deadline has passed."""
    waits: str
    """When waiting mail is tried again, UTC; empty if none waits."""
    schedule: str
    held: str
    """Why the game is on hold; empty if it is not, or no reason was given."""
    unsent: int
    """Number of unsent mails."""
    bounced: dict[str, str]
    """Outbox file of a mail that bounced, to the server's code."""
    absent: dict[str, str]
    """Side to the day until which it is away."""
    resets: dict[str, str]
    """Side with a lost key to the time from which the new key is valid, UTC."""
    undone: int
    """Number of windows that were undone."""
    result: Plain | None
    records: int
    head: str
    refusals: dict[str, dict[str, int]]
    """Side, or empty for unknown senders, to the number of refusals by code."""
    mails: dict[str, int]
    """Side to the number of mails that were written to it."""
    invited: list[str] = []
    """Seats with a joining letter and no player; left out if there are none."""
    clock: str = ""
    """Why this machine's clock must be wrong, or was; left out if it is right."""
    roles: dict[str, Seat] = {}
    """The same as `sides` for each role, `british.air`; left out if there are none."""


def facts(home: Path, name: str) -> Standing:
    """Return the status of a game. Raises NotFound, Damaged."""
    from pbem.store.index import Index

    game = reading(home, name)
    register, over = game.register, game.register.over
    index = Index(game.path("private", "index.json"))
    index.refresh(game.ledger)
    state = _state_of(register)
    return Standing(
        game=game.name,
        system=register.created.system,
        state=state,
        turn=register.closed[-1].turn if register.closed else None,
        window=register.window,
        deadline=register.deadline,
        due=due(game) if state == "open" else "",
        sides={side: _seat(register, side) for side in register.sides},
        locked=bool(register.locked),
        awaited=[str(side) for side in awaited(register)] if register.locked else [],
        late=state == "open" and overdue(register),
        waits=_waits(game),
        schedule=register.mail_state.schedule,
        held=register.mail_state.why if register.held else "",
        unsent=len(register.mail_state.unsent),
        bounced=dict(register.mail_state.bounced),
        absent={str(side): day for side, day in register.mail_state.absent.items()},
        resets={str(reset.side): reset.due for reset in register.resets.values()},
        undone=register.undone,
        result=msgspec.to_builtins(over),
        records=register.n,
        head=register.head,
        refusals={side: index.refusals(side) for side in ("", *register.seats)},
        mails={side: len(index.mail(side)) for side in register.seats},
        invited=_invited(game),
        clock=clock_behind(game),
        roles={seat: _seat(register, seat) for seat in roles(register)},
    )


def _invited(game: Game) -> list[str]:
    """Return the seats that have a letter, and no player yet."""
    asked = {letter["side"] for letter in secrets.letters(game).values()}
    return sorted(asked - {str(o.side) for o in game.register.officers})


def _state_of(register: Register) -> Stage:
    if register.over:
        return "over"
    return "held" if register.held else "open" if register.window else "new"


def _seat(register: Register, side: Side) -> Seat:
    """Return the status of a side."""
    taken = register.sets.get(side)
    return Seat(
        officers=sum(o.side == side for o in register.officers),
        inside=taken is not None and taken.final,
        seq=taken.seq if taken else None,
        received=taken.at if taken else None,
        missed=sum(who == side for _, who in register.lapses),
        owes=side in register.owing,
        preferences=_preferences(register, side),
    )


def _preferences(register: Register, side: Side) -> dict[str, str]:
    """Return a side's preferences; the ledger has only a digest of its time zone."""
    kept = register.mail_state.preferences.get(side, {})
    return {name: "set" if name == "zone" else value for name, value in kept.items()}


def _waits(game: Game) -> str:
    moment = next_attempt(game)
    return stamp(moment) if moment else ""


def overview(games: list[Standing]) -> str:
    """Format the status of several games as a table, one row each."""
    head = ("Game", "System", "State", "Window", "Due", "In", "To see to")
    rows = [
        (
            *(one.game, one.system, _state(one), str(one.window)),
            *("" if one.result else local_time(one.deadline), _count(one)),
            "; ".join(_matters(one)) or "-",
        )
        for one in games
    ]
    return tidy(table(rows, head))


def page(one: Standing) -> str:
    """Format the status of one game, with one row for each side."""
    due = f"closes {local_date(one.deadline)}" if one.deadline and not one.result else ""
    turn = f"turn {one.turn}" if one.turn else ""
    parts = (one.game, one.system, _state(one), turn, f"window {one.window}", due)
    rows = [(seat, *_row(one, seat)) for seat in (*one.sides, *one.roles)]
    lines = ["  ".join(filter(None, parts)), "", table(rows, SIDES)]
    matters = [f"  {text}" for text in _matters(one)]
    return tidy("\n".join([*lines, "", *matters]))


def _row(one: Standing, side: str) -> tuple[str, ...]:
    """Return the cells of a side's row after its name."""
    told = one.sides.get(side) or one.roles[side]
    none = "no orders yet" if told.owes else "need not write"
    word = "in" if told.inside else "has bad orders" if told.seq else none
    nobody = "invited, no answer yet" if side in one.invited else "nobody enlisted"
    word = word if told.officers else nobody
    word = "" if one.result else word
    notes = [f"absent until {one.absent[side]}"] if side in one.absent else []
    notes += [f"missed {counted(told.missed, 'window', 'windows')}"] if told.missed else []
    wishes = [f"{n} {v}" for n, v in told.preferences.items() if n != "zone"]
    notes += [f"prefers {', '.join(wishes)}"] if wishes else []
    notes += ["dice link awaited"] if side in one.awaited else []
    mine = f"outbox/{side}-"
    back = ((name, code) for name, code in one.bounced.items() if name.startswith(mine))
    notes += [f"{name} bounced: {code}" for name, code in back]
    return (
        str(told.officers or ""),
        word,
        local_time(told.received or ""),
        "; ".join(notes),
    )


def _state(one: Standing) -> str:
    return "locked" if one.state == "open" and one.locked else one.state


def _count(one: Standing) -> str:
    if one.result:
        return ""
    owing = [side for side in one.sides.values() if side.owes]
    return f"{sum(side.inside for side in owing)} of {len(owing)}"


def _colour(one: Standing) -> str:
    """Return the colour of a game in the overview; empty for a game that needs nobody."""
    if one.bounced or one.late:
        return WRONG
    return WAITS if _matters(one) and not one.result else ""


def _colours(one: Standing) -> dict[str, str]:
    """Return the colours of the rows of one game, by side."""
    return {
        seat: DONE if told.inside else WRONG if told.seq else WAITS if told.owes else ""
        for seat, told in (one.sides | one.roles).items()
        if not one.result
    }


def _coloured(text: str, colours: Mapping[str, str]) -> str:
    """Colour the rows of a table by their first word, with the lines that continue them."""
    lines, colour = [], ""
    for line in text.split("\n"):
        if not line.startswith(" "):
            colour = colours.get(line.partition(" ")[0], "")
        lines.append(click.style(line, fg=colour) if colour and line else line)
    return "\n".join(lines)


def _matters(one: Standing) -> list[str]:
    """Return what the moderator should look at, apart from the orders."""
    if one.result:
        return [f"result: {one.result['result']}  {one.result['why']}"]
    lines = [f"on hold: {one.held or 'by the moderator'}"] if one.state == "held" else []
    if one.state == "new" and all(side.officers for side in one.sides.values()):
        lines.append(f"every side has a player: `pbem open {one.game}` starts the game")
    if one.clock:
        lines.append(one.clock)
    if one.due:
        lines.append(f"ready: {one.due}; `pbem run {one.game}` closes the window")
    if one.late:
        lines.append("the deadline has passed")
    if one.awaited:
        lines.append(f"dice links awaited: {', '.join(one.awaited)}")
    for side, since in one.resets.items():
        lines.append(f"a new key of {side} is valid from {local_time(since)}")
    if one.bounced:
        lines.append(f"mails bounced: {len(one.bounced)}")
    if one.unsent and one.waits:
        waiting = counted(one.unsent, "mail waits", "mails wait")
        lines.append(f"{waiting}, next attempt {local_time(one.waits)}")
    return lines
