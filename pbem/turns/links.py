"""Which dice links decide the rolls of the open window, and the seed that they make.

Bytes and rules: docs/formats.md, "Provable dice". A link that a side once gave for a window stays:
nothing that happens later (a set that the moderator enters, a key that ends, an undo that keeps the
orders) takes it out of the seed again, for whoever could do that could choose between two results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from pbem.base.hashing import H
from pbem.dice import provable
from pbem.dice.chains import LINKED
from pbem.dice.sources import STRICT
from pbem.model import Side
from pbem.store.holders import Given
from pbem.store.register import Register


class Fixed(Struct, frozen=True):
    """What decides the dice of a window."""

    # of every side, in hex, empty where it gave none; no sides for dice without links
    links: dict[str, str] = {}
    # sides whose link came with orders of an earlier window, and of which one
    carried: dict[str, int] = {}
    # in the first window, the anchors (hex) that sides without one announced in it
    firsts: dict[str, str] = {}
    root: str = ""  # the seed (hex) of the first window, in later ones
    seed: str = ""  # in hex, empty for dice without links


def fixed(register: Register) -> Fixed:
    """What decides the dice of the open window, as things stand."""
    if register.created.dice not in LINKED:
        return Fixed()
    first = register.repeats
    if first:  # with what it was rolled with before, whatever came since
        links, firsts, known = first.links, first.firsts, first.carried
    else:
        links, firsts, known = _links(register), _firsts(register), _carried(register)
    if register.protocol < 2:
        return Fixed(links, known)
    root = register.closed[0].seed if register.closed else ""
    g0 = H("setup", register.setup.encode("ascii"))
    return Fixed(links, known, firsts, root, seed(g0, register.window, links, firsts, root).hex())


def seed(
    g0: bytes, window: int, links: Mapping[str, str], firsts: Mapping[str, str] = {}, root: str = ""
) -> bytes:
    """R of a window, from what its record or a report says (`Fixed`)."""
    given = {side: bytes.fromhex(link) for side, link in links.items()}
    for side, anchor in ({} if root else firsts).items():  # they count in the first window alone
        given[side] = given[side] or provable.first(bytes.fromhex(anchor))
    return provable.seed(bytes.fromhex(root) or g0, window, given)


def seed_of(register: Register, said: Fixed) -> bytes:
    """R of the open window."""
    g0 = H("setup", register.setup.encode("ascii"))
    return seed(g0, register.window, said.links, said.firsts, said.root)


def doubts(register: Register, said: Fixed) -> list[str]:
    """What a reader must know of the dice of the first window: who gave nothing that was fixed
    before the game. Protocol 1 takes the first anchors of keys for nothing."""
    if register.closed or not said.links:
        return []
    window, firsts = register.window, sorted(said.firsts)
    silent = [side for side, link in sorted(said.links.items()) if not link and side not in firsts]
    found = [
        f"window {window}: the first dice anchor of {side} came with its orders: {side} and "
        "the moderator together could choose these dice"
        for side in firsts
    ]
    if silent:
        found.append(
            f"window {window}: nothing of {', '.join(silent)} is in the first dice: the "
            "moderator and the other sides together could choose them"
        )
    return found


def known(register: Register) -> bool:
    """Whether something that decides the dice of the open window is known already, so that opening
    another in its place would make the roll again."""
    if register.created.dice not in LINKED:
        return bool(register.sets)
    return bool(register.sets or register.locked) or any(fixed(register).links.values())


def _links(register: Register) -> dict[str, str]:
    if register.created.dice == STRICT:
        told = register.reveals
        return {side: told[side].link if side in told else "" for side in register.sides}
    if register.protocol < 2:
        return {side: _link_in_force(register, side) for side in register.sides}
    return {side: _hashed_back(register, _newest(register, side)) for side in register.sides}


def _carried(register: Register) -> dict[str, int]:
    """Sides whose link of the open window the moderator has had since an earlier one, and since
    which: dice of such a window could be foreseen by whoever had all its links."""
    since: dict[str, int] = {}
    if not register.given or register.created.dice == STRICT:
        return since
    for side in register.sides:
        anchor = _anchor(register, side)
        known = [
            one.window
            for one in register.given.values()
            if one.anchor == anchor and one.window < register.window <= one.reach
        ]
        if known and anchor:
            since[side] = min(known)
    return since


def _firsts(register: Register) -> dict[str, str]:
    """Who has a key and no anchor when a game opens sends one with his first orders. Without it
    the dice of the first window would follow from the set-up text and the dice key alone, which
    the moderator makes: he could try set-up texts until he likes the dice."""
    if register.protocol < 2 or register.closed or register.created.dice != "fast":
        return {}
    late = {side for side in register.sides if all(a.side != side for a in register.anchors)}
    found = {str(side): anchor for side, anchor in register.announced.values() if side in late}
    return dict(sorted(found.items()))


def _newest(register: Register, side: Side) -> Given | None:
    """The newest link of a side that reaches the open window."""
    for one in reversed(register.given.values()):
        if one.side == side and one.window <= register.window <= one.reach:
            return one
    return None


def _hashed_back(register: Register, one: Given | None) -> str:
    """The link of the open window, from one that reaches it."""
    if one is None or one.reach == register.window:
        return one.link if one else ""
    raw, game = bytes.fromhex(one.link), register.created.game
    return provable.walk_back(game, one.side, one.reach, raw, register.window).hex()


def _anchor(register: Register, side: Side) -> str:
    """The anchor of the chain that a side's link of the open window is of; empty without one."""
    if register.protocol >= 2:
        one = _newest(register, side)
        return one.anchor if one else ""
    taken, one = register.sets.get(side), _carrier(register, side)
    if not _link_in_force(register, side):
        return ""
    return register.anchor_of(side, taken.officer) if taken else one.anchor if one else ""


# Protocol 1: the link of the set in force counts, so that it goes when another set takes its place


def _link_in_force(register: Register, side: Side) -> str:
    taken = register.sets.get(side)
    if taken is None:
        return _hashed_back(register, _carrier(register, side))
    reach = register.window + taken.ahead
    one = Given(side, taken.officer, "", register.window, reach, taken.link)
    return _hashed_back(register, one if taken.link else None)


def _carrier(register: Register, side: Side) -> Given | None:
    """The set of an earlier window whose link is the side's in the open one: the last in force,
    if it reaches that far, and its anchor still counts for a key that is still registered."""
    numbers = [c.sets[side].record for c in register.closed if c.sets[side].record]
    one = register.given.get(numbers[-1]) if numbers else None
    fits = one and one.reach >= register.window and one.anchor in list(_counting(register, one))
    return one if fits else None


def _counting(register: Register, one: Given) -> Iterator[str]:
    if one.anchor and any((o.side, o.number) == (one.side, one.officer) for o in register.officers):
        yield register.anchor_of(one.side, one.officer)
