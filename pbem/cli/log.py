"""`pbem log`"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import click
from msgspec import Struct
from msgspec.structs import asdict

from pbem.cli.common import as_json, emit, game_argument, local_time
from pbem.store import records as kinds
from pbem.store.game_dir import reading
from pbem.store.ledger import Record
from pbem.text.layout import counted


@click.command
@game_argument
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the newest N records.")
@as_json
@click.pass_obj
def command(home: Path, name: str, last: int | None, as_json: bool) -> None:
    """Show what happened in a game, one line for each record of its ledger, the oldest first.

    It shows no orders and no dice: the moderator sees those by `pbem report GAME referee`, which
    the ledger records.
    """
    found = deque(lines(reading(home, name).ledger.records()), maxlen=last)
    emit(list(found), "\n".join(_show(found)), as_json)


class Entry(Struct, frozen=True):
    """A record in short."""

    n: int
    """Its number."""
    at: str
    """When it was made, UTC."""
    kind: str
    said: str
    """What happened, without orders, dice, and the contents of messages."""


def lines(found: Iterable[Record]) -> Iterator[Entry]:
    """Sum up each record in one line. Of a window only those who owed its orders are named as
    missing, as the record that opened it says."""
    owed: list[str] = []
    for record in found:
        yield Entry(record.n, record.at, record.kind, _said(record.body, owed))
        if isinstance(record.body, kinds.Opening) and record.body.reports:
            owed = [str(side) for side in record.body.owed]


def _show(found: Sequence[Entry]) -> list[str]:
    room = max((len(str(one.n)) for one in found), default=1)
    return [f"{one.n:>{room}}  {local_time(one.at)}  {one.said}" for one in found]


SAID: dict[type[kinds.Body], str] = {
    kinds.Created: "made: {system}, {scenario}, edition {edition}",
    kinds.Enlisted: "{side}: officer {number} enlisted",
    kinds.Opened: "window {window} opens{due}",
    kinds.Closed: "window {window} closed{more}",
    kinds.Received: "{side}: set {seq} for window {window}{more}",
    kinds.Refused: "{side}: refused ({code})",
    kinds.Locked: "window {window} locked; dice links awaited{due}",
    kinds.Revealed: "{side}: dice link revealed for window {window}",
    kinds.Undone: "undone: {windows}; window {opens} is open{more}",
    kinds.Looked: "the moderator looked at the truth in window {window}",
    kinds.Resent: "{side}: report or receipt of window {window} sent again",
    kinds.Ended: "ended by the moderator: {result}; {reason}",
    kinds.Scheduled: "schedule: {rule}{due}",
    kinds.Extended: "deadline moved{due}: {reason}",
    kinds.Held: "on hold by the {by}: {reason}",
    kinds.Resumed: "off hold{due}",
    kinds.Replaced: "{side}: new key, officer {number}",
    kinds.Ruled: "ruling: {text} ({reason})",
    kinds.Sent: "{more}",
    kinds.Bounced: "{mail} bounced: {code}",
    kinds.Pressed: "message between sides: {state}",
}
"""Kind of record to its line: fields of the record, `due` with a deadline, `more` as `_more`."""

NOTED = {
    "reminder": "{sides}: reminded of window {reminder}",
    "absent": "absent until a day: {absent}",
    "answer": "{side}: answer to {answer} by mail",
    "spectator": "spectator {spectator} added or removed",
    "reset": "a key is lost; a new one is announced",
    "awaited": "dice links awaited: {awaited}",
    "letter": "{sides}: invited",
    "age": "new age key of the moderator",
    "address": "{sides}: new address of officer {address}",
    "text": "note to {sides}",
    "prefers": "{side}: new preferences",
    "heeded": "words of orders carried out: {heeded}",
}
"""Field that tells what a `noted` record is about, to its line."""


def _said(body: kinds.Body, owed: Collection[str]) -> str:
    """Say in words what a record holds; a kind without a line is its name. owed: the sides that
    must answer the window that is open before it; none named: every side."""
    line = SAID.get(type(body), body.kind)
    if isinstance(body, kinds.Noted):
        line = next((text for field, text in NOTED.items() if getattr(body, field)), body.kind)
    facts = {field: _plain(value) for field, value in asdict(body).items()}
    deadline = facts.get("deadline", "")
    due = f", due {local_time(deadline)}" if deadline else ""
    return line.format(**facts, due=due, more=_more(body, owed))


def _plain(value: object) -> str:
    """Write a field's value: lists and tables with commas, nothing as `-`."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {one}" for key, one in value.items()) or "-"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "all sides"
    return "" if value is None else str(value)


def _more(body: kinds.Body, owed: Collection[str]) -> str:
    """Say what depends on the values of several fields."""
    match body:
        case kinds.Closed():
            return _closed(body, owed)
        case kinds.Received(officer=officer, refused_orders=bad):
            by = "" if officer else " by the moderator's hand"
            return by + (f", {counted(bad, 'order', 'orders')} refused" if bad else "")
        case kinds.Undone(reopen=reopen):
            return " for new orders" if reopen else " with its orders kept"
        case kinds.Sent(mails=mails, by=by):
            return counted(len(mails), "mail", "mails") + (
                " sent by hand" if by == "hand" else " sent"
            )
        case _:
            return ""


def _closed(body: kinds.Closed, owed: Collection[str]) -> str:
    """Say who owed orders and had not written, and what comes next."""
    none = [str(side) for side, taken in body.sets.items() if not taken.record]
    missing = [side for side in none if side in owed or not owed]
    without = f" without orders of {', '.join(missing)}" if missing else ""
    if body.over:
        return f"{without}; the game is over: {body.over.result}"
    due = f", due {local_time(body.deadline)}" if body.deadline else ""
    return f"{without}; window {body.opens} opens{due}"
