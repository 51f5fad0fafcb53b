"""A game's append-only, hash-chained record: JSON Lines. Bytes: docs/formats.md, "Ledger"."""

import os
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO, Self

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
    """One record of the ledger."""

    at: str
    """When it was made: UTC, to the second."""
    body: Body
    """What it says. The type of the body is the kind of record."""
    n: int
    """Its number, from 1."""
    prev: str
    """Hash of the record before it, in hex."""
    hash: str
    """Its own hash, in hex."""

    @property
    def kind(self) -> str:
        """The kind of record."""
        return self.body.kind


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the file, its body not yet decoded. The fields are those of `Record`."""

    at: str
    body: msgspec.Raw
    kind: str
    n: int
    prev: str
    salt: str
    """16 random bytes in hex. Heads are published while records are secret; without the salt, a
    short record could be guessed from its head."""
    hash: str


class Position(msgspec.Struct, frozen=True):
    """A place between two records."""

    n: int = 0
    """Number of the record before it."""
    hash: str = NO_HASH
    """Hash of that record, in hex."""
    offset: int = 0
    """The byte in the file."""


START = Position()


class BrokenChain(Damaged):
    """A record is not what was written. n: its number; offset: the byte at which it begins."""

    def __init__(self, path: Path, n: int, offset: int, why: str) -> None:
        super().__init__(
            f"{path}: record {n} at byte {offset} is damaged: {why}",
            "restore the ledger from a copy; `pbem audit` names the first record that fails",
        )
        self.path, self.n, self.offset, self.why = path, n, offset, why


def bare(at: str, body: object, kind: str, n: int, prev: str, salt: str) -> bytes:
    """Return the canonical JSON of a record without its hash: what the hash covers."""
    return canonical_json(
        {"at": at, "body": body, "kind": kind, "n": n, "prev": prev, "salt": salt}
    )


def line_of(content: bytes) -> bytes:
    """Return the line of a record: its `bare` content with the hash added, and a newline."""
    digest = H("ledger", content).hex().encode("ascii")
    return content[:-1] + _SEAM + digest + _END + b"\n"


class Ledger:
    """An open ledger; a context manager, made by `Ledger.create` or `Ledger.open`.

    Without the lock it can only be read, at any time; a torn tail is ignored. With the lock,
    `position` is the end, to which the next append chains.
    """

    def __init__(self, path: Path, fd: int | None, position: Position) -> None:
        self.path = path
        self._fd = fd
        self._position = position
        self._buffered: list[bytes] | None = None

    @classmethod
    def create(cls, path: Path) -> Self:
        """Make an empty ledger and lock it. An existing one without a record is used again: a
        killed run left it.

        Raises Usage if the game exists, Busy if another run is making it or the disk is full.
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
    def open(cls, path: Path, lock: bool = True, wait: float = 0.0) -> Self:
        """Open the ledger at `path`. lock: for writing, until it is closed; wait: seconds.

        With the lock, a torn tail is cut off and its bytes are kept beside the ledger as
        `ledger.torn-N`. Only the last record is checked, so that opening does not take longer as
        the game grows; `verify` checks all. Raises NotFound, Busy, BrokenChain.
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the lock. The ledger can still be read."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    @property
    def position(self) -> Position:
        """The end of the ledger: `n` records, `hash` the head. START if it is empty.

        Raises BrokenChain if the last record is damaged.
        """
        return self._position if self._fd is not None else _tail(self.path)

    @property
    def head(self) -> str:
        """Hash of the last record in hex; zeros for an empty ledger."""
        return self.position.hash

    def append(self, body: Body, at: str) -> Record:
        """Append one record. When this returns it is on the disk, unless records are buffered.

        at: `2026-11-20T12:00:00Z`. Raises ValueError for a malformed time or a body that JSON
        cannot express, Busy on a full disk (nothing is recorded then), OSError.
        """
        if self._fd is None:
            raise ValueError("this ledger is open for reading only")
        _require_time(at)
        before = self._position
        salt = os.urandom(16).hex()
        line = line_of(bare(at, body, body.kind, before.n + 1, before.hash, salt))
        # Read the line back as any reader will, before it is written: a ledger is never changed.
        try:
            record = _read(self.path, line, before)
        except BrokenChain as error:
            raise ValueError(f"a record cannot hold this: {error.why}") from None
        if self._buffered is None:
            self._write(line, before.offset)
        else:
            self._buffered.append(line)
        self._position = Position(record.n, record.hash, before.offset + len(line))
        return record

    def buffer(self) -> None:
        """Keep appended records in memory, until `flush` writes all of them with one sync."""
        self._buffered = []

    def flush(self) -> int:
        """Write the buffered records; return their number.

        If that fails, none is recorded and the ledger is closed: its position and the register made
        from it are ahead of the file, so the caller must open the game again. Raises as `append`.
        """
        lines, self._buffered = self._buffered, None
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
        """Give the records after `since` in order, each after checking it.

        kinds: give only these; the others are checked, too. Raises BrokenChain at the first damaged
        record, or if `since` is not a position in this ledger.
        """
        for record, _ in self.walk(since):
            if kinds is None or record.kind in kinds:
                yield record

    def walk(self, since: Position = START) -> Iterator[tuple[Record, Position]]:
        """Give the records after `since`, each with the position after it. Raises as `records`."""
        with self.path.open("rb") as file:
            _require_place(self.path, file, since)
            position = since
            for line in file:
                if not line.endswith(b"\n"):
                    return  # a torn tail, or a line that is being written: not acknowledged
                record = _read(self.path, line, position)
                position = Position(record.n, record.hash, position.offset + len(line))
                yield record, position

    def verify(self) -> Position:
        """Check every record; return the end. Raises BrokenChain at the first damaged record."""
        end = START
        for _, position in self.walk():
            end = position
        return end

    def _write(self, line: bytes, offset: int) -> None:
        """Append and sync lines; on an error cut the file back to `offset`, its old end.

        The sync is the moment of the commit: nothing may be acknowledged before it.
        """
        assert self._fd is not None
        try:
            write_fully(self._fd, line)
            sync_file(self._fd, self.path)
        except OSError as error:
            self._cut_back(offset)
            if disk_full(error):
                raise no_room(OSError(error.errno, error.strerror, str(self.path))) from error
            raise

    def _cut_back(self, offset: int) -> None:
        """Cut off a partly written line. If that fails, close: the next `open` will cut it."""
        assert self._fd is not None
        try:
            os.ftruncate(self._fd, offset)
        except OSError:
            self.close()
            raise


def _missing(path: Path) -> NotFound:
    return NotFound(f"no ledger at {path}", "a game's folder holds `ledger.jsonl`; see --home")


def _open_locked(path: Path, wait: float) -> int:
    """Open and lock a ledger; return the file descriptor. Raises NotFound, Busy."""
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
    """Decode the record of one whole line after the position `before`. Raises BrokenChain.

    Every byte is checked. The line must be exactly what this program would write: with a freer
    form, another program could read the same line differently (a key that occurs twice, say).
    """
    n, offset = before.n + 1, before.offset
    content = line[: -_SUFFIX - 1] + b"}"
    if line_of(content) != line:
        raise BrokenChain(path, n, offset, "its hash does not match its content")
    found = _decode(path, line, n, offset)
    if found.kind not in TYPES:
        raise BrokenChain(path, n, offset, f"its kind, {found.kind!r}, is unknown")
    body = _body(path, found, n, offset)
    try:
        canonical = _is_canonical(found, body, content)
    except RecursionError:
        canonical = False
    if not canonical:
        raise BrokenChain(path, n, offset, "it is not in the canonical form")
    if found.prev != before.hash:
        raise BrokenChain(path, n, offset, "it does not follow the record before it")
    if found.n != n:
        raise BrokenChain(path, n, offset, f"it says it is number {found.n}")
    return Record(found.at, body, n, found.prev, found.hash)


def _decode(path: Path, line: bytes, n: int, offset: int) -> _Line:
    try:
        return msgspec.json.decode(line, type=_Line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BrokenChain(path, n, offset, str(error)) from None


def _body(path: Path, line: _Line, n: int, offset: int) -> Body:
    """Decode the body of a line as the struct of its kind. Raises BrokenChain."""
    try:
        return _decoder(line.kind).decode(line.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        what, _, place = str(error).partition(" - at `$")
        where = "body" + place.rstrip("`")
        raise BrokenChain(path, n, offset, f"{where} of `{line.kind}`: {what}") from None


@cache
def _decoder(kind: str) -> msgspec.json.Decoder[Body]:
    return msgspec.json.Decoder(TYPES[kind])


_ENCODER = msgspec.json.Encoder(order="sorted")


def _is_canonical(line: _Line, body: Body, content: bytes) -> bool:
    """Whether the content of a line is in canonical form.

    msgspec is many times as fast as `canonical_json` and writes the same form, except for fractions
    (which only edits of a ruling may have), for characters beyond ASCII and for DEL. If its result
    differs, `canonical_json` decides: the record may also have a field that no struct names.
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
    """Seek to `place`, after checking that the line before it ends in the hash of `place`.

    Raises BrokenChain.
    """
    if place == START:
        return
    expected = place.hash.encode("ascii") + _END + b"\n"
    file.seek(max(0, place.offset - len(expected)))
    if file.read(len(expected)) != expected:
        raise BrokenChain(path, place.n, place.offset, "the ledger does not have it")


