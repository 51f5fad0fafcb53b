"""Ledger records as plain data, for tests that inspect or forge a ledger."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from pbem.store import ledger
from pbem.store.records import TYPES

NO_HASH = ledger.NO_HASH


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a ledger with any body, valid or not. Fields as in docs/formats.md."""

    at: str
    body: dict[str, Any]
    kind: str
    n: int
    prev: str
    salt: str
    hash: str = ""


def read(content: bytes) -> list[Record]:
    """Parse the lines of a ledger without checking them; ignore a torn last line."""
    return [msgspec.json.decode(line, type=Record) for line in content.split(b"\n")[:-1]]


def read_file(path: Path) -> list[Record]:
    """Parse a ledger file as `read` does."""
    return read(path.read_bytes())


def line_of(record: Record) -> bytes:
    """The line of a record, with its hash computed anew."""
    own = (record.at, record.body, record.kind, record.n, record.prev, record.salt)
    return ledger.line_of(ledger.bare(*own))


def chained(records: Sequence[Record]) -> list[bytes]:
    """The lines of a ledger of these records, with numbers and the hash chain computed anew."""
    lines, prev = [], NO_HASH
    for n, record in enumerate(records, 1):
        line = line_of(msgspec.structs.replace(record, n=n, prev=prev, hash=""))
        prev = line[-67:-3].decode()
        lines.append(line)
    return lines


def typed(record: Record) -> ledger.Record:
    """The record as pbem parses it."""
    body = msgspec.convert(record.body, TYPES[record.kind])
    return ledger.Record(record.at, body, record.n, record.prev, record.hash)
