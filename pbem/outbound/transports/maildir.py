"""Delivery into a Maildir, exactly once: written to `tmp`, recorded as sent, renamed into `new`.

A run killed before the record leaves a file in `tmp` that no reader sees and `finish` deletes. A
run killed after the record leaves the rename to `finish`. A reader may remove the mail from `new`
at any time, so its absence there says nothing.
"""

from __future__ import annotations

import os
from pathlib import Path

from pbem.base.files import PRIVATE_FILE, disk_full, move, write_new
from pbem.base.syncing import sync_directory
from pbem.outbound.transports.interface import Later, Outgoing, RecordSent, WasSent

ENDING = ".pbem"


class Maildir:
    """A Maildir; it is created if it does not exist."""

    def __init__(self, path: Path) -> None:
        self._path, self._text = path, str(path)
        self._made = False
        self._left: dict[str, list[str]] | None = None

    def deliver(self, mail: Outgoing, record_sent: RecordSent) -> None:
        """Put the mail into `new`. Raises Later if the disk is full or the path is unusable."""
        self.prepare(mail)
        record_sent()
        self.release(mail)

    def prepare(self, mail: Outgoing) -> None:
        """Write the mail to `tmp`. Raises Later if the disk is full or the path is unusable."""
        try:
            self._make()
            write_new(f"{self._text}/tmp/{mail.id}{ENDING}", mail.content, PRIVATE_FILE)
            sync_directory(f"{self._text}/tmp")
        except OSError as error:
            raise Later(f"{self._path}: {error.strerror}") from None

    def release(self, mail: Outgoing) -> None:
        """Move the mail from `tmp` into `new`. Raises Later."""
        self._move_to_new(f"{mail.id}{ENDING}")

    def finish(self, game: str, sent: WasSent) -> None:
        """Move recorded mails into `new`; delete the others, which are written again.

        Raises Later.
        """
        if self._left is None:
            self._left = _left(self._path / "tmp")
        for name in self._left.pop(game, ()):
            if sent(name.removesuffix(ENDING)):
                self._move_to_new(name)
            else:
                Path(f"{self._text}/tmp/{name}").unlink(missing_ok=True)

    def _move_to_new(self, name: str) -> None:
        """Rename a file from `tmp` into `new`, where readers look. Raises Later.

        A missing file was moved by an earlier run. On a full disk the file stays in `tmp`, and
        the next tick's `finish` moves it.
        """
        try:
            move(f"{self._text}/tmp/{name}", f"{self._text}/new/{name}")
            sync_directory(f"{self._text}/new")
        except FileNotFoundError:
            return
        except OSError as error:
            if not disk_full(error):
                raise Later(f"{self._path}: {error.strerror}") from None

    def close(self) -> None:
        """Do nothing: there is no connection."""

    def _make(self) -> None:
        if not self._made:
            for part in ("tmp", "new", "cur"):
                (self._path / part).mkdir(mode=0o700, parents=True, exist_ok=True)
            self._made = True


def _left(folder: Path) -> dict[str, list[str]]:
    """Return the files that earlier runs left in `tmp`, by game."""
    found: dict[str, list[str]] = {}
    try:
        names = [entry.name for entry in os.scandir(folder) if entry.name.endswith(ENDING)]
    except FileNotFoundError:
        return {}
    for name in sorted(names):
        found.setdefault(name.split(".")[-2], []).append(name)
    return found
