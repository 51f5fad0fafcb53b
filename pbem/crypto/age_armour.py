"""age files as text that mail can carry, and the sizes they are padded to.

Mail wraps, quotes and indents; white space, quote marks and dashes of any sort may come and go
around the base64, whose own characters may not. What was hurt more than that is refused here or
by the file's own checks, never guessed. Bytes: docs/formats.md, "Encrypted files".
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator

from pbem.crypto.age import VERSION, BadAge

BEGIN, FINISH = "-----BEGIN AGE ENCRYPTED FILE-----", "-----END AGE ENCRYPTED FILE-----"
SMALLEST = 8 * 1024
_COLUMNS = 64
_GAP = r"[\s>|\u200b-\u200d\u2060\ufeff\u00ad]+"
_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\x96\x97"
_WORDS = _GAP.join(("AGE", "ENCRYPTED", "FILE"))
_MARK = re.compile(rf"\b(BEGIN|END){_GAP}{_WORDS}\b", re.IGNORECASE)
_SOFT_BREAK = re.compile(r"=\r?\n(?=[\s>|]*[A-Za-z0-9+/])")
_DROPPED = re.compile(r"[\s>|=\u200b-\u200d\u2060\ufeff\u00ad]+")


def armour(content: bytes) -> str:
    """An age file as text, as `age -a` writes it."""
    text = b64encode(content).decode("ascii")
    lines = [text[i : i + _COLUMNS] for i in range(0, len(text), _COLUMNS)]
    return "\n".join([BEGIN, *lines, FINISH, ""])


def is_encrypted(content: bytes) -> bool:
    """Whether there is an age file in it, binary or in armour, however hurt."""
    return content.startswith(VERSION) or bool(_MARK.search(_text(content)))


def files_in(content: bytes) -> list[bytes | BadAge]:
    """The age files in a file or in the text of a mail, in their order; for each that is no
    clean base64, or not whole, why."""
    if content.startswith(VERSION):
        return [content]
    return [_dearmoured(body) for body in _bodies(_text(content))]


def _text(content: bytes) -> str:
    """UTF-8, whatever it says; UTF-16 as some editors save it."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _bodies(text: str) -> Iterator[str]:
    """What stands between BEGIN and END; a lone BEGIN gives an empty body, which is refused."""
    marks = list(_MARK.finditer(text))
    for i, mark in enumerate(marks):
        if mark[1].upper() != "BEGIN":
            continue
        closed = i + 1 < len(marks) and marks[i + 1][1].upper() == "END"
        yield text[mark.end() : marks[i + 1].start()] if closed else ""


def _dearmoured(body: str) -> bytes | BadAge:
    whole = _SOFT_BREAK.sub("", body).replace("=3D", "=")
    packed = _DROPPED.sub("", whole).strip(_DASHES)
    try:
        raw = b64decode(packed + "=" * (-len(packed) % 4), validate=True)
    except ValueError:
        raw = b""
    if not raw or b64encode(raw).decode("ascii").rstrip("=") != packed:
        return BadAge("age-armour", "the encrypted block is damaged: it is no clean base64")
    return raw


def bucket(size: int) -> int:
    """The size that a file of `size` bytes is padded to: 8 KiB, then half as much again and
    twice, by turns (8, 12, 16, 24, 32, 48 … KiB)."""
    step = SMALLEST
    while step < size:
        if step + step // 2 >= size:
            return step + step // 2
        step *= 2
    return step


def padded(content: bytes) -> bytes:
    """Line feeds behind `content` up to its bucket: neither orders nor mails mind them."""
    return content + b"\n" * (bucket(len(content)) - len(content))
