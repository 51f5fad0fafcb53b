"""Stepping back: a window is taken back with its orders kept, or reopened under a new number."""

from __future__ import annotations

from typing import Any

import msgspec

from pbem.clock import now, stamp
from pbem.drive import Drive, encode_position
from pbem.errors import Busy
from pbem.game import Game
from pbem.issue import issue
from pbem.model import System, Window
from pbem.resolve import position_of


def undo(game: Game, system: System, reopen: bool, deadline: str = "") -> dict[str, Any]:
    """Take back the last closed window and tell every side in new reports.

    Orders kept: the window is re-run with the same sets and the same dice as soon as a ruling
    allows. reopen: a new window number is opened for new orders. Undone records stay in the
    ledger and are counted in every later report. Raises Busy when nothing has closed yet.
    """
    register = game.register
    if not register.closed:
        raise Busy(f"{game.name} has no closed window to undo")
    last = register.closed[-1]
    if reopen and not deadline and register.affairs.schedule:
        from pbem.schedule import deadline_for

        deadline = deadline_for(register)
    position = position_of(game, _position_at(game, last["window"]))
    if reopen:
        position = msgspec.structs.replace(position, window=Window(register.used + 1))
    drive = Drive.resume(system, register.sides, register.options, position)
    data, name = encode_position(drive)
    body = {
        "windows": [last["window"]],
        "reopen": reopen,
        "opens": position.window,
        "deadline": deadline,
        "position": name,
        "sets": {} if reopen else _kept(game, last),
    }
    if not reopen:
        game.commit("undone", body, {f"state/{name}.json": data})
        return body
    at = stamp(now())
    register.undone += 1
    issued = issue(game, system, drive, None, deadline, at, {})
    register.undone -= 1
    game.commit(
        "undone",
        body | {"reports": issued.digests, "mailed": issued.mailed},
        {**issued.files, f"state/{name}.json": data},
        at,
    )
    return body


def _position_at(game: Game, window: int) -> str:
    """The hash of the position at which that window stood open, whatever opened it last."""
    found = ""
    for record in game.ledger.records({"opened", "closed", "undone"}):
        if record.body.get("opens", record.body.get("window")) == window:
            found = record.body["position"]
    return found


def _kept(game: Game, last: dict[str, Any]) -> dict[str, Any]:
    """The sets that were in force when the window closed, by side."""
    numbers = {one["record"]: side for side, one in last["sets"].items() if one["record"]}
    found: dict[str, Any] = {}
    for record in game.ledger.records({"received"}):
        if record.n in numbers:
            body = record.body
            found[numbers[record.n]] = {
                "n": record.n, "at": record.at, "raw": body.get("raw", ""),
                "link": body.get("link", ""),
                "clean": not body["refused_orders"],
                **{k: body[k] for k in ("seq", "digest", "order", "canonical", "final")},
            }  # fmt: skip
    return found
