"""What conditions may test, and what a side knows of it now.

In a meeting both sides see each other; a side as a whole has the meeting's facts too.
"""

from __future__ import annotations

from collections.abc import Callable

from games.far_seas.board import GERMAN
from games.far_seas.setup import rows
from games.far_seas.state import Fight, Ship, War
from games.far_seas.strength import odds as odds_of
from orders.terms import Terms
from pbem.model import Side

TERMS = Terms[War]()
TYPES = ("AMC", "CR", "CL", "AC", "BB", "BC")
"""Weakest first."""
knows = TERMS.facts


@TERMS.number
def turn(war: War, side: Side, actor: str) -> int:
    """number of the half-month, 1 is 1 to 15 August"""
    return war.turn


@TERMS.number
def segment(war: War, side: Side, actor: str) -> int:
    """number of the segment in this turn (E4)"""
    return war.segment


@TERMS.number
def damage(war: War, side: Side, actor: str) -> int | None:
    """own damage in per cent of capacity; a squadron's worst"""
    return max((100 * s.damage // s.capacity for s in _squadron(war, side, actor)), default=None)


@TERMS.flag
def alone(war: War, side: Side, actor: str) -> bool | None:
    """is the ship without a squadron"""
    group = _squadron(war, side, actor)
    return not group[0].leader and len(group) == 1 if group else None


@TERMS.number
def odds(war: War, side: Side, actor: str) -> str | None:
    """in a meeting: enemy strength for one of our own"""
    if not (fight := _meeting(war, side, actor)):
        return None
    own = [war.ships[i] for i in fight.ships(side) if war.ships[i].afloat]
    return odds_of(own, _foes(war, fight, side))


@TERMS.number
def enemy_ships(war: War, side: Side, actor: str) -> int | None:
    """in a meeting: enemy ships"""
    fight = _meeting(war, side, actor)
    return len(_foes(war, fight, side)) if fight else None


@TERMS.rank(*TYPES)
def enemy_type(war: War, side: Side, actor: str) -> str | None:
    """in a meeting: strongest enemy type"""
    fight = _meeting(war, side, actor)
    foes = _foes(war, fight, side) if fight else []
    return max((s.type for s in foes), key=TYPES.index, default=None)


@TERMS.number
def round(war: War, side: Side, actor: str) -> int | None:
    """in a meeting: rounds fought so far"""
    fight = _meeting(war, side, actor)
    return fight.round if fight else None


@TERMS.flag
def canal_declared(war: War, side: Side, actor: str) -> bool:
    """was a German named for the Panama Canal this turn (G1)"""
    return war.known.canal == war.turn


NAMED = {f"{row.name} moves".lower(): row.id for row in rows() if row.side == GERMAN}
"""M4 Terms that tell whether a German was named this turn, with its id: `emden moves`."""


def _is_named(id_: str) -> Callable[[War, str, str], bool | None]:
    """M4 Names are public; of a ship that is gone nothing is known."""

    def answer(war: War, side: str, actor: str) -> bool | None:
        seen = war.known.ships.get(id_)
        return None if seen is None else seen.named == war.turn

    return answer


for _term, _id in NAMED.items():
    TERMS.add(_term, "flag", _is_named(_id), help="was the ship named to move this turn (M4)")


def _squadron(war: War, side: Side, actor: str) -> list[Ship]:
    """An own ship that is afloat, with those that it leads; none for other actors."""
    ship = war.ships.get(actor)
    if ship is None or ship.side != side or not ship.afloat:
        return []
    return [ship] if ship.leader else war.group(ship.id)


def _meeting(war: War, side: Side, actor: str) -> Fight | None:
    """The fight of this moment, as own ships and the side as a whole know it."""
    ship = war.ships.get(actor)
    return None if ship and ship.side != side else war.fight


def _foes(war: War, fight: Fight, side: Side) -> list[Ship]:
    return [war.ships[i] for i in fight.enemies(side) if war.ships[i].afloat]
