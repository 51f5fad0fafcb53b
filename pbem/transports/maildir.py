"""Delivery into a Maildir, exactly once: written to tmp, recorded, renamed into new.

A run killed before the record leaves a file in tmp that is written again; one killed after it
leaves the rename to `finish`. A reader may take the mail away at any time.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from pbem.files import disk_full, sync_directory, write_private
from pbem.transports import Later, Once, Outgoing


class Maildir:
    """A Maildir (made when it is not there)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._made = False

    def deliver(self, mail: Outgoing, once: Once) -> None:
        """Put the mail into `new`. Raises Later when there is no room, or no such place."""
        try:
            self._make()
            write_private(self._staged(mail), mail.content)
        except OSError as error:
            raise Later(f"{self._path}: {error.strerror}") from None
        once()
        self._show(self._staged(mail))

    def finish(self, game: str, unsent: Collection[str]) -> None:
        """Rename what was recorded and not renamed. Raises Later."""
        for staged in sorted((self._path / "tmp").glob(f"*.{game}.pbem")):
            if staged.stem not in unsent:
                self._show(staged)

    def _show(self, staged: Path) -> None:
        """Rename into `new`, where readers look."""
        try:
            staged.replace(self._path / "new" / staged.name)
            sync_directory(self._path / "new")
        except FileNotFoundError:
            return
        except OSError as error:
            if not disk_full(error):
                raise Later(f"{self._path}: {error.strerror}") from None

    def close(self) -> None:
        """Nothing is held."""

    def _staged(self, mail: Outgoing) -> Path:
        return self._path / "tmp" / f"{mail.id}.pbem"

    def _make(self) -> None:
        if not self._made:
            for part in ("tmp", "new", "cur"):
                (self._path / part).mkdir(mode=0o700, parents=True, exist_ok=True)
            self._made = True
