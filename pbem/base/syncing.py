"""When written files reach the disk: each at once, or many of them together.

Inside `with together() as pending:` files and directories are only noted, and `pending.sync()`
makes all of them durable with one call to the file system instead of one per file. Two rules keep
a commit safe (docs/design.md, "One line commits a window"): acknowledge nothing before `sync` has
returned, and call `sync` between two writes if the first must be on the disk before the second.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MAX_SINGLE_SYNCS = 12
"""Up to this many files, sync each; above, sync the whole file system (`syncfs`), which may wait
for the data of other programs too."""


class Pending:
    """Files and directories that were written but not yet synced."""

    def __init__(self) -> None:
        self._paths: dict[str, None] = {}

    def add(self, path: Path | str) -> None:
        """Note a path that was written."""
        self._paths[str(path)] = None

    def paths(self) -> list[str]:
        """The paths added since the last `sync`."""
        return list(self._paths)

    def sync(self) -> None:
        """Make everything added durable. Raises OSError, also if the system lost data before."""
        paths, self._paths = self.paths(), {}
        if len(paths) <= MAX_SINGLE_SYNCS or not _sync_systems(paths):
            for path in paths:
                _sync(path)


class _Now:
    """What collects paths at the moment; None: sync at once."""

    pending: Pending | None = None


@contextmanager
def together() -> Iterator[Pending]:
    """Put syncing off until `pending.sync()`, which also runs at the end. Cannot be nested."""
    with put_off() as pending:
        try:
            yield pending
        finally:
            pending.sync()


@contextmanager
def put_off() -> Iterator[Pending]:
    """Put syncing off until `pending.sync()`. The caller syncs what is written after the last
    call. Cannot be nested."""
    assert _Now.pending is None
    _Now.pending = pending = Pending()
    try:
        yield pending
    finally:
        _Now.pending = None


def sync_file(fd: int, path: Path | str) -> None:
    """Make an open file's content durable, now or together with others. Raises OSError."""
    if _Now.pending is None:
        _fsync(fd, path)
    else:
        _Now.pending.add(path)


def sync_moved(path: Path | str) -> None:
    """Note the new name of a file that was renamed after `sync_file`.

    Where syncing is put off, the path that `sync_file` noted no longer exists when it is synced.
    """
    if _Now.pending is not None:
        _Now.pending.add(path)


def sync_directory(directory: Path | str) -> None:
    """Make the names in a directory durable, now or together with others.

    POSIX makes a new or changed name durable only when its directory is synced. Windows does it by
    itself. Raises OSError.
    """
    if _Now.pending is None:
        _sync(directory)
    else:
        _Now.pending.add(directory)


def _sync(path: Path | str) -> None:
    """Sync one file or directory. Ignore a path that was moved or deleted since: its new name was
    noted separately."""
    if sys.platform == "win32":
        if Path(path).is_file():
            with Path(path).open("rb+") as file:
                _fsync(file.fileno(), path)
        return
    try:
        fd = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return
    try:
        _fsync(fd, path)
    finally:
        os.close(fd)


def _fsync(fd: int, path: Path | str) -> None:
    """Sync an open file. Raises OSError with the path, which the system's own error lacks."""
    try:
        os.fsync(fd)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _sync_systems(paths: list[str]) -> bool:
    """Sync each file system that holds one of `paths` once.

    Returns False if this system has no `syncfs`. Python has no function for it, hence `ctypes`.
    """
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    try:
        syncfs = ctypes.CDLL(None, use_errno=True).syncfs
    except (OSError, AttributeError):
        return False
    folders = {path[: path.rfind("/") + 1] or "." for path in paths}
    for path in {Path(folder).stat().st_dev: folder for folder in folders}.values():
        fd = os.open(path, os.O_RDONLY)
        try:
            if syncfs(fd):
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(path))
        finally:
            os.close(fd)
    return True
