"""Write files so that a killed process, a full disk or a second run leaves them whole or unchanged.

A file is written under a temporary name in the same directory, synced, and then renamed: `rename`
is atomic within a file system, and the sync before it keeps a power cut from leaving the new name
with an empty file.

`write_named` does it for a path that a user gave, which may be a link or a pipe; the others are for
files of a home.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from pbem.base.syncing import sync_directory, sync_file, sync_moved
from pbem.errors import Busy

PRIVATE_FILE = 0o600
PRIVATE_DIR = 0o700
SHARED_FILE = 0o644
ANY_FILE = 0o666
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) if hasattr(errno, "EDQUOT") else (errno.ENOSPC,)
_RETRY = 0.02
"""Seconds between two attempts to get a lock."""
_PIECE = 1 << 16
"""Bytes to read at least in one call."""
_LINKS = 40
"""Symbolic links to follow, as many as Linux does."""
_MARK = 1 << 40
"""The byte that is locked on Windows."""


def disk_full(error: OSError) -> bool:
    """Whether the disk (or a quota) has no room left."""
    return error.errno in _FULL


def write_atomic(path: Path, content: bytes, mode: int = SHARED_FILE) -> None:
    """Write `content` to `path` durably, or leave the old file. Raises Busy on a full disk, else
    OSError."""
    write_all([(path, content)], mode)


def write_all(files: Iterable[tuple[Path, bytes]], mode: int | None = SHARED_FILE) -> None:
    """Write several files, each whole or as before; sync each directory once.

    All contents are on the disk before the first file is renamed, so that a full disk changes no
    file. Files are renamed one after the other: a kill in between leaves some new and some old.
    mode: None gives each the mode of the file that it replaces, a new one what the umask leaves.
    Raises Busy on a full disk, else OSError.
    """
    staged: list[tuple[str, Path]] = []
    moved = 0
    try:
        for path, content in files:
            staged.append((_beside(path), path))
            _stage(staged[-1][0], path, content, mode)
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
    # The new names are durable only once the directories that hold them are synced.
    for directory in dict.fromkeys(path.parent for _, path in staged):
        sync_directory(directory)


def write_named(files: Mapping[Path, bytes]) -> None:
    """Write files whose paths a user gave, each whole or as before; one that was there keeps its
    mode.

    Links are followed. What no new file can take the place of is written in place, after all the
    others: pipes, devices, what /dev/stdout leads to, a file of another owner or with a second
    name, and one in a folder that takes no new files. Raises Busy on a full disk, else OSError.
    """
    places = [(_replaceable(path), path, content) for path, content in files.items()]
    write_all([(place, content) for place, _, content in places if place], None)
    for place, path, content in places:
        if place is None:
            write_plain(path, content)


def write_new(path: Path | str, content: bytes, mode: int = SHARED_FILE) -> None:
    """Write and sync a file at a path that nothing reads yet, without a temporary name.

    The caller syncs the directory to make the name durable. Raises Busy on a full disk, else
    OSError.
    """
    try:
        try:
            _write_synced(path, content, mode)
        except FileExistsError:  # a killed run left it
            Path(path).unlink()
            _write_synced(path, content, mode)
    except OSError as error:
        Path(path).unlink(missing_ok=True)
        if disk_full(error):
            raise no_room(error) from error
        raise


def write_plain(path: Path | str, content: bytes) -> None:
    """Write a file without syncing it: a copy of what is on the disk already. Raises OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    fd = os.open(path, flags, ANY_FILE)
    try:
        write_fully(fd, content)
    finally:
        os.close(fd)


def read_plain(path: Path | str) -> bytes:
    """Return the content of a file, empty if there is none. Raises OSError."""
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


def stat_of(path: str) -> os.stat_result | None:
    """Return the `stat` of a file, None if there is none. Raises OSError.

    It takes a string because ticks look at thousands of files, and a `Path` costs more to make.
    """
    try:
        return os.stat(path)  # noqa: PTH116
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        return None  # a symbolic link that leads to itself


def move(path: str, to: str) -> None:
    """Rename a file, replacing what has the new name. Raises OSError."""
    os.replace(path, to)  # noqa: PTH105


def make_private(path: Path) -> Path:
    """Make a directory that only its owner may enter (0700), with its parents. Return `path`."""
    found = stat_of(str(path))
    if found is None or found.st_mode != stat.S_IFDIR | PRIVATE_DIR:
        path.mkdir(mode=PRIVATE_DIR, parents=True, exist_ok=True)
        path.chmod(PRIVATE_DIR)
    return path


