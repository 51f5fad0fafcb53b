"""One hash for every digest, and the one JSON text that is hashed. Bytes: docs/formats.md."""

from __future__ import annotations

import hashlib
from functools import cache, partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from json import JSONEncoder

PREFIX = b"pbem1/"
GROUP = 8


def u32(number: int) -> bytes:
    """Four bytes, big-endian. Raises OverflowError outside 0 .. 2^32 - 1."""
    return number.to_bytes(4, "big")


def tlv(field: bytes) -> bytes:
    """A field behind its length, so that no two lists of fields join to the same bytes."""
    return len(field).to_bytes(4, "big") + field


def H(tag: str, *fields: bytes) -> bytes:  # noqa: N802  (the formats call it H)
    """SHA-256 over the tag (what is being hashed) and its fields. 32 bytes."""
    digest = hashlib.sha256(tlv(PREFIX + tag.encode("ascii")))
    for field in fields:
        digest.update(tlv(field))
    return digest.digest()


def canonical_json(obj: object) -> bytes:
    """The one JSON text of plain data or structs: sorted keys, no spaces, ASCII.

    Raises TypeError or ValueError for what JSON cannot carry (NaN and infinities included).
    """
    return _encoder().encode(obj).encode("ascii")


@cache
def _encoder() -> JSONEncoder:
    from json import JSONEncoder

    import msgspec

    return JSONEncoder(
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=True,
        allow_nan=False,
        check_circular=False,  # plain data are a tree; the look-out would cost a third
        default=partial(msgspec.to_builtins, order="sorted"),
    )


def grouped(hexadecimal: str) -> str:
    """Hex in words of eight digits: long words break in mail."""
    return " ".join(hexadecimal[i : i + GROUP] for i in range(0, len(hexadecimal), GROUP))


def setup_digest(setup: str) -> str:
    """G0, the digest of the set-up text, in hex."""

    return H("setup", setup.encode("ascii")).hex()
