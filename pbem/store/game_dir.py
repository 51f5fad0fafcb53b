"""A game's folder, and the only way in which anything is committed to it.

A commit is one line of the ledger. It takes three steps, and their order is what makes it safe:

1. Write the files of the record as one bundle to `private/stage/`, and sync it.
2. Append the line, which names every file with its digest, and sync it. Now it is committed.
3. Move every file to its place, and keep the bundle in `private/issued/`.

After a kill before step 2 the next command deletes the bundle, which no record names. After a kill
after step 2 the next command finishes step 3. Step 3 syncs nothing: a file that a power cut
destroyed is read from its bundle. A tick gathers the commits of several games, so that each of the
two syncs is done once for all (docs/design.md, "One line commits a window").
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
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
from pbem.errors import Busy, Damaged, NotFound, PbemError, Usage
from pbem.store.bundle import Files, pack, places_of, unpack
from pbem.store.ledger import Ledger, Record
from pbem.store.names import is_name, natural, require_name
from pbem.store.records import Body
from pbem.store.register import Register, fold

LETTER = "letter"
"""The only kind of mail that is never encrypted, because its recipient has no key yet."""

LEDGER = "ledger.jsonl"
STAGE, ISSUED = ("private", "stage"), ("private", "issued")
SPREAD, CUT, OUTBOX = ".spread", ".cut", "outbox/"
"""SPREAD: ending of a staged bundle whose files are in place, except for mails. CUT: ending of a
bundle that is written anew without records that were never appended."""
WAIT = 10.0
"""Seconds that a command waits for another run of the same game."""
_BUNDLED = re.compile(rf"([0-9]{{1,9}})(?:{re.escape(SPREAD)}|{re.escape(CUT)}|-[0-9]+)?")


class Game:
    """An open game. `register` is the state that its ledger gives; `ledger` is locked for writing
    unless the game was opened by `reading`."""

    def __init__(self, folder: Path, ledger: Ledger, register: Register) -> None:
        self.folder, self._root = folder, os.fspath(folder)
        self.name = folder.name
        self.ledger = ledger
        self.register = register
        self._gathered: dict[int, Files] | None = None
        self._cache: dict[str, bytes] = {}
        self._staged_private: dict[str, bytes] = {}

    def path(self, *parts: str) -> Path:
        """A place inside the folder."""
        return self.folder.joinpath(*parts)

    def _at(self, name: str) -> str:
        """The same as text. A commit has two dozen files, and a `Path` takes longer to make."""
        return f"{self._root}/{name}"

    def read(self, *parts: str) -> bytes:
        """Read a file inside the folder. Raises Damaged if it is missing everywhere or altered."""
        name, content = "/".join(parts), self.find(*parts)
        if not content:
            path = self.path(*parts)
            raise Damaged(f"{path} is missing", "restore the game's folder from a copy")
        self._require_issued(name, content)
        return content

    def _require_issued(self, name: str, content: bytes) -> None:
        """Raise Damaged if the ledger holds another digest of this file."""
        issued = self.register.files.get(name)
        if issued is None or sha256(content).hexdigest() == issued:
            return
        kept = sha256(self.restore(name) or b"").hexdigest() == issued
        raise Damaged(
            f"{self.path(name)} was altered: its digest differs from the one in the ledger",
            "move it away: the original is in private/issued, and is read from there"
            if kept
            else "restore it from a copy of the game's folder",
        )

    def find(self, *parts: str) -> bytes:
        """Read a file inside the folder. Returns b"" if it is missing everywhere.

        A file that waits for its commit is read from memory, one that was lost in a power cut from
        its bundle.
        """
        name = "/".join(parts)
        waiting = self._staged_private.get(name) or self.gathered_file(name)
        return waiting or read_plain(self._at(name)) or self.restore(name) or b""

    def stage_private(self, name: str, content: bytes) -> None:
        """Change a file of `private/` with the next commit, or not at all.

        No record names the file: the ledger is published in the end, and from a digest in it the
        content could be guessed.
        """
        self._staged_private[f"private/{name}"] = content
        self._cache.pop(f"private/{name}", None)

    def read_cached(self, *parts: str) -> bytes:
        """As `read`, but only once for each file. Only for files that nothing but `stage_private`
        changes. Raises Damaged."""
        return self.find_cached(*parts) or self.read(*parts)

    def find_cached(self, *parts: str) -> bytes:
        """As `find`, but only once for each file that exists. Only for files that nothing but
        `stage_private` changes. Raises Damaged if it was altered."""
        name = "/".join(parts)
        if not (content := self._cache.get(name, b"")) and (content := self.find(*parts)):
            self._require_issued(name, content)
            self._cache[name] = content
        return content

    def commit(self, body: Body, files: Files | None = None, at: str = "") -> Record:
        """Append one record and put its files in place. files: paths inside the folder.

        at: the time of the record, if the files name it too; otherwise now. When this returns, the
        record is durable, unless commits are being gathered. Raises Busy on a full disk, and
        nothing is committed then.
        """
        if files and self.register.encrypted:
            require_encrypted(self.register, files)
        clock = "PBEM_NOW" if is_set() else ""
        full = replace(body, clock=clock, files=_digests(files or {}))
        every, self._staged_private = {**(files or {}), **self._staged_private}, {}
        # The order of the three steps matters, see above: bundle, line, files.
        if every and self._gathered is None:
            self._stage({self.register.n + 1: every})
        record = self.ledger.append(full, at or stamp(now()))
        self.register.apply(record)
        if self._gathered is not None:
            self._gathered[record.n] = every
        elif every:
            self._settle(record.n, every)
        return record

    def gather(self) -> None:
        """Make commits wait. The caller then does the three steps of a commit for all of them:

        `stage` writes their files as one bundle; after a sync, `record` writes their lines; after
        another sync, `settle` puts the files in their places.
        """
        self._gathered = {}
        self.ledger.buffer()

    @property
    def gathered(self) -> bool:
        """Whether commits wait."""
        return bool(self._gathered)

    def gathered_file(self, name: str) -> bytes:
        """Return the newest content that waits for a commit to that path, b"" without any."""
        waiting = reversed((self._gathered or {}).values())
        return next((files[name] for files in waiting if name in files), b"")

    def stage(self) -> None:
        """Write the files of the gathered commits as one bundle. Raises Busy on a full disk, and
        nothing is committed then."""
        if commits := self._commits():
            self._stage(commits)

    def _commits(self) -> dict[int, Files]:
        """The gathered commits that have files: number of the record to them."""
        return {n: files for n, files in (self._gathered or {}).items() if files}

    def record(self) -> None:
        """Write the lines of the gathered commits. Raises Busy on a full disk, and nothing is
        committed then."""
        self.ledger.flush()

    def settle(self) -> None:
        """Put the files of the gathered commits in their places, and gather no more."""
        commits, self._gathered = self._commits(), None
        if commits:
            self._settle(min(commits), _merged(commits))

    def finish(self) -> None:
        """Finish the commits of a killed run, and delete what it did not commit.

        Staged files are named by the number of their first record. If the ledger has that record,
        they were committed.
        """
        stage = self.path(*STAGE)
        for n in _numbers(stage):
            bundle, spread = Path(self._bundle(n)), Path(self._bundle(n, SPREAD))
            if n <= self.register.n and bundle.exists():
                self._settle(n, self._committed(n))
            elif n <= self.register.n and spread.exists():
                self._place(n, _outgoing(places_of(spread)))
        for left in stage.iterdir() if stage.is_dir() else ():
            if _number(left):  # what another program left there is not ours to delete
                left.unlink()

    def _bundle(self, n: int, ending: str = "") -> str:
        """The path of the staged bundle whose first record is n."""
        return self._at(f"{'/'.join(STAGE)}/{n}{ending}")

    def _stage(self, commits: Mapping[int, Files]) -> None:
        """Write the files of the next records to the disk as one bundle, and make the directories
        where they belong."""
        stage = make_private(self.path(*STAGE))
        write_new(self._bundle(min(commits)), pack(commits))
        sync_directory(stage)
        for folder in {name.rpartition("/")[0] for files in commits.values() for name in files}:
            make_directory(self._at(folder))

    def _committed(self, n: int) -> dict[str, bytes]:
        """Return the files of a bundle whose records are in the ledger.

        If a kill kept the last records of the bundle from the ledger, their files are removed from
        it: other records will get these numbers.
        """
        commits = unpack(read_plain(self._bundle(n)))
        committed = {k: files for k, files in commits.items() if k <= self.register.n}
        if len(committed) < len(commits):
            write_new(self._bundle(n, CUT), pack(committed))
            move(self._bundle(n, CUT), self._bundle(n))
        return _merged(committed)

    def _settle(self, n: int, files: Files) -> None:
        """Put the files of bundle n in their places (step 3).

        Its records are committed and the bundle is on the disk. So a full disk is no error here:
        the next command finishes the rest. A mail may be sent as soon as it is in the outbox, and
        must not appear there again after a kill. Therefore mails take two steps: `_spread` prepares
        all of them in the stage, the bundle's new name says that this is done, and then `_place`
        moves those that are still in the stage.
        """
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
            return  # no room for a file of `private/`
        except OSError as error:
            if not disk_full(error):
                raise

    def _spread(self, place: str, name: str, files: Files) -> None:
        """Prepare an outgoing mail in the stage. If the reports hold a copy of it, make a hard link
        to that instead of writing it again, where the file system can."""
        if stat_of(place):
            Path(place).unlink()
        for copy, content in files.items():
            if content == files[name] and not copy.startswith(OUTBOX):
                with suppress(OSError):  # exFAT, a share, or reports on another disk
                    Path(place).hardlink_to(self._at(copy))
                    return
        write_plain(place, files[name])

    def _place(self, n: int, mails: list[str]) -> None:
        """Move the mails into the outbox, and the bundle to `private/issued/`.

        A mail that is no longer in the stage was moved before a kill. It may have been sent since,
        so it must not be made again.
        """
        for i, name in enumerate(mails):
            spread = self._bundle(n, f"-{i}")
            if stat_of(spread):
                move(spread, self._at(name))
        issued = make_private(self.path(*ISSUED))
        move(self._bundle(n, SPREAD), f"{issued}/{n}")

    def restore(self, name: str) -> bytes | None:
        """Read a file from the newest bundle that holds it, None without one.

        Staged bundles of killed runs count too, as far as the ledger has their records.
        """
        folder = self.path(*ISSUED)
        fresh = [n for n in reversed(_numbers(self.path(*STAGE))) if n <= self.register.n]
        bundles = [Path(self._bundle(n, ending)) for n in fresh for ending in ("", SPREAD)]
        for bundle in (*bundles, *(folder / str(n) for n in reversed(_numbers(folder)))):
            try:
                committed = [n for _, _, n in places_of(bundle)[name] if n <= self.register.n]
                if committed:
                    return unpack(bundle.read_bytes())[max(committed)][name]
            except (FileNotFoundError, KeyError, Damaged):
                continue  # no such bundle or file, moved by another run, or damaged: try the next
        return None


def _merged(commits: Mapping[int, Files]) -> dict[str, bytes]:
    """The files of several commits; of a path that several bring, the last content."""
    return {name: content for files in commits.values() for name, content in files.items()}


def _digests(files: Files) -> dict[str, str]:
    """SHA-256 of every file in hex. A content that several have, such as a mail and its copy, is
    hashed once."""
    contents = {id(content): content for content in files.values()}
    once = {key: sha256(content).hexdigest() for key, content in contents.items()}
    return {name: once[id(files[name])] for name in sorted(files)}


@contextmanager
def writing(home: Path, name: str) -> Iterator[Game]:
    """Lock a game, and finish what a killed run left. Raises NotFound, Busy, Damaged."""
    with Ledger.open(_ledger(home, name), wait=WAIT) as ledger:
        game = Game(home / name, ledger, _begun(home, name, fold(ledger.records())))
        _require_end(game)
        game.finish()
        yield game


def reading(home: Path, name: str) -> Game:
    """Open a game without a lock. Raises NotFound, Damaged."""
    ledger = Ledger.open(_ledger(home, name), lock=False)
    game = Game(home / name, ledger, _begun(home, name, fold(ledger.records())))
    _require_end(game)
    return game


def lost(game: Game, records: int) -> int:
    """Return the number of a record that a ledger of so many once had, and 0 if it lost none.

    Files leave the stage only when their record is in the ledger (step 3), and keep its number.
    """
    last = max(_numbers(game.path(*ISSUED)), default=0)
    return last if last > records else 0


def _require_end(game: Game) -> None:
    """Raise Damaged if the ledger has lost its last records: a game that went on without them would
    mail everything again."""
    if last := lost(game, game.register.n):
        raise Damaged(
            f"{game.path(LEDGER)} ends with record {game.register.n}, but private/issued has the "
            f"files of record {last}: its end is lost",
            "restore the ledger from a copy that is newer; the whole folder, if there is none",
        )


def unread(home: Path, name: str) -> Game:
    """Open a game without reading its ledger; its register is empty. Raises NotFound.

    For audits, which read the ledger record by record even if it is damaged.
    """
    return published(_ledger(home, name))


def published(path: Path) -> Game:
    """As `unread`, for a ledger file that may lie anywhere. Raises NotFound."""
    return Game(path.parent, Ledger.open(path, lock=False), Register())


def finished(path: Path) -> Game:
    """Open the game whose ledger file that is; it may lie anywhere. Raises NotFound, Damaged."""
    ledger = Ledger.open(path, lock=False)
    return Game(path.parent, ledger, fold(ledger.records()))


def games(home: Path) -> list[str]:
    """List the games in `home`, g2 before g10: folders with a ledger that is not empty, and those
    that have lost it, which whoever reads them learns.

    A folder whose name no game can have (`lost+found`, `g1.bak`) is none, and is not looked into.
    """
    if not home.is_dir():
        return []
    with os.scandir(home) as found:
        named = [(entry.name, entry.path) for entry in found if is_name(entry.name)]
    return sorted((n for n, path in named if _has_records(path) or _had(path)), key=natural)


def _has_records(folder: str) -> bool:
    mark = stat_of(f"{folder}/{LEDGER}")
    return mark is not None and mark.st_size > 0


def _had(folder: str) -> bool:
    """Whether the ledger of a folder once had records: the files of a record leave the stage only
    when it is there. A `new` that was interrupted left none."""
    return stat_of("/".join((folder, *ISSUED))) is not None


@contextmanager
def creating(home: Path, name: str) -> Iterator[Game]:
    """Make a new game's folder and an empty ledger, locked. Raises Usage if the name is in use or
    not valid, or Busy."""
    require_name(name)
    folder = home / name
    if name in games(home):
        raise Usage(f"there is a game {name} in {home} already", "choose another name")
    make_private(folder)  # other users of the machine must not read reports and the truth
    make_private(folder / "private")
    for part in ("outbox", "reports", "state"):
        (folder / part).mkdir(exist_ok=True)
    path = folder / LEDGER
    with Ledger.open(path, wait=WAIT) if path.exists() else Ledger.create(path) as ledger:
        if ledger.position.n:
            raise Usage(f"there is a game {name} in {home} already", "choose another name")
        yield Game(folder, ledger, Register())


def _number(bundled: Path) -> int:
    """The number of the record that a staged or issued file belongs to: `12`, `12.spread`, `12-0`;
    0 for a file of another program, as of the Finder, of NFS or of a backup."""
    found = _BUNDLED.fullmatch(bundled.name)
    return int(found[1]) if found else 0


def _numbers(folder: Path) -> list[int]:
    """The numbers of the records whose files are in the stage or among those issued, in order."""
    found = {_number(path) for path in folder.iterdir()} if folder.is_dir() else set[int]()
    return sorted(found - {0})


def _outgoing(names: Iterable[str]) -> list[str]:
    """Those of `names` that go into the outbox, sorted."""
    return sorted(name for name in names if name.startswith(OUTBOX))


def _ledger(home: Path, name: str) -> Path:
    """The path of a game's ledger. Raises NotFound, Damaged, or Usage for a name not valid."""
    require_name(name)
    path = home / name / LEDGER
    if not path.exists():
        raise _no_game(home, name)
    return path


