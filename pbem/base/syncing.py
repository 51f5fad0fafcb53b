"""When what was written is on the disk: each file at once, or many of them together.

Inside `with together() as pending:` files and directories are only remembered, and `pending.sync()`
makes all of them durable: one order to the file system instead of one a file. Nothing may be
acknowledged before it returned, and what must not be there before something else is written
behind a `sync` of that.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FEW = 12
"""So many files are synced one by one: other programs' data need not wait for that."""


class Pending:
    """Files and directories that were written and not yet synced."""

    def __init__(self) -> None:
        self._paths: dict[str, None] = {}

    def add(self, path: Path | str) -> None:
        """It was written."""
        self._paths[str(path)] = None

    def paths(self) -> list[str]:
        """What was added since the last `sync`."""
        return list(self._paths)

    def sync(self) -> None:
        """Make everything added durable. Raises OSError, also for data that were lost before."""
        paths, self._paths = self.paths(), {}
        if len(paths) <= FEW or not _sync_systems(paths):
            for path in paths:
                _sync(path)


class _Now:
    """What is put off at the moment, if anything is."""

    pending: Pending | None = None


@contextmanager
def together() -> Iterator[Pending]:
    """Put syncing off until `sync`, which is done at the end once more. Not to be nested."""
    with put_off() as pending:
        try:
            yield pending
        finally:
            pending.sync()


@contextmanager
def put_off() -> Iterator[Pending]:
    """Put syncing off until `sync`; what was written behind the last one is left to the caller.
    Not to be nested."""
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
    """What was written under another name is here now: where syncing is put off, sync it here."""
    if _Now.pending is not None:
        _Now.pending.add(path)


def sync_directory(directory: Path | str) -> None:
    """Make the names in a directory durable, now or together with others. Windows does that by
    itself."""
    if _Now.pending is None:
        _sync(directory)
    else:
        _Now.pending.add(directory)


def _sync(path: Path | str) -> None:
    """Sync one file or directory; one that was moved or deleted since is synced by its place."""
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
    """The system does not say which file it could not sync. Raises OSError."""
    try:
        os.fsync(fd)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _sync_systems(paths: list[str]) -> bool:
    """Sync the file systems that hold `paths`, each once; False where that cannot be done."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    try:
        order = ctypes.CDLL(None, use_errno=True).syncfs
    except (OSError, AttributeError):
        return False
    folders = {path[: path.rfind("/") + 1] or "." for path in paths}
    for path in {Path(folder).stat().st_dev: folder for folder in folders}.values():
        fd = os.open(path, os.O_RDONLY)
        try:
            if order(fd):
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(path))
        finally:
            os.close(fd)
    return True
