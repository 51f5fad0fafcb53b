"""Records as plain data, for tests that look into a ledger or forge one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from pbem.store import ledger
from pbem.store.records import TYPES

NO_HASH = ledger.NO_HASH


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a ledger, whatever it holds."""

    at: str
    body: dict[str, Any]
    kind: str
    n: int
    prev: str
    salt: str
    hash: str = ""


def read(content: bytes) -> list[Record]:
    """The records of these lines, unchecked; what stands behind the last line feed is torn."""
    return [msgspec.json.decode(line, type=Record) for line in content.split(b"\n")[:-1]]


def read_file(path: Path) -> list[Record]:
    """The records of a ledger."""
    return read(path.read_bytes())


def line_of(record: Record) -> bytes:
    """The line of a record, its hash made anew."""
    own = (record.at, record.body, record.kind, record.n, record.prev, record.salt)
    return ledger.line_of(ledger.bare(*own))


def chained(records: Sequence[Record]) -> list[bytes]:
    """The lines of a ledger of these records, its chain made anew."""
    lines, prev = [], NO_HASH
    for n, record in enumerate(records, 1):
        line = line_of(msgspec.structs.replace(record, n=n, prev=prev, hash=""))
        prev = line[-67:-3].decode()
        lines.append(line)
    return lines


def typed(record: Record) -> ledger.Record:
    """The same as pbem reads it."""
    body = msgspec.convert(record.body, TYPES[record.kind])
    return ledger.Record(record.at, body, record.n, record.prev, record.hash)
