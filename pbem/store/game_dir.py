"""A game's folder: where things lie, and the one way in which anything is committed.

A commit is one line of the ledger. Its files are written as one bundle first
(`private/stage/`, synced), the line names them with their digests (synced), then the bundle is
spread and every file moved to its place. Commits that are gathered share a bundle. A kill before
the line leaves a bundle that the next command deletes; a kill after it, moves that it finishes.
The bundle is kept (`private/issued/`): a file that a power cut took is read from there.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace

from pbem.base.clock import is_set, now, stamp
from pbem.base.files import (
    disk_full,
    make_directory,
    make_private,
    move,
    read_plain,
    stat_of,
    write_new,
    write_plain,
    write_private,
)
from pbem.base.syncing import sync_directory
from pbem.errors import Busy, Damaged, NotFound, Usage
from pbem.store.bundle import Files, pack, places_of, unpack
from pbem.store.ledger import Ledger, Record
from pbem.store.records import Body
from pbem.store.register import Register, fold

LETTER = "letter"
"""The one kind of mail that is never encrypted: who gets it has no key yet."""

LEDGER = "ledger.jsonl"
STAGE, ISSUED = ("private", "stage"), ("private", "issued")
SPREAD, CUT, OUTBOX = ".spread", ".cut", "outbox/"
WAIT = 10.0
"""Seconds that a command waits for another run of the same game."""


class Game:
    """One open game. `register` is what its ledger says; `ledger` is locked when writing."""

    def __init__(self, folder: Path, ledger: Ledger, register: Register) -> None:
        self.folder, self._root = folder, os.fspath(folder)
        self.name = folder.name
        self.ledger = ledger
        self.register = register
        self._gathered: dict[int, Files] | None = None
        self._papers: dict[str, bytes] = {}
        self._kept: dict[str, bytes] = {}

    def path(self, *parts: str) -> Path:
        """A place inside the folder."""
        return self.folder.joinpath(*parts)

    def _at(self, name: str) -> str:
        """The same as text: of a window's two dozen files each name is looked at once."""
        return f"{self._root}/{name}"

    def read(self, *parts: str) -> bytes:
        """The bytes of a file inside the folder. Raises Damaged when it is nowhere."""
        name, content = "/".join(parts), self.find(*parts)
        if not content:
            path = self.path(*parts)
            raise Damaged(f"{path} is missing", "restore the game's folder from a copy")
        self._require_issued(name, content)
        return content

    def _require_issued(self, name: str, content: bytes) -> None:
        """A file whose digest the ledger holds must be the one that was issued. Raises Damaged."""
        issued = self.register.files.get(name)
        if issued is None or sha256(content).hexdigest() == issued:
            return
        kept = sha256(self.restore(name) or b"").hexdigest() == issued
        raise Damaged(
            f"{self.path(name)} is not what was issued: its digest is not the ledger's",
            "move it away: it is kept in private/issued, and read from there"
            if kept
            else "restore it from a copy of the game's folder",
        )

    def find(self, *parts: str) -> bytes:
        """The bytes of a file inside the folder; one that waits for its place or that a power cut
        took is read from what was issued with it. Empty when it is nowhere."""
        name = "/".join(parts)
        waiting = self._kept.get(name) or self.gathered_file(name)
        return waiting or read_plain(self._at(name)) or self.restore(name) or b""

    def keep(self, name: str, content: bytes) -> None:
        """A file of `private/` that changes with the next commit, or not at all. No record names
        it: its digest in a ledger that is published would let its content be guessed."""
        self._kept[f"private/{name}"] = content
        self._papers.pop(f"private/{name}", None)

    def paper(self, *parts: str) -> bytes:
        """A file that only `keep` changes, read once. Raises Damaged."""
        return self.once(*parts) or self.read(*parts)

    def once(self, *parts: str) -> bytes:
        """`find`, of a file that only `keep` changes: where there is one it is looked for once."""
        name = "/".join(parts)
        if not (content := self._papers.get(name, b"")) and (content := self.find(*parts)):
            self._require_issued(name, content)
            self._papers[name] = content
        return content

    def commit(self, body: Body, files: Files | None = None, at: str = "") -> Record:
        """Append one record, and put its files (paths inside the folder) in place with it.

        at: its time where the files name it too; now without.
        """
        if files and self.register.encrypted:
            require_encrypted(self.register, files)
        clock = "PBEM_NOW" if is_set() else ""
        full = replace(body, clock=clock, files=_digests(files or {}))
        every, self._kept = {**(files or {}), **self._kept}, {}
        if every and self._gathered is None:
            self._stage({self.register.n + 1: every})
        record = self.ledger.append(full, at or stamp(now()))
        self.register.take(record)
        if self._gathered is not None:
            self._gathered[record.n] = every
        elif every:
            self._settle(record.n, every)
        return record

    def gather(self) -> None:
        """From now on commits wait: `stage` writes their files as one bundle, `record` their
        lines, which must come behind a sync of this, and `settle` puts the files in their places,
        behind a sync of the lines."""
        self._gathered = {}
        self.ledger.hold()

    @property
    def gathered(self) -> bool:
        """Whether commits wait."""
        return bool(self._gathered)

    def gathered_file(self, name: str) -> bytes:
        """The content that waits for that path, the newest of several; empty without any."""
        waiting = reversed((self._gathered or {}).values())
        return next((files[name] for files in waiting if name in files), b"")

    def stage(self) -> None:
        """Write the files of what was gathered as one bundle. Raises Busy on a full disk, and
        then nothing of it happened."""
        if commits := self._commits():
            self._stage(commits)

    def _commits(self) -> dict[int, Files]:
        return {n: files for n, files in (self._gathered or {}).items() if files}

    def record(self) -> None:
        """Write the lines of what was gathered. Raises Busy on a full disk, and then nothing of
        it happened."""
        self.ledger.release()

    def settle(self) -> None:
        """Put the files of what was gathered in their places."""
        commits, self._gathered = self._commits(), None
        if commits:
            self._settle(min(commits), _merged(commits))

    def finish(self) -> None:
        """Finish what a killed run committed, and clear away what it did not.

        What is staged bears the number of its first record: one that the ledger holds was
        committed.
        """
        stage = self.path(*STAGE)
        if not stage.exists() or not any(stage.iterdir()):
            return
        for n in sorted({_number(path) for path in stage.iterdir()}):
            bundle, spread = Path(self._bundle(n)), Path(self._bundle(n, SPREAD))
            if n <= self.register.n and bundle.exists():
                self._settle(n, self._committed(n))
            elif n <= self.register.n and spread.exists():
                self._place(n, _outgoing(places_of(spread)))
        for left in stage.iterdir():
            left.unlink()

    def _bundle(self, n: int, ending: str = "") -> str:
        """Where the files of record n are staged as one."""
        return self._at(f"{'/'.join(STAGE)}/{n}{ending}")

    def _stage(self, commits: Mapping[int, Files]) -> None:
        """Put the files of the next records on the disk as one, and make room where they
        belong."""
        stage = make_private(self.path(*STAGE))
        write_new(self._bundle(min(commits)), pack(commits))
        sync_directory(stage)
        for folder in {name.rpartition("/")[0] for files in commits.values() for name in files}:
            make_directory(self._at(folder))

    def _committed(self, n: int) -> dict[str, bytes]:
        """The files of a bundle whose records stand. Where a kill kept the last of them from the
        ledger, these are cut from the bundle: they never happened."""
        commits = unpack(read_plain(self._bundle(n)))
        held = {k: files for k, files in commits.items() if k <= self.register.n}
        if len(held) < len(commits):
            write_new(self._bundle(n, CUT), pack(held))
            move(self._bundle(n, CUT), self._bundle(n))
        return _merged(held)

    def _settle(self, n: int, files: Files) -> None:
        """Put the files of the bundle n in their places. Its records stand and it is on the
        disk: what a full disk keeps from being done here, the next command finishes."""
        mails = _outgoing(files)
        try:
            for name in sorted(files.keys() - set(mails)):
                if name.startswith("private/"):
                    write_private(self.path(name), files[name])
                else:
                    write_plain(self._at(name), files[name])
            for i, name in enumerate(mails):
                self._spread(self._bundle(n, f"-{i}"), name, files)
            move(self._bundle(n), self._bundle(n, SPREAD))
            self._place(n, mails)
        except Busy:
            return  # no room for a file of the moderator's own
        except OSError as error:
            if not disk_full(error):
                raise

    def _spread(self, place: str, name: str, files: Files) -> None:
        """An outgoing mail, ready to be moved: a second name of its copy where it has one."""
        if stat_of(place):
            Path(place).unlink()
        for copy, content in files.items():
            if content == files[name] and not copy.startswith(OUTBOX):
                Path(place).hardlink_to(self._at(copy))
                return
        write_plain(place, files[name])

    def _place(self, n: int, mails: list[str]) -> None:
        """Move the mails into the outbox; one that is not in the stage any more went before, and
        may have been sent since. The bundle stays with the moderator's papers."""
        for i, name in enumerate(mails):
            spread = self._bundle(n, f"-{i}")
            if stat_of(spread):
                move(spread, self._at(name))
        issued = make_private(self.path(*ISSUED))
        move(self._bundle(n, SPREAD), f"{issued}/{n}")

    def restore(self, name: str) -> bytes | None:
        """A file as it was issued, from the newest bundle that holds it, also of a commit that a
        kill kept from being spread; None without one."""
        folder = self.path(*ISSUED)
        numbers = sorted((int(p.name) for p in folder.glob("*")), reverse=True)
        staged = {_number(path) for path in self.path(*STAGE).glob("*")}
        fresh = sorted((n for n in staged if n <= self.register.n), reverse=True)
        bundles = [Path(self._bundle(n, ending)) for n in fresh for ending in ("", SPREAD)]
        for bundle in (*bundles, *(folder / str(n) for n in numbers)):
            try:
                held = [n for _, _, n in places_of(bundle)[name] if n <= self.register.n]
                if held:
                    return unpack(bundle.read_bytes())[max(held)][name]
            except (FileNotFoundError, KeyError, Damaged):
                continue  # there is none, or another run has just moved it, or it cannot be read
        return None


