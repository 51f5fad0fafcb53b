"""6.19 Decoys (an option): group markers without ships."""

from __future__ import annotations

from games.second_fleet import advanced_events as ev
from games.second_fleet.advanced_tables import optional_chart
from games.second_fleet.board import BASES, NATO, zone_within
from games.second_fleet.knowledge import name_of, refresh
from games.second_fleet.state import Level, Vessel, War, enemy
from games.second_fleet.tables import finding
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike


def names(side: Side) -> tuple[str, ...]:
    """6.19/1 The decoys of a side: DECOY1 to DECOY3 of NATO, those after them of the Soviets."""
    most = optional_chart().decoys
    first = 1 if side == NATO else most + 1
    return tuple(f"DECOY{first + at}" for at in range(most))


def make(table: TableLike, war: War, side: Side, group: str) -> None:
    """6.19/4 In the hex of an own group at sea, out of sight, one a turn. Raises Refused.

    Ruling 55: it has the group's marker if that is Local, and no Strategic one, which counts ships;
    whether it can be made does not tell the owner which marker lies on the group.
    """
    if not war.on("decoys"):
        raise Refused("no-decoys", "6.19", "this game is played without decoys")
    key = war.own_key(side, group)
    members = [s for s in war.members(key) if s.side == side and not s.sub]
    if key not in war.groups or not members:
        raise Refused("no-group", "6.19/4", f"there is no group {group}")
    hex_ = members[0].hex
    if hex_ in BASES:
        raise Refused("in-port", "6.19/4", "a decoy is made at sea")
    near = zone_within(hex_, finding().limited)
    ships = [s for s in war.afloat(enemy(side)) if not s.sub and not s.decoy]
    if any(s.hex in near for s in ships):
        raise Refused("in-sight", "6.19/4", "enemy ships are too near")
    if war.decoyed.get(side) == war.turn:
        raise Refused("too-many", "6.19/4", "one decoy is made a turn")
    free = [n for n in names(side) if n not in war.vessels or war.vessels[n].sunk]
    if not free:
        raise Refused("too-many", "6.19/1", "a side has three decoys at most")
    war.decoyed[side] = war.turn
    level: Level = 1 if members[0].level == 1 else 0
    war.vessels[free[0]] = Vessel(free[0], side, hex_, level=level, wake=[hex_])
    war.vessels = dict(sorted(war.vessels.items()))
    table.tell([side], ev.DecoyMade(rule="6.19", decoy=free[0], at=hex_))


def vanish(table: TableLike, war: War, decoy: Vessel) -> None:
    """6.19/3 It is seen through, and gone; both are told."""
    foe = enemy(decoy.side)
    contact = name_of(war, foe, decoy.key) if decoy.key in war.held[foe] else ""
    decoy.sunk = True
    table.tell([decoy.side], ev.DecoyGone(rule="6.19", decoy=decoy.id, at=decoy.hex))
    table.tell([foe], ev.DecoyGone(rule="6.19", decoy=contact, at=decoy.hex))
    refresh(table, war, foe, "")


def seen_through(table: TableLike, war: War) -> None:
    """6.19/3 Decoys on which Strategic lies, and those with an enemy ship near them; by where they
    are, as their names are their owner's."""
    left = [s for s in war.vessels.values() if s.decoy and not s.sunk]
    for decoy in sorted(left, key=lambda s: (s.hex, s.id)):
        near = zone_within(decoy.hex, finding().limited)
        ships = [s for s in war.afloat(enemy(decoy.side)) if not s.sub and not s.decoy]
        if decoy.level == 2 or any(s.hex in near for s in ships):
            vanish(table, war, decoy)
