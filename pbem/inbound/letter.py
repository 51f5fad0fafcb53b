"""A mail as the referee works with it: plain data, made by the guarded child (`parse_mail`)."""

from __future__ import annotations

import re

from msgspec import Struct

LARGEST = 256 * 1024
MOST_PARTS = 50
DEEPEST = 8
MOST_EDGES = 2000
MOST_HEADERS = 400
LONGEST_HEADER = 16 * 1024
LONGEST_LINE = 100_000
MOST_PARAMETERS = 100
MEMORY = 256 << 20
SECONDS = 2
"""Caps: bytes of a mail, its parts, how deep they nest, lines that begin with `--`, lines of all
headers, bytes of one header and of one line, parameters of a part's type or name; memory and time
of the child."""


class Unreadable(Exception):  # noqa: N818
    """This mail is not read, and why. It is kept, and the moderator told."""


class Leaf(Struct, frozen=True):
    """One part that holds something. kind: `plain`, `html` (turned into text) or `file`; text:
    what it says; data: the bytes themselves, where the part has a file's name."""

    kind: str
    name: str
    text: str
    data: bytes = b""


class Bounce(Struct, frozen=True):
    """A delivery that failed for good (RFC 3464). id: the Message-ID of the mail sent."""

    id: str
    status: str


class Letter(Struct, frozen=True):
    """An opened mail. sender: the address of From, lower case; to: addresses it was sent to;
    refers: Message-IDs it answers; machine: why no machine may answer it, empty for a person's;
    arrived: when the mailbox received it; unreadable: why it is not read; of one that is too long
    the rest is what its beginning says, and only what is signed there counts."""

    sender: str = ""
    subject: str = ""
    to: tuple[str, ...] = ()
    refers: tuple[str, ...] = ()
    machine: str = ""
    bounces: tuple[Bounce, ...] = ()
    leaves: tuple[Leaf, ...] = ()
    arrived: str = ""
    unreadable: str = ""


def require_simple(raw: bytes) -> None:
    """The caps that are checked on the bytes alone, before any parser sees them.

    Raises Unreadable.
    """
    if len(raw) > LARGEST:
        raise Unreadable(f"{len(raw)} bytes, {LARGEST} at most")
    if not raw.strip():
        raise Unreadable("it is empty")
    lower = raw.lower()
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
"""The fields of a mail's parts whose parameters the parser looks for one by one, each time through
all that stands before."""


def _head(raw: bytes) -> bytes:
    ends = [at for mark in (b"\n\n", b"\n\r\n") if (at := raw.find(mark)) >= 0]
    return raw[: min(ends)] if ends else raw


def _longest_header(head: list[bytes]) -> int:
    longest = size = 0
    for line in head:
        size = size + len(line) if line[:1] in (b" ", b"\t") else len(line)
        longest = max(longest, size)
    return longest
