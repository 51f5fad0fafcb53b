"""A Maildir as mailbox: new mail is in `new`; what was fetched moves to `cur`, marked seen."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from pbem.base.clock import stamp
from pbem.base.files import make_directory, move
from pbem.inbound.letter import LARGEST
from pbem.inbound.mailboxes.interface import Fetched, FetchFailed


class Maildir:
    """One Maildir. A folder that is not there is a failure, not an empty mailbox."""

    def __init__(self, path: Path) -> None:
        self._path, self.left = path, 0

    def __enter__(self) -> Maildir:
        if not (self._path / "new").is_dir():
            raise FetchFailed(f"{self._path} is no Maildir")
        return self

    def __exit__(self, *raised: object) -> None:
        return

    def mails(self, most: int) -> Iterator[Fetched]:
        """What lies in `new`, by time of arrival."""
        try:
            with os.scandir(self._path / "new") as entries:
                found = sorted((e.stat().st_mtime, e.name, e) for e in entries)
            self.left = max(0, len(found) - most)
            for time, name, entry in found[:most]:
                arrived = stamp(datetime.fromtimestamp(int(time), UTC))
                yield Fetched(name, arrived, entry.stat().st_size, _begun(entry.path))
        except OSError as error:
            raise FetchFailed(f"{self._path}: {error.strerror}") from None

    def done(self, keys: Sequence[str]) -> None:
        """Move them to `cur`; one that is gone was moved by somebody else.

        What a power cut moves back is fetched again, and known.
        """
        new, cur = self._path / "new", self._path / "cur"
        try:
            make_directory(str(cur))
            for key in keys:
                with suppress(FileNotFoundError):
                    move(f"{new}/{key}", f"{cur}/{key.partition(':')[0]}:2,S")
        except OSError as error:
            raise FetchFailed(f"{self._path}: {error.strerror}") from None


def _begun(path: str) -> bytes:
    """A mail, cut off behind the cap."""
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123
        return file.read(LARGEST + 1)
