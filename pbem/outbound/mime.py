"""Write mail as bytes: a fixed set of headers, and boundaries that depend on the content alone.

The same mail always has the same bytes, so that a retry sends what was committed. The standard
`email` package is not used: its import takes a quarter of the time of a whole turn, and its line
folding differs between Python versions. The tests parse the result with it.
"""

from __future__ import annotations

import re
from binascii import b2a_base64, b2a_qp
from collections.abc import Sequence
from hashlib import sha256

from msgspec import Struct

PLAIN = "text/plain; charset=us-ascii"
HTML = "text/html; charset=utf-8"
"""The content types of texts, which are ASCII, and of pages."""
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
QUOTED = ("text/html", "application/json")
STARTS = re.compile(rb"(?m)^(?:F(?=rom )|\.)")
LINE = re.compile(rb".{1,76}")
LONGEST_LINE = 998
"""Bytes that a line of mail may have (RFC 5322, 2.1.1)."""
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Part(Struct, frozen=True):
    """One MIME part of a mail."""

    type: str
    """The value of Content-Type."""
    content: bytes
    name: str = ""
    """File name of an attachment; empty for a body."""
    cid: str = ""
    """Content-ID by which an HTML body shows this picture."""
    said: str = ""
    """What this picture shows, in one line for readers who do not see it."""
    pictures: tuple[Part, ...] = ()
    """Pictures that this body shows, sent as multipart/related (RFC 2387)."""


def date(iso: str) -> str:
    """Return an RFC 5322 date for an ISO time such as `2026-11-20T12:00:00Z`.

    Day and month names are English whatever the locale is, hence no `strftime`.
    """
    from datetime import date as day_of

    day = day_of.fromisoformat(iso[:10])
    return (
        f"{DAYS[day.weekday()]}, {day.day:02} {MONTHS[day.month - 1]} {day.year} {iso[11:19]} +0000"
    )


def inline(charts: Sequence[Part]) -> tuple[Part, ...]:
    """Those of a report's charts that its HTML page shows; the others are attached."""
    return tuple(part for part in charts if part.cid)


def pictures(charts: Sequence[Part]) -> list[dict[str, str]]:
    """The charts that a report's HTML page shows, as its templates get them."""
    return [{"cid": part.cid, "said": part.said} for part in inline(charts)]


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
    listed: Sequence[str] = (),
) -> bytes:
    """Return an RFC 5322 message: alternative bodies, then attachments, with CRLF line ends.

    subject: one line of printable ASCII. sent: ISO time. thread: Message-ID of the mail that this
    one follows. reply: the Reply-To address, if it differs from `sender`. listed: whole headers by
    which mail programs sort mail. Every mail is marked as automatic (Auto-Submitted, RFC 3834), so
    that vacation programs do not answer it.

    Raises ValueError for a line break in a header: what follows it would be another header.
    """
    headers = [
        f"Date: {date(sent)}",
        f"From: {sender}",
        f"To: {recipients(to)}",
        f"Subject: {subject}",
        f"Message-ID: {message_id}",
        *listed,
        "Auto-Submitted: auto-generated",
        "MIME-Version: 1.0",
    ]
    if reply:
        headers[2:2] = [f"Reply-To: {reply}"]
    if thread:
        headers[-2:-2] = [f"In-Reply-To: {thread}", f"References: {thread}"]
    if broken := next((one for one in headers if "\r" in one or "\n" in one), None):
        raise ValueError(f"a line break in a header of a mail: {broken!r}")
    main = _multipart("alternative", [_part(p) for p in bodies])
    if attachments:
        main = _multipart("mixed", [main, *(_part(p) for p in attachments)])
    return "\r\n".join(headers).encode("ascii") + b"\r\n" + main


def recipients(to: Sequence[str]) -> str:
    """Return the value of the header To, also for no recipient at all (RFC 5322, A.1.3)."""
    return ", ".join(to) or "undisclosed-recipients:;"


def readdress(
    mail: bytes, to: Sequence[str], message_id: str, subject: str = "", thread: str = ""
) -> bytes:
    """Return a copy of a mail of `message` with other recipients and another Message-ID.

    subject: another subject; without it, that of the mail. thread: the Message-ID of the mail that
    the copy follows, if the mail itself follows none.
    """
    head, empty, rest = mail.partition(b"\r\nMIME-Version: 1.0")
    put = {
        "To": recipients(to),
        "Message-ID": message_id,
        **({"Subject": subject} if subject else {}),
    }
    lines = [line.partition(": ") for line in head.decode("ascii").split("\r\n")]
    copied = [f"{name}: {put.get(name, value)}" for name, _, value in lines]
    if thread and not any(name == "References" for name, _, _ in lines):
        copied[-1:-1] = [f"In-Reply-To: {thread}", f"References: {thread}"]
    return "\r\n".join(copied).encode("ascii") + empty + rest


