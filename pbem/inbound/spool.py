"""The home's own folder, HOME/.pbem: mail on its way to a game, and alerts to the moderator.

spool/    mails from a pipe, not yet sorted   unread/   mails of no game, or not readable
outbox/   alerts that wait to be sent         told/     alerts that were sent

Files in the last three are deleted after `limits.keep` days.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path

from pbem.base.clock import now, parse, stamp
from pbem.base.config import Config, is_address
from pbem.base.files import Lock, make_private, read_plain, write_private
from pbem.errors import PbemError
from pbem.inbound.letter import Letter
from pbem.outbound.mime import PLAIN, Part, message
from pbem.outbound.transports.interface import Later, Never, Outgoing, Transport
from pbem.text.layout import ascii_fold, ascii_lines
from pbem.text.messages import fill_note, phrase

FOLDER = ".pbem"
OURS = "+house"
"""Replaces the name of a game in the transport; a game's name cannot contain `+`."""

FORWARDED = "passed.json"
"""The file with a date, and the number of mails forwarded to the moderator on that day."""

COMPLAINTS = "said.json"
"""The file with the complaints of ticks, and when each was last reported."""

REPEAT_AFTER = timedelta(days=1)
"""A lasting problem is reported again after this time, not at every tick."""

CLEARED = "cleared"
"""The file with the day on which old files were last deleted."""

EXPIRING = ("unread", "outbox", "told")
"""Folders whose old files are deleted."""

QUOTED = 60
"""Lines of a mail that an alert quotes; the whole mail is attached."""

FOOTER = 240
"""Characters from which on the same words, sent again, are a footer and not passed on again."""

WAIT = 30.0
"""Seconds to wait for another process that sends alerts."""


def place(home: Path, *parts: str) -> Path:
    """Return a folder in HOME/.pbem; make it if it does not exist."""
    return make_private(home.joinpath(FOLDER, *parts))


def new_complaints(home: Path, lines: Sequence[str], whole: bool = True) -> list[str]:
    """Return the complaints of a tick that were not reported within the last day, and record them.

    whole: the tick worked on all games. Then a complaint that is missing is over, and will be
    reported at once if it comes back.
    """
    path = place(home) / COMPLAINTS
    try:
        before = {str(line): parse(at) for line, at in json.loads(read_plain(path)).items()}
    except (ValueError, AttributeError, TypeError, PbemError):
        before = {}
    lasting = {k: at for k, at in before.items() if k in lines or not whole}
    # A time ahead is of a clock that was fast: without `abs` nothing would be said until then.
    known = {k: at for k, at in lasting.items() if abs(now() - at) < REPEAT_AFTER}
    fresh = [line for line in dict.fromkeys(lines) if line not in known]
    said = {**known, **dict.fromkeys(fresh, now())}
    if said != before:
        write_private(path, json.dumps({k: stamp(at) for k, at in said.items()}).encode())
    return fresh


def clear(home: Path, config: Config) -> None:
    """Delete old files in EXPIRING, once a day.

    An alert that is deleted is no longer known, so a problem that still lasts is reported again.
    """
    mark, today = place(home) / CLEARED, stamp(now())[:10].encode()
    if not config.limits.keep or read_plain(mark) == today:
        return
    oldest = (now() - timedelta(days=config.limits.keep)).timestamp()
    for path in (path for part in EXPIRING for path in (home / FOLDER / part).glob("*.eml")):
        with suppress(FileNotFoundError):  # another process deleted it
            if path.stat().st_mtime < oldest:
                path.unlink()
    write_private(mark, today)


def keep_unread(home: Path, name: str, raw: bytes) -> Path:
    """Store a mail that no game receives in `unread/`; return its path."""
    path = place(home, "unread") / name
    write_private(path, raw)
    return path


def forward_to_moderator(
    home: Path, config: Config, subject: str, why: str, letter: Letter, mail: bytes, once: str
) -> bool:
    """Forward a person's mail to the moderator, with the reason; False if no alert was written.

    The alert quotes the mail and has it attached; the moderator's reply goes to its sender. once:
    what identifies the mail, so that it is forwarded once. Beyond `limits.passed` mails a day one
    more alert says so, and then none is written: a flood, or a program that answers the moderator,
    must not fill his mailbox.
    """
    if _already_told(home, _alert_id(once, mail)):
        return False
    count = _count(home)
    if count > config.limits.passed:
        said = fill_note("flood", most=config.limits.passed)
        return tell(
            home, config, said.subject, said.text, once=f"too much mail {stamp(now())[:10]}"
        )
    text = why + _quoted(letter)
    reply = letter.sender if is_address(letter.sender) else ""
    return tell(home, config, subject, text, mail, once, reply)