def make_directory(path: str) -> None:
    """Make a directory with its parents, if it is missing."""
    if stat_of(path) is None:  # cheaper than `mkdir` on a directory that exists
        Path(path).mkdir(parents=True, exist_ok=True)


def write_private(path: Path, content: bytes) -> None:
    """Write a secret as `write_atomic` does; only its owner may read it (0600)."""
    write_atomic(path, content, PRIVATE_FILE)


def write_fully(fd: int, content: bytes) -> None:
    """Write all of `content`: one `write` may accept only a part. Raises OSError."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(fd, rest) :]


def no_room(error: OSError) -> Busy:
    """Make the error for a full disk."""
    where = f" at {error.filename}" if error.filename else ""
    return Busy(
        f"the disk is full{where}; nothing was changed",
        "make room and run the same command again",
    )


def what_helps(error: OSError) -> tuple[str, str]:
    """Return what an error of the system says, and what to do about it."""
    said = f"{error.strerror or error}: {error.filename or ''}".rstrip(": ")
    if disk_full(error):
        return said, "make room and run the same command again"
    if not isinstance(error, PermissionError) or not error.filename:
        return said, ""
    place = Path(os.fsdecode(error.filename))
    with suppress(OSError, KeyError, NotImplementedError):
        there = next(one for one in (place, *place.parents) if one.exists())
        owner = there.owner()
        if there.stat().st_uid == os.geteuid():
            return said, f"{there} is yours, but its mode forbids this: chmod u+rw"
        return said, f"{there} belongs to {owner}: run pbem as that user"
    return said, "run pbem as the user to whom the games belong"


def lock(fd: int, what: str, wait: float = 0.0) -> None:
    """Lock an open file; the system releases the lock when the file is closed or the process dies.

    So a killed run never leaves a stale lock. what: the file's name in the message; wait: seconds
    to try. Raises Busy if another run holds the lock.
    """
    give_up = time.monotonic() + wait
    while not _try_lock(fd):
        if time.monotonic() >= give_up:
            raise Busy(f"{what} is in use by another run", "wait for it to end, then try again")
        time.sleep(_RETRY)


class Lock:
    """A context manager that holds a lock file. Raises Busy if another run holds it."""

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
    """A new temporary name in the same directory, so that the rename stays in one file system."""
    return f"{path.parent}/.{path.name}.{os.getpid()}.{os.urandom(4).hex()}.tmp"


def _stage(temporary: str, path: Path, content: bytes, mode: int | None) -> None:
    """Write what shall replace `path` under its temporary name. mode: as in `write_all`."""
    found = stat_of(str(path)) if mode is None else None
    if found is None:
        _write_synced(temporary, content, ANY_FILE if mode is None else mode)
        return
    _write_synced(temporary, content, stat.S_IMODE(found.st_mode))
    if sys.platform != "win32":
        with suppress(PermissionError):  # a group that its owner has left
            os.chown(temporary, -1, found.st_gid)
    Path(temporary).chmod(stat.S_IMODE(found.st_mode))  # the umask took some of it


def _replaceable(path: Path) -> Path | None:
    """Where the links at `path` end, if a new file may take that place; None if the file there must
    be written itself."""
    for _ in range(_LINKS):
        folder = Path(os.path.realpath(path.parent))
        if str(folder).startswith(("/proc/", "/dev/fd")):  # /dev/stdout: a file is open already
            return None
        path = folder / path.name
        if not path.is_symlink():
            break
        path = folder / path.readlink()
    else:
        return None  # a link that leads to itself: writing says so
    if not os.access(path.parent, os.R_OK | os.W_OK | os.X_OK):
        return None
    found = stat_of(str(path))
    if found is None:
        return path
    own = sys.platform == "win32" or found.st_uid == os.geteuid()
    return path if own and stat.S_ISREG(found.st_mode) and found.st_nlink == 1 else None


def _write_synced(path: Path | str, content: bytes, mode: int) -> None:
    """Write a new file and sync it. O_EXCL: never write into another run's file."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    fd = os.open(path, flags, mode)
    try:
        write_fully(fd, content)
        sync_file(fd, path)
    finally:
        os.close(fd)


def _try_lock(fd: int) -> bool:
    """Try once to lock an open file. Return whether that succeeded."""
    try:
        if sys.platform == "win32":
            import msvcrt

            # Windows keeps others from reading what is locked, so lock a byte beyond the content.
            os.lseek(fd, _MARK, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            return False
        raise
    return True
