"""Find the dice links of the open window and make its seed from them.

Bytes and rules: docs/formats.md, "Provable dice". Once a side has given a link for a window, the
link stays in the seed. Nothing later removes it: not a set that the moderator enters, the end of a
key, or an undo that keeps the orders. Whoever could remove a link could choose between two results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from pbem.base.hashing import H
from pbem.dice import provable
from pbem.dice.sources import LINKED, STRICT
from pbem.model import Side
from pbem.store.holders import Given
from pbem.store.register import Register


class Fixed(Struct, frozen=True):
    """What decides the dice of a window, as far as the sides and earlier windows fix it."""

    links: dict[str, str] = {}
    """Side to its link in hex, empty if it gave none; no sides for dice without links."""
    carried: dict[str, int] = {}
    """Side to the earlier window since which the moderator has had its link."""
    firsts: dict[str, str] = {}
    """In the first window: side to the anchor (hex) that it announced because it had none."""
    root: str = ""
    """The seed (hex) of the first window that stands; empty in the first window itself."""
    seed: str = ""
    """R in hex; empty for dice without links and in games of protocol 1."""


def fixed(register: Register) -> Fixed:
    """Return what decides the dice of the open window, as far as it is known now."""
    if register.created.dice not in LINKED:
        return Fixed()
    first = register.repeats
    if first:
        # An undo kept the orders: the window is rolled again with exactly what it had the first
        # time. Links that came since would change the dice.
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
    """Return R of a window from the links, first anchors and root of its record or report (hex).

    g0: the set-up digest, the root of the first window. firsts count only without a root, that is
    in the first window.
    """
    given = {side: bytes.fromhex(link) for side, link in links.items()}
    for side, anchor in ({} if root else firsts).items():
        given[side] = given[side] or provable.first(bytes.fromhex(anchor))
    return provable.seed(bytes.fromhex(root) or g0, window, given)


def seed_of(register: Register, inputs: Fixed) -> bytes:
    """Return R of the open window, for every protocol."""
    g0 = H("setup", register.setup.encode("ascii"))
    return seed(g0, register.window, inputs.links, inputs.firsts, inputs.root)


def doubts(register: Register, inputs: Fixed) -> list[str]:
    """Return notes about sides that fixed nothing of the first dice before the game began.

    Empty after the first window and for dice without links. In games of protocol 1 a first anchor
    does not enter the seed, so its side counts as silent.
    """
    if register.closed or not inputs.links:
        return []
    window, firsts = register.window, sorted(inputs.firsts)
    silent = [
        side for side, link in sorted(inputs.links.items()) if not link and side not in firsts
    ]
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
    """Return whether the moderator already knows something that decides the open window's dice.

    If so, opening another window in its place is a re-roll.
    """
    if register.created.dice not in LINKED:
        return bool(register.sets)
    return bool(register.sets or register.locked) or any(fixed(register).links.values())


def lent(register: Register) -> dict[str, int]:
    """Return the sides of a `strict` game whose link of the open window the moderator has before
    its lock, and the window of the orders that brought it first. They need not reveal it."""
    return _carried(register) if register.created.dice == STRICT else {}


def _links(register: Register) -> dict[str, str]:
    """Return every side's link of the open window in hex, empty without one."""
    if register.created.dice == STRICT:
        revealed = {side: one.link for side, one in register.reveals.items()}
        lent = {side: _hashed_back(register, _newest(register, side)) for side in register.sides}
        return {side: lent[side] or revealed.get(side, "") for side in register.sides}
    if register.protocol < 2:
        return {side: _link_in_force(register, side) for side in register.sides}
    return {side: _hashed_back(register, _newest(register, side)) for side in register.sides}


def _carried(register: Register) -> dict[str, int]:
    """Return the sides whose link of the open window came in an earlier one, and that window.

    In `strict` games also those whose link came with orders for the window itself, before its lock.
    Reports name them: a moderator who had all links of a window early could foresee its dice.
    """
    since: dict[str, int] = {}
    early = register.window + (register.created.dice == STRICT)
    if not register.given:
        return since
    for side in register.sides:
        anchor = _anchor(register, side)
        known = [
            one.window
            for one in register.given.values()
            if one.anchor == anchor and one.window < early and register.window <= one.reach
        ]
        if known and anchor:
            since[side] = min(known)
    return since


def _firsts(register: Register) -> dict[str, str]:
    """Return the anchors (hex) that sides without one announced in the first window, by side.

    They enter the first seed. Otherwise, if no side had an anchor, the first dice would follow from
    the set-up text and the dice key alone. The moderator makes both, so that he could try set-up
    texts until he likes the dice.
    """
    if register.protocol < 2 or register.closed or register.created.dice != "fast":
        return {}
    late = {side for side in register.sides if all(a.side != side for a in register.anchors)}
    found = {str(side): anchor for side, anchor in register.announced.values() if side in late}
    return dict(sorted(found.items()))


def _newest(register: Register, side: Side) -> Given | None:
    """Return the newest link of a side that reaches the open window."""
    for one in reversed(register.given.values()):
        if one.side == side and one.window <= register.window <= one.reach:
            return one
    return None


def _hashed_back(register: Register, one: Given | None) -> str:
    """Return the link of the open window in hex, hashed back from `one` if it reaches further."""
    if one is None or one.reach == register.window:
        return one.link if one else ""
    raw, game = bytes.fromhex(one.link), register.created.game
    return provable.walk_back(game, one.side, one.reach, raw, register.window).hex()


def _anchor(register: Register, side: Side) -> str:
    """Return the anchor (hex) of the chain of a side's link of the open window; empty without."""
    if register.protocol >= 2 or register.created.dice == STRICT:
        one = _newest(register, side)
        return one.anchor if one else ""
    in_force, one = register.sets.get(side), _carrier(register, side)
    if not _link_in_force(register, side):
        return ""
    return register.anchor_of(side, in_force.officer) if in_force else one.anchor if one else ""


# Protocol 1 (games of release 0.1.0): the link of the set in force counts, and is lost when another
# set replaces it. docs/formats.md, "Protocols".


def _link_in_force(register: Register, side: Side) -> str:
    """Return the link (hex) of the set in force, else of the set that carries one; else empty."""
    in_force = register.sets.get(side)
    if in_force is None:
        return _hashed_back(register, _carrier(register, side))
    reach = register.window + in_force.reach
    one = Given(side, in_force.officer, "", register.window, reach, in_force.link)
    return _hashed_back(register, one if in_force.link else None)


def _carrier(register: Register, side: Side) -> Given | None:
    """Return the link of the last set in force, if it is the side's link in the open window.

    It must reach that far, and its anchor must still count for a key that is still registered.
    """
    numbers = [c.sets[side].record for c in register.closed if c.sets[side].record]
    one = register.given.get(numbers[-1]) if numbers else None
    fits = one and one.reach >= register.window and one.anchor in list(_counting(register, one))
    return one if fits else None


def _counting(register: Register, one: Given) -> Iterator[str]:
    """Yield the anchor that counts for the officer who gave the link, if still registered."""
    if one.anchor and any((o.side, o.number) == (one.side, one.officer) for o in register.officers):
        yield register.anchor_of(one.side, one.officer)