def _merged(commits: Mapping[int, Files]) -> dict[str, bytes]:
    return {name: content for files in commits.values() for name, content in files.items()}


def _digests(files: Files) -> dict[str, str]:
    """SHA-256 of every file, hashed once where several names have the same content."""
    once = {content: sha256(content).hexdigest() for content in set(files.values())}
    return {name: once[files[name]] for name in sorted(files)}


@contextmanager
def writing(home: Path, name: str) -> Iterator[Game]:
    """The game of that name, locked, with whatever a killed run left behind put right.

    Raises NotFound, Busy, Damaged.
    """
    with Ledger.open(_ledger(home, name), wait=WAIT) as ledger:
        game = Game(home / name, ledger, _begun(home, name, fold(ledger.records())))
        game.finish()
        yield game


def reading(home: Path, name: str) -> Game:
    """The game of that name, without a lock. Raises NotFound, Damaged."""
    ledger = Ledger.open(_ledger(home, name), lock=False)
    return Game(home / name, ledger, _begun(home, name, fold(ledger.records())))


def unread(home: Path, name: str) -> Game:
    """The game of that name, of whose ledger nothing is read yet, for audits. Raises NotFound."""
    return published(_ledger(home, name))


def published(path: Path) -> Game:
    """A game that is nothing but a ledger file, as `unread`. Raises NotFound."""
    return Game(path.parent, Ledger.open(path, lock=False), Register())


