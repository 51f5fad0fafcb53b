"""Emptying a game's outbox: every mail that the ledger committed leaves once it may.

The ledger says what is unsent; the files in `outbox/` are never asked. Each sending is a record,
`sent` {mails, by}; what can never arrive is `bounced` {mail, code}. Attempts that failed are
remembered beside the ledger, and lose nothing when that file is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.base.clock import now, parse, stamp
from pbem.base.config import Config, FilesDelivery, address_of, is_address
from pbem.base.files import read_plain, write_private
from pbem.outbound.transports.interface import Later, Never, Outgoing, Transport, lays
from pbem.store.game_dir import Game
from pbem.store.records import Bounced, Sender, Sent
from pbem.text.messages import Note, worded

RETRIES = "retries.json"
WAITS = (5, 15, 60, 240, 360)
"""Minutes to the next attempt of a mail that a server asks patience for; the last counts for all
further ones."""

DOWN = 15
"""Minutes at most while a server cannot be reached: that is no trouble of this mail's, and counts
for no attempt of it."""

GIVE_UP = timedelta(days=5)
PATIENCE = 3
"""Attempts after which a server that asks for patience, as greylisting does, is worth a word."""
ANSWERS = ("-receipt.eml", "-answer.eml")
"""Mail that answers mail: it leaves with an empty envelope sender (RFC 3834), where allowed."""


class Attempts(Struct):
    """What was tried with a mail. times: of the first attempt, then those of the next ones; left:
    who of several recipients has not got it, empty when nobody has."""

    times: list[str]
    left: tuple[str, ...] = ()


Retries = dict[str, Attempts]
"""By the file in the outbox."""


class Flushed(Struct):
    """What became of an outbox. sent: mails; later: why some wait, where that needs a person;
    bounced: files, and what was said to them."""

    sent: int = 0
    waiting: int = 0
    later: str = ""
    bounced: dict[str, str] = {}


def lay(game: Game, config: Config, transport: Transport, flushed: Flushed) -> list[Outgoing]:
    """Send what is unsent and due as far as that is a record: it stands with what this tick has
    gathered. What a transport laid ready is given back, for `show` behind a sync of the lines."""
    if isinstance(config.delivery, FilesDelivery):
        _mark(game, list(game.register.affairs.unsent), "files", flushed)
    if not lays(transport):
        return []
    mails, laid = _due(game, config, transport, flushed), list[str]()
    with _retrying(game) as retries:
        for name, mail in mails.items():
            try:
                transport.lay(mail)
                laid.append(name)
            except Later as error:
                _put_off(game, name, error, retries, flushed)
    _mark(game, laid, "mail", flushed)
    return [mails[name] for name in laid]


def show(transport: Transport, mails: Sequence[Outgoing], flushed: Flushed) -> None:
    """Let mails be read that were laid ready, once it is on the disk that they were sent; the
    next tick finishes what cannot be done now."""
    try:
        for mail in mails:
            if lays(transport):
                transport.show(mail)
    except Later as error:
        flushed.later = str(error)


def flush(game: Game, config: Config, transport: Transport, flushed: Flushed) -> None:
    """Send what is unsent and due by a transport that sends each mail as it is recorded. The game
    is locked for writing, what it committed is on the disk."""
    if isinstance(config.delivery, FilesDelivery) or lays(transport):
        return
    mails = _due(game, config, transport, flushed)
    with _retrying(game) as retries:
        for name, mail in mails.items():
            _send(game, mail, name, transport, retries, flushed)


def _due(game: Game, config: Config, transport: Transport, flushed: Flushed) -> dict[str, Outgoing]:
    """The unsent mails that are to be tried now, after what killed runs left was completed. What
    somebody took away, or is for nobody (any more), is recorded."""
    unsent, sent = list(game.register.affairs.unsent), game.register.affairs.sent
    try:
        transport.finish(game.name, lambda mark: _told(mark) in sent)
    except Later as error:
        flushed.later, flushed.waiting = str(error), len(unsent)
        return {}
    found: dict[str, Outgoing] = {}
    retries = _retries(game) if unsent else {}
    for name in unsent:
        mail = _outgoing(game, config, name)
        left = retries[name].left if name in retries else ()
        to = _still(game, name, left or mail.to) if mail else ()
        if mail is None or not to:
            _mark(game, [name], "hand" if mail is None else "nobody", flushed)
        elif name in retries and now() < parse(retries[name].times[-1]):
            flushed.waiting += 1
        else:
            found[name] = replace(mail, to=to)
    return found


def _still(game: Game, name: str, to: Sequence[str]) -> tuple[str, ...]:
    """Those of its recipients who may have a mail now. One that waited while a player was replaced
    is not for him any more; a letter is for somebody who is none yet."""
    affairs = game.register.affairs
    side = name.removeprefix("outbox/").partition("-")[0]
    if affairs.unsent[name] >= affairs.replaced_at.get(side, 0) or name.endswith("-letter.eml"):
        return tuple(to)
    from pbem.outbound.forward import reached

    here = reached(game, side)
    return tuple(one for one in to if one in here)


def _send(
    game: Game, mail: Outgoing, name: str, transport: Transport, retries: Retries, flushed: Flushed
) -> None:
    """One mail: sent, put off, or given up."""
    try:
        transport.deliver(mail, lambda: _mark(game, [name], "mail", flushed))
    except Never as error:
        _bounce(game, name, error.code, str(error), flushed)
    except Later as error:
        if name in game.register.affairs.unsent:
            _put_off(game, name, error, retries, flushed)


def _put_off(game: Game, name: str, why: Later, retries: Retries, flushed: Flushed) -> None:
    """Try again later, or give up after days."""
    tried = retries.setdefault(name, Attempts([stamp(now())]))
    if now() - parse(tried.times[0]) > GIVE_UP:
        _bounce(game, name, "gave up", str(why), flushed)
        return
    tried.left = why.left or tried.left
    attempts = len(tried.times)
    wait = WAITS[min(attempts - 1, len(WAITS) - 1)]
    counted = attempts if why.asked else max(1, attempts - 1)
    following = now() + timedelta(minutes=wait if why.asked else min(wait, DOWN))
    tried.times = [*tried.times[:counted], stamp(following)]
    flushed.waiting += 1
    if not why.asked or attempts >= PATIENCE:
        flushed.later = str(why)


def _mark(game: Game, names: list[str], by: Sender, flushed: Flushed) -> None:
    if names:
        game.commit(Sent(mails=names, by=by))
        flushed.sent += len(names)


def _bounce(game: Game, name: str, code: str, said: str, flushed: Flushed) -> None:
    game.commit(Bounced(mail=name, code=code))
    flushed.bounced[name] = said


def undelivered(game: Game, name: str, said: str) -> Note:
    """What the moderator is told of a mail that cannot arrive. said: the server's words."""
    return worded("undelivered", game=game.name, name=name, said=said)


