"""What a game's register holds: keys of the sides, dice anchors and links, accepted sets."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from pbem.model import Side


class Officer(Struct, frozen=True):
    """A key of a side. number: counts the side's officers from 1; bot: the referee's own;
    recovery: the public key on paper that may name another in its place, empty without; age: what
    mail is encrypted to instead of the key, empty without."""

    side: Side
    number: int
    key: str
    bot: bool = False
    recovery: str = ""
    age: str = ""


class Reset(Struct, frozen=True):
    """A key that is said to be lost. n: the record that announced it; ends: the officers whose
    keys end; key, anchor, age: what takes their place, as an officer has it; due: when, unless one
    of them signs before."""

    n: int
    side: Side
    ends: list[int]
    key: str
    due: str
    anchor: str = ""
    age: str = ""


class Anchor(Struct, frozen=True):
    """A dice anchor of a key (its public line). since: the first window whose links it answers
    for, 0 while no report has named it. Kept when the key is no longer an officer's: links that
    it gave have to be checked."""

    side: Side
    officer: int
    key: str
    anchor: str
    since: int = 0


class Given(Struct, frozen=True):
    """A dice link that came with a set. anchor: of its chain; window: the set's own; reach: the
    window of `link` (hex), which gives all before it; beyond its own where turns run on."""

    side: Side
    officer: int
    anchor: str
    window: int
    reach: int
    link: str


class Accepted(Struct, frozen=True):
    """A set of orders in force or superseded. digest: of its canonical bytes; order: l of the
    dice; n: its record; link: x of the window that lies `ahead` of its own, empty without."""

    n: int
    seq: int
    digest: str
    order: str
    canonical: str
    final: bool
    clean: bool
    at: str
    raw: str = ""
    link: str = ""
    officer: int = 0
    ahead: int = 0


def newest(anchors: Iterable[Anchor], side: str, officer: int, window: int) -> str:
    """The anchor among these that counts for a key in a window, empty without one."""
    found = ""
    for one in anchors:
        if (one.side, one.officer) == (side, officer) and one.since <= window:
            found = one.anchor
    return found
