"""What an audit checks of provable dice: set-up, key, links, seed, and the proof of every roll.

Each function raises `provable.BadProof`, whose code names what was done.
"""

from __future__ import annotations

from orders.canon import decode, streams
from orders.model import Header, OrderSet
from pbem.base.hashing import setup_digest
from pbem.dice import provable
from pbem.dice.chains import LINKED, NO_LINK
from pbem.dice.provable import BadProof
from pbem.dice.sources import STRICT, parse_label
from pbem.model import Roll
from pbem.store.records import Closed, Created, Received
from pbem.store.register import Register
from pbem.turns import links


def check_key(created: Created) -> None:
    """The dice key must be certified for this game, or absent where the dice need none."""
    try:
        modulus = int(created.modulus or "0", 16)
        roots = [int(root, 16) for root in created.roots]
    except ValueError:
        raise BadProof("dice-key", "the dice key is no hex number") from None
    if created.dice in LINKED:
        provable.check_key(modulus, created.game, roots)
    elif modulus or roots:
        raise BadProof("dice-key", f"{created.dice} dice have no key")


def check_link(
    register: Register, side: str, officer: int, header: Header, recorded: str, ahead: int = 0
) -> None:
    """The link that a set's header says must be recorded, and lead back to the anchor of its
    key; without one the header must announce an anchor, or no anchor counts yet. ahead: how many
    windows beyond its own the set reaches."""
    said, reach = header.link, register.window + ahead
    linked = register.created.dice in LINKED and officer > 0
    expected = "" if said == NO_LINK or not officer else said.lower()
    if recorded != expected:
        raise BadProof("bad-link", f"the record has another link than the orders of {side}")
    if linked and register.created.dice == STRICT:
        if expected:
            raise BadProof("bad-link", f"the orders of {side} hold a link before the lock")
        return
    anchor = register.anchor_of(side, officer) if linked else ""
    excused = header.anchor or reach > provable.CHAIN_LENGTH
    if linked and bool(anchor) != bool(expected) and (expected or not excused):
        what = "a link without an anchor that counts" if expected else "an anchor and no link"
        raise BadProof("bad-link", f"the orders of {side} have {what}")
    if anchor and expected:
        known = (0, bytes.fromhex(anchor))
        provable.check_link(register.created.game, side, reach, bytes.fromhex(expected), known)


def check_dice(register: Register, body: Closed) -> None:
    """The links of a closed window must be those of its sets, and every roll that was first made
    in it must follow from them by its proof."""
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
            raise BadProof("rolled-twice", f"{roll.label} does not belong to this window alone")
        seen.add(roll.label)
        check_roll(modulus, g0, seed, roll)


def check_roll(modulus: int, g0: bytes, seed: bytes, roll: Roll) -> None:
    """One roll must have the faces that its proof gives."""
    try:
        dice, proof = parse_label(roll.label), bytes.fromhex(roll.proof)
    except ValueError:
        raise BadProof("altered-roll", f"{roll.label[:80]} is no provable roll") from None
    values = provable.check_roll(
        modulus, g0, roll.window, seed, label=roll.label, dice=dice, proof=proof
    )
    if values != tuple(roll.dice):
        raise BadProof(
            "altered-roll", f"{roll.label} fell {list(values)}, the record says {list(roll.dice)}"
        )


def consent_of(body: Received, orders: OrderSet) -> str:
    """What a set consents to, if a player signed it."""
    return orders.words.get("CONSENT", "") if body.officer else ""


def canonicals(raw: bytes) -> list[str]:
    """The canonical forms of the blocks in a file that was signed as it lay."""
    return [u.canonical.decode("ascii") for u in streams(decode(raw))]
