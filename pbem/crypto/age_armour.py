"""Age files as text for mail, and the sizes to which content is padded.

Mail programs wrap, quote and indent text. So white space, quote marks and dashes between and around
the base64 are ignored; its own characters must be whole. Worse damage is refused, here or when the
file is decrypted, and never repaired by guessing. Bytes: docs/formats.md, "Encrypted files".
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator

from pbem.crypto.age import VERSION, BadAge

BEGIN, FINISH = "-----BEGIN AGE ENCRYPTED FILE-----", "-----END AGE ENCRYPTED FILE-----"
SMALLEST = 8 * 1024
"""Bytes of the smallest padded content. Orders, and answers to them, nearly always fit, so their
size tells nothing (docs/trust.md)."""
_COLUMNS = 64
_GAP = r"[\s>|\u200b-\u200d\u2060\ufeff\u00ad]+"
_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\x96\x97"
_WORDS = _GAP.join(("AGE", "ENCRYPTED", "FILE"))
_MARK = re.compile(rf"\b(BEGIN|END){_GAP}{_WORDS}\b", re.IGNORECASE)
_SOFT_BREAK = re.compile(r"=\r?\n(?=[\s>|]*[A-Za-z0-9+/])")
_DROPPED = re.compile(r"[\s>|=\u200b-\u200d\u2060\ufeff\u00ad]+")


def armour(content: bytes) -> str:
    """Convert an age file to text, as `age -a` does."""
    text = b64encode(content).decode("ascii")
    lines = [text[i : i + _COLUMNS] for i in range(0, len(text), _COLUMNS)]
    return "\n".join([BEGIN, *lines, FINISH, ""])


def is_encrypted(content: bytes) -> bool:
    """Whether `content` holds an age file, binary or in armour, even a damaged one."""
    return content.startswith(VERSION) or bool(_MARK.search(_text(content)))


def files_in(content: bytes) -> list[bytes | BadAge]:
    """Find the age files in a file or in the text of a mail, in order; a BadAge for each that is
    incomplete or not clean base64."""
    if content.startswith(VERSION):
        return [content]
    return [_dearmoured(body) for body in _bodies(_text(content))]


def _text(content: bytes) -> str:
    """Decode a text as UTF-8, as UTF-16 if it has a byte order mark (some editors save it so), else
    as Windows-1252, which fails on no byte."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _bodies(text: str) -> Iterator[str]:
    """Give the text between each BEGIN and END; a BEGIN without END gives an empty body, which is
    refused."""
    marks = list(_MARK.finditer(text))
    for i, mark in enumerate(marks):
        if mark[1].upper() != "BEGIN":
            continue
        closed = i + 1 < len(marks) and marks[i + 1][1].upper() == "END"
        yield text[mark.end() : marks[i + 1].start()] if closed else ""


def _dearmoured(body: str) -> bytes | BadAge:
    """Decode the base64 between two marks, after removing what mail may have added."""
    # Quoted-printable writes `=` as `=3D`, and ends the lines that it broke with `=`.
    whole = _SOFT_BREAK.sub("", body).replace("=3D", "=")
    packed = _DROPPED.sub("", whole).strip(_DASHES)
    try:
        raw = b64decode(packed + "=" * (-len(packed) % 4), validate=True)
    except ValueError:
        raw = b""
    if not raw or b64encode(raw).decode("ascii").rstrip("=") != packed:
        return BadAge("age-armour", "the encrypted block is damaged: it is not clean base64")
    return raw


def bucket(size: int) -> int:
    """The size to which `size` bytes are padded: the next of 8, 12, 16, 24, 32, 48 … KiB."""
    step = SMALLEST
    while step < size:
        if step + step // 2 >= size:
            return step + step // 2
        step *= 2
    return step


def padded(content: bytes) -> bytes:
    """Add line feeds up to the next bucket. Readers of orders and of mails ignore them."""
    return content + b"\n" * (bucket(len(content)) - len(content))