def games(home: Path) -> list[str]:
    """The names of the games in `home`: folders that hold a ledger."""
    if not home.is_dir():
        return []
    with os.scandir(home) as found:
        marks = [(entry.name, stat_of(f"{entry.path}/{LEDGER}")) for entry in found]
    return sorted(name for name, mark in marks if mark and mark.st_size)


@contextmanager
def creating(home: Path, name: str) -> Iterator[Game]:
    """A new game's folder and empty ledger. Raises Usage when the name is taken or unfit."""
    require_name(name)
    folder = home / name
    if name in games(home):
        raise Usage(f"there is a game {name} in {home} already", "choose another name")
    make_private(folder)  # also reports and the truth are for nobody else on this machine
    make_private(folder / "private")
    for part in ("outbox", "reports", "state"):
        (folder / part).mkdir(exist_ok=True)
    path = folder / LEDGER
    with Ledger.open(path, wait=WAIT) if path.exists() else Ledger.create(path) as ledger:
        if ledger.position.n:
            raise Usage(f"there is a game {name} in {home} already", "choose another name")
        yield Game(folder, ledger, Register())


def _number(staged: Path) -> int:
    """The number of the record that a staged file is of: `12`, `12.spread`, `12-0`."""
    return int(staged.name.partition(".")[0].partition("-")[0])


def _outgoing(names: Iterable[str]) -> list[str]:
    """Those of `names` that go into the outbox, sorted."""
    return sorted(name for name in names if name.startswith(OUTBOX))


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
    if not register.n:
        raise _no_game(home, name)
    return register


def _no_game(home: Path, name: str) -> NotFound:
    known = ", ".join(games(home)) or "none"
    return NotFound(f"no game {name} in {os.fspath(home)}", f"games here: {known}; see --home")


def require_encrypted(register: Register, files: Mapping[str, bytes]) -> None:
    """A fault of ours: mail of an encrypted game that would leave in the open."""
    for name, content in files.items() if register.encrypted else ():
        side, _, kind = name.removeprefix("outbox/").removesuffix(".eml").partition("-")
        ours = name.startswith("outbox/") and side in register.sides
        if ours and not kind.endswith(LETTER) and b'.eml.age"\r\n' not in content:
            raise AssertionError(f"{name} is not encrypted")
