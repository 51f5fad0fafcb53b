"""Files that mails bring as gzip (RFC 1952), and files as people saved them, packed or not."""

from __future__ import annotations

import zlib

from pbem.errors import Usage

ENDING = ".gz"
MAGIC = b"\x1f\x8b"
WRAPPED = 31
"""zlib's number for deflate in a gzip file."""
MOST = 1 << 25
"""Bytes that a packed file may have; the longest report.json has some hundred kilobytes."""


def gzipped(content: bytes) -> bytes:
    """Return a gzip file without name and time, so that it depends on the content alone."""
    packer = zlib.compressobj(9, zlib.DEFLATED, WRAPPED)
    return packer.compress(content) + packer.flush()


def plain_of(content: bytes, name: str) -> bytes:
    """Return what a gzip file contains; any other file as it is. name: its name in messages.

    Raises Usage if it is cut short, damaged or longer than `MOST`.
    """
    if not content.startswith(MAGIC):
        return content
    unpacker = zlib.decompressobj(WRAPPED)
    hint = "use the one attached to your report, as it is"
    try:
        plain = unpacker.decompress(content, MOST)
    except zlib.error as error:
        raise Usage(f"{name}: it cannot be unpacked: {error}", hint) from None
    if not unpacker.eof:
        raise Usage(f"{name}: it was cut short, or is no report", hint)
    return plain
