"""Where aircraft may fly from and land: 30-33, 35, 94, 176, 227-228, 6.12/5-7."""

from __future__ import annotations

from collections.abc import Sequence

from games.second_fleet import weather
from games.second_fleet.board import BASES, ZONE_OF, by_air
from games.second_fleet.state import GONE, Squadron, War
from games.second_fleet.tables import INT_ATK, limits
from pbem.model import Side

HOSTS = {
    "US": ("US", "UK", "IC", "NO", "DK"),
    "UK": ("UK", "NO", "IC"),
    "NE": ("UK",),
    "CA": ("UK", "IC"),
    "NO": ("NO",),
    "SO": ("SO",),
}
"""6.12/7 On whose airfields the aircraft of a nation may land."""
DAY = 3
"""Turns of a day."""


def usable(war: War, base: str, side: Side) -> bool:
    """265, 6.3/13 May aircraft of a side land: an own airfield that is not destroyed, or a carrier
    afloat? A captured one may be used from the next morning on."""
    if not base.isdigit():
        return not war.vessels[base].sunk
    if base not in BASES:
        return False
    field = war.fields[base]
    fresh = field.taken and war.turn - field.taken < DAY
    return BASES[base].field and field.air < GONE and field.side == side and not fresh


def welcome(war: War, unit: Squadron, base: str, *, up: bool = False) -> bool:
    """30-33, 35 May this unit land there by its kind, nation, and the room that is left?

    up: 79 it was on patrol, for which a damaged field will do.
    """
    return _host(war, unit, base, up=up) and not _full(war, unit, base)


def crowded(war: War, unit: Squadron, base: str) -> bool:
    """35 Is it only for want of room that this unit may not land there?"""
    return _host(war, unit, base) and _full(war, unit, base)


def _host(war: War, unit: Squadron, base: str, *, up: bool = False) -> bool:
    """30-33 By its kind and nation; 6.2/5 on no carrier in a storm."""
    if not usable(war, base, unit.side):
        return False
    if not base.isdigit():
        ship = war.vessels[base]
        kin = unit.embarked and ship.sheet.nation == unit.sheet.nation
        return kin and not weather.storm(war, ship.hex)
    if unit.embarked:
        return False
    if war.fields[base].air and base != unit.base and not up:
        return False  # 265 on a damaged field only those that are based there
    captured = war.fields[base].side != BASES[base].side
    return captured or BASES[base].nation in HOSTS[unit.sheet.nation]


def _full(war: War, unit: Squadron, base: str) -> bool:
    """35 Carriers and what is no interceptor or attacker are not counted."""
    if unit.embarked or unit.role not in INT_ATK:
        return False
    return room(war, unit.side, base, unit) <= 0


def room(war: War, side: Side, base: str, without: Squadron | None = None) -> int:
    """35, 228 How many more interceptors and attackers an airfield takes."""
    here = [
        u
        for u in war.flying(side)
        if u.base == base and u.role in INT_ATK and u.at == "base" and u is not without
    ]
    return limits().airfield - len(here)


def too_many(war: War, units: Sequence[Squadron], base: str) -> list[Squadron]:
    """35 Those of a stack for whom an airfield has no room once the others of it have landed."""
    if base not in BASES:
        return []
    counted = [u for u in units if not u.embarked and u.role in INT_ATK and u.base != base]
    return counted[max(0, room(war, units[0].side, base)) :] if counted else []


def takes_back(war: War, unit: Squadron) -> bool:
    """35, 79, 228, 242 May a unit that was up land where it set out? Others may have come there."""
    if not usable(war, unit.base, unit.side):
        return False
    counted = not unit.embarked and unit.role in INT_ATK
    return not counted or room(war, unit.side, unit.base, unit) > 0


def all_bases(war: War, side: Side) -> list[str]:
    """A side's airfields and carriers, in the order of their names."""
    fields = [h for h, field in war.fields.items() if field.side == side and BASES[h].field]
    carriers = [s.id for s in war.afloat(side) if s.type == "CV"]
    return sorted([*fields, *carriers])


def wished(war: War, unit: Squadron, wish: str) -> list[str]:
    """30, 94 The bases that an order to land means: an airfield, or the carriers of a hex."""
    if not wish or not unit.embarked or not wish.isdigit():
        return [wish] if wish else []
    return [ship.id for ship in war.surface(unit.side, wish) if ship.type == "CV"]


def landing(
    war: War,
    unit: Squadron,
    here: str,
    fuel: int,
    wish: str,
    homeward: bool = True,
    *,
    without: str = "",
) -> str:
    """6.12/5 Where a unit lands from a hex: the base that it wishes, that it came from, else the
    nearest in reach; empty if there is none.

    homeward: it would rather go to the base that it came from than to a nearer one; without: a base
    that others will have filled.
    """
    far = by_air(here)
    for base in (*wished(war, unit, wish), *([unit.base] if homeward else [])):
        if welcome(war, unit, base) and far.get(war.spot(base), 999) <= fuel:
            return base
    open_ = [b for b in all_bases(war, unit.side) if b != without and welcome(war, unit, b)]
    near = sorted((far.get(war.spot(b), 999), b) for b in open_)
    return next((b for distance, b in near if distance <= fuel), "")


def in_zone(war: War, unit: Squadron, *zones: str, up: bool = False) -> str:
    """60, 80, 242 Where a land unit goes that lost its airfield: to the nearest that takes it in
    the first of these zones that has one; empty if none has.

    up: 79 it was on patrol, and lands on a damaged field if no other of the zone takes it.
    """
    far = by_air(unit.base)
    fields = [b for b in all_bases(war, unit.side) if b.isdigit() and welcome(war, unit, b, up=up)]
    for zone in zones:
        near = sorted((war.fields[b].air, far[b], b) for b in fields if ZONE_OF[b] == zone)
        if near:
            return near[0][2]
    return ""
