"""What conditions may test, and what a side knows of it now."""

from __future__ import annotations

from collections.abc import Iterable

from games.bismarck import calendar
from games.bismarck.state import BRITISH, GERMAN, Ship, War
from orders.terms import Terms
from pbem.model import Side

TERMS = Terms[War]()
RANKS = ("none", "CL", "CA", "CV", "BC", "BB")
knows = TERMS.facts


@TERMS.number
def visibility(war: War, side: Side, actor: str) -> int:
    """level of the turn, 1 best, 9 for X (7.12)"""
    return war.level


@TERMS.flag
def night(war: War, side: Side, actor: str) -> bool | None:
    """is it night where the unit is (11.11)"""
    ships, unit = members(war, side, actor), war.air.get(actor)
    zone = ships[0].zone if ships else unit.zone if unit and unit.side == side else ""
    return calendar.night(war.turn, zone) if zone else None


@TERMS.flag
def fog(war: War, side: Side, actor: str) -> bool:
    """is there fog this turn (7.31)"""
    return war.fog


@TERMS.number
def turn(war: War, side: Side, actor: str) -> int:
    """printed number of the turn, 4 to 34 (11.2)"""
    return war.turn


@TERMS.rank(*RANKS)
def contact(war: War, side: Side, actor: str) -> str:
    """strongest enemy type seen this turn or last (7.23)"""
    seen = [c.type for c in war.known[side].contacts.values() if c.turn >= war.turn - 1]
    return max((t for t in seen if t in RANKS), key=RANKS.index, default="none")


@TERMS.number
def fuel(war: War, side: Side, actor: str) -> int | None:
    """own factors left, in a task force the fewest (5.2)"""
    ships = members(war, side, actor)
    return min((s.fuel for s in ships if s.fuel is not None), default=None)


@TERMS.flag
def located(war: War, side: Side, actor: str) -> bool | None:
    """was the unit found by the enemy this turn or last (7.23)"""
    seeker = GERMAN if side == BRITISH else BRITISH  # who located them has told them (7.23)
    given_away = {*war.located[seeker], *war.located_last[seeker]}
    return _any(s.id in given_away for s in members(war, side, actor))


@TERMS.flag
def shadowed(war: War, side: Side, actor: str) -> bool | None:
    """is the unit being shadowed this turn, before it moves (8.11)"""
    return _any(s.id in war.hunted for s in members(war, side, actor))


@TERMS.number
def evasion(war: War, side: Side, actor: str) -> int | None:
    """own evasion now, in a task force the slowest (9.72)"""
    return min((s.evasion_now for s in members(war, side, actor)), default=None)


@TERMS.number
def hits(war: War, side: Side, actor: str) -> int | None:
    """own midships boxes hit, in a task force the most (9.7)"""
    return max((s.hits.midships for s in members(war, side, actor)), default=None)


def _any(of_ships: Iterable[bool]) -> bool | None:
    """Does it hold for any of the acting ships? None if there are none."""
    found = list(of_ships)
    return any(found) if found else None


def members(war: War, side: Side, actor: str) -> list[Ship]:
    """The ships of an acting ship or task force; none when the side has no such unit afloat."""
    force = war.forces[side].get(actor)
    ids = force.ships if force else [actor]
    return [war.ships[i] for i in ids if i in war.ships and _mine(war.ships[i], side)]


def _mine(ship: Ship, side: Side) -> bool:
    return ship.side == side and ship.afloat
