"""From the mailbox to the games: fetch into the spool, open in the guarded child, sort.

A mail is in the mailbox, in the spool or in a game's `private/inbox/` at any moment, at times in
two of them; what a game took twice it knows by its digest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.clock import now, stamp
from pbem.config import Config
from pbem.errors import Busy, Usage
from pbem.files import PRIVATE_FILE, Lock, make_private, write_all, write_private
from pbem.game import games
from pbem.mail.guard import Guard
from pbem.mail.house import keep_unread, place, tell
from pbem.mail.letter import LARGEST, Letter, Unreadable
from pbem.mailboxes import Fetched, FetchFailed, mailbox_of
from pbem.private import ADDRESSES
from pbem.syncing import together

Item = TypeVar("Item")
BATCH = 50
FEW = 8
"""Fewer mails than these are read by one child."""

WAIT = 30.0
"""Seconds to wait for another run that fetches."""

INBOX = ("private", "inbox")
GAME = re.compile(r"\bGAME\s*:\s*([A-Z][A-Z0-9]{0,15})\b")
OURS = re.compile(r"@([a-z][a-z0-9]{0,15})\.pbem\.invalid>")
FROM = re.compile(rb"(?im)^from:[^\n]{0,400}?([a-z0-9._+-]{1,64}@[a-z0-9.-]{1,190})")
MACHINE = re.compile(rb"(?im)^(auto-submitted:(?!\s*no\s*$)|list-|precedence:|return-path:\s*<>)")


class Waiting(Struct, frozen=True):
    """A letter in a game's inbox, with the mail itself."""

    letter: Letter
    raw: bytes


class Fetching(Struct):
    """What fetching did. failed: why not all was fetched, empty when it was; talk: for people."""

    fetched: int = 0
    failed: str = ""
    talk: list[str] = []


def collect(home: Path, config: Config, jobs: int = 1) -> Fetching:
    """Fetch the mail of the house and sort it into the games' inboxes. jobs: how many children
    read mails. Raises nothing of the mailbox: what failed stands in the result."""
    done = Fetching()
    if config.mailbox is None and not (home / ".pbem" / "spool").is_dir():
        return done
    try:
        with Lock(place(home) / "fetch.lock", "the mailbox", WAIT):
            _fetch(home, config, done)
            _sort(home, config, done, jobs)
    except (FetchFailed, Busy) as error:
        done.failed = str(error)
    return done


def put(home: Path, raw: bytes, arrived: str = "") -> Path:
    """Lay a mail into the spool, as from a pipe."""
    at = arrived or stamp(now())
    path = _place(home, Fetched("", at, len(raw), raw))
    write_private(path, raw)
    return path


def _fetch(home: Path, config: Config, done: Fetching) -> None:
    mailbox = mailbox_of(home, config)
    if mailbox is None:
        return
    with mailbox:
        for some in _batches(mailbox.mails(config.limits.fetch)):
            with together():
                write_all([(_place(home, mail), mail.raw) for mail in some], PRIVATE_FILE)
            for mail in some:
                mailbox.done(mail.key)
            done.fetched += len(some)


def _batches(items: Iterator[Item]) -> Iterator[list[Item]]:
    """Some at a time: a folder is synced once for all of them."""
    while some := list(islice(items, BATCH)):
        yield some


def _place(home: Path, mail: Fetched) -> Path:
    """A mail's file in the spool, by a name that sorts as mails came, and is the same each time."""
    mark = mail.arrived.translate({45: None, 58: None})
    key = re.sub(r"[^A-Za-z0-9.]", "", mail.key)[:40].rjust(10, "0")
    return place(home, "spool") / f"{mark}-{key}-{sha256(mail.raw).hexdigest()[:24]}.eml"


def _sort(home: Path, config: Config, done: Fetching, jobs: int) -> None:
    """Every mail of the spool into the inbox of its game, or among the unread."""
    spooled = sorted(place(home, "spool").glob("*.eml"))
    if not spooled:
        return
    desk = Sorter(home, config)
    with ExitStack() as stack:
        guards = [stack.enter_context(Guard()) for _ in range(jobs)]
        for some in _batches(iter(spooled)):
            files: list[tuple[Path, bytes]] = []
            raws = [path.read_bytes() for path in some]
            letters = _opened_all(guards, [p.name for p in some], raws)
            for path, raw, letter in zip(some, raws, letters, strict=True):
                names = desk.games_of(letter)
                files += [_delivery(home / name, path.stem, letter, raw) for name in names]
                if not names:
                    done.talk.append(_set_aside(home, config, path.name, letter, raw))
            with together():
                write_all(files, PRIVATE_FILE)
            for path in some:
                path.unlink()


