"""Audit checks of provable dice: the dice key, links, the seed, and the proof of every roll.

Each check raises `provable.BadProof`; its code says what was forged. The dice: docs/formats.md.
"""

from __future__ import annotations

from orders.canon import decode, streams
from orders.model import Header, OrderSet
from pbem.base.hashing import setup_digest
from pbem.dice import provable
from pbem.dice.chains import NO_LINK
from pbem.dice.provable import BadProof
from pbem.dice.sources import LINKED, STRICT, parse_label
from pbem.model import Roll
from pbem.player.run_word import beyond
from pbem.store.records import Closed, Created, Received
from pbem.store.register import Register
from pbem.turns import links


def check_key(created: Created) -> None:
    """Check that the dice key is certified for this game, or absent if the dice need none.

    The certificate proves that the key has only one signature for each text: with a specially made
    RSA key the moderator could choose among several results of a roll.
    """
    try:
        modulus = int(created.modulus or "0", 16)
        roots = [int(root, 16) for root in created.roots]
    except ValueError:
        raise BadProof("dice-key", "the dice key is not a valid hex number") from None
    if created.dice in LINKED:
        provable.check_key(modulus, created.game, roots)
    elif modulus or roots:
        raise BadProof("dice-key", f"{created.dice} dice have no key")


def check_link(
    register: Register,
    side: str,
    officer: int,
    header: Header,
    recorded: str,
    ahead: int = 0,
    lends: int = 0,
) -> None:
    """Check that the link in a set's header is recorded and belongs to the chain of its key.

    A set without a link must announce an anchor, unless no anchor is valid for its key yet. In
    strict games orders contain no link before the lock, unless they give links ahead. ahead: how
    many windows after its own the set agrees to run (`RUN`); lends: of how many windows it gives
    the links ahead (`LINKS`). Its link is for the last window that it so reaches.
    """
    said, reach = header.link, register.window + beyond(ahead, lends)
    linked = register.created.dice in LINKED and officer > 0
    expected = "" if said == NO_LINK or not officer else said.lower()
    if recorded != expected:
        raise BadProof("bad-link", f"the record has another link than the orders of {side}")
    if linked and register.created.dice == STRICT and not lends:
        if expected:
            raise BadProof("bad-link", f"the orders of {side} hold a link before the lock")
        return
    anchor = register.anchor_of(side, officer) if linked else ""
    excused = header.anchor or reach > provable.CHAIN_LENGTH
    if linked and bool(anchor) != bool(expected) and (expected or not excused):
        what = "a link without a valid anchor" if expected else "a valid anchor but no link"
        raise BadProof("bad-link", f"the orders of {side} have {what}")
    if anchor and expected:
        known = (0, bytes.fromhex(anchor))
        provable.check_link(register.created.game, side, reach, bytes.fromhex(expected), known)


def check_dice(register: Register, body: Closed) -> None:
    """Check that a closed window used the links of its sets, and that they determine every roll."""
    created = register.created
    want = links.fixed(register)
    if body.links != want.links or body.firsts != want.firsts:
        raise BadProof("swapped-link", "the dice have other links than the sets of the window")
    if body.carried != want.carried:
        raise BadProof("swapped-link", "links that came with earlier sets are not named as such")
    if body.seed != want.seed:
        raise BadProof("swapped-link", "the seed is not that of the links")
    if created.dice not in LINKED:
        return
    g0, modulus = bytes.fromhex(setup_digest(register.setup)), int(created.modulus, 16)
    seed = links.seed_of(register, want)
    seen: set[str] = set()
    for roll in body.rolls:
        if roll.window != body.window or roll.label in seen:
            raise BadProof("rolled-twice", f"{roll.label} is of another window or was rolled twice")
        seen.add(roll.label)
        check_roll(modulus, g0, seed, roll)


def check_roll(modulus: int, g0: bytes, seed: bytes, roll: Roll) -> None:
    """Check that a roll has the values that follow from its proof."""
    try:
        dice, proof = parse_label(roll.label), bytes.fromhex(roll.proof)
    except ValueError:
        raise BadProof("altered-roll", f"{roll.label[:80]} is not a provable roll") from None
    values = provable.check_roll(
        modulus, g0, roll.window, seed, label=roll.label, dice=dice, proof=proof
    )
    if values != tuple(roll.dice):
        raise BadProof(
            "altered-roll", f"{roll.label} fell {list(values)}, the record says {list(roll.dice)}"
        )


def consent_of(body: Received, orders: OrderSet) -> str:
    """Return what a set consents to (CONSENT); empty if the moderator entered the set."""
    return orders.words.get("CONSENT", "") if body.officer else ""


def canonicals(raw: bytes) -> list[str]:
    """Return the canonical forms of the order blocks in a file that was signed unfolded."""
    return [u.canonical.decode("ascii") for u in streams(decode(raw))]
