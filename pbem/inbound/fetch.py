"""Fetch mail, parse it in sandboxed children, and sort it into the inboxes of the games.

At any moment a mail is in the mailbox, in the spool (where a pipe put it) or in a game's
`private/inbox/`. It is removed from one place only after it is on the disk in the next, so after a
crash it may be in two; a game recognises by its digest a mail that it receives twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.base.clock import now, stamp
from pbem.base.config import Config
from pbem.base.files import PRIVATE_FILE, Lock, make_private, write_all, write_private
from pbem.base.syncing import together
from pbem.errors import Busy, Damaged, Usage
from pbem.inbound.letter import Letter
from pbem.inbound.mailboxes.interface import Fetched, FetchFailed
from pbem.inbound.mailboxes.registry import mailbox_of
from pbem.inbound.pool import Batch, Key, Mail, Readers
from pbem.inbound.spool import forward_to_moderator, keep_unread, place
from pbem.store.game_dir import games
from pbem.store.secrets import ADDRESSES, addresses_in
from pbem.text.layout import counted
from pbem.text.messages import fill_note, phrase

if TYPE_CHECKING:
    from pbem.crypto.age import Identity

BATCH = 200
"""Mails that are sorted and synced together."""
BATCH_BYTES = 4 << 20
"""Bytes of mails after which a batch ends sooner."""

KEPT = 16 << 20
"""Bytes of mails whose letters stay in memory for their games; other mails are parsed again."""

WAIT = 30.0
"""Seconds to wait for another process that fetches."""

INBOX = ("private", "inbox")
"""Where a game's folder keeps mails that wait."""
GAME = re.compile(r"\bGAME\s*:\s*([A-Z][A-Z0-9]{0,15})\b")
CLUB = "+club"
"""Stands for the club where others have the name of a game."""
ROUNDS = 40
"""How often a tick goes on fetching because nearly all it fetched was for the club."""
OURS = re.compile(r"@([a-z][a-z0-9]{0,15})\.pbem\.invalid>")
"""The end of a Message-ID of ours, which names the game."""
Letters = Mapping[str, Letter]
"""Letters by the names of their files in an inbox."""


class Fetching(Struct):
    """What one call of `collect` did."""

    fetched: int = 0
    """Mails fetched from the mailbox."""
    left: int = 0
    """Mails in the mailbox that wait for the next tick."""
    no_game: int = 0
    """Mails that belong to no game."""
    wishes: int = 0
    """Mails for the club."""
    strange: list[str] = []
    """What lies in the spool or among new mail and is no file: it was left there."""
    damaged: list[str] = []
    """What is wrong with files of games by which mail is sorted."""
    failed: str = ""
    """Why the mailbox could not be read to its end; empty if it was."""
    letters: dict[str, dict[str, Letter]] = {}
    """The letters just parsed, by game and file name."""

    @property
    def backlog(self) -> str:
        """Why no window may close: mails that still wait may be orders. Empty if none wait."""
        waits = counted(self.left, "more mail waits", "more mails wait")
        return phrase("behind", waits=waits) if self.left else ""


def collect(
    home: Path, config: Config, jobs: int = 1, meanwhile: Callable[[], None] | None = None
) -> Fetching:
    """Fetch the mail of a home and sort it into the inboxes of its games.

    jobs: number of children that parse mails; meanwhile: called once while they start, if there is
    mail. A failure of the mailbox or of the disk is not raised but returned in `failed`: games go
    on without new mail, and no window closes.
    """
    done = Fetching()
    if config.mailbox is None and not (home / ".pbem" / "spool").is_dir():
        return done
    try:
        with Lock(place(home) / "fetch.lock", "the mailbox", WAIT), Readers(jobs) as readers:
            sorting = Sorting(home, config, readers, done, meanwhile)
            _empty_spool(home, sorting)
            _fetch(home, config, sorting)
    except (FetchFailed, Busy) as error:
        done.failed = str(error)
    except OSError as error:
        done.failed = f"{error.filename or home}: {error.strerror or error}"
    return done


