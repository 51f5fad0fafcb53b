"""Files that survive a killed process, a full disk and a second run: whole or unchanged."""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from pbem.base.syncing import sync_directory, sync_file, sync_moved
from pbem.errors import Busy

PRIVATE_FILE = 0o600
PRIVATE_DIR = 0o700
SHARED_FILE = 0o644
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) if hasattr(errno, "EDQUOT") else (errno.ENOSPC,)
_RETRY = 0.02
_PIECE = 1 << 16
_MARK = 1 << 40


def disk_full(error: OSError) -> bool:
    """Whether the disk (or a quota) has no room left."""
    return error.errno in _FULL


def write_atomic(path: Path, content: bytes, mode: int = SHARED_FILE) -> None:
    """Put `content` at `path`, durably, or leave what was there. Raises Busy when the disk is
    full, else OSError."""
    write_all([(path, content)], mode)


def write_all(files: Iterable[tuple[Path, bytes]], mode: int = SHARED_FILE) -> None:
    """Many files in one go: each is whole or as before; each directory is synced once.

    All contents reach the disk before the first name changes, so that a full disk changes no
    file. Names change one after the other: a kill in between leaves some new, some old.
    Raises Busy when the disk is full, else OSError.
    """
    staged: list[tuple[str, Path]] = []
    moved = 0
    try:
        for path, content in files:
            staged.append((_beside(path), path))
            _write_synced(staged[-1][0], content, mode)
        for temporary, path in staged:
            move(temporary, str(path))
            sync_moved(path)
            moved += 1
    except OSError as error:
        if disk_full(error):
            raise no_room(error) from error
        raise
    finally:
        for temporary, _ in staged[moved:]:
            Path(temporary).unlink(missing_ok=True)
    for directory in dict.fromkeys(path.parent for _, path in staged):
        sync_directory(directory)


def write_new(path: Path | str, content: bytes, mode: int = SHARED_FILE) -> None:
    """Put `content` at `path`, synced, for a place that nothing reads yet; its name is durable
    once its directory is synced. Raises Busy when the disk is full, else OSError."""
    try:
        try:
            _write_synced(path, content, mode)
        except FileExistsError:
            Path(path).unlink()
            _write_synced(path, content, mode)
    except OSError as error:
        Path(path).unlink(missing_ok=True)
        if disk_full(error):
            raise no_room(error) from error
        raise


def write_plain(path: Path | str, content: bytes) -> None:
    """Put `content` at `path`, not synced: a copy of what is on the disk already. Raises
    OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    fd = os.open(path, flags, 0o666)
    try:
        write_fully(fd, content)
    finally:
        os.close(fd)


def read_plain(path: Path | str) -> bytes:
    """The content of a file, empty when there is none."""
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return b""
    parts: list[bytes] = []
    try:
        while some := os.read(fd, max(_PIECE, os.fstat(fd).st_size + 1)):
            parts.append(some)
    except IsADirectoryError:
        return b""
    finally:
        os.close(fd)
    return b"".join(parts)


def look(path: str) -> os.stat_result | None:
    """What the system says of a file, None where there is none: for thousands, so by its name."""
    try:
        return os.stat(path)  # noqa: PTH116
    except (FileNotFoundError, NotADirectoryError):
        return None


def move(path: str, to: str) -> None:
    """Give a file another name, in place of what was there. Raises OSError."""
    os.replace(path, to)  # noqa: PTH105


def make_private(path: Path) -> Path:
    """A directory that only its owner may enter (0700), with its parents; gives `path` back."""
    found = look(str(path))
    if found is None or found.st_mode != stat.S_IFDIR | PRIVATE_DIR:
        path.mkdir(mode=PRIVATE_DIR, parents=True, exist_ok=True)
        path.chmod(PRIVATE_DIR)
    return path


def make(path: str) -> None:
    """A directory with its parents. To look costs less than to try."""
    if look(path) is None:
        Path(path).mkdir(parents=True, exist_ok=True)


def write_private(path: Path, content: bytes) -> None:
    """`write_atomic` for secrets: only the owner may read it (0600)."""
    write_atomic(path, content, PRIVATE_FILE)


def write_fully(fd: int, content: bytes) -> None:
    """All of `content`, however often the system takes only a part. Raises OSError."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(fd, rest) :]


def no_room(error: OSError) -> Busy:
    """A full disk in words."""
    where = f" at {error.filename}" if error.filename else ""
    return Busy(
        f"the disk is full{where}; nothing was changed",
        "make room and run the same command again",
    )


def lock(fd: int, what: str, wait: float = 0.0) -> None:
    """Hold an open file for this process alone; the system lets go when it is closed or killed.

    what: named in the message. wait: seconds to try. Raises Busy when another run holds it.
    """
    give_up = time.monotonic() + wait
    while not _try_lock(fd):
        if time.monotonic() >= give_up:
            raise Busy(f"{what} is in use by another run", "wait for it to end, then try again")
        time.sleep(_RETRY)


class Lock:
    """`with Lock(path):` holds a lock file. Raises Busy when another run holds it."""

    def __init__(self, path: Path, what: str = "", wait: float = 0.0) -> None:
        self._path, self._what, self._wait = path, what or str(path), wait
        self._fd = -1

    def __enter__(self) -> Lock:
        self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
        try:
            lock(self._fd, self._what, self._wait)
        except BaseException:
            os.close(self._fd)
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        os.close(self._fd)


def _beside(path: Path) -> str:
    return f"{path.parent}/.{path.name}.{os.getpid()}.{os.urandom(4).hex()}.tmp"


def _write_synced(path: Path | str, content: bytes, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    fd = os.open(path, flags, mode)
    try:
        write_fully(fd, content)
        sync_file(fd, path)
    finally:
        os.close(fd)


def _try_lock(fd: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(fd, _MARK, os.SEEK_SET)  # far beyond the content, which stays readable
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            return False
        raise
    return True
