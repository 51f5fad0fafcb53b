"""Deliver a game's outbox: send every committed mail that is due.

The ledger alone says which mails are unsent; the list of files in `outbox/` is not consulted. Each
delivery is a record `sent` {mails, by}. A mail that cannot be delivered gets a record `bounced`
{mail, code}. Failed attempts are kept in a file outside the ledger; if that file is lost, the next
tick simply tries again.
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
from pbem.outbound.transports.interface import Later, Never, Outgoing, Transport, is_two_step
from pbem.store.game_dir import Game
from pbem.store.records import Bounced, Sender, Sent
from pbem.text.messages import Note, fill_note

RETRIES = "retries.json"
WAITS = (5, 15, 60, 240, 360)
"""Minutes until each next attempt after a server's temporary refusal (4xx, as in greylisting). The
last value is used for all further attempts."""

DOWN = 15
"""Most minutes between attempts while the server cannot be reached. The cause is not this mail, so
such an attempt does not lengthen its next wait."""

GIVE_UP = timedelta(days=5)
"""Time after the first attempt at which a mail bounces. RFC 5321, 4.5.4.1, asks for 4 to 5 days."""

PATIENCE = 3
"""Attempts before a temporary refusal is reported: greylisting refuses the first one or two."""

ANSWERS = ("-receipt.eml", "-answer.eml")
"""Mail that answers mail. It leaves with an empty envelope sender (RFC 3834) where the settings
allow it, so that two automatic responders cannot answer each other without end."""


class Attempts(Struct):
    """The failed attempts to deliver one mail, as stored in `private/retries.json`."""

    times: list[str]
    """ISO times: of the first attempt, then of those that followed, then of the next one."""
    left: tuple[str, ...] = ()
    """The recipients who still lack the mail; empty if none of them has it."""


Retries = dict[str, Attempts]
"""Outbox file to its failed attempts."""


class Flushed(Struct):
    """The result of delivering an outbox."""

    sent: int = 0
    """Number of mails delivered."""
    left: int = 0
    """Number of mails left in the outbox, because no delivery is configured."""
    waiting: int = 0
    """Number of mails that wait for another attempt."""
    later: str = ""
    """Why mails wait, if somebody should look into it; else empty."""
    bounced: dict[str, str] = {}
    """Outbox file to the server's words."""


def prepare(game: Game, config: Config, transport: Transport, flushed: Flushed) -> list[Outgoing]:
    """Prepare the mails that are due and record them as sent, for two-step transports.

    The record is committed with everything else that this tick gathered. Returns the prepared
    mails: call `release` with them once the ledger lines are synced. A mail that is visible
    before its record is on the disk would be sent twice after a power cut.
    """
    unsent = list(game.register.mail_state.unsent)
    if config.delivery is None:  # a delivery that is configured later sends them
        flushed.left = len(unsent)
    elif isinstance(config.delivery, FilesDelivery):
        _record_sent(game, unsent, "files", flushed)
    if not is_two_step(transport):
        return []
    mails, ready = _due_mails(game, config, transport, flushed), list[str]()
    with _retrying(game) as retries:
        for name, mail in mails.items():
            try:
                transport.prepare(mail)
                ready.append(name)
            except Later as error:
                _retry_later(game, name, error, retries, flushed)
    _record_sent(game, ready, "mail", flushed)
    return [mails[name] for name in ready]


def release(transport: Transport, mails: Sequence[Outgoing], flushed: Flushed) -> None:
    """Make prepared mails visible to their reader. Their `sent` record must be on the disk.

    What fails now is completed by the `finish` of the next tick.
    """
    try:
        for mail in mails:
            if is_two_step(transport):
                transport.release(mail)
    except Later as error:
        flushed.later = str(error)


def flush(game: Game, config: Config, transport: Transport, flushed: Flushed) -> None:
    """Send the mails that are due one by one, each with its own record, for one-step transports.

    The game must be locked for writing, and its committed records must be on the disk.
    """
    if not config.sends or is_two_step(transport):
        return
    mails = _due_mails(game, config, transport, flushed)
    with _retrying(game) as retries:
        for name, mail in mails.items():
            _send(game, mail, name, transport, retries, flushed)


def _due_mails(
    game: Game, config: Config, transport: Transport, flushed: Flushed
) -> dict[str, Outgoing]:
    """Return the unsent mails to try now, by outbox file.

    First completes what killed runs left. Mails whose file was removed, and mails without a
    current recipient, are recorded as sent by `hand` and by `nobody`.
    """
    unsent, sent = list(game.register.mail_state.unsent), game.register.mail_state.sent
    try:
        transport.finish(game.name, lambda mark: _file_of(mark) in sent)
    except Later as error:
        flushed.later, flushed.waiting = str(error), len(unsent)
        return {}
    found: dict[str, Outgoing] = {}
    retries = _retries(game) if unsent else {}
    for name in unsent:
        mail = _outgoing(game, config, name)
        left = retries[name].left if name in retries else ()
        to = _current_recipients(game, name, left or mail.to) if mail else ()
        if mail is None or not to:
            _record_sent(game, [name], "hand" if mail is None else "nobody", flushed)
        elif name in retries and now() < parse(retries[name].times[-1]):
            flushed.waiting += 1
        else:
            found[name] = replace(mail, to=to)
    return found