def add_to_spool(home: Path, raw: bytes, arrived: str = "") -> Path:
    """Write a mail that came through a pipe into the spool; return its path."""
    at = arrived or stamp(now())
    path = place(home, "spool") / _name(Fetched("", at, len(raw), raw))
    write_private(path, raw)
    return path


def _empty_spool(home: Path, sorting: Sorting) -> None:
    """Sort the mails in the spool, and delete those that are stored elsewhere. What is no file is
    left there, and named."""
    found = sorted(place(home, "spool").glob("*.eml"))
    paths = [path for path in found if path.is_file()]
    sorting.done.strange += [str(path) for path in found if not path.is_file()]
    for some in sorting.sort((path, (path.name, path.read_bytes())) for path in paths):
        for path in some:
            path.unlink()


def _fetch(home: Path, config: Config, sorting: Sorting) -> None:
    """Fetch new mails and sort them. Each is marked as fetched only after it is stored.

    A flood of mails to the club does not count towards the limit: games do not wait for it.
    """
    mailbox = mailbox_of(home, config)
    if mailbox is None:
        return
    with mailbox:
        for _ in range(ROUNDS):
            wishes, fetched = sorting.done.wishes, sorting.done.fetched
            mails = mailbox.mails(config.limits.fetch)
            for some in sorting.sort((mail.key, (_name(mail), mail.raw)) for mail in mails):
                mailbox.done(some)
                sorting.done.fetched += len(some)
            sorting.done.left = mailbox.left
            fetched, wishes = sorting.done.fetched - fetched, sorting.done.wishes - wishes
            if not mailbox.left or wishes < 0.9 * fetched or not fetched:
                break
    sorting.done.strange += mailbox.strange


def _batches(mails: Iterator[tuple[Key, Mail]]) -> Iterator[Batch[Key]]:
    """Divide mails into batches, so that the disk is waited for once a batch, not once a mail.

    Raises FetchFailed, after the mails before the failure: the mailbox may not give them again.
    """
    failed: list[FetchFailed] = []
    some: Batch[Key] = []
    heavy = 0
    for key, (name, raw) in _until_failed(mails, failed):
        some.append((key, (name, raw)))
        heavy += len(raw)
        if len(some) >= BATCH or heavy >= BATCH_BYTES:
            yield some
            some, heavy = [], 0
    if some:
        yield some
    if failed:
        raise failed[0]


def _until_failed(
    mails: Iterator[tuple[Key, Mail]], failed: list[FetchFailed]
) -> Iterator[tuple[Key, Mail]]:
    """Yield mails up to a failure, and append the failure to `failed`."""
    try:
        yield from mails
    except FetchFailed as error:
        failed.append(error)


def _name(mail: Fetched) -> str:
    """Return a mail's file name.

    It sorts by arrival, and is always the same, so that a mail fetched twice is one file.
    """
    mark = mail.arrived.translate({45: None, 58: None})
    key = re.sub(r"[^A-Za-z0-9.]", "", mail.key)[:40].rjust(10, "0")
    return f"{mark}-{key}-{sha256(mail.raw).hexdigest()[:24]}.eml"


