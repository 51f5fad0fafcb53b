"""A game's append-only, hash-chained record: JSON Lines. Bytes: docs/formats.md, "Ledger"."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO

import msgspec

from pbem.base.files import (
    PRIVATE_FILE,
    disk_full,
    lock,
    no_room,
    write_fully,
    write_private,
)
from pbem.base.hashing import H, canonical_json
from pbem.base.syncing import sync_directory, sync_file
from pbem.errors import Busy, Damaged, NotFound, Usage
from pbem.store.records import TYPES, Body, Ruled

NO_HASH = "0" * 64
_SEAM = b',"hash":"'
_END = b'"}'
_SUFFIX = len(_SEAM) + 64 + len(_END)
_BLOCK = 1 << 16
_STAMP = "dddd-dd-ddTdd:dd:ddZ"


class Record(msgspec.Struct, frozen=True):
    """One line."""

    at: str  # when it was made: UTC, to the second
    body: Body  # what it says; its type is the kind of record
    n: int  # its number, from 1
    prev: str  # hash of the record before it
    hash: str  # its own

    @property
    def kind(self) -> str:
        """The kind of record."""
        return self.body.kind


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line as it stands. salt: 16 random bytes in hex, so that a head gives nothing away."""

    at: str
    body: msgspec.Raw
    kind: str
    n: int
    prev: str
    salt: str
    hash: str


class Position(msgspec.Struct, frozen=True):
    """A place between two records: the number and hash of the last before it, and its byte."""

    n: int = 0
    hash: str = NO_HASH
    offset: int = 0


START = Position()


class BrokenChain(Damaged):
    """A record is not what was written. n: its number; offset: the byte it begins at."""

    def __init__(self, path: Path, n: int, offset: int, why: str) -> None:
        super().__init__(
            f"{path}: record {n} at byte {offset} is damaged: {why}",
            "restore the ledger from a copy; `pbem audit` names the first record that fails",
        )
        self.path, self.n, self.offset, self.why = path, n, offset, why


def bare(at: str, body: object, kind: str, n: int, prev: str, salt: str) -> bytes:
    """The canonical JSON of a record without its hash: what the hash covers."""
    return canonical_json(
        {"at": at, "body": body, "kind": kind, "n": n, "prev": prev, "salt": salt}
    )


def line_of(content: bytes) -> bytes:
    """The line that a record's `bare` content makes: its hash joined on, and a newline."""
    digest = H("ledger", content).hex().encode("ascii")
    return content[:-1] + _SEAM + digest + _END + b"\n"


