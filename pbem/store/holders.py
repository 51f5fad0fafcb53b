"""The parts of a register: keys of the sides, dice anchors and links, rulings."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.report_json import LaterKey
from pbem.model import Side
from pbem.store.records import Accepted, Edit, Edition, Enlisted, Received, Replaced, Ruled


class Officer(Struct, frozen=True):
    """An officer of a side, and the officer's key."""

    side: Side
    number: int
    """Counts the officers of the side from 1."""
    key: str
    """The public key line."""
    bot: bool = False
    """Whether the key is that of the referee's own bot."""
    recovery: str = ""
    """The public key line of the recovery key, empty without one."""
    age: str = ""
    """What mail is encrypted to instead of the key."""


class Anchor(Struct, frozen=True):
    """A dice anchor of a key. It stays when the key ends, because the links that the key gave must
    still be checked."""

    side: Side
    officer: int
    key: str
    """The public key line."""
    anchor: str
    """The anchor in hex."""
    since: int = 0
    """The first window whose links are checked against it; 0 while no report has named it."""


class Given(Struct, frozen=True):
    """A dice link that came with a set."""

    side: Side
    officer: int
    anchor: str
    """The anchor of its chain, in hex."""
    window: int
    """The window that the set is for."""
    reach: int
    """The window that the link belongs to: a later one if the set agrees to a run or gives links
    ahead."""
    link: str
    """The link in hex. Hashing it gives the links of all earlier windows."""


class Reveal(Struct, frozen=True):
    """A link that was revealed after a lock."""

    link: str
    """The link in hex."""
    signature: str
    """Its signature in hex."""


class Ruling(Struct, frozen=True, omit_defaults=True):
    """A ruling of the moderator."""

    rule: str
    """The number of the rule, empty without one."""
    text: str
    """What holds from now on."""
    reason: str
    """Why."""
    at: str
    """When it was made."""
    window: int
    """The window that was open."""
    timely: bool | None = None
    """Whether nothing had come in for that window; None: unknown."""
    to: list[str] | None = None
    """The sides that are told, None for all."""
    edits: list[Edit] | None = None
    """Changes of the state, None without any."""
    permit: Edition | None = None
    """The edition with which the game continues."""
    opens: int = 0
    """The window that it opened, 0 without one."""
    undone: bool = False
    """Whether its changes were taken back."""

    @property
    def touched(self) -> int:
        """The first window that was played after its changes."""
        return self.opens or self.window

    @classmethod
    def of(cls, body: Ruled, at: str, window: int) -> Ruling:
        """Make a ruling from its record."""
        return cls(
            body.rule,
            body.text,
            body.reason,
            at,
            window,
            body.timely,
            body.to,
            body.edits,
            body.permit,
            body.opens,
        )


def newest(anchors: Iterable[Anchor], side: str, officer: int, window: int) -> str:
    """Return the anchor (hex) that counts for a key in a window, empty without one.

    anchors: in the order in which they were named, so that the last one counts.
    """
    found = ""
    for each in anchors:
        if (each.side, each.officer) == (side, officer) and each.since <= window:
            found = each.anchor
    return found


def counting_from(anchor: Anchor, since: int) -> Anchor:
    """Return a copy of the anchor that counts from that window on."""
    return replace(anchor, since=since)


def officer_of(body: Enlisted | Replaced) -> Officer:
    """Return the officer whose key a record registers."""
    bot = isinstance(body, Enlisted) and body.bot
    return Officer(body.side, body.number, body.key, bot, body.recovery, body.age)


def accepted(n: int, at: str, body: Received) -> Accepted:
    """Return the accepted set of a record. n, at: the record's number and time."""
    return Accepted(
        n=n,
        at=at,
        seq=body.seq,
        digest=body.digest,
        order=body.order,
        canonical=body.canonical,
        final=body.final,
        clean=not (body.refused_orders or body.edited),
        raw=body.raw or "",
        link=body.link,
        officer=body.officer,
        ahead=body.ahead,
        links=body.links,
    )


def later_key(body: Replaced, since: int) -> LaterKey:
    """Return the key of a change, as every later report names it. since: the open window."""
    return LaterKey(
        key=body.key,
        why=body.right,
        since=since,
        window=body.window,
        old=body.old,
        anchor=body.anchor,
        age=body.age,
        signature=body.signature,
        proof=body.proof,
    )