class Sorting:
    """Stores mails in the inboxes of their games; those of no game in `unread/`.

    done: gains the results; meanwhile: called once while the readers start.
    """

    def __init__(
        self,
        home: Path,
        config: Config,
        readers: Readers,
        done: Fetching,
        meanwhile: Callable[[], None] | None = None,
    ) -> None:
        self._home, self._config, self._readers, self.done = home, config, readers, done
        self._meanwhile = meanwhile
        self._sorter: Sorter | None = None
        self._kept = 0

    def sort(self, mails: Iterator[tuple[Key, Mail]]) -> Iterator[list[Key]]:
        """Sort mails batch by batch, and yield the keys of those that are safely on the disk.

        Raises Busy, and what `mails` raises.
        """
        for some, letters in self._readers.ahead(self._with_meanwhile(_batches(mails))):
            self._file_mails([mail for _, mail in some], letters)
            yield [key for key, _ in some]

    def _with_meanwhile(self, batches: Iterator[Batch[Key]]) -> Iterator[Batch[Key]]:
        """Yield the batches; call `meanwhile` after the first, when the children have work."""
        for some in batches:
            yield some
            meanwhile, self._meanwhile = self._meanwhile, None
            if meanwhile:
                meanwhile()

    def _file_mails(self, mails: Sequence[Mail], letters: Sequence[Letter]) -> None:
        """Write each mail into the inbox of every game that it is for, and sync once for all."""
        self._sorter = sorter = self._sorter or Sorter(self._home, self._config)
        self.done.damaged = sorter.damaged
        files: list[tuple[Path, bytes]] = []
        for (name, raw), letter in zip(mails, letters, strict=True):
            if self._config.club and is_wish(letter):
                files.append((club_inbox(self._home) / name, raw))
                self._remember(CLUB, name, letter, len(raw))
                self.done.wishes += 1
                continue
            found = sorter.games_of(letter)
            for game in found:
                files.append((make_private(self._home.joinpath(game, *INBOX)) / name, raw))
                self._remember(game, name, letter, len(raw))
            if not found:
                _set_aside(self._home, self._config, name, letter, raw)
                self.done.no_game += 1
        with together():
            write_all(files, PRIVATE_FILE)

    def _remember(self, game: str, name: str, letter: Letter, size: int) -> None:
        """Keep a letter in memory for its game, up to KEPT bytes of mails."""
        self._kept += size
        if self._kept <= KEPT:
            self.done.letters.setdefault(game, {})[name] = letter


def is_wish(letter: Letter) -> bool:
    """Whether a letter asks something of the club."""
    from pbem.inbound.club_words import wish_of

    return wish_of(letter) is not None


def club_inbox(home: Path) -> Path:
    """Return the folder where mails wait for the club; make it if it does not exist."""
    return place(home, "club", "inbox")


def _set_aside(home: Path, config: Config, name: str, letter: Letter, raw: bytes) -> None:
    """Store a mail of no game in `unread/`; forward it to the moderator if a person wrote it."""
    kept = keep_unread(home, name, raw)
    why = letter.unreadable or phrase("kept_stray")
    if not letter.machine and not letter.bounces:
        sender = letter.sender or phrase("kept_nobody")
        said = fill_note("stray", sender=sender, why=why, path=kept)
        forward_to_moderator(
            home, config, said.subject, said.text, letter, raw, sha256(raw).hexdigest()
        )


def inbox_of(
    folder: Path, known: Letters, readers: Readers
) -> Iterator[tuple[Path, Letter, bytes]]:
    """Yield path, letter and bytes of each mail that waits for a game, in order of arrival.

    known: letters that were parsed when they were sorted. Raises Busy.
    """
    for path in sorted(folder.joinpath(*INBOX).glob("*.eml")):
        raw = path.read_bytes()
        yield path, known.get(path.name) or readers.read([(path.name, raw)])[0], raw