class Ledger:
    """An open ledger. Without the lock it only reads, at any time, and ignores a torn tail.

    Use `Ledger.create` for a new game and `Ledger.open` for one that exists; both are context
    managers. With the lock, `position` is the tail that the next append chains to.
    """

    def __init__(self, path: Path, fd: int | None, position: Position) -> None:
        self.path = path
        self._fd = fd
        self._position = position
        self._held: list[bytes] | None = None

    @classmethod
    def create(cls, path: Path) -> Ledger:
        """A new empty ledger, locked; one that a killed run left without a record is taken over.

        Raises Usage when there is a game already, Busy when it is being made, on a full disk too.
        """
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        try:
            fd = os.open(path, flags, PRIVATE_FILE)
        except OSError as error:
            raise (no_room(error) if disk_full(error) else error) from error
        try:
            lock(fd, str(path))
            _cut_torn_tail(path, fd)
            if os.fstat(fd).st_size:
                raise Usage(f"{path} exists already", "choose another name for the game")
            sync_directory(path.parent)
        except BaseException:
            os.close(fd)
            raise
        return cls(path, fd, START)

    @classmethod
    def open(cls, path: Path, lock: bool = True, wait: float = 0.0) -> Ledger:
        """The ledger at `path`. lock: to write, for as long as it stays open; wait: seconds.

        A torn tail is cut then and its bytes kept beside as `ledger.torn-N`; the last record is
        checked, the others by `verify`. Raises NotFound, Busy, BrokenChain.
        """
        if not lock:
            if not path.is_file():
                raise _missing(path)
            return cls(path, None, START)
        fd = _open_locked(path, wait)
        try:
            _cut_torn_tail(path, fd)
            return cls(path, fd, _tail(path))
        except BaseException:
            os.close(fd)
            raise

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the lock. Reading goes on."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    @property
    def position(self) -> Position:
        """Where the ledger ends: `n` records, `hash` the head. START when it is empty.

        Raises BrokenChain when the last record is not what was written.
        """
        return self._position if self._fd is not None else _tail(self.path)

    @property
    def head(self) -> str:
        """Hash of the last record in hex; zeros before the first."""
        return self.position.hash

    def append(self, body: Body, at: str) -> Record:
        """Add one record; when this returns it is on the disk.

        at: `2026-11-20T12:00:00Z`. Raises ValueError for a malformed time or what JSON cannot
        carry, Busy on a full disk (nothing is recorded then), OSError.
        """
        if self._fd is None:
            raise ValueError("this ledger is open for reading only")
        _require_time(at)
        before = self._position
        salt = os.urandom(16).hex()
        line = line_of(bare(at, body, body.kind, before.n + 1, before.hash, salt))
        try:
            record = _read(self.path, line, before)
        except BrokenChain as error:
            raise ValueError(f"a record cannot hold this: {error.why}") from None
        if self._held is None:
            self._write(line, before.offset)
        else:
            self._held.append(line)
        self._position = Position(record.n, record.hash, before.offset + len(line))
        return record

    def hold(self) -> None:
        """From now on records are only remembered, until `release` writes all of them at once."""
        self._held = []

    def release(self) -> int:
        """Write what was held; how many records. On a full disk none of them is recorded, and
        this ledger takes no more: whoever holds it must begin anew. Raises as `append`."""
        lines, self._held = self._held, None
        if not lines:
            return 0
        content = b"".join(lines)
        try:
            self._write(content, self._position.offset - len(content))
        except (OSError, Busy):
            self.close()
            raise
        return len(lines)

    def records(
        self, kinds: Collection[str] | None = None, since: Position = START
    ) -> Iterator[Record]:
        """The records after `since`, in order, each checked before it is given.

        kinds: only these (all are checked). Raises BrokenChain at the first that is wrong, also
        when `since` is no place of this ledger.
        """
        for record, _ in self.walk(since):
            if kinds is None or record.kind in kinds:
                yield record

    def walk(self, since: Position = START) -> Iterator[tuple[Record, Position]]:
        """`records`, each with the position behind it."""
        with self.path.open("rb") as file:
            _require_place(self.path, file, since)
            position = since
            for line in file:
                if not line.endswith(b"\n"):
                    return
                record = _read(self.path, line, position)
                position = Position(record.n, record.hash, position.offset + len(line))
                yield record, position

    def verify(self) -> Position:
        """Check every record; the end. Raises BrokenChain at the first that is wrong."""
        end = START
        for _, position in self.walk():
            end = position
        return end

    def _write(self, line: bytes, offset: int) -> None:
        """Write and sync at the end, which is `offset`, or take back what was written."""
        assert self._fd is not None
        try:
            write_fully(self._fd, line)
            sync_file(self._fd, self.path)
        except OSError as error:
            self._take_back(offset)
            if disk_full(error):
                raise no_room(OSError(error.errno, error.strerror, str(self.path))) from error
            raise

    def _take_back(self, offset: int) -> None:
        """Cut the half-written line. If even that fails, write no more: the next open cuts it."""
        assert self._fd is not None
        try:
            os.ftruncate(self._fd, offset)
        except OSError:
            self.close()
            raise


def _missing(path: Path) -> NotFound:
    return NotFound(f"no ledger at {path}", "a game's folder holds `ledger.jsonl`; see --home")


