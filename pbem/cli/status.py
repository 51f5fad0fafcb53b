"""`pbem status`"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pbem.cli.common import as_json, emit
from pbem.clock import stamp
from pbem.game import Game, games, reading
from pbem.resolve import due
from pbem.schedule import overdue
from pbem.send import next_attempt


@click.command
@click.argument("name", required=False, metavar="[GAME]")
@as_json
@click.pass_obj
def command(home: Path, name: str | None, as_json: bool) -> None:
    """Turn, window, deadline and who is in: for the moderator's eyes."""
    names = [name] if name else games(home)
    found = [facts(reading(home, each)) | looked_up(home, each) for each in names]
    text = "\n".join(_line(f) for f in found) or f"no games in {home}"
    emit(found[0] if name else found, text, as_json)


def facts(game: Game) -> dict[str, Any]:
    """A game's standing."""
    register = game.register
    over = register.over
    state = "over" if over else "held" if register.held else "open" if register.window else "new"
    return {
        "game": game.name,
        "system": register.created["system"],
        "state": state,
        "turn": register.closed[-1]["turn"] if register.closed else None,
        "window": register.window,
        "deadline": register.deadline,
        "due": due(game) if state == "open" else "",
        "sides": {
            side: {
                "officers": sum(o.side == side for o in register.officers),
                "in": side in register.sets and register.sets[side].final,
                "seq": register.sets[side].seq if side in register.sets else None,
                "received": register.sets[side].at if side in register.sets else None,
            }
            for side in register.sides
        },
        "late": state == "open" and overdue(register),
        "waits": _waits(game),
        "schedule": register.affairs.schedule,
        "held": register.affairs.why if register.held else "",
        "unsent": len(register.affairs.unsent),
        "bounced": dict(register.affairs.bounced),
        "absent": dict(register.affairs.absent),
        "undone": register.undone,
        "result": over,
        "records": register.n,
        "head": register.head,
    }


def _waits(game: Game) -> str:
    moment = next_attempt(game)
    return stamp(moment) if moment else ""


def looked_up(home: Path, name: str) -> dict[str, Any]:
    """What the index answers: refusals by code, and mails waiting in the outbox by side."""
    from pbem.index import Index

    game = reading(home, name)
    index = Index(game.path("private", "index.json"))
    index.refresh(game.ledger)
    return {
        "refusals": {side: index.refusals(side) for side in ("", *game.register.sides)},
        "mails": {side: len(index.mail(side)) for side in game.register.sides},
    }


def _line(found: dict[str, Any]) -> str:
    lines = [f"{found['game']}  {found['system']}  {found['state']}  window {found['window']}"]
    if found["deadline"]:
        lines[0] += f"  due {found['deadline']}"
    for side, one in found["sides"].items():
        word = "in" if one["in"] else "has bad orders" if one["seq"] else "no orders yet"
        word = word if one["officers"] else "nobody enlisted"
        lines.append(f"  {side:<12} {word}" + (f"  ({one['received']})" if one["seq"] else ""))
    lines += _mail_lines(found)
    if found["result"]:
        lines.append(f"  result: {found['result']['result']}  {found['result']['why']}")
    elif found["due"]:
        lines.append(f"  ready: {found['due']}; `pbem run {found['game']}` closes the window")
    return "\n".join(lines)


def _mail_lines(found: dict[str, Any]) -> list[str]:
    """What needs a moderator's eye beside the orders."""
    lines = [f"  held: {found['held'] or 'by the moderator'}"] if found["state"] == "held" else []
    if found["late"]:
        lines.append("  the deadline has passed")
    lines += [f"  {side} is absent until {day}" for side, day in found["absent"].items()]
    lines += [f"  {name} bounced: {code}" for name, code in found["bounced"].items()]
    if found["unsent"] and found["waits"]:
        lines.append(f"  {found['unsent']} mails wait, next attempt {found['waits']}")
    return lines
