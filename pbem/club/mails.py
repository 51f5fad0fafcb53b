"""The club's own mails. Their texts are in `templates/base/club.toml`.

They are written into the state with what they tell of, then to HOME/.pbem/club/outbox, then sent;
a mail that was sent moves to `sent/`. Its Message-ID stays the same in every attempt.
"""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from pathlib import Path

from pbem.base.clock import now, stamp
from pbem.base.config import Config, is_address
from pbem.base.files import write_private
from pbem.club.state import Club, Mail, folder
from pbem.data import TEMPLATES, table
from pbem.model import Plain
from pbem.outbound.mime import PLAIN, Part, message
from pbem.outbound.transports.interface import Later, Never, Outgoing, Transport
from pbem.text.layout import ascii_fold, ascii_lines, tidy, wrap
from pbem.text.messages import Note

TEXTS = "base/club.toml"
OURS = "+club"
"""Stands for the name of a game in the transport; a game's name cannot contain `+`."""


def note(name: str, /, **facts: object) -> Note:
    """Return the mail of that name, filled in. Raises KeyError for an unknown name."""
    said: Plain = table(TEMPLATES, TEXTS)[name]
    paragraphs = str(said["text"]).strip("\n").split("\n\n")
    text = "\n\n".join(_filled(paragraph, facts) for paragraph in paragraphs)
    return Note(said["subject"].format(**facts), f"{text}\n")


def _filled(paragraph: str, facts: Plain) -> str:
    """Return a paragraph of a mail, filled in and then broken into lines. One that is indented, or
    a single fact, has its lines already."""
    kept = paragraph.startswith(" ") or paragraph[1:-1] in facts
    filled = paragraph.format(**facts)
    return filled if kept else wrap(filled)


def words(name: str, /, **facts: object) -> str:
    """Return a phrase for a mail or a page."""
    phrases: Plain = table(TEMPLATES, TEXTS)["phrases"]
    return str(phrases[name]).format(**facts)


def post(club: Club, to: str, said: Note) -> None:
    """Write a mail of the club; it leaves after the next commit."""
    state = club.state
    state.mails += 1
    mark = sha256(f"{club.config.address} {state.mails} {to}".encode()).hexdigest()[:32]
    state.outbox.append(Mail(to, ascii_fold(said.subject), said.text, mark))


def spread(club: Club) -> None:
    """Write the committed mails into the outbox, once each, and take them out of the state."""
    outbox, sent = (_box(club.home, name) for name in ("outbox", "sent"))
    for mail in club.state.outbox:
        name = f"{mail.mark}.eml"
        if not ((outbox / name).exists() or (sent / name).exists()):
            write_private(outbox / name, _content(club, mail))
    if club.state.outbox:
        club.state.outbox = []
        club.commit()


def _box(home: Path, name: str) -> Path:
    path = folder(home) / name
    path.mkdir(mode=0o700, exist_ok=True)
    return path


def _content(club: Club, mail: Mail) -> bytes:
    """Return a mail as bytes."""
    text = tidy(ascii_lines(mail.text), hang="")
    address = club.config.address.replace("{game}", "club") or "club@pbem.invalid"
    return message(
        to=[mail.to],
        sender=f"{_plain(club.settings.name)} <{address}>",
        subject=f"[{_plain(club.settings.name)}] {mail.subject}"[:160],
        message_id=f"<{mail.mark}@club.pbem.invalid>",
        sent=stamp(now()),
        bodies=[Part(PLAIN, text.encode("ascii"))],
    )


def _plain(name: str) -> str:
    """Return the club's name without the characters that separate parts of a header."""
    return "".join(c for c in ascii_fold(name) if c not in '<>"@,;:\\[]()')


def send(home: Path, config: Config, transport: Transport) -> str:
    """Send the club's mails; return why some wait, empty if none does. The club must be locked.

    A mail that its receiver's server refuses is dropped: the club knows nobody who could be told.
    """
    if not config.sends:
        return ""
    outbox, sent = _box(home, "outbox"), _box(home, "sent")
    try:
        transport.finish(OURS, lambda mark: (sent / f"{mark.split('.')[0]}.eml").exists())
        for path in sorted(outbox.glob("*.eml")):
            raw = path.read_bytes()
            to = raw.partition(b"\r\nTo: ")[2].partition(b"\r\n")[0].decode("ascii")
            mail = Outgoing(f"{path.stem}.{OURS}", "", (to,), raw)
            try:
                if is_address(to):
                    transport.deliver(mail, partial(path.replace, sent / path.name))
                else:
                    path.unlink()
            except Never:
                path.replace(sent / path.name)
    except Later as error:
        return str(error)
    return ""
