"""A parsed mail as plain data, made in the sandboxed child (`parse_mail`), and the limits."""

from __future__ import annotations

import re

from msgspec import Struct

# The limits keep the parser from taking seconds or gigabytes; mails of orders are far below them.

LARGEST = 256 * 1024
"""Bytes of a mail."""
MOST_PARTS = 50
"""Parts of a mail."""
DEEPEST = 8
"""Mails within a mail; three times as many parts may be `multipart/`."""
MOST_EDGES = 2000
"""Lines that begin with `--`: each may be a boundary between parts (RFC 2046, 5.1.1)."""
MOST_HEADERS = 400
"""Lines of the header."""
LONGEST_HEADER = 16 * 1024
"""Bytes of one header field with its continuation lines."""
LONGEST_LINE = 100_000
"""Bytes of a line."""
MOST_PARAMETERS = 100
"""Parameters of one Content-Type or Content-Disposition (RFC 2045, 5.1)."""
MOST_BOUNCES = 20
"""Mails that one delivery report can say failed: each is looked for among all mails of a game."""
MEMORY = 256 << 20
"""Bytes of memory of the child."""
SECONDS = 2
"""Seconds for one mail."""


class Unreadable(Exception):  # noqa: N818
    """Why a mail cannot be read. It is kept, and the moderator is told."""


class Leaf(Struct, frozen=True):
    """One part that has content. kind: `plain`, `html` (converted to text) or `file`; text: its
    decoded text; data: its bytes, where the part has a file name or is an age file."""

    kind: str
    name: str
    text: str
    data: bytes = b""


class Bounce(Struct, frozen=True):
    """A permanently failed delivery (RFC 3464). id: the Message-ID of the mail that we sent;
    status: the status code of the report, such as 5.1.1."""

    id: str
    status: str


class Letter(Struct, frozen=True):
    """A parsed mail."""

    sender: str = ""
    """The address in From, in lower case. It proves nothing."""
    subject: str = ""
    """One line of at most 200 characters."""
    to: tuple[str, ...] = ()
    """Addresses it was sent to, in lower case."""
    refers: tuple[str, ...] = ()
    """Message-IDs in In-Reply-To and References (RFC 5322, 3.6.4)."""
    machine: str = ""
    """The sign that a program sent it, so that no program may answer (RFC 3834); empty for mail
    from a person."""
    bounces: tuple[Bounce, ...] = ()
    """Failed deliveries that it reports."""
    leaves: tuple[Leaf, ...] = ()
    """Its parts that have content, in order."""
    arrived: str = ""
    """When the mailbox received it, ISO time in UTC."""
    documents: tuple[str, ...] = ()
    """The names of attached documents and archives, whose text nobody here can read."""
    secret: bool = False
    """Whether somebody's private key is in it."""
    unreadable: str = ""
    """Why it cannot be read. Of a mail that is too long the other fields describe its beginning,
    and only signed orders in it count."""


def require_simple(raw: bytes) -> None:
    """Check the limits that need only the bytes, before a parser sees them. Raises Unreadable."""
    if len(raw) > LARGEST:
        raise Unreadable(f"{len(raw)} bytes, {LARGEST} at most")
    if not raw.strip():
        raise Unreadable("it is empty")
    lower = raw.lower()
    # Counted in the bytes: the parser recurses for each level before anybody can count the parts.
    if raw.count(b"\n--") > MOST_EDGES or lower.count(b"multipart/") > 3 * DEEPEST:
        raise Unreadable("too many parts")
    if lower.count(b"message/rfc822") > DEEPEST:
        raise Unreadable("mails within mails, too many")
    head = _head(raw).split(b"\n")
    if len(head) > MOST_HEADERS:
        raise Unreadable(f"{len(head)} lines of headers, {MOST_HEADERS} at most")
    if _longest_header(head) > LONGEST_HEADER:
        raise Unreadable(f"a header of more than {LONGEST_HEADER} bytes")
    if any(part[0].count(b";") > MOST_PARAMETERS for part in _PARAMETERS.finditer(raw)):
        raise Unreadable(f"a part with more than {MOST_PARAMETERS} parameters")
    if max(map(len, raw.splitlines()), default=0) > LONGEST_LINE:
        raise Unreadable(f"a line of more than {LONGEST_LINE} bytes")


_PARAMETERS = re.compile(
    rb"(?:\A|(?<=[\r\n]))content-(?:type|disposition):[^\r\n]*(?:(?:\r\n|\r|\n)[ \t][^\r\n]*)*",
    re.IGNORECASE,
)
"""Header fields with parameters, in any part: the parser searches the field from its start for each
parameter, so its time grows with the square of their number."""


def _head(raw: bytes) -> bytes:
    """Return the header: everything above the first empty line (RFC 5322, 2.1)."""
    ends = [at for mark in (b"\n\n", b"\n\r\n") if (at := raw.find(mark)) >= 0]
    return raw[: min(ends)] if ends else raw


def _longest_header(head: list[bytes]) -> int:
    """Return the bytes of the longest field; a folded line continues the one before."""
    longest = size = 0
    for line in head:
        size = size + len(line) if line[:1] in (b" ", b"\t") else len(line)
        longest = max(longest, size)
    return longest
