"""What conditions of orders may ask. All of it lies open on the table, but for one's own cards."""

from __future__ import annotations

from games.baltic import hulls
from games.baltic.state import Vessel, War
from orders.terms import Terms
from pbem.kit import plane

TERMS = Terms[War]()


def _subject(war: War, actor: str) -> Vessel | None:
    """The vessel that an order speaks of: a ship, or the flagship of a squadron."""
    if actor in war.vessels:
        return war.vessels[actor]
    if actor not in war.cards:
        return None
    members = war.members(war.cards[actor])
    return members[0] if members else None


def aspect(target: Vessel, x: int, y: int) -> str:
    """9 of 2.1 What a target presents to somebody at (x, y); astern the ends change places."""
    seen = plane.relative(plane.bearing((target.x, target.y), (x, y)), target.heading)
    if abs(seen) <= 720:
        return "closing"
    return "moving away" if abs(seen) >= 2160 else "broadside"


def faced(war: War, target: Vessel, x: int, y: int) -> str:
    """9 of 2.1 The aspect, after that of a ship in Reverse has changed places."""
    found = aspect(target, x, y)
    if war.cards[target.card].setting == "reverse" and not target.wreck:
        return {"closing": "moving away", "moving away": "closing"}.get(found, found)
    return found


@TERMS.of("contact").number
def range_to(war: War, side: str, actor: str, contact: str) -> int | None:
    """Inches from hull to hull to an enemy, down."""
    own = _subject(war, actor)
    enemy = hulls.nearest(own, war.named(contact)) if own else None
    return hulls.between(own, enemy) // 1000 if own and enemy else None


@TERMS.of("contact").word("closing", "broadside", "moving away")
def aspect_of(war: War, side: str, actor: str, contact: str) -> str | None:
    """What an enemy presents to you."""
    own = _subject(war, actor)
    enemy = hulls.nearest(own, war.named(contact)) if own else None
    return faced(war, enemy, own.x, own.y) if own and enemy else None


@TERMS.of("contact").flag
def activated(war: War, side: str, actor: str, contact: str) -> bool | None:
    """Has an enemy activated this turn?"""
    card = war.cards.get(war.vessels[contact].card if contact in war.vessels else contact)
    return card.used if card else None


@TERMS.of("contact").flag
def wrecked(war: War, side: str, actor: str, contact: str) -> bool | None:
    """Is an enemy a wreck? A squadron is when none of it floats."""
    if contact in war.vessels:
        return war.vessels[contact].wreck
    return not war.named(contact) if contact in war.cards else None


@TERMS.number
def cards_left(war: War, side: str, actor: str) -> int:
    """Your cards that are still to be played this turn."""
    return sum(
        card.side == side and not card.used and bool(war.members(card))
        for card in war.cards.values()
    )


@TERMS.number
def enemy_cards_left(war: War, side: str, actor: str) -> int:
    """Cards of the others that are still to be played this turn."""
    return sum(
        card.side != side and not card.used and bool(war.members(card))
        for card in war.cards.values()
    )


@TERMS.flag
def crippled(war: War, side: str, actor: str) -> bool | None:
    """Is the ship crippled?"""
    own = _subject(war, actor)
    return own.crippled if own else None


@TERMS.number
def hull(war: War, side: str, actor: str) -> int | None:
    """Hull boxes left."""
    own = _subject(war, actor)
    return own.hull if own else None


TERMS.add("round", "number", lambda war, side, actor: war.round, help="The round of activations.")
TERMS.add("turn", "number", lambda war, side, actor: war.turn, help="The turn.")
