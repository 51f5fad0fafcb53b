"""Look-ups in TinyDB, made from the ledger. If the file is deleted or damaged, it is made again.

Importing this module imports TinyDB (15 ms), so only commands that need a look-up do it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from tinydb import Storage, TinyDB, where
from tinydb.storages import MemoryStorage

from pbem.base.files import write_private
from pbem.base.hashing import canonical_json
from pbem.errors import Busy
from pbem.store.ledger import START, BrokenChain, Ledger, Position, Record
from pbem.store.records import Bounced, Refused, Sent

FORMAT: Final = 2
Doc = dict[str, Any]
Tables = dict[str, dict[str, Doc]]
"""Name of a table to its rows, each under its key."""

TABLES = ("refusals", "mail")
_META = "meta"


class AtomicStorage(Storage):
    """A TinyDB file that is replaced atomically: it is whole, or as before."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[str, dict[str, Any]] | None:
        """Return all tables, None without a file. Raises ValueError if the file is damaged."""
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return None
        found = json.loads(content)
        if not isinstance(found, dict):
            raise ValueError(f"{self._path} does not contain tables")
        return found

    def write(self, data: Mapping[str, Mapping[str, Any]]) -> None:
        """Replace the file. Raises Busy on a full disk, and leaves the old file."""
        write_private(self._path, canonical_json({name: dict(t) for name, t in data.items()}))


class Index:
    """The look-ups of one game as of `position`. Call `refresh` first. No file stays open."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.position: Position = START
        self._db = self._load()

    def _open(self) -> TinyDB:
        return TinyDB(self._path, storage=AtomicStorage)

    def _load(self) -> TinyDB:
        """Load the file; begin empty if it is missing, damaged or of another format."""
        try:
            db = self._open()
            meta = db.table(_META).all()
            if meta and meta[0]["format"] == FORMAT:
                self.position = Position(meta[0]["n"], meta[0]["hash"], meta[0]["offset"])
                for name in TABLES:
                    db.table(name).all()
                return db
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            pass
        self._path.unlink(missing_ok=True)
        self.position = START
        return self._open()

    def refresh(self, ledger: Ledger) -> int:
        """Fold in the records after `position`; return their number.

        If the ledger does not have that position, everything is made anew. Raises BrokenChain.
        """
        if ledger.position == self.position:
            return 0
        tables = {name: {row["key"]: dict(row) for row in self._db.table(name)} for name in TABLES}
        try:
            return self._fold(ledger, tables)
        except BrokenChain:
            if self.position == START:
                raise
            return self.rebuild(ledger)

    def rebuild(self, ledger: Ledger) -> int:
        """Make all tables anew; return the number of records. Raises BrokenChain."""
        self.position = START
        return self._fold(ledger, {name: {} for name in TABLES})

    def _fold(self, ledger: Ledger, tables: Tables) -> int:
        end, count = self.position, 0
        for record, position in ledger.walk(self.position):
            fold_record(tables, record)
            end, count = position, count + 1
        self._store(tables, end)
        return count

    def _store(self, tables: Tables, end: Position) -> None:
        """Write all tables at once in TinyDB's format: TinyDB would write the file for each row."""
        meta = {"format": FORMAT, "n": end.n, "hash": end.hash, "offset": end.offset}
        content: dict[str, dict[str, Doc]] = {_META: {"1": meta}}
        for name, rows in tables.items():
            content[name] = {str(i): rows[key] for i, key in enumerate(sorted(rows), start=1)}
        try:
            AtomicStorage(self._path).write(content)
            self._db = self._open()
        except (OSError, Busy):  # a disk that is full or only read: the tables are made anew
            self._db = TinyDB(storage=MemoryStorage)
            self._db.storage.write(content)
        self.position = end

    def refusals(self, side: str | None = None) -> dict[str, int]:
        """Count refusals by code. side: of this side; "" for unknown senders, None for all."""
        counts: dict[str, int] = {}
        for row in self._db.table("refusals"):
            if side is None or row["side"] == side:
                counts[row["code"]] = counts.get(row["code"], 0) + row["count"]
        return counts

    def mail(self, side: str) -> list[Doc]:
        """List a side's mails in the order of their commits.

        Each is {key, side, window, digest, state, n}; key: its file in the outbox; state: `queued`,
        `sent` or `bounced`; n: the number of its record.
        """
        rows = self._db.table("mail").search(where("side") == side)
        return sorted((dict(row) for row in rows), key=lambda row: (row["n"], row["key"]))


def fold_record(tables: Tables, record: Record) -> None:
    """Fold one record into the tables."""
    body = record.body
    if isinstance(body, Refused):
        _refused(tables, body)
    if isinstance(body, Sent):
        _delivered(tables, body.mails, "sent")
    if isinstance(body, Bounced):
        _delivered(tables, [body.mail], "bounced")
    _queue(tables, record)


def _refused(tables: Tables, body: Refused) -> None:
    side, code = body.side, body.code
    key = f"{side}/{code}"
    row = tables["refusals"].setdefault(key, {"key": key, "side": side, "code": code, "count": 0})
    row["count"] += 1


def _queue(tables: Tables, record: Record) -> None:
    """Add the mails that a record commits: those of its files that lie in the outbox."""
    window = getattr(record.body, "window", None)
    for side in record.body.mailed or ():
        for name, digest in record.body.files.items():
            if name.startswith(f"outbox/{side}-"):
                row = {"key": name, "side": side, "window": window, "digest": digest}
                tables["mail"][name] = {**row, "state": "queued", "n": record.n}


def _delivered(tables: Tables, mails: Iterable[str], state: str) -> None:
    """Set the state of mails. mails: their files in the outbox."""
    for name in mails:
        if name in tables["mail"]:
            tables["mail"][name]["state"] = state
