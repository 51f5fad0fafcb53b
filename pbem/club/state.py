"""What a club remembers: HOME/.pbem/club/club.json, one file that is replaced as a whole.

Everything that a tick does for the club ends in one new version of this file, with the mails that
it sends and the work that it still has to do in games. A killed tick therefore leaves the former
version or the new one; what is left to do is done by the next tick, and each piece of it can be
done twice without harm.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from pbem.admin.setup import Choices
from pbem.base.clock import now, stamp
from pbem.base.config import Club as Settings
from pbem.base.config import Config
from pbem.base.files import Lock, read_plain, write_private
from pbem.base.schema import stored
from pbem.club.quiet import FILE
from pbem.inbound.spool import place

WAIT = 30.0
"""Seconds to wait for another process that works for the club."""

TournamentKind = Literal["swiss", "paired", "ladder"]


class Member(Struct):
    """Somebody who has answered from his address: he has played, or confirmed a wish."""

    name: str
    """As the site calls him; no two members have names that look alike."""
    keys: list[str] = []
    """The public key lines with which he plays and signs, the newest last."""
    ended: list[str] = []
    """Those that he changed or lost. They prove nothing more; old games are still his by them."""
    since: str = ""
    named: bool = False
    """Whether he gave a name; else the club calls him by a number."""


class Offer(Struct):
    """A game with open seats, from the moderator's offer until it opens."""

    system: str
    edition: str = ""
    choices: Choices = Choices()
    """What `pbem new` decides."""
    rule: str = ""
    """The schedule, empty for none."""
    seats: list[str] = []
    """The sides that anybody may join."""
    held: dict[str, str] = {}
    """Side to the address of the only person who may join it."""
    bots: list[str] = []
    """Sides that the referee's bot plays from the beginning."""
    bots_at: str = ""
    """When bots take the seats that are still open; empty: never."""
    pair: str = ""
    """The other game of a pair, in which the same people play with sides swapped."""
    words: str = ""
    """The moderator's conditions, in a sentence or two."""
    tournament: str = ""
    """The tournament that it belongs to."""
    at: str = ""
    """When it was offered."""
    opened: str = ""
    """When it opened, or ended without that; empty while it waits for players."""
    reminded: dict[str, str] = {}
    """Side to when its entrant was reminded to take his seat, in a tournament."""
    absent: list[str] = []
    """Sides whose entrants have not come, so that the game ended before it began."""
    left: dict[str, int] = {}
    """Side to the number of the officer who gave the seat back before the game opened."""
    anyone: dict[str, str] = {}
    """Address of somebody who asked for any seat to the side that his newest letter is for."""


class Standby(Struct):
    """Somebody on the standby list, which is in order of entry."""

    email: str
    system: str
    side: str = ""
    """Empty: any side."""
    at: str = ""


class Vacancy(Struct):
    """A seat of a running game for which another player is sought."""

    why: str
    since: str
    asked: dict[str, str] = {}
    """Address of a standby player to when he was offered the seat."""
    told: bool = False
    """Whether the moderator knows that nobody is left on the list."""


class Pending(Struct):
    """A wish that waits for its confirmation."""

    word: str
    what: list[str]
    email: str
    at: str
    key: str = ""
    name: str = ""


class Todo(Struct):
    """Work in a game: a joining letter to be sent, a player to be registered, or his mail to be
    sent elsewhere."""

    kind: Literal["invite", "seat", "move"]
    game: str
    side: str
    email: str
    mark: str
    """Identifies it, so that a letter that was sent before a kill is not sent again."""
    key: str = ""
    name: str = ""
    former: str = ""
    """The address that he has left: letters that went there do not count any more."""


class Mail(Struct):
    """A mail of the club that has not been written to its outbox yet."""

    to: str
    subject: str
    text: str
    mark: str


class Round(Struct):
    """A round of a tournament."""

    pairings: list[list[str]]
    """The addresses that play each other; of one alone, who has a bye."""
    games: list[list[str]]
    """The games of each pairing."""


class Tournament(Struct):
    """A tournament: its entrants, and the rounds so far."""

    kind: TournamentKind
    system: str
    choices: Choices = Choices()
    rule: str = ""
    rounds: int = 0
    """How many rounds it has; 0: it goes on until the moderator ends it."""
    size: int = 0
    """It begins by itself with so many entrants; 0: when the moderator begins it."""
    entrants: list[str] = []
    """Addresses in the order of entry."""
    gone: list[str] = []
    """Entrants who left: they are not paired again."""
    played: list[Round] = []
    began: str = ""
    closing: str = ""
    """When the moderator said that no more rounds are paired; it ends with its last game."""
    ended: str = ""
    words: str = ""

    @property
    def open(self) -> bool:
        """Whether people can enter it who have not entered it before."""
        late = self.began and self.kind != "ladder"
        return not (late or self.closing or self.ended)


class Followed(Struct):
    """The seats of a game, as the club has followed them (`pbem.club.follow`)."""

    people: dict[str, str] = {}
    """`fox 1`, a side and the number of an officer, to his address."""
    ended: int = 0
    """How many keys of the game had ended."""
    doubted: list[str] = []
    """Keys that are reported lost, until it is known whether they are."""
    over: bool = False


class State(Struct):
    """The whole file."""

    format: int = 1
    members: dict[str, Member] = {}
    """By address."""
    offers: dict[str, Offer] = {}
    """By the name of the game."""
    standby: list[Standby] = []
    vacancies: dict[str, dict[str, Vacancy]] = {}
    """Game to side to what is sought."""
    pending: dict[str, Pending] = {}
    """By the code that confirms it."""
    tournaments: dict[str, Tournament] = {}
    todo: list[Todo] = []
    outbox: list[Mail] = []
    handled: dict[str, str] = {}
    """Digest of a mail, or mark of a signed wish, to the day on which it was handled."""
    day: str = ""
    """The day that `answers` counts."""
    answers: dict[str, int] = {}
    """Address to its answers of that day; empty for all addresses that belong to no member."""
    mails: int = 0
    """How many mails the club has written."""
    followed: dict[str, Followed] = {}
    """By the name of the game."""


class Club:
    """A home's club, locked: its settings, and its state, which `commit` writes."""

    def __init__(self, home: Path, config: Config, settings: Settings, state: State) -> None:
        self.home, self.config, self.settings, self.state = home, config, settings, state
        self._before = msgspec.json.encode(state)

    def commit(self) -> bool:
        """Write the state if it has changed; return whether it had. Raises Busy on a full disk."""
        content = msgspec.json.encode(self.state)
        if content == self._before:
            return False
        write_private(folder(self.home) / FILE, content)
        self._before = content
        return True


def folder(home: Path) -> Path:
    """Return the club's folder; make it if it does not exist."""
    return place(home, "club")


@contextmanager
def locked(home: Path, config: Config) -> Iterator[Club]:
    """Lock a home's club. The caller commits. Raises Busy, Damaged."""
    with Lock(folder(home) / "lock", "the club", WAIT):
        yield read(home, config)


def read(home: Path, config: Config) -> Club:
    """Return a home's club without a lock, to be looked at. Raises Damaged."""
    path = home / ".pbem" / "club" / FILE
    content = read_plain(path)
    state = stored(content, State, path) if content else State()
    today = stamp(now())[:10]
    if state.day != today:
        state.day, state.answers = today, {}
    return Club(home, config, config.club or Settings(), state)