class Sorter:
    """Finds the games that a letter is for.

    What the letter contains comes first, then the mail that it answers, the address, the subject,
    and the sender last: a player may write from an old thread, or from another address. damaged:
    what is wrong with files that were looked at.
    """

    def __init__(self, home: Path, config: Config) -> None:
        self._home, self._config = home, config
        self.damaged: list[str] = []
        self._games = frozenset(games(home))
        self._senders: dict[str, list[str]] | None = None
        self._keys: dict[str, Sequence[Identity]] = {}

    def games_of(self, letter: Letter) -> list[str]:
        """Return the games that a letter is for, by the first sign that names one; none if none
        does."""
        ways = (
            self._by_orders,
            self._by_joining,
            self._by_age_key,
            self._by_references,
            self._by_address,
            self._by_subject,
            self._by_sender,
        )
        for way in ways:
            names = [n for n in dict.fromkeys(way(letter)) if n in self._games]
            if names:
                return names
        return []

    def _by_orders(self, letter: Letter) -> Iterator[str]:
        """Yield the games in headers of order sets, quoted or not."""
        for leaf in letter.leaves:
            if "ORDERS" in (upper := leaf.text.upper()):
                plain = re.sub(r"[>|\u200b\u00a0]", " ", upper)
                yield from (found[1].lower() for found in GAME.finditer(plain))

    def _by_joining(self, letter: Letter) -> Iterator[str]:
        """Yield the games in answers to invitations, revealed links and changes of keys."""
        from pbem.player.joining import read_join, read_keys, read_reveal

        readers: dict[str, Callable[[bytes], str]] = {
            "JOIN": lambda raw: read_join(raw)["game"],
            "REVEAL": lambda raw: read_reveal(raw)[0]["game"],
            "KEYS": lambda raw: read_keys(raw)[0]["game"],
        }
        for leaf in letter.leaves:
            for word in (one for one in readers if one in leaf.text.upper()):
                with suppress(Usage):
                    yield readers[word](leaf.text.encode("utf-8", "replace"))

    def _by_references(self, letter: Letter) -> Iterator[str]:
        """Yield the games of our mails that the letter answers or reports as bounced."""
        ids = [*letter.refers[::-1], *(bounce.id for bounce in letter.bounces)]
        yield from (found[1] for one in ids if (found := OURS.search(one)))

    def _by_address(self, letter: Letter) -> Iterator[str]:
        """Yield the games in the addresses the letter was sent to: `{game}` in the configured
        address, else the part after `+` (subaddressing, RFC 5233)."""
        user, _, host = self._config.address.partition("@")
        for address in letter.to:
            if "{game}" in user:
                pattern = re.escape(f"{user}@{host}").replace(r"\{game\}", "([a-z0-9]+)")
            else:
                pattern = re.escape(user) + r"\+([a-z0-9]+)@" + re.escape(host)
            if found := re.fullmatch(pattern, address):
                yield found[1]

    def _by_subject(self, letter: Letter) -> Iterator[str]:
        """Yield the first four words of the subject: "Re: Fwd: g1 window 3"."""
        yield from re.findall(r"[a-z0-9]+", letter.subject.lower())[:4]

    def _by_age_key(self, letter: Letter) -> Iterator[str]:
        """Yield the game whose age key decrypts a file in the letter.

        Likely games come first, since trying the keys of a thousand games takes a second.
        """
        from pbem.crypto.age_armour import files_in
        from pbem.inbound.attachments import is_encrypted
        from pbem.inbound.decrypt import opens

        for leaf in filter(is_encrypted, letter.leaves):
            raw = leaf.data if leaf.data[:4] == b"age-" else leaf.text.encode("utf-8", "replace")
            for file in (one for one in files_in(raw) if isinstance(one, bytes)):
                names = self._likely(letter)
                yield from islice((n for n in names if opens(self._keys_of(n), file)), 1)

    def _likely(self, letter: Letter) -> Iterator[str]:
        """Yield all games, the likeliest first."""
        ways = (self._by_references, self._by_address, self._by_subject, self._of_sender)
        seen: set[str] = set()
        for name in chain(chain.from_iterable(way(letter) for way in ways), sorted(self._games)):
            if name in self._games and name not in seen:
                seen.add(name)
                yield name

    def _keys_of(self, name: str) -> Sequence[Identity]:
        """Return the age keys of a game; read once."""
        from pbem.inbound.decrypt import keys_in

        if name not in self._keys:
            self._keys[name] = keys_in(self._home / name)
        return self._keys[name]

    def _of_sender(self, letter: Letter) -> Iterator[str]:
        """Yield all games in which the sender is registered."""
        yield from self.senders().get(letter.sender, ())

    def _by_sender(self, letter: Letter) -> Sequence[str]:
        """Return the sender's game if there is only one."""
        found = self.senders().get(letter.sender, [])
        return found if len(found) == 1 else []

    def senders(self) -> dict[str, list[str]]:
        """Return the games of each registered address; read on the first call.

        A game whose addresses are damaged has none here, and `damaged` says so: the mail of all
        other games must not wait for it.
        """
        if self._senders is None:
            self._senders = {}
            for name in sorted(self._games):
                path = self._home / name / "private" / ADDRESSES
                try:
                    sides = addresses_in(path.read_bytes(), path) if path.exists() else {}
                except Damaged as error:
                    self.damaged.append(error.message)
                    continue
                for address in {a["email"].lower() for some in sides.values() for a in some}:
                    self._senders.setdefault(address, []).append(name)
        return self._senders
