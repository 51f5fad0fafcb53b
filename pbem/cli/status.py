"""`pbem status`"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click
import msgspec
from msgspec import Struct, field

from pbem.base.clock import stamp
from pbem.cli.common import as_json, emit, say
from pbem.errors import PbemError
from pbem.model import Plain, Side
from pbem.outbound.deliver import next_attempt
from pbem.store.game_dir import Game, games, reading
from pbem.store.register import Register
from pbem.text.layout import counted, date, table, tidy
from pbem.turns.close_window import due
from pbem.turns.schedule import overdue
from pbem.turns.strict_dice import awaited

SIDES = ("Side", "Keys", "Orders", "Received (UTC)", "Notes")


@click.command
@click.argument("name", required=False, metavar="[GAME]")
@as_json
@click.pass_context
def command(ctx: click.Context, name: str | None, as_json: bool) -> None:
    """Turn, window, deadline and who is in: for the moderator's eyes."""
    home: Path = ctx.obj
    if name:
        game = facts(home, name)
        emit(game, page(game), as_json)
        return
    found, broken = list[Standing](), list[PbemError]()
    for each in games(home):
        try:
            found.append(facts(home, each))
        except PbemError as error:  # one broken game never hides the others
            broken.append(error)
    emit(found, overview(found) if found or broken else f"no games in {home}", as_json)
    for one in broken:
        say(f"error: {one.message}")
    ctx.exit(max((one.exit_code for one in broken), default=0))


class Seat(Struct, frozen=True):
    """A side's standing in the open window."""

    officers: int
    """How many keys it has."""
    inside: bool = field(name="in")
    """Whether its set counts as whole."""
    seq: int | None
    """Of its set in force."""
    received: str | None
    """When that set came, UTC."""


class Standing(Struct, frozen=True):
    """A game's standing, as `--json` prints it."""

    game: str
    system: str
    state: Literal["new", "open", "held", "over"]
    turn: int | None
    window: int
    deadline: str
    """UTC; empty without one."""
    due: str
    """Why the window can be closed now; empty where it cannot."""
    sides: dict[str, Seat]
    locked: bool
    """Whether the window's orders are locked, which `strict` dice do before it closes."""
    awaited: list[str]
    """Sides whose dice links a locked window waits for."""
    late: bool
    """Whether the deadline has passed."""
    waits: str
    """When mail that waits is tried again, UTC; empty where none does."""
    schedule: str
    held: str
    """Why the game is held, where a reason was given."""
    unsent: int
    """How many mails wait."""
    bounced: dict[str, str]
    """Mails of the outbox that came back, and with what code."""
    absent: dict[str, str]
    """Side to the day until which it is away."""
    resets: dict[str, str]
    """Side to the moment from which a new key signs for one that was lost, UTC."""
    undone: int
    """How many windows were undone."""
    result: Plain | None
    records: int
    head: str
    refusals: dict[str, dict[str, int]]
    """Side, or empty for senders who are not known, to refusals by code."""
    mails: dict[str, int]
    """Side to how many of its mails wait in the outbox."""


def facts(home: Path, name: str) -> Standing:
    """A game's standing."""
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
        schedule=register.affairs.schedule,
        held=register.affairs.why if register.held else "",
        unsent=len(register.affairs.unsent),
        bounced=dict(register.affairs.bounced),
        absent={str(side): day for side, day in register.affairs.absent.items()},
        resets={str(reset.side): reset.due for reset in register.resets.values()},
        undone=register.undone,
        result=msgspec.to_builtins(over),
        records=register.n,
        head=register.head,
        refusals={side: index.refusals(side) for side in ("", *register.sides)},
        mails={side: len(index.mail(side)) for side in register.sides},
    )


def _state_of(register: Register) -> Literal["new", "open", "held", "over"]:
    if register.over:
        return "over"
    return "held" if register.held else "open" if register.window else "new"


def _seat(register: Register, side: Side) -> Seat:
    taken = register.sets.get(side)
    return Seat(
        officers=sum(o.side == side for o in register.officers),
        inside=taken is not None and taken.final,
        seq=taken.seq if taken else None,
        received=taken.at if taken else None,
    )


def _waits(game: Game) -> str:
    moment = next_attempt(game)
    return stamp(moment) if moment else ""


def overview(games: list[Standing]) -> str:
    """One row a game."""
    head = ("Game", "System", "State", "Window", "Due", "In", "To see to")
    rows = [
        (
            *(one.game, one.system, _state(one), str(one.window)),
            *("" if one.result else _short(one.deadline), _count(one)),
            "; ".join(_matters(one)) or "-",
        )
        for one in games
    ]
    return tidy(table(rows, head))


def page(one: Standing) -> str:
    """One game, with a row a side."""
    due = f"closes {date(one.deadline)}" if one.deadline and not one.result else ""
    turn = f"turn {one.turn}" if one.turn else ""
    parts = (one.game, one.system, _state(one), turn, f"window {one.window}", due)
    rows = [(side, *_row(one, side)) for side in one.sides]
    lines = ["  ".join(filter(None, parts)), "", table(rows, SIDES)]
    matters = [f"  {text}" for text in _matters(one)]
    if one.due and not one.result:
        matters.append(f"  ready: {one.due}; `pbem run {one.game}` closes the window")
    return tidy("\n".join([*lines, "", *matters]))


def _row(one: Standing, side: str) -> tuple[str, ...]:
    told = one.sides[side]
    word = "in" if told.inside else "has bad orders" if told.seq else "no orders yet"
    word = word if told.officers else "nobody enlisted"
    word = "" if one.result else word
    notes = [f"absent until {one.absent[side]}"] if side in one.absent else []
    notes += ["dice link awaited"] if side in one.awaited else []
    mine = f"outbox/{side}-"
    back = ((name, code) for name, code in one.bounced.items() if name.startswith(mine))
    notes += [f"{name} bounced: {code}" for name, code in back]
    return str(told.officers or ""), word, _short(told.received or ""), "; ".join(notes)


def _state(one: Standing) -> str:
    return "locked" if one.state == "open" and one.locked else one.state


def _count(one: Standing) -> str:
    if one.result:
        return ""
    return f"{sum(side.inside for side in one.sides.values())} of {len(one.sides)}"


def _short(moment: str) -> str:
    """`2026-11-22 04:29`, UTC."""
    return moment[:16].replace("T", " ")


def _matters(one: Standing) -> list[str]:
    """What needs a moderator's eye beside the orders."""
    if one.result:
        return [f"result: {one.result['result']}  {one.result['why']}"]
    lines = [f"held: {one.held or 'by the moderator'}"] if one.state == "held" else []
    if one.late:
        lines.append("the deadline has passed")
    if one.awaited:
        lines.append(f"dice links awaited: {', '.join(one.awaited)}")
    for side, since in one.resets.items():
        lines.append(f"a new key of {side} signs from {_short(since)} on")
    if one.bounced:
        lines.append(f"mails bounced: {len(one.bounced)}")
    if one.unsent and one.waits:
        waiting = counted(one.unsent, "mail waits", "mails wait")
        lines.append(f"{waiting}, next attempt {one.waits}")
    return lines