def pass_words(home: Path, config: Config, game: str, sender: str, words: str, mail: str) -> bool:
    """Pass on what a person wrote beside orders; False if no alert was written.

    mail: what identifies the mail. The same long text from the same sender is passed on once: it is
    a footer that a mail program adds. `limits.passed` holds here, too.
    """
    once = f"{game} {sender} {words}" if len(words) > FOOTER else f"words {mail}"
    if _already_told(home, _alert_id(once, b"")) or _count(home) > config.limits.passed:
        return False
    said = fill_note("beside", game=game, sender=sender or phrase("kept_nobody"))
    lines = (f"| {ascii_fold(line)[:500]}" for line in words.splitlines())
    text = "\n".join([said.text, *islice(lines, QUOTED), ""])
    reply = sender if is_address(sender) else ""
    return tell(home, config, f"{game}: {said.subject}", text, once=once, reply=reply)


def _alert_id(about: str, mail: bytes) -> str:
    """Return the name of an alert, the same for the same subject and mail."""
    return sha256(about.encode() + mail).hexdigest()[:32]


def _already_told(home: Path, mark: str) -> bool:
    """Whether the alert waits or was sent."""
    return any((place(home, part) / f"{mark}.eml").exists() for part in ("outbox", "told"))


def _count(home: Path) -> int:
    """Count one more forwarded mail, and return today's number.

    There is no lock: processes at the same time may miss some.
    """
    path, today = place(home) / FORWARDED, stamp(now())[:10]
    try:
        day, count = json.loads(path.read_bytes())
        found = 1 + (int(count) if day == today else 0)
    except (OSError, ValueError, TypeError):
        found = 1
    write_private(path, json.dumps([today, found]).encode())
    return found


def _quoted(letter: Letter) -> str:
    """Quote a mail's first part; every line is marked, so that none passes for the referee's."""
    lines = (li.rstrip() for leaf in letter.leaves[:1] for li in leaf.text.strip().splitlines())
    shown = list(islice((f"| {ascii_fold(line)[:500]}" for line in lines), QUOTED))
    return "\n".join(["", *shown, ""]) if shown else ""


def tell(
    home: Path,
    config: Config,
    subject: str,
    text: str,
    mail: bytes = b"",
    once: str = "",
    reply: str = "",
) -> bool:
    """Write an alert to the moderator into the outbox; False if there was the same one before.

    mail: attached. once: what identifies the alert, by default its subject and text. reply: the
    address for Reply-To.
    """
    mark = _alert_id(once or subject + text, mail)
    name = f"{mark}.eml"
    if _already_told(home, mark):
        return False
    content = message(
        to=[config.moderator] if is_address(config.moderator) else [],
        sender=f"pbem <{config.address.replace('{game}', 'pbem') or 'pbem@pbem.invalid'}>",
        subject=ascii_lines(subject.replace("\n", " "))[:120],
        message_id=f"<{mark}@house.pbem.invalid>",
        sent=stamp(now()),
        bodies=[Part(PLAIN, ascii_lines(text).encode("ascii"))],
        attachments=[Part("application/octet-stream", mail, "mail.eml")] if mail else [],
        reply=reply,
    )
    write_private(place(home, "outbox") / name, content)
    return True


def mails_moderator(config: Config) -> bool:
    """Whether alerts are mailed to the moderator; otherwise they stay as files."""
    return is_address(config.moderator) and config.sends


def send_alerts(home: Path, config: Config, transport: Transport) -> str:
    """Send the alerts; return why some wait, empty if none does. Raises Busy."""
    if not mails_moderator(config):
        return ""
    with Lock(place(home) / "alerts.lock", "the moderator's alerts", WAIT):
        return _send_alerts(home, config, transport)


def _send_alerts(home: Path, config: Config, transport: Transport) -> str:
    """Do the work of `send_alerts` under its lock: a second process would send the same files."""
    told, paths = place(home, "told"), sorted(place(home, "outbox").glob("*.eml"))
    try:
        transport.finish(OURS, lambda mark: (told / f"{mark.split('.')[0]}.eml").exists())
        for path in paths:
            mail = Outgoing(f"{path.stem}.{OURS}", "", (config.moderator,), path.read_bytes())
            transport.deliver(mail, partial(path.replace, told / path.name))
    except Later as error:
        return str(error)
    except Never as error:
        return f"the moderator's address takes no mail: {error.code}"
    return ""
