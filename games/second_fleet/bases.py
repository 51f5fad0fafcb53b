"""Where aircraft may fly from and land: 30-33, 35, 94, 176, 227-228, 6.12/5-7."""

from __future__ import annotations

from games.second_fleet.board import BASES, by_air
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
    field = war.fields[base]
    fresh = field.taken and war.turn - field.taken < DAY
    return BASES[base].field and field.air < GONE and field.side == side and not fresh


def welcome(war: War, unit: Squadron, base: str) -> bool:
    """30-33, 35 May this unit land there by its kind, nation, and the room that is left?"""
    if not usable(war, base, unit.side):
        return False
    if not base.isdigit():
        ship = war.vessels[base]
        return unit.embarked and ship.sheet.nation == unit.sheet.nation
    if unit.embarked:
        return False
    captured = war.fields[base].side != BASES[base].side
    if not captured and BASES[base].nation not in HOSTS[unit.sheet.nation]:
        return False
    return unit.role not in INT_ATK or room(war, unit.side, base, unit) > 0


def room(war: War, side: Side, base: str, without: Squadron | None = None) -> int:
    """35, 228 How many more interceptors and attackers an airfield takes."""
    here = [
        u
        for u in war.flying(side)
        if u.base == base and u.role in INT_ATK and u.at == "base" and u is not without
    ]
    return limits().airfield - len(here)


def all_bases(war: War, side: Side) -> list[str]:
    """A side's airfields and carriers, in the order of their names."""
    fields = [h for h, field in war.fields.items() if field.side == side and BASES[h].field]
    carriers = [s.id for s in war.afloat(side) if s.type == "CV"]
    return sorted([*fields, *carriers])


def landing(war: War, unit: Squadron, here: str, fuel: int, wish: str) -> str:
    """6.12/5 Where a unit lands from a hex: the base that it wishes, that it came from, else the
    nearest in reach; empty if there is none."""
    far = by_air(here)
    for base in (wish, unit.base):
        if base and welcome(war, unit, base) and far.get(war.spot(base), 999) <= fuel:
            return base
    open_ = [b for b in all_bases(war, unit.side) if welcome(war, unit, b)]
    near = sorted((far.get(war.spot(b), 999), b) for b in open_)
    return next((b for distance, b in near if distance <= fuel), "")