def bounce_of(game: Game, message_id: str) -> str:
    """The outbox file whose mail bears that Message-ID, empty when it is none of this game."""
    from pbem.store.secrets import message_id as made

    for side, count in game.register.mails.items():
        for number in range(1, count + 1):
            if made(game, side, number) == message_id:
                found = sorted(game.path("outbox").glob(f"{side}-{number:04}-*.eml"))
                return f"outbox/{found[0].name}" if found else f"outbox/{side}-{number:04}.eml"
    return ""


def _outgoing(game: Game, config: Config, name: str) -> Outgoing | None:
    """The mail of that file with its envelope; None when somebody took the file away."""
    content = game.gathered_file(name) or read_plain(game.path(name))
    if not content:
        return None
    headers = dict(_headers(content))
    told = name.removeprefix("outbox/").removesuffix(".eml")
    mark = headers.get("message-id", "").strip("<>").partition("@")[0]
    null = config.null_sender and name.endswith(ANSWERS)
    to = map(str.strip, headers.get("to", "").split(","))
    return Outgoing(
        id=f"{mark}.{told}.{game.name}",
        sender="" if null else address_of(config, game.name),
        to=tuple(dict.fromkeys(a for a in to if is_address(a))),
        content=content,
    )


def _told(mark: str) -> str:
    """The file in the outbox that a mail's id names."""
    return f"outbox/{mark.partition('.')[2].partition('.')[0]}.eml"


def _headers(content: bytes) -> list[tuple[str, str]]:
    head = content.partition(b"\r\n\r\n")[0].decode("latin-1")
    lines = [line.partition(":") for line in head.split("\r\n")]
    return [(name.lower(), value.strip()) for name, _, value in lines]


def _retries(game: Game) -> Retries:
    try:
        kept = read_plain(f"{game.folder}/private/{RETRIES}")
        return msgspec.json.decode(kept or b"{}", type=Retries)
    except (OSError, msgspec.DecodeError):
        return {}


@contextmanager
def _retrying(game: Game) -> Iterator[Retries]:
    """The attempts that failed, remembered again at the end for what is still unsent."""
    retries = _retries(game)
    before = bool(retries)
    yield retries
    kept = {n: r for n, r in retries.items() if n in game.register.affairs.unsent}
    path = game.path("private", RETRIES)
    if kept:
        write_private(path, msgspec.json.encode(kept))
    elif before:
        path.unlink(missing_ok=True)


def next_attempt(game: Game) -> datetime | None:
    """When the next attempt of a mail that waits is due, for `status`."""
    times = [parse(tried.times[-1]) for tried in _retries(game).values()]
    return min(times, default=None)