def _open_locked(path: Path, wait: float) -> int:
    try:
        fd = os.open(path, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise _missing(path) from None
    try:
        lock(fd, str(path), wait)
    except BaseException:
        os.close(fd)
        raise
    return fd


def _require_time(at: str) -> None:
    if len(at) != len(_STAMP) or not all(map(_fits, at, _STAMP)):
        raise ValueError(f"not a time in UTC like 2026-11-20T12:00:00Z: {at!r}")


def _fits(got: str, pattern: str) -> bool:
    return got in "0123456789" if pattern == "d" else got == pattern


def _read(path: Path, line: bytes, before: Position) -> Record:
    """The record of one whole line that stands at `before`: every byte is checked, and that it
    is exactly what we would write, so that no other reader can read it otherwise."""
    n, offset = before.n + 1, before.offset
    content = line[: -_SUFFIX - 1] + b"}"
    if line_of(content) != line:
        raise BrokenChain(path, n, offset, "its hash does not match its content")
    found = _decode(path, line, n, offset)
    if found.kind not in TYPES:
        raise BrokenChain(path, n, offset, f"its kind, {found.kind!r}, is unknown")
    body = _body(path, found, n, offset)
    if not _is_canonical(found, body, content):
        raise BrokenChain(path, n, offset, "it is not in the canonical form")
    if found.prev != before.hash:
        raise BrokenChain(path, n, offset, "it does not follow the record before it")
    if found.n != n:
        raise BrokenChain(path, n, offset, f"it says it is number {found.n}")
    return Record(found.at, body, n, found.prev, found.hash)


def _decode(path: Path, line: bytes, n: int, offset: int) -> _Line:
    try:
        return msgspec.json.decode(line, type=_Line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BrokenChain(path, n, offset, str(error)) from None


def _body(path: Path, line: _Line, n: int, offset: int) -> Body:
    """What a line says, as its kind has it."""
    try:
        return _decoder(line.kind).decode(line.body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        what, _, place = str(error).partition(" - at `$")
        where = "body" + place.rstrip("`")
        raise BrokenChain(path, n, offset, f"{where} of `{line.kind}`: {what}") from None


@cache
def _decoder(kind: str) -> msgspec.json.Decoder[Body]:
    return msgspec.json.Decoder(TYPES[kind])


_ENCODER = msgspec.json.Encoder(order="sorted")


def _is_canonical(line: _Line, body: Body, content: bytes) -> bool:
    """Whether the content of a line is in the canonical form.

    msgspec writes the same form, many times as fast, of what has no fractions (which a ruling's
    edits alone may have) and nothing but printable ASCII and the controls below it. What it writes
    otherwise, a field that no struct names among it, is judged by `canonical_json`.
    """
    if content.isascii() and b"\x7f" not in content and not isinstance(body, Ruled):
        before = f'{{"at":"{line.at}","body":'
        behind = f',"kind":"{line.kind}","n":{line.n},"prev":"{line.prev}","salt":"{line.salt}"}}'
        made = before.encode() + _ENCODER.encode(body) + behind.encode()
        if made == content:
            return True
    plain = msgspec.json.decode(line.body)
    return bare(line.at, plain, line.kind, line.n, line.prev, line.salt) == content


def _require_place(path: Path, file: BinaryIO, place: Position) -> None:
    """Move to `place`; the hash at the end of the line before it must be its hash."""
    if place == START:
        return
    expected = place.hash.encode("ascii") + _END + b"\n"
    file.seek(max(0, place.offset - len(expected)))
    if file.read(len(expected)) != expected:
        raise BrokenChain(path, place.n, place.offset, "the ledger does not hold it")


def _tail(path: Path) -> Position:
    """The position behind the last whole line, whose record is checked by itself."""
    line, end = _last_line(path)
    if not line:
        return START
    start = end - len(line)
    claim = _decode(path, line, 0, start)
    record = _read(path, line, Position(claim.n - 1, claim.prev, start))
    return Position(record.n, record.hash, end)


def _last_line(path: Path) -> tuple[bytes, int]:
    """The last line that ends in a newline, and the byte behind it; (b"", 0) when none does."""
    with path.open("rb") as file:
        start = file.seek(0, os.SEEK_END)
        held = b""
        while start > 0:
            step = min(start, max(_BLOCK, len(held)))
            start -= step
            file.seek(start)
            held = file.read(step) + held
            end = held.rfind(b"\n")
            begin = held.rfind(b"\n", 0, max(end, 0))
            if end >= 0 and (begin >= 0 or start == 0):
                return held[begin + 1 : end + 1], start + end + 1
    return b"", 0


def _cut_torn_tail(path: Path, fd: int) -> None:
    """Cut what an interrupted append left behind the last newline; keep those bytes beside."""
    _, end = _last_line(path)
    size = os.fstat(fd).st_size
    if size == end:
        return
    with path.open("rb") as file:
        file.seek(end)
        torn = file.read(size - end)
    _keep_torn(path, torn)
    os.ftruncate(fd, end)
    os.fsync(fd)


def _keep_torn(path: Path, torn: bytes) -> None:
    number = 1
    while (beside := path.with_name(f"{path.stem}.torn-{number}")).exists():
        if beside.read_bytes() == torn:
            return
        number += 1
    write_private(beside, torn)
