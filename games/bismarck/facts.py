"""What a side knows now of the terms that conditions test (`verbs.TERMS`)."""

from __future__ import annotations

from games.bismarck import calendar
from games.bismarck.state import BRITISH, GERMAN, Ship, War
from games.bismarck.verbs import TERMS
from orders.book import Facts
from orders.model import Value
from pbem.kit.doctrine import yes_no
from pbem.model import Side

RANKS = next(term.values for term in TERMS if term.name == "contact")


def knows(war: War, side: Side) -> Facts:
    """(term, actor) -> what `side` knows of it; None is unknown, so that no test of it holds."""

    def fact(term: str, actor: str) -> Value | None:
        if term in PUBLIC:
            return _public(war, term)
        if term == "contact":
            return contact(war, side)
        return _own(war, side, term, actor)

    return fact


PUBLIC = ("visibility", "fog", "turn")


def _public(war: War, term: str) -> Value:
    if term == "fog":
        return yes_no(war.fog)
    return war.level if term == "visibility" else war.turn


def contact(war: War, side: Side) -> str:
    """7.23 The strongest enemy type that the side saw this turn or last; `none` without one."""
    seen = [c.type for c in war.known[side].contacts.values() if c.turn >= war.turn - 1]
    return max((t for t in seen if t in RANKS), key=RANKS.index, default="none")


def _own(war: War, side: Side, term: str, actor: str) -> Value | None:
    """Facts of the acting unit itself; None for an actor that is not the side's."""
    ships = members(war, side, actor)
    unit = war.air.get(actor)
    if unit and unit.side != side:
        return None
    if term == "night":
        zone = ships[0].zone if ships else unit.zone if unit else ""
        return yes_no(calendar.night(war.turn, zone)) if zone else None
    if term == "fuel":
        return min((s.fuel for s in ships if s.fuel is not None), default=None)
    return _of_ships(war, side, term, ships) if ships else None


def _of_ships(war: War, side: Side, term: str, ships: list[Ship]) -> Value | None:
    if term == "shadowed":
        return yes_no(any(s.id in war.hunted for s in ships))
    if term == "evasion":
        return min(s.evasion_now for s in ships)
    if term == "hits":
        return max(s.hits.midships for s in ships)
    if term == "located":
        seeker = GERMAN if side == BRITISH else BRITISH  # who located them has told them (7.23)
        given_away = {*war.located[seeker], *war.located_last[seeker]}
        return yes_no(any(s.id in given_away for s in ships))
    return None


def members(war: War, side: Side, actor: str) -> list[Ship]:
    """The ships of an acting ship or task force; none when the side has no such unit afloat."""
    force = war.forces[side].get(actor)
    ids = force.ships if force else [actor]
    return [war.ships[i] for i in ids if i in war.ships and _mine(war.ships[i], side)]


def _mine(ship: Ship, side: Side) -> bool:
    return ship.side == side and ship.afloat