def _current_recipients(game: Game, name: str, to: Sequence[str]) -> tuple[str, ...]:
    """Return those recipients in `to` who may still get this mail.

    A mail that waited while a player was replaced must not reach the former player. Joining
    letters go to people who do not hold a side yet, so they are never filtered.
    """
    mail_state = game.register.mail_state
    side = name.removeprefix("outbox/").partition("-")[0]
    if mail_state.unsent[name] >= mail_state.replaced_at.get(side, 0) or name.endswith(
        "-letter.eml"
    ):
        return tuple(to)
    from pbem.store.secrets import reached

    here = reached(game, side)
    return tuple(address for address in to if address in here)


def _send(
    game: Game, mail: Outgoing, name: str, transport: Transport, retries: Retries, flushed: Flushed
) -> None:
    """Deliver one mail, or record that it is retried later or has bounced."""
    try:
        transport.deliver(mail, lambda: _record_sent(game, [name], "mail", flushed))
    except Never as error:
        _bounce(game, name, error.code, str(error), flushed)
    except Later as error:
        if name in game.register.mail_state.unsent:
            _retry_later(game, name, error, retries, flushed)


def _retry_later(game: Game, name: str, why: Later, retries: Retries, flushed: Flushed) -> None:
    """Schedule the next attempt, or record a bounce once `GIVE_UP` has passed."""
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


def _record_sent(game: Game, names: list[str], by: Sender, flushed: Flushed) -> None:
    if names:
        game.commit(Sent(mails=names, by=by))
        flushed.sent += len(names)


def _bounce(game: Game, name: str, code: str, said: str, flushed: Flushed) -> None:
    game.commit(Bounced(mail=name, code=code))
    flushed.bounced[name] = said


def undelivered(game: Game, name: str, said: str) -> Note:
    """Return the note to the moderator about a mail that bounced. said: the server's words."""
    return fill_note("undelivered", game=game.name, name=name, said=said)


def bounce_of(game: Game, message_id: str) -> str:
    """Return the outbox file of the mail with that Message-ID; empty if this game sent none.

    Message-IDs are derived from the side and the mail's number, so no mail has to be opened.
    """
    from pbem.store.secrets import message_id as made

    for side, count in game.register.mails.items():
        for number in range(1, count + 1):
            if made(game, side, number) == message_id:
                found = sorted(game.path("outbox").glob(f"{side}-{number:04}-*.eml"))
                return f"outbox/{found[0].name}" if found else f"outbox/{side}-{number:04}.eml"
    return ""


def _outgoing(game: Game, config: Config, name: str) -> Outgoing | None:
    """Return the mail in an outbox file with its envelope; None if the file was removed."""
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


def _file_of(mark: str) -> str:
    """Return the outbox file that the id of an `Outgoing` names. A role has a dot in its name."""
    return f"outbox/{mark.partition('.')[2].rpartition('.')[0]}.eml"


def _headers(content: bytes) -> list[tuple[str, str]]:
    head = content.partition(b"\r\n\r\n")[0].decode("latin-1")
    lines = [line.partition(":") for line in head.split("\r\n")]
    return [(name.lower(), value.strip()) for name, _, value in lines]


def _retries(game: Game) -> Retries:
    """Return the failed attempts; none if their file is lost or damaged."""
    try:
        kept = read_plain(f"{game.folder}/private/{RETRIES}")
        found = msgspec.json.decode(kept or b"{}", type=Retries)
    except (OSError, msgspec.DecodeError):
        return {}
    return {name: _believed(tried) for name, tried in found.items()}


def _believed(tried: Attempts) -> Attempts:
    """Return the attempts as they were kept, or as if the first were due now.

    The latter if the next one lies further ahead than any wait is long: the clock was fast, and the
    mail would wait until that time. Or if it is overdue by as much as GIVE_UP: no tick has tried
    for days, or the clock was slow, and the mail would bounce after one more attempt.
    """
    ahead = parse(tried.times[-1]) - now()
    if -GIVE_UP <= ahead <= timedelta(minutes=WAITS[-1]):
        return tried
    return Attempts([stamp(now())], tried.left)


@contextmanager
def _retrying(game: Game) -> Iterator[Retries]:
    """Load the failed attempts; at the end store those of mails that are still unsent."""
    retries = _retries(game)
    before = bool(retries)
    yield retries
    kept = {n: r for n, r in retries.items() if n in game.register.mail_state.unsent}
    path = game.path("private", RETRIES)
    if kept:
        write_private(path, msgspec.json.encode(kept))
    elif before:
        path.unlink(missing_ok=True)


def next_attempt(game: Game) -> datetime | None:
    """Return the time of the next attempt to send a waiting mail, for `status`; None without."""
    times = [parse(tried.times[-1]) for tried in _retries(game).values()]
    return min(times, default=None)