def _begun(home: Path, name: str, register: Register) -> Register:
    """Return the register. Raises NotFound for a ledger without a record (`new` was interrupted),
    Damaged if it had some, or for a copy of a game under another name, which would mail again."""
    if not register.n:
        raise _no_game(home, name)
    if register.created.game != name:
        raise Damaged(
            f"{home / name} is a folder of game {register.created.game}",
            f"a copy must not be in the home: move it out, or name it {name}.bak; "
            f"if it is no copy, name it {register.created.game} again",
        )
    return register


def _no_game(home: Path, name: str) -> PbemError:
    if _had(os.fspath(home / name)):
        lacks = "is empty" if (home / name / LEDGER).exists() else "is missing"
        return Damaged(
            f"{home / name / LEDGER} {lacks}, but the files of its records are there",
            "restore the game's folder from a copy; without the ledger nothing of it can go on",
        )
    known = ", ".join(games(home)) or "none"
    return NotFound(
        f"there is no game {name} in {os.fspath(home)}", f"games here: {known}; see --home"
    )


def require_encrypted(register: Register, files: Mapping[str, bytes]) -> None:
    """Assert that no mail to a side of an encrypted game would leave unencrypted.

    A failure is a bug in the program. This is the last place that sees every mail.
    """
    for name, content in files.items() if register.encrypted else ():
        side, _, kind = name.removeprefix("outbox/").removesuffix(".eml").partition("-")
        ours = name.startswith("outbox/") and side in register.seats
        if ours and not kind.endswith(LETTER) and b'.eml.age"\r\n' not in content:
            raise AssertionError(f"{name} is not encrypted")
