"""9.9 Withdrawal: who may, moves that never close the range, success."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.bismarck.battle.charts import charts
from games.bismarck.battle.movement import Place
from games.bismarck.contacts import GENERAL
from games.bismarck.state import War
from games.bismarck.vessels import Battle, Vessel
from pbem.kit.hexes import Hex, distance

SIZE = {"CV": 0, "CA": 1, "BB": 2}
"""9.93, ruling 49: a general type holds one of its own size or smaller."""


class Mark(NamedTuple):
    """A ship as the withdrawal rules see it. type: BB to CV; evasion: now."""

    name: str
    type: str
    evasion: int
    at: Hex


def mark(war: War, vessel: Vessel) -> Mark:
    """A ship in battle as the withdrawal rules see it."""
    ship = war.ships[vessel.ship]
    return Mark(ship.name, ship.type, ship.evasion_now, vessel.at)


def foes(war: War, battle: Battle, vessel: Vessel) -> list[Mark]:
    """Its enemies in the battle."""
    return [mark(war, v) for v in battle.against(vessel.side)]


def able(war: War, battle: Battle, vessel: Vessel) -> bool:
    """9.93 May this ship begin to withdraw?"""
    reach = charts(war.house).b_range
    return may_withdraw(mark(war, vessel), foes(war, battle, vessel), reach)


def size(type_: str) -> int:
    """9.93 Battleships before cruisers before carriers."""
    return SIZE[GENERAL[type_]]


def holders(ship: Mark, enemies: Iterable[Mark], reach: int) -> list[Mark]:
    """9.93 The enemies that count: of the same or a larger type, within six hexes."""
    return [
        e for e in enemies if size(e.type) >= size(ship.type) and distance(ship.at, e.at) <= reach
    ]


def may_withdraw(ship: Mark, enemies: Iterable[Mark], reach: int) -> bool:
    """9.93 Is it faster than every enemy that counts?"""
    return all(ship.evasion > e.evasion for e in holders(ship, enemies, reach))


def stays_withdrawing(ship: Mark, enemies: Iterable[Mark], reach: int) -> bool:
    """9.94 Does it keep its blank counter: is it not slower now than an enemy that counts?"""
    return all(ship.evasion >= e.evasion for e in holders(ship, enemies, reach))


def opening(start: Hex, places: Sequence[Place], enemies: Sequence[Hex]) -> list[Place]:
    """9.96 The places that bring it closer to no enemy; all of them when none is left."""
    now = [distance(start, e) for e in enemies]
    kept = [
        p for p in places if all(distance(p.at, e) >= d for e, d in zip(enemies, now, strict=True))
    ]
    return kept or list(places)


def away(at: Hex, enemies: Iterable[Hex], reach: int) -> bool:
    """9.97 Has it no enemy within six hexes?"""
    return all(distance(at, e) > reach for e in enemies)
