"""The home's own folder, HOME/.pbem: mail on its way to a game, and mail to the moderator.

spool/    from a pipe, not yet sorted      unread/   kept: no game's, or not readable
outbox/   alerts to the moderator          told/     alerts that were sent

What the last three hold goes after `limits.keep` days.
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
from pbem.base.config import Config, FilesDelivery, is_address
from pbem.base.files import Lock, make_private, read_plain, write_private
from pbem.errors import PbemError
from pbem.inbound.letter import Letter
from pbem.outbound.mime import Part, message
from pbem.outbound.transports.interface import Later, Never, Outgoing, Transport
from pbem.text.layout import ascii_fold, ascii_lines
from pbem.text.messages import worded

FOLDER = ".pbem"
OURS = "+house"
"""Takes the place of a game's name, and can be none."""

PASSED = "passed.json"
"""The day, and how many mails of that day went on to the moderator."""

SAID = "said.json"
"""What ticks complained of, and when it was said."""

AGAIN = timedelta(days=1)
"""A trouble that lasts is said again after so long, not at every tick."""

CLEARED = "cleared"
"""The day on which old files were last looked for."""

AGING = ("unread", "outbox", "told")

QUOTED = 60
"""Lines of a mail that an alert shows; the whole is its file."""

WAIT = 30.0
"""Seconds to wait for another run that sends alerts."""


def place(home: Path, *parts: str) -> Path:
    """A folder in HOME/.pbem, made if it does not exist."""
    return make_private(home.joinpath(FOLDER, *parts))


def unsaid(home: Path, lines: Sequence[str], whole: bool = True) -> list[str]:
    """Those of a tick's complaints that were not said within a day. whole: the tick looked at all
    games, so that what it does not complain of is over, and is news if it comes back."""
    path = place(home) / SAID
    try:
        before = {str(line): parse(at) for line, at in json.loads(read_plain(path)).items()}
    except (ValueError, AttributeError, TypeError, PbemError):
        before = {}
    lasting = {k: at for k, at in before.items() if k in lines or not whole}
    known = {k: at for k, at in lasting.items() if now() - at < AGAIN}
    fresh = [line for line in dict.fromkeys(lines) if line not in known]
    said = {**known, **dict.fromkeys(fresh, now())}
    if said != before:
        write_private(path, json.dumps({k: stamp(at) for k, at in said.items()}).encode())
    return fresh


def clear(home: Path, config: Config) -> None:
    """Delete what is of no use any more, once a day: mails of no game, alerts that were sent, and
    those that nobody was to get. What they told of and still lasts is told again."""
    mark, today = place(home) / CLEARED, stamp(now())[:10].encode()
    if not config.limits.keep or read_plain(mark) == today:
        return
    oldest = (now() - timedelta(days=config.limits.keep)).timestamp()
    for path in (path for part in AGING for path in (home / FOLDER / part).glob("*.eml")):
        with suppress(FileNotFoundError):  # another run was quicker
            if path.stat().st_mtime < oldest:
                path.unlink()
    write_private(mark, today)


def keep_unread(home: Path, name: str, raw: bytes) -> Path:
    """Keep a mail that no game takes."""
    path = place(home, "unread") / name
    write_private(path, raw)
    return path


def pass_on(
    home: Path, config: Config, subject: str, why: str, letter: Letter, mail: bytes, once: str
) -> bool:
    """Tell the moderator of a person's mail: why, what it says, the mail as a file; his answer
    goes to its sender. After so many a day as he takes (`limits.passed`) once more, then not: else
    a program that answers him, or a flood, would fill his mailbox, too. False when he was not told.
    """
    if _known(home, _mark(once, mail)):
        return False
    count = _count(home)
    if count > config.limits.passed:
        said = worded("flood", most=config.limits.passed)
        return tell(home, config, *said, once=f"too much mail {stamp(now())[:10]}")
    text = why + _quoted(letter)
    reply = letter.sender if is_address(letter.sender) else ""
    return tell(home, config, subject, text, mail, once, reply)


def _mark(about: str, mail: bytes) -> str:
    return sha256(about.encode() + mail).hexdigest()[:32]


def _known(home: Path, mark: str) -> bool:
    return any((place(home, part) / f"{mark}.eml").exists() for part in ("outbox", "told"))


def _count(home: Path) -> int:
    """How many mails of today there are with this one. Processes side by side may miss some."""
    path, today = place(home) / PASSED, stamp(now())[:10]
    try:
        day, count = json.loads(path.read_bytes())
    except (OSError, ValueError):
        day, count = today, 0
    found = 1 + (int(count) if day == today else 0)
    write_private(path, json.dumps([today, found]).encode())
    return found


def _quoted(letter: Letter) -> str:
    """What a mail says, every line marked, so that nobody writes in the referee's name."""
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
    """Put an alert to the moderator into the home's outbox; False when he was told before.

    mail: goes along as a file. once: what the alert is about, its text without. reply: who gets
    his answer.
    """
    mark = _mark(once or subject + text, mail)
    name = f"{mark}.eml"
    if _known(home, mark):
        return False
    content = message(
        to=[config.moderator] if is_address(config.moderator) else [],
        sender=f"pbem <{config.address.replace('{game}', 'pbem') or 'pbem@pbem.invalid'}>",
        subject=ascii_lines(subject.replace("\n", " "))[:120],
        message_id=f"<{mark}@house.pbem.invalid>",
        sent=stamp(now()),
        bodies=[Part("text/plain; charset=us-ascii", ascii_lines(text).encode("ascii"))],
        attachments=[Part("application/octet-stream", mail, "mail.eml")] if mail else [],
        reply=reply,
    )
    write_private(place(home, "outbox") / name, content)
    return True


def writes_moderator(config: Config) -> bool:
    """Whether the moderator gets alerts by mail; else they stay as files."""
    return is_address(config.moderator) and not isinstance(config.delivery, FilesDelivery)


def send_alerts(home: Path, config: Config, transport: Transport) -> str:
    """Send the alerts; why some wait, empty when none does."""
    if not writes_moderator(config):
        return ""
    with Lock(place(home) / "alerts.lock", "the moderator's alerts", WAIT):
        return _send_alerts(home, config, transport)


def _send_alerts(home: Path, config: Config, transport: Transport) -> str:
    """What `send_alerts` says; one run at a time, since another takes away what it sent."""
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
