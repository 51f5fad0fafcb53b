"""Emptying a game's outbox: every mail that the ledger committed leaves once it may.

The ledger says what is unsent; the files in `outbox/` are never asked. Each sending is a record,
`sent` {mails, by}; what can never arrive is `bounced` {mail, code}. Attempts that failed are
remembered beside the ledger, and lose nothing when that file is lost.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from pbem.clock import now, parse, stamp
from pbem.config import Config, FilesDelivery, address_of, is_address
from pbem.files import write_private
from pbem.game import Game
from pbem.transports import Later, Laying, Never, Outgoing, Transport

RETRIES = "retries.json"
WAITS = (5, 15, 60, 240, 360)
"""Minutes to the next attempt; the last counts for all further ones."""
GIVE_UP = timedelta(days=5)
ANSWERS = ("-receipt.eml", "-answer.eml")
"""Mail that answers mail: it leaves with an empty envelope sender (RFC 3834), where allowed."""


class Flushed(Struct):
    """What became of an outbox. sent: mails; later: why some wait; bounced: files."""

    sent: int = 0
    waiting: int = 0
    later: str = ""
    bounced: list[str] = []


def flush(game: Game, config: Config, transport: Transport, flushed: Flushed) -> Iterator[None]:
    """Send what is unsent and due, and count it. The game is locked for writing.

    It stops where everything written so far has to be on the disk before it goes on.
    """
    unsent = list(game.register.affairs.unsent)
    if isinstance(config.delivery, FilesDelivery):
        _mark(game, unsent, "files", flushed)
        return
    mails = {name: _outgoing(game, config, name) for name in unsent}
    try:
        transport.finish(game.name, {mail.id for mail in mails.values() if mail})
    except Later as error:
        flushed.later, flushed.waiting = str(error), len(unsent)
        return
    if not unsent:
        return
    retries = _retries(game)
    laid = [n for n in unsent if _send(game, mails[n], n, transport, retries, flushed)]
    _keep(game, {n: r for n, r in retries.items() if n in game.register.affairs.unsent})
    if laid and isinstance(transport, Laying):
        yield  # the mails cannot be lost
        _mark(game, laid, "mail", flushed)
        yield  # nor can it be forgotten that they went
        _show(game, transport, [mail for name in laid if (mail := mails[name])], flushed)


def _send(
    game: Game, mail: Outgoing | None, name: str, transport: Transport,
    retries: dict[str, list[str]], flushed: Flushed,
) -> bool:  # fmt: skip
    """One mail: sent, put off, or given up; whether it was laid ready to be shown."""
    if mail is None or not mail.to:
        _mark(game, [name], "hand" if mail is None else "nobody", flushed)
        return False
    if name in retries and now() < parse(retries[name][-1]):
        flushed.waiting += 1
        return False
    try:
        if isinstance(transport, Laying):
            transport.lay(mail)
            return True
        transport.deliver(mail, lambda: _mark(game, [name], "mail", flushed))
    except Never as error:
        _bounce(game, name, error.code, flushed)
    except Later as error:
        if name in game.register.affairs.unsent:
            _put_off(game, name, str(error), retries, flushed)
    return False


def _show(game: Game, transport: Laying, mails: Sequence[Outgoing], flushed: Flushed) -> None:
    """Show mails that were recorded; the next tick finishes what cannot be done now."""
    try:
        for mail in mails:
            transport.show(mail)
    except Later as error:
        flushed.later = str(error)


def _put_off(
    game: Game, name: str, why: str, retries: dict[str, list[str]], flushed: Flushed
) -> None:
    """Try again later, or give up after days. retries: first attempt, then times of the next."""
    times = retries.setdefault(name, [stamp(now())])
    if now() - parse(times[0]) > GIVE_UP:
        _bounce(game, name, "gave up", flushed)
        return
    wait = WAITS[min(len(times) - 1, len(WAITS) - 1)]
    times.append(stamp(now() + timedelta(minutes=wait)))
    flushed.waiting += 1
    flushed.later = why


def _mark(game: Game, names: list[str], by: str, flushed: Flushed) -> None:
    if names:
        game.commit("sent", {"mails": names, "by": by})
        flushed.sent += len(names)


def _bounce(game: Game, name: str, code: str, flushed: Flushed) -> None:
    game.commit("bounced", {"mail": name, "code": code})
    flushed.bounced.append(name)


def bounce_of(game: Game, message_id: str) -> str:
    """The outbox file whose mail bears that Message-ID, empty when it is none of this game."""
    from pbem.private import message_id as made

    for side, count in game.register.mails.items():
        for number in range(1, count + 1):
            if made(game, side, number) == message_id:
                found = sorted(game.path("outbox").glob(f"{side}-{number:04}-*.eml"))
                return f"outbox/{found[0].name}" if found else f"outbox/{side}-{number:04}.eml"
    return ""


def _outgoing(game: Game, config: Config, name: str) -> Outgoing | None:
    """The mail of that file with its envelope; None when somebody took the file away."""
    try:
        content = game.path(name).read_bytes()
    except FileNotFoundError:
        return None
    headers = dict(_headers(content))
    told = name.removeprefix("outbox/").removesuffix(".eml")
    mark = headers.get("message-id", "").strip("<>").partition("@")[0]
    null = config.null_sender and name.endswith(ANSWERS)
    return Outgoing(
        id=f"{mark}.{told}.{game.name}",
        sender="" if null else address_of(config, game.name),
        to=tuple(a for a in map(str.strip, headers.get("to", "").split(",")) if is_address(a)),
        content=content,
    )


def _headers(content: bytes) -> list[tuple[str, str]]:
    head = content.partition(b"\r\n\r\n")[0].decode("latin-1")
    lines = [line.partition(":") for line in head.split("\r\n")]
    return [(name.lower(), value.strip()) for name, _, value in lines]


def _retries(game: Game) -> dict[str, list[str]]:
    try:
        found: dict[str, list[str]] = json.loads(game.path("private", RETRIES).read_bytes())
    except (OSError, ValueError):
        return {}
    return found


def _keep(game: Game, retries: dict[str, list[str]]) -> None:
    path = game.path("private", RETRIES)
    if retries:
        write_private(path, json.dumps(retries).encode())
    else:
        path.unlink(missing_ok=True)


def next_attempt(game: Game) -> datetime | None:
    """When the next attempt of a mail that waits is due, for `status`."""
    times = [parse(times[-1]) for times in _retries(game).values()]
    return min(times, default=None)
