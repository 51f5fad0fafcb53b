"""Delivery into a Maildir, exactly once: written to tmp, recorded, renamed into new.

A run killed before the record leaves a file in tmp that is never shown; one killed after it
leaves the rename to `finish`. A reader may take the mail away at any time.
"""

from __future__ import annotations

import os
from pathlib import Path

from pbem.base.files import PRIVATE_FILE, disk_full, move, write_new
from pbem.base.syncing import sync_directory
from pbem.outbound.transports.interface import Later, Once, Outgoing, Sent

ENDING = ".pbem"


class Maildir:
    """A Maildir (made when it is not there)."""

    def __init__(self, path: Path) -> None:
        self._path, self._text = path, str(path)
        self._made = False
        self._left: dict[str, list[str]] | None = None

    def deliver(self, mail: Outgoing, once: Once) -> None:
        """Put the mail into `new`. Raises Later when there is no room, or no such place."""
        self.lay(mail)
        once()
        self.show(mail)

    def lay(self, mail: Outgoing) -> None:
        """Put the mail into `tmp`. Raises Later when there is no room, or no such place."""
        try:
            self._make()
            write_new(f"{self._text}/tmp/{mail.id}{ENDING}", mail.content, PRIVATE_FILE)
            sync_directory(f"{self._text}/tmp")
        except OSError as error:
            raise Later(f"{self._path}: {error.strerror}") from None

    def show(self, mail: Outgoing) -> None:
        """Move it from `tmp` into `new`. Raises Later."""
        self._show(f"{mail.id}{ENDING}")

    def finish(self, game: str, sent: Sent) -> None:
        """Rename what was recorded and not renamed; what was not recorded is written again.
        Raises Later."""
        if self._left is None:
            self._left = _left(self._path / "tmp")
        for name in self._left.pop(game, ()):
            if sent(name.removesuffix(ENDING)):
                self._show(name)
            else:
                Path(f"{self._text}/tmp/{name}").unlink(missing_ok=True)

    def _show(self, name: str) -> None:
        """Rename from `tmp` into `new`, where readers look."""
        try:
            move(f"{self._text}/tmp/{name}", f"{self._text}/new/{name}")
            sync_directory(f"{self._text}/new")
        except FileNotFoundError:
            return
        except OSError as error:
            if not disk_full(error):
                raise Later(f"{self._path}: {error.strerror}") from None

    def close(self) -> None:
        """Nothing is held."""

    def _make(self) -> None:
        if not self._made:
            for part in ("tmp", "new", "cur"):
                (self._path / part).mkdir(mode=0o700, parents=True, exist_ok=True)
            self._made = True


def _left(folder: Path) -> dict[str, list[str]]:
    """What earlier runs left in `tmp`, by game."""
    found: dict[str, list[str]] = {}
    try:
        names = [entry.name for entry in os.scandir(folder) if entry.name.endswith(ENDING)]
    except FileNotFoundError:
        return {}
    for name in sorted(names):
        found.setdefault(name.split(".")[-2], []).append(name)
    return found
