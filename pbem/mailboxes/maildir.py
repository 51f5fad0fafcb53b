"""A Maildir as mailbox: new mail is in `new`; what was fetched moves to `cur`, marked seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from pbem.clock import stamp
from pbem.mail.letter import LARGEST
from pbem.mailboxes import Fetched, FetchFailed


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
            found = sorted((p.stat().st_mtime, p.name, p) for p in (self._path / "new").iterdir())
            self.left = max(0, len(found) - most)
            for time, name, path in found[:most]:
                with path.open("rb") as file:
                    raw = file.read(LARGEST + 1)
                arrived = stamp(datetime.fromtimestamp(int(time), UTC))
                yield Fetched(name, arrived, path.stat().st_size, raw)
        except OSError as error:
            raise FetchFailed(f"{self._path}: {error.strerror}") from None

    def done(self, keys: Sequence[str]) -> None:
        """Move them to `cur`; one that is gone was moved by somebody else.

        What a power cut moves back is fetched again, and known.
        """
        new, cur = self._path / "new", self._path / "cur"
        try:
            cur.mkdir(exist_ok=True)
            for key in keys:
                with suppress(FileNotFoundError):
                    (new / key).replace(cur / f"{key.partition(':')[0]}:2,S")
        except OSError as error:
            raise FetchFailed(f"{self._path}: {error.strerror}") from None