def subject_of(mail: bytes) -> str:
    """Return the subject of a mail of `message`."""
    return mail.partition(b"\r\nSubject: ")[2].partition(b"\r\n")[0].decode("ascii")


def resubject(
    mail: bytes, subject: str, bodies: Sequence[Part], attachments: Sequence[Part]
) -> bytes:
    """Return a mail with another subject and other content, and all other headers of `mail`."""
    head = mail.partition(b"\r\nMIME-Version: 1.0")[0].split(b"\r\n")
    kept = [line for line in head if not line.startswith(b"Subject: ")]
    kept.insert(3, b"Subject: " + subject.encode("ascii"))
    main = _multipart(
        "mixed",
        [_multipart("alternative", [_part(p) for p in bodies]), *(_part(p) for p in attachments)],
    )
    return b"\r\n".join([*kept, b"MIME-Version: 1.0", main])


def _part(part: Part) -> bytes:
    """Return the bytes of a part: ASCII text and pages as 7bit, files of pages and JSON as
    quoted-printable, which is a quarter shorter for them than base64, and everything else as
    base64."""
    if part.pictures:
        bare = Part(part.type, part.content)
        return _multipart("related", [_part(bare), *(_part(p) for p in part.pictures)])
    head = f"Content-Type: {part.type}"
    if part.cid:
        head += f"\r\nContent-ID: <{part.cid}>"
        head += f'\r\nContent-Disposition: inline; filename="{part.name}"'
    elif part.name:
        head += f'\r\nContent-Disposition: attachment; filename="{part.name}"'
    if _is_7bit(part):
        body = part.content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        return head.encode() + b"\r\nContent-Transfer-Encoding: 7bit\r\n\r\n" + body
    if part.type.startswith(QUOTED):
        quoted = _quoted(part.content)
        return head.encode() + b"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + quoted
    body = b"\r\n".join(LINE.findall(b2a_base64(part.content, newline=False))) + b"\r\n"
    return head.encode() + b"\r\nContent-Transfer-Encoding: base64\r\n\r\n" + body


def _is_7bit(part: Part) -> bool:
    """Whether a part can be sent as it is. A page that is a body, and nothing that is signed, may
    get other line ends on its way."""
    if not part.content.isascii():
        return False
    if part.type.startswith("text/html") and not part.name:
        return max(map(len, part.content.split(b"\n"))) <= LONGEST_LINE
    return part.type.startswith("text/plain")


def _quoted(content: bytes) -> bytes:
    """Return content as quoted-printable (RFC 2045, 6.7), its lines separated by CRLF.

    A line break of the content is encoded as well, so that no server turns it into another one:
    signatures are over the bytes. Mailboxes mark a line that begins with `From `, and some servers
    lose a dot at the beginning of a line, so these letters are encoded, too.
    """
    said = b2a_qp(content, quotetabs=False, istext=False).replace(b"\r\n", b"\n")
    said = STARTS.sub(lambda found: b"=%02X=\n" % found[0][0], said)
    return said.replace(b"\n", b"\r\n")


def _boundary_source(leaf: bytes) -> bytes:
    """Return those bytes of a part that the boundary is computed from.

    A boundary must not occur in a part. In 7bit text any line might look like one, so all of it is
    hashed. Base64 cannot contain one, and a nested multipart is identified by its own boundary;
    there the headers and the first bytes are enough, which saves hashing large pictures.
    """
    head, _, _ = leaf.partition(b"\r\n\r\n")
    return leaf if not head.endswith(b" base64") else leaf[: len(head) + 80]


def _multipart(kind: str, leaves: Sequence[bytes]) -> bytes:
    """Return a multipart/`kind` of those parts; a single part stays as it is."""
    if len(leaves) == 1:
        return leaves[0]
    mark = sha256(b"".join(map(_boundary_source, leaves))).hexdigest()[:24].encode()
    head = b'Content-Type: multipart/%s; boundary="%s"\r\n' % (kind.encode(), mark)
    return (
        head
        + b"".join(b"\r\n--%s\r\n%s" % (mark, leaf) for leaf in leaves)
        + (b"\r\n--%s--\r\n" % mark)
    )
