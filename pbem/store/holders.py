"""What a game's register holds: keys of the sides, dice anchors and links, rulings."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.model import Side
from pbem.store.records import Accepted, Edit, Edition, Enlisted, Received, Replaced, Ruled


class Officer(Struct, frozen=True):
    """A key of a side."""

    side: Side
    number: int  # counts the officers of the side from 1
    key: str  # the public line
    bot: bool = False  # whether it is the referee's own
    recovery: str = ""  # the public key on paper that may name another in its place
    age: str = ""  # what mail is encrypted to instead of the key


class Anchor(Struct, frozen=True):
    """A dice anchor of a key. Kept when the key is no longer an officer's: links that it gave have
    to be checked."""

    side: Side
    officer: int
    key: str  # the public line
    anchor: str  # in hex
    since: int = 0  # the first window whose links it answers for, 0 while no report has named it


class Given(Struct, frozen=True):
    """A dice link that came with a set."""

    side: Side
    officer: int
    anchor: str  # of its chain
    window: int  # the set's own
    reach: int  # the window of `link`, beyond the set's own where turns run on
    link: str  # in hex; it gives those of all windows before `reach`


class LateKey(Struct, frozen=True, omit_defaults=True):
    """A key that came after the set-up, as reports tell of it."""

    side: Side
    key: str  # the public line
    why: str  # by what right: `officer`, or as in the record of a change
    since: int = field(name="from")  # the window that was open
    window: int = 0  # the window that the change says, where its player signed it
    old: str = ""  # the name of the key that signed it
    anchor: str = ""  # of the key's dice chain
    age: str = ""  # what mail is encrypted to, where that is not the key
    signature: str = ""  # of the old key, in hex
    proof: str = ""  # the signature of the new key, in hex


class Reveal(Struct, frozen=True):
    """A link that was opened behind a lock."""

    link: str  # in hex
    signature: str  # in hex


class Ruling(Struct, frozen=True, omit_defaults=True):
    """What is kept of a ruling."""

    rule: str  # the number of the rule, empty without one
    text: str  # what holds
    reason: str
    at: str  # when it was made
    window: int  # the window that was open
    timely: bool | None = None  # whether nothing had come in for that window; None: not known
    to: list[str] | None = None  # the sides that are told, None for all
    edits: list[Edit] | None = None  # changes of the state, None without
    permit: Edition | None = None  # the edition that the game went on with
    opens: int = 0  # the window that it opened, 0 without one
    undone: bool = False  # whether its changes were taken back

    @classmethod
    def of(cls, said: Ruled, at: str, window: int) -> Ruling:
        """What is kept of this record."""
        return cls(
            said.rule,
            said.text,
            said.reason,
            at,
            window,
            said.timely,
            said.to,
            said.edits,
            said.permit,
            said.opens,
        )


def newest(anchors: Iterable[Anchor], side: str, officer: int, window: int) -> str:
    """The anchor among these that counts for a key in a window, empty without one."""
    found = ""
    for one in anchors:
        if (one.side, one.officer) == (side, officer) and one.since <= window:
            found = one.anchor
    return found


def counting(anchor: Anchor, since: int) -> Anchor:
    """The anchor, which answers for links from that window on."""
    return replace(anchor, since=since)


def officer_of(body: Enlisted | Replaced) -> Officer:
    """The officer whose key a record registers."""
    bot = isinstance(body, Enlisted) and body.bot
    return Officer(body.side, body.number, body.key, bot, body.recovery, body.age)


def accepted(n: int, at: str, body: Received) -> Accepted:
    """The set of the record of that number and time."""
    return Accepted(
        n=n,
        at=at,
        seq=body.seq,
        digest=body.digest,
        order=body.order,
        canonical=body.canonical,
        final=body.final,
        clean=not body.refused_orders,
        raw=body.raw or "",
        link=body.link,
        officer=body.officer,
        ahead=body.ahead,
    )


def late_key(body: Replaced, since: int) -> LateKey:
    """Keys that came after the set-up are named in every later report."""
    return LateKey(
        side=body.side,
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
