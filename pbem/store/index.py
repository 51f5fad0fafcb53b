"""Look-ups rebuilt from the ledger, in TinyDB. Deleting or spoiling the file loses nothing.

Importing this module imports TinyDB (15 ms): commands that need no look-up leave it alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from tinydb import Storage, TinyDB, where

from pbem.base.files import write_private
from pbem.base.hashing import canonical_json
from pbem.store.ledger import START, BrokenChain, Ledger, Position, Record
from pbem.store.records import Bounced, Refused, Sent

FORMAT: Final = 2
Doc = dict[str, Any]
Tables = dict[str, dict[str, Doc]]
"""Table name, then the key of a row (what it is about), to the row."""

TABLES = ("refusals", "mail")
_META = "meta"


class AtomicStorage(Storage):
    """A TinyDB file that is whole or as before: written beside, synced, renamed."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[str, dict[str, Any]] | None:
        """All tables, None when there is no file. Raises ValueError when it is spoilt."""
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return None
        found = json.loads(content)
        if not isinstance(found, dict):
            raise ValueError(f"{self._path} holds no tables")
        return found

    def write(self, data: Mapping[str, Mapping[str, Any]]) -> None:
        """Raises Busy on a full disk, and leaves the old file."""
        write_private(self._path, canonical_json({name: dict(t) for name, t in data.items()}))


class Index:
    """Answers about one game as of `position`; `refresh` first. A context manager is not needed:
    no file is held open.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.position: Position = START
        self._db = self._load()

    def _open(self) -> TinyDB:
        return TinyDB(self._path, storage=AtomicStorage)

    def _load(self) -> TinyDB:
        """What the file holds, or nothing when it is missing, spoilt or of another format."""
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
        """Fold in what the ledger has gained; the number of records read.

        Builds all anew when the ledger does not hold the place remembered. Raises BrokenChain.
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
        """Forget all and read the whole ledger; the number of records. Raises BrokenChain."""
        self.position = START
        return self._fold(ledger, {name: {} for name in TABLES})

    def _fold(self, ledger: Ledger, tables: Tables) -> int:
        end, count = self.position, 0
        for record, position in ledger.walk(self.position):
            take(tables, record)
            end, count = position, count + 1
        self._store(tables, end)
        return count

    def _store(self, tables: Tables, end: Position) -> None:
        """All tables in one write, as TinyDB numbers them; insertions would write once each."""
        meta = {"format": FORMAT, "n": end.n, "hash": end.hash, "offset": end.offset}
        content: dict[str, dict[str, Doc]] = {_META: {"1": meta}}
        for name, rows in tables.items():
            content[name] = {str(i): rows[key] for i, key in enumerate(sorted(rows), start=1)}
        AtomicStorage(self._path).write(content)
        self._db, self.position = self._open(), end

    def refusals(self, side: str | None = None) -> dict[str, int]:
        """How often each code was given, to one side or to all; "" is an unknown sender."""
        counts: dict[str, int] = {}
        for row in self._db.table("refusals"):
            if side is None or row["side"] == side:
                counts[row["code"]] = counts.get(row["code"], 0) + row["count"]
        return counts

    def mail(self, side: str) -> list[Doc]:
        """{key (its file in the outbox), side, window, digest, state, n} of a side's mails in the
        order they were committed; state: `queued`, `sent`, `bounced`."""
        rows = self._db.table("mail").search(where("side") == side)
        return sorted((dict(row) for row in rows), key=lambda row: (row["n"], row["key"]))


def take(tables: Tables, record: Record) -> None:
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
    """The mails that a record commits: those of its files that lie in a side's outbox."""
    window = getattr(record.body, "window", None)
    for side in record.body.mailed or ():
        for name, digest in record.body.files.items():
            if name.startswith(f"outbox/{side}-"):
                row = {"key": name, "side": side, "window": window, "digest": digest}
                tables["mail"][name] = {**row, "state": "queued", "n": record.n}


def _delivered(tables: Tables, mails: Iterable[str], state: str) -> None:
    """mails: files in the outbox."""
    for name in mails:
        if name in tables["mail"]:
            tables["mail"][name]["state"] = state
