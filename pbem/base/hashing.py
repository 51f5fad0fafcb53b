"""The hash behind every digest, and canonical JSON. Bytes: docs/formats.md, "Hash"."""

from __future__ import annotations

import hashlib
from functools import cache, partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from json import JSONEncoder

PREFIX = b"pbem1/"
"""Begins every tag, so that no digest of pbem equals one that another program makes."""
GROUP = 8


def u32(number: int) -> bytes:
    """Encode a number in four bytes, big-endian. Raises OverflowError outside 0 .. 2^32 - 1."""
    return number.to_bytes(4, "big")


def tlv(field: bytes) -> bytes:
    """Prefix a field with its length, so that different lists of fields never join to the same
    bytes."""
    return len(field).to_bytes(4, "big") + field


def H(tag: str, *fields: bytes) -> bytes:  # noqa: N802  (the formats call it H)
    """Hash fields with SHA-256 to 32 bytes.

    tag: the purpose of the digest. Different tags keep a digest that was made for one purpose from
    being valid for another.
    """
    parts = [_begin(tag)]
    for field in fields:
        parts += len(field).to_bytes(4, "big"), field
    return hashlib.sha256(b"".join(parts)).digest()


@cache
def _begin(tag: str) -> bytes:
    return tlv(PREFIX + tag.encode("ascii"))


def canonical_json(obj: object) -> bytes:
    """Encode plain data or structs as canonical JSON: sorted keys, no spaces, ASCII.

    Raises TypeError or ValueError for what JSON cannot express (NaN and infinities included).
    """
    return _encoder().encode(obj).encode("ascii")


@cache
def _encoder() -> JSONEncoder:
    """The encoder of canonical JSON, made once."""
    from json import JSONEncoder

    import msgspec

    return JSONEncoder(
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=True,
        allow_nan=False,
        check_circular=False,  # plain data has no cycles, and the check takes a third of the time
        default=partial(msgspec.to_builtins, order="sorted"),
    )


def grouped(hexadecimal: str) -> str:
    """Split hex into words of eight digits, because mail programs break long words."""
    return " ".join(hexadecimal[i : i + GROUP] for i in range(0, len(hexadecimal), GROUP))


def setup_digest(setup: str) -> str:
    """The digest of the set-up text, G0, in hex."""
    return H("setup", setup.encode("ascii")).hex()