def _tail(path: Path) -> Position:
    """Return the position after the last whole line, and check that line alone.

    Its number and `prev` are taken from the line itself, as nothing before it is read.
    """
    line, end = _last_line(path)
    if not line:
        return START
    start = end - len(line)
    claim = _decode(path, line, 0, start)
    record = _read(path, line, Position(claim.n - 1, claim.prev, start))
    return Position(record.n, record.hash, end)


def _last_line(path: Path) -> tuple[bytes, int]:
    """Return the last line that ends in a newline, and the offset after it; (b"", 0) without one.

    It reads backwards from the end, so the time does not depend on the length of the ledger.
    """
    with path.open("rb") as file:
        start = file.seek(0, os.SEEK_END)
        block = b""
        while start > 0:
            step = min(start, max(_BLOCK, len(block)))
            start -= step
            file.seek(start)
            block = file.read(step) + block
            end = block.rfind(b"\n")
            begin = block.rfind(b"\n", 0, max(end, 0))
            if end >= 0 and (begin >= 0 or start == 0):
                return block[begin + 1 : end + 1], start + end + 1
    return b"", 0


def _cut_torn_tail(path: Path, fd: int) -> None:
    """Cut off what an interrupted append left after the last newline.

    They were never acknowledged. The bytes are saved beside the ledger first, because nothing of a
    game is ever deleted.
    """
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
    """Save torn bytes as `ledger.torn-N`, unless a run that was killed here did so before."""
    number = 1
    while (beside := path.with_name(f"{path.stem}.torn-{number}")).exists():
        if beside.read_bytes() == torn:
            return
        number += 1
    write_private(beside, torn)
