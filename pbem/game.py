"""A game's folder: where things lie, and the one way in which anything is committed.

A commit is one line of the ledger. Its files are staged first (`private/stage/`), the line
names them with their digests, then they are moved to their places. A kill before the line
leaves staged files that the next command deletes; a kill after it, moves that it finishes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from pbem.clock import is_set, now, stamp
from pbem.errors import Damaged, NotFound, Usage
from pbem.files import disk_full, link, make_private, sync_directory, write_new
from pbem.ledger import Ledger, Record
from pbem.register import Register, fold

LEDGER = "ledger.jsonl"
STAGE = ("private", "stage")
WAIT = 10.0
"""Seconds that a command waits for another run of the same game."""


class Game:
    """One open game. `register` is what its ledger says; `ledger` is locked when writing."""

    def __init__(self, folder: Path, ledger: Ledger, register: Register) -> None:
        self.folder = folder
        self.name = folder.name
        self.ledger = ledger
        self.register = register

    def path(self, *parts: str) -> Path:
        """A place inside the folder."""
        return self.folder.joinpath(*parts)

    def read(self, *parts: str) -> bytes:
        """The bytes of a file inside the folder. Raises Damaged when it is not there."""
        try:
            return self.path(*parts).read_bytes()
        except FileNotFoundError:
            raise Damaged(
                f"{self.path(*parts)} is missing", "restore the game's folder from a copy"
            ) from None

    def commit(
        self,
        kind: str,
        body: Mapping[str, Any],
        files: Mapping[str, bytes] | None = None,
        at: str = "",
    ) -> Record:
        """Append one record, and put its files (paths inside the folder) in place with it.

        at: its time where the files name it too; now without.
        """
        full = dict(body)
        if is_set():
            full["clock"] = "PBEM_NOW"
        if files:
            full["files"] = {name: sha256(files[name]).hexdigest() for name in sorted(files)}
            self._stage(files, full["files"])
        record = self.ledger.append(kind, full, at or stamp(now()))
        self.register.take(record)
        if files:
            self._settle(full["files"])
        return record

    def finish(self) -> None:
        """Finish what a killed run committed, and clear away what it did not.

        What is staged bears the number of its record: one that the ledger holds was committed.
        """
        stage = self.path(*STAGE)
        if not stage.exists() or not any(stage.iterdir()):
            return
        self._settle(self.register.files)
        for left in stage.iterdir():
            left.unlink()

    def _staged(self, n: int, i: int) -> Path:
        return self.path(*STAGE, f"{n}-{i}")

    def _stage(self, files: Mapping[str, bytes], digests: Mapping[str, str]) -> None:
        """Put the next record's files on the disk, and make room for them where they belong.

        What is staged needs no renaming, since nothing reads it before its record stands; equal
        contents (a report's mail and its copy) are written once and linked.
        """
        stage = make_private(self.path(*STAGE))
        written: dict[str, Path] = {}
        for i, (name, digest) in enumerate(digests.items()):
            place = self._staged(self.register.n + 1, i)
            if digest in written:
                link(written[digest], place)
            else:
                write_new(place, files[name])
            written[digest] = place
            self.path(name).parent.mkdir(parents=True, exist_ok=True)
        sync_directory(stage)

    def _settle(self, files: Mapping[str, str]) -> None:
        """Move the last record's staged files to their places, durably. The record stands: what
        a full disk keeps from being done here, the next command finishes."""
        folders = set()
        for i, name in enumerate(files):
            staged, place = self._staged(self.register.n, i), self.path(name)
            if staged.exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                staged.replace(place)
                folders.add(place.parent)
        try:
            for folder in folders:
                sync_directory(folder)
        except OSError as error:
            if not disk_full(error):
                raise


@contextmanager
def writing(home: Path, name: str) -> Iterator[Game]:
    """The game of that name, locked, with whatever a killed run left behind put right.

    Raises NotFound, Busy, Damaged.
    """
    with Ledger.open(_ledger(home, name), wait=WAIT) as ledger:
        game = Game(home / name, ledger, _begun(home, name, fold(ledger.records())))
        game.finish()
        yield game


def reading(home: Path, name: str, whole: bool = True) -> Game:
    """The game of that name, without a lock. Raises NotFound, Damaged.

    whole: fold the whole ledger; else only its first record, for an audit that checks the rest.
    """
    ledger = Ledger.open(_ledger(home, name), lock=False)
    records = ledger.records()
    register = fold(records if whole else islice(records, 1))
    return Game(home / name, ledger, _begun(home, name, register))


def games(home: Path) -> list[str]:
    """The names of the games in `home`: folders that hold a ledger."""
    return sorted(p.parent.name for p in home.glob(f"*/{LEDGER}") if p.stat().st_size)


@contextmanager
def creating(home: Path, name: str) -> Iterator[Game]:
    """A new game's folder and empty ledger. Raises Usage when the name is taken or unfit."""
    require_name(name)
    folder = home / name
    if name in games(home):
        raise Usage(f"there is a game {name} in {home} already", "choose another name")
    folder.mkdir(parents=True, exist_ok=True)
    make_private(folder / "private")
    for part in ("outbox", "reports", "state"):
        (folder / part).mkdir(exist_ok=True)
    path = folder / LEDGER
    with Ledger.open(path, wait=WAIT) if path.exists() else Ledger.create(path) as ledger:
        if ledger.position.n:
            raise Usage(f"there is a game {name} in {home} already", "choose another name")
        yield Game(folder, ledger, Register())


def require_name(name: str) -> None:
    """Game names are `[a-z][a-z0-9]{0,15}`. Raises Usage."""
    fit = name.isascii() and name.isalnum() and name == name.lower() and name[:1].isalpha()
    if not fit or len(name) > 16:
        raise Usage(
            f"{name!r} is no name for a game",
            "a small letter, then up to 15 small letters or digits",
        )


def _ledger(home: Path, name: str) -> Path:
    require_name(name)
    path = home / name / LEDGER
    if not path.exists():
        raise _no_game(home, name)
    return path


def _begun(home: Path, name: str, register: Register) -> Register:
    """The register of a game that has its first record. Raises NotFound."""
    if not register.created:
        raise _no_game(home, name)
    return register


def _no_game(home: Path, name: str) -> NotFound:
    known = ", ".join(games(home)) or "none"
    return NotFound(f"no game {name} in {os.fspath(home)}", f"games here: {known}; see --home")
