"""What a side knows now of the terms that conditions test (`verbs.TERMS`).

In a meeting both sides see each other; a side as a whole has the meeting's facts too.
"""

from __future__ import annotations

from games.far_seas.state import Fight, Ship, War
from games.far_seas.strength import odds
from games.far_seas.verbs import NAMED, TYPES
from orders.book import Facts
from orders.model import Value
from pbem.kit.doctrine import yes_no
from pbem.model import Side


def knows(war: War, side: Side) -> Facts:
    """(term, actor) -> what `side` knows of it; None is unknown, so that no test of it holds."""

    def fact(term: str, actor: str) -> Value | None:
        if term in ("turn", "segment"):
            return war.turn if term == "turn" else war.segment
        if term in NAMED:
            return _named(war, NAMED[term])
        ship = war.ships.get(actor)
        if ship and ship.side != side:
            return None
        if term in ("damage", "alone"):
            return _own(war, ship, term)
        return meeting(war, war.fight, side, term) if war.fight else None

    return fact


def _named(war: War, id_: str) -> Value | None:
    """M4 Names are public; of a ship that is gone nothing is known."""
    seen = war.known.ships.get(id_)
    return None if seen is None else yes_no(seen.named == war.turn)


def _own(war: War, ship: Ship | None, term: str) -> Value | None:
    if ship is None or not ship.afloat:
        return None
    group = war.group(ship.id) if not ship.leader else [ship]
    if term == "alone":
        return yes_no(not ship.leader and len(group) == 1)
    return max(100 * s.damage // s.capacity for s in group)


def meeting(war: War, fight: Fight, side: Side, term: str) -> Value | None:
    """The terms of a fight, as either side sees it."""
    own = [war.ships[i] for i in fight.ships(side) if war.ships[i].afloat]
    foes = [war.ships[i] for i in fight.enemies(side) if war.ships[i].afloat]
    if term == "odds":
        return odds(own, foes)
    if term == "enemy ships":
        return len(foes)
    if term == "round":
        return fight.round
    return max((s.type for s in foes), key=TYPES.index, default=None)
