"""Outgoing mail as bytes: one fixed set of headers, deterministic to the last boundary.

The `email` package costs a quarter of a whole turn to import and folds as it likes; what we
send needs five headers and four parts, which the tests read back with it.
"""

from __future__ import annotations

import re
from binascii import b2a_base64
from collections.abc import Sequence
from hashlib import sha256

from msgspec import Struct

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
LINE = re.compile(rb".{1,76}")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Part(Struct, frozen=True):
    """One part of a mail. name: of an attachment, empty for a body. cid: what a body calls a
    picture by; pictures: those that a body shows (RFC 2387)."""

    type: str
    content: bytes
    name: str = ""
    cid: str = ""
    pictures: tuple[Part, ...] = ()


def date(iso: str) -> str:
    """An RFC 5322 date from `2026-11-20T12:00:00Z`."""
    from datetime import date as day_of

    day = day_of.fromisoformat(iso[:10])
    return (
        f"{DAYS[day.weekday()]}, {day.day:02} {MONTHS[day.month - 1]} {day.year} {iso[11:19]} +0000"
    )


def message(
    to: Sequence[str],
    sender: str,
    subject: str,
    message_id: str,
    sent: str,
    bodies: Sequence[Part],
    attachments: Sequence[Part] = (),
    thread: str = "",
    reply: str = "",
) -> bytes:
    """An RFC 5322 message: alternative bodies, then attachments; CRLF line ends.

    subject: printable ASCII on one line. sent: ISO time. thread: the Message-ID it belongs
    under. reply: the address that answers go to, where it is another. RFC 3834: automatic mail
    says so and wants no answer from machines.
    """
    headers = [
        f"Date: {date(sent)}",
        f"From: {sender}",
        f"To: {recipients(to)}",
        f"Subject: {subject}",
        f"Message-ID: {message_id}",
        "Auto-Submitted: auto-generated",
        "MIME-Version: 1.0",
    ]
    if reply:
        headers[2:2] = [f"Reply-To: {reply}"]
    if thread:
        headers[-2:-2] = [f"In-Reply-To: {thread}", f"References: {thread}"]
    main = _several("alternative", [_leaf(p) for p in bodies])
    if attachments:
        main = _several("mixed", [main, *(_leaf(p) for p in attachments)])
    return "\r\n".join(headers).encode("ascii") + b"\r\n" + main


def recipients(to: Sequence[str]) -> str:
    """What the header To says, also of nobody (RFC 5322, A.1.3)."""
    return ", ".join(to) or "undisclosed-recipients:;"


def readdress(mail: bytes, to: Sequence[str], message_id: str) -> bytes:
    """The same mail to other addresses, under a Message-ID of its own."""
    head, empty, rest = mail.partition(b"\r\nMIME-Version: 1.0")
    put = {b"To": recipients(to).encode("ascii"), b"Message-ID": message_id.encode("ascii")}
    lines = [line.partition(b": ") for line in head.split(b"\r\n")]
    return b"\r\n".join(name + b": " + put.get(name, value) for name, _, value in lines) + (
        empty + rest
    )


def resubject(
    mail: bytes, subject: str, bodies: Sequence[Part], attachments: Sequence[Part]
) -> bytes:
    """Another mail with the headers that `message` gave `mail`, but for its subject."""
    head = mail.partition(b"\r\nMIME-Version: 1.0")[0].split(b"\r\n")
    kept = [line for line in head if not line.startswith(b"Subject: ")]
    kept.insert(3, b"Subject: " + subject.encode("ascii"))
    main = _several(
        "mixed",
        [_several("alternative", [_leaf(p) for p in bodies]), *(_leaf(p) for p in attachments)],
    )
    return b"\r\n".join([*kept, b"MIME-Version: 1.0", main])


def _leaf(part: Part) -> bytes:
    if part.pictures:
        bare = Part(part.type, part.content)
        return _several("related", [_leaf(bare), *(_leaf(p) for p in part.pictures)])
    head = f"Content-Type: {part.type}"
    if part.cid:
        head += f"\r\nContent-ID: <{part.cid}>"
        head += f'\r\nContent-Disposition: inline; filename="{part.name}"'
    elif part.name:
        head += f'\r\nContent-Disposition: attachment; filename="{part.name}"'
    if part.type.startswith("text/plain") and part.content.isascii():
        body = part.content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        return head.encode() + b"\r\nContent-Transfer-Encoding: 7bit\r\n\r\n" + body
    body = b"\r\n".join(LINE.findall(b2a_base64(part.content, newline=False))) + b"\r\n"
    return head.encode() + b"\r\nContent-Transfer-Encoding: base64\r\n\r\n" + body


def _telling(leaf: bytes) -> bytes:
    """What of a part a boundary is drawn from: all of it where a line could look like one. In
    base64 none can, and the parts inside a part are told by the boundary that it names."""
    head, _, _ = leaf.partition(b"\r\n\r\n")
    return leaf if head.endswith(b" 7bit") else leaf[: len(head) + 80]


def _several(kind: str, leaves: Sequence[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    mark = sha256(b"".join(map(_telling, leaves))).hexdigest()[:24].encode()
    head = b'Content-Type: multipart/%s; boundary="%s"\r\n' % (kind.encode(), mark)
    return (
        head
        + b"".join(b"\r\n--%s\r\n%s" % (mark, leaf) for leaf in leaves)
        + (b"\r\n--%s--\r\n" % mark)
    )
