"""`pbem status`"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from msgspec import to_builtins

from pbem.base.clock import stamp
from pbem.cli.common import as_json, emit, say
from pbem.errors import PbemError
from pbem.model import Side
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
        game = facts(reading(home, name)) | looked_up(home, name)
        emit(game, page(game), as_json)
        return
    found, broken = list[dict[str, Any]](), list[PbemError]()
    for each in games(home):
        try:
            found.append(facts(reading(home, each)) | looked_up(home, each))
        except PbemError as error:  # one broken game never hides the others
            broken.append(error)
    emit(found, overview(found) if found or broken else f"no games in {home}", as_json)
    for one in broken:
        say(f"error: {one.message}")
    ctx.exit(max((one.exit_code for one in broken), default=0))


def facts(game: Game) -> dict[str, Any]:
    """A game's standing."""
    register = game.register
    over = register.over
    state = "over" if over else "held" if register.held else "open" if register.window else "new"
    return {
        "game": game.name,
        "system": register.created.system,
        "state": state,
        "turn": register.closed[-1].turn if register.closed else None,
        "window": register.window,
        "deadline": register.deadline,
        "due": due(game) if state == "open" else "",
        "sides": {side: _seat(register, side) for side in register.sides},
        "locked": bool(register.locked),
        "awaited": [str(side) for side in awaited(register)] if register.locked else [],
        "late": state == "open" and overdue(register),
        "waits": _waits(game),
        "schedule": register.affairs.schedule,
        "held": register.affairs.why if register.held else "",
        "unsent": len(register.affairs.unsent),
        "bounced": dict(register.affairs.bounced),
        "absent": dict(register.affairs.absent),
        "resets": {str(reset.side): reset.due for reset in register.resets.values()},
        "undone": register.undone,
        "result": to_builtins(over),
        "records": register.n,
        "head": register.head,
    }


def _seat(register: Register, side: Side) -> dict[str, Any]:
    """A side's standing in the open window."""
    taken = register.sets.get(side)
    return {
        "officers": sum(o.side == side for o in register.officers),
        "in": taken is not None and taken.final,
        "seq": taken.seq if taken else None,
        "received": taken.at if taken else None,
    }


def _waits(game: Game) -> str:
    moment = next_attempt(game)
    return stamp(moment) if moment else ""


def looked_up(home: Path, name: str) -> dict[str, Any]:
    """What the index answers: refusals by code, and mails waiting in the outbox by side."""
    from pbem.store.index import Index

    game = reading(home, name)
    index = Index(game.path("private", "index.json"))
    index.refresh(game.ledger)
    return {
        "refusals": {side: index.refusals(side) for side in ("", *game.register.sides)},
        "mails": {side: len(index.mail(side)) for side in game.register.sides},
    }


def overview(games: list[dict[str, Any]]) -> str:
    """One row a game."""
    head = ("Game", "System", "State", "Window", "Due", "In", "To see to")
    rows = [
        (
            one["game"],
            one["system"],
            _state(one),
            str(one["window"]),
            "" if one["result"] else _short(one["deadline"]),
            _count(one),
            "; ".join(_matters(one)) or "-",
        )
        for one in games
    ]
    return tidy(table(rows, head))


def page(one: dict[str, Any]) -> str:
    """One game, with a row a side."""
    due = f"closes {date(one['deadline'])}" if one["deadline"] and not one["result"] else ""
    turn = f"turn {one['turn']}" if one["turn"] else ""
    parts = (one["game"], one["system"], _state(one), turn, f"window {one['window']}", due)
    rows = [(side, *_row(one, side)) for side in one["sides"]]
    lines = ["  ".join(filter(None, parts)), "", table(rows, SIDES)]
    matters = [f"  {text}" for text in _matters(one)]
    if one["due"] and not one["result"]:
        matters.append(f"  ready: {one['due']}; `pbem run {one['game']}` closes the window")
    return tidy("\n".join([*lines, "", *matters]))


def _row(one: dict[str, Any], side: str) -> tuple[str, ...]:
    told = one["sides"][side]
    word = "in" if told["in"] else "has bad orders" if told["seq"] else "no orders yet"
    word = word if told["officers"] else "nobody enlisted"
    word = "" if one["result"] else word
    notes = [f"absent until {one['absent'][side]}"] if side in one["absent"] else []
    notes += ["dice link awaited"] if side in one["awaited"] else []
    notes += [
        f"{name} bounced: {code}"
        for name, code in one["bounced"].items()
        if name.startswith(f"outbox/{side}-")
    ]
    return str(told["officers"] or ""), word, _short(told["received"] or ""), "; ".join(notes)


def _state(one: dict[str, Any]) -> str:
    return "locked" if one["state"] == "open" and one["locked"] else str(one["state"])


def _count(one: dict[str, Any]) -> str:
    if one["result"]:
        return ""
    return f"{sum(side['in'] for side in one['sides'].values())} of {len(one['sides'])}"


def _short(moment: str) -> str:
    """`2026-11-22 04:29`, UTC."""
    return moment[:16].replace("T", " ")


def _matters(one: dict[str, Any]) -> list[str]:
    """What needs a moderator's eye beside the orders."""
    if one["result"]:
        return [f"result: {one['result']['result']}  {one['result']['why']}"]
    lines = [f"held: {one['held'] or 'by the moderator'}"] if one["state"] == "held" else []
    if one["late"]:
        lines.append("the deadline has passed")
    if one["awaited"]:
        lines.append(f"dice links awaited: {', '.join(one['awaited'])}")
    for side, since in one["resets"].items():
        lines.append(f"a new key of {side} signs from {_short(since)} on")
    if one["bounced"]:
        lines.append(f"mails bounced: {len(one['bounced'])}")
    if one["unsent"] and one["waits"]:
        waiting = counted(one["unsent"], "mail waits", "mails wait")
        lines.append(f"{waiting}, next attempt {one['waits']}")
    return lines