def _opened_all(guards: list[Guard], names: list[str], raws: list[bytes]) -> list[Letter]:
    """The letters in these mails, in their order; each child reads its share of them."""
    count = len(guards)
    if count == 1 or len(raws) < FEW:
        return [_opened(guards[0], raw, name) for raw, name in zip(raws, names, strict=True)]

    def share(i: int) -> list[Letter]:
        mails = zip(raws[i::count], names[i::count], strict=True)
        return [_opened(guards[i], raw, name) for raw, name in mails]

    with ThreadPoolExecutor(count) as pool:
        shares = list(pool.map(share, range(count)))
    return [shares[k % count][k // count] for k in range(len(raws))]


def _opened(guard: Guard, raw: bytes, name: str) -> Letter:
    arrived = f"{name[:4]}-{name[4:6]}-{name[6:8]}T{name[9:11]}:{name[11:13]}:{name[13:15]}Z"
    try:
        return replace(guard.open(raw), arrived=arrived)
    except Unreadable as error:
        return replace(_outside(guard, raw), arrived=arrived, unreadable=str(error))


def _outside(guard: Guard, raw: bytes) -> Letter:
    """What is known of a mail that is not read: of one too long its beginning, where a set above
    a quoted report stands, and what a bounce says; else what its headers seem to say."""
    if len(raw) > LARGEST:
        with suppress(Unreadable):
            return guard.open(raw[:LARGEST])
    head = raw[:16384]
    found = FROM.search(head)
    return Letter(
        sender=found[1].decode("ascii").lower() if found else "",
        machine="headers" if MACHINE.search(head) else "",
    )


def _delivery(folder: Path, stem: str, letter: Letter, raw: bytes) -> tuple[Path, bytes]:
    inbox = make_private(folder.joinpath(*INBOX))
    return inbox / f"{stem}.json", msgspec.json.encode(Waiting(letter, raw))


def _set_aside(home: Path, config: Config, name: str, letter: Letter, raw: bytes) -> str:
    """Keep what belongs to no game; people's mail goes on to the moderator."""
    kept = keep_unread(home, name, raw)
    why = letter.unreadable or "it belongs to no game"
    if not letter.machine and not letter.bounces:
        text = f"A mail from {letter.sender or 'nobody'} was kept: {why}.\nIt lies in {kept}.\n"
        tell(home, config, "a mail for the moderator", text, raw, sha256(raw).hexdigest())
    return f"kept {kept.name}: {why}"


def inbox_of(folder: Path) -> Iterator[tuple[Path, Letter, bytes]]:
    """The letters that wait for a game, in the order of their arrival."""
    for path in sorted(folder.joinpath(*INBOX).glob("*.json")):
        waiting = msgspec.json.decode(path.read_bytes(), type=Waiting)
        yield path, waiting.letter, waiting.raw


def forget(path: Path) -> None:
    """A letter was dealt with."""
    path.unlink(missing_ok=True)


class Sorter:
    """Knows the games of a home and whose addresses are registered there."""

    def __init__(self, home: Path, config: Config) -> None:
        self._home, self._config = home, config
        self._games = frozenset(games(home))
        self._senders: dict[str, list[str]] | None = None

    def games_of(self, letter: Letter) -> list[str]:
        """The games a mail is for: by its orders, else by the mail it answers, its address, its
        subject, its sender; none when nothing says so."""
        ways = (self._by_orders, self._by_joining, self._by_seal, self._by_references,
                self._by_address, self._by_subject, self._by_sender)  # fmt: skip
        for way in ways:
            names = [n for n in dict.fromkeys(way(letter)) if n in self._games]
            if names:
                return names
        return []

    def _by_orders(self, letter: Letter) -> Iterator[str]:
        for leaf in letter.leaves:
            if "ORDERS" in (upper := leaf.text.upper()):
                plain = re.sub(r"[>|\u200b\u00a0]", " ", upper)
                yield from (found[1].lower() for found in GAME.finditer(plain))

    def _by_joining(self, letter: Letter) -> Iterator[str]:
        from pbem.joining import read_join, read_keys, read_reveal

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
        ids = [*letter.refers[::-1], *(bounce.id for bounce in letter.bounces)]
        yield from (found[1] for one in ids if (found := OURS.search(one)))

    def _by_address(self, letter: Letter) -> Iterator[str]:
        user, _, host = self._config.address.partition("@")
        for address in letter.to:
            if "{game}" in user:
                pattern = re.escape(f"{user}@{host}").replace(r"\{game\}", "([a-z0-9]+)")
            else:
                pattern = re.escape(user) + r"\+([a-z0-9]+)@" + re.escape(host)
            if found := re.fullmatch(pattern, address):
                yield found[1]

    def _by_subject(self, letter: Letter) -> Iterator[str]:
        yield from re.findall(r"[a-z0-9]+", letter.subject.lower())[:4]

    def _by_seal(self, letter: Letter) -> Iterator[str]:
        """The games whose age key opens a sealed file in it."""
        from pbem.letters import is_sealed
        from pbem.unseal import opens

        for leaf in filter(is_sealed, letter.leaves):
            raw = leaf.data if leaf.data[:4] == b"age-" else leaf.text.encode("utf-8", "replace")
            yield from (name for name in sorted(self._games) if opens(self._home / name, raw))

    def _by_sender(self, letter: Letter) -> Sequence[str]:
        found = self.senders().get(letter.sender, [])
        return found if len(found) == 1 else []

    def senders(self) -> dict[str, list[str]]:
        """Registered addresses to their games; read when first asked."""
        if self._senders is None:
            self._senders = {}
            for name in sorted(self._games):
                path = self._home / name / "private" / ADDRESSES
                sides = json.loads(path.read_bytes()) if path.exists() else {}
                for address in {a["email"].lower() for some in sides.values() for a in some}:
                    self._senders.setdefault(address, []).append(name)
        return self._senders
