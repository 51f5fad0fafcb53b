"""A Maildir as mailbox: new mail is in `new`, and fetched mail moves to `cur` with the flag S."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISREG

from pbem.base.clock import LAST_SECOND, stamp
from pbem.base.files import make_directory, move
from pbem.inbound.letter import LARGEST
from pbem.inbound.mailboxes.interface import Fetched, FetchFailed


class Maildir:
    """One Maildir. A missing folder is a failure, not an empty mailbox: no window may close."""

    def __init__(self, path: Path) -> None:
        self._path, self.left = path, 0
        self.strange: list[str] = []

    def __enter__(self) -> Maildir:
        if not (self._path / "new").is_dir():
            raise FetchFailed(f"{self._path} is not a Maildir: it has no folder `new`")
        return self

    def __exit__(self, *raised: object) -> None:
        return

    def mails(self, most: int) -> Iterator[Fetched]:
        """Yield the mails in `new` by time of arrival, the time their files were written.

        What is no file (a folder, a link, a pipe) is no mail: it is left there, and named.
        """
        try:
            found = self._files()
            self.left = max(0, len(found) - most)
            for time, name, size, path in found[:most]:
                arrived = _moment(time)
                with suppress(FileNotFoundError):  # another mail program took it
                    yield Fetched(name, arrived, size, _read_start(path))
        except OSError as error:
            raise FetchFailed(f"{error.filename or self._path}: {error.strerror}") from None

    def _files(self) -> list[tuple[float, str, int, str]]:
        """Time of arrival, name, size and path of each file in `new`, in this order. Raises
        OSError."""
        found, self.strange = [], []
        with os.scandir(self._path / "new") as entries:
            for entry in entries:
                with suppress(FileNotFoundError):
                    facts = entry.stat(follow_symlinks=False)
                    if S_ISREG(facts.st_mode):
                        found.append((facts.st_mtime, entry.name, facts.st_size, entry.path))
                    else:
                        self.strange.append(entry.path)
        self.strange.sort()
        return sorted(found)

    def done(self, keys: Sequence[str]) -> None:
        """Move mails to `cur`. One that is missing was moved by another mail program.

        The moves are not synced: a mail that a power cut moves back is fetched again, and the game
        recognises it.
        """
        new, cur = self._path / "new", self._path / "cur"
        try:
            make_directory(str(cur))
            for key in keys:
                with suppress(FileNotFoundError):
                    move(f"{new}/{key}", f"{cur}/{key.partition(':')[0]}:2,S")
        except OSError as error:
            raise FetchFailed(f"{self._path}: {error.strerror}") from None


def _moment(written: float) -> str:
    """The time at which a file was written as ISO time in UTC; a time without a date, which a file
    may have that a program has copied, is the nearest one that has."""
    return stamp(datetime.fromtimestamp(min(max(0, int(written)), LAST_SECOND), UTC))


def _read_start(path: str) -> bytes:
    """Read a mail up to the limit, and one byte more. A link or pipe that has taken its place since
    is not followed, and not waited for. Raises OSError."""
    with open(path, "rb", buffering=0, opener=_open_file) as file:
        return file.read(LARGEST + 1)


def _open_file(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
