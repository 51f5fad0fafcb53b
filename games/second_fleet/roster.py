"""6.4/5, 6.18 The roster of the campaign: who is in which box, and where units may enter; what each
kind of aircraft is for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from games.second_fleet.board import (
    BASES,
    HEXES,
    LATTICE,
    NATO,
    PACKAGE,
    SOVIET,
    ZONE_OF,
    Zone,
    distance,
    near_norway,
    wet,
)
from games.second_fleet.state import Mission, War
from games.second_fleet.tables import wings
from pbem.kit.tables import Sheet
from pbem.model import Side

ROSTER = Sheet(PACKAGE, "roster.toml")
MISSIONS: Mapping[str, tuple[Mission, ...]] = {
    "INT": ("recon", "intercept"),
    "ATK": ("recon",),
    "RCN": ("recon", "tac", "mine"),
    "AEW": ("recon",),
    "EW": (),
}
"""44-52 The strategic missions of each kind of aircraft."""
PATROLS = ("INT", "AEW")
"""61 Those that are on patrol."""
_UNITS = {"units": lambda text: tuple(text.split())}
_PLACES = {"places": lambda text: tuple(text.split())}


class _Box(Struct, frozen=True):
    box: int
    units: tuple[str, ...]


class _More(Struct, frozen=True):
    side: str
    box: int
    unit: str


class _Entry(Struct, frozen=True):
    nation: str
    places: tuple[str, ...]


@cache
def listed(side: str) -> tuple[tuple[int, str], ...]:
    """6.4/5 Box and unit, in the order of the roster."""
    rows = ROSTER.rows(side, _Box, "box | units | source", _UNITS)
    return tuple((row.box, unit) for row in rows for unit in row.units)


@cache
def more(option: str) -> tuple[tuple[str, int, str], ...]:
    """6.7/2, 6.7/4 Side, box and unit that an option adds."""
    rows = ROSTER.rows(option, _More, "side | box | unit | source")
    return tuple((row.side, row.box, row.unit) for row in rows)


def boxes(war: War, side: Side) -> list[tuple[int, str]]:
    """Box and unit of a side, by box, with the units of the options that are in force."""
    added = [
        (box, unit)
        for option in ("future", "b1")
        if war.on(option)
        for whose, box, unit in more(option)
        if whose == side
    ]
    return sorted([*listed(side), *added], key=lambda entry: entry[0])


def between(war: War, side: Side, low: int, high: int) -> list[str]:
    """Units with a box above `low` and up to `high`; aircraft of a wing come with their carrier."""
    entries = boxes(war, side)
    aboard = {unit for _, ship in entries for unit in wings().get(ship, ())}
    return [unit for box, unit in entries if low < box <= high and unit not in aboard]


@cache
def entries() -> Mapping[str, tuple[str, ...]]:
    """6.4/3 Hexes in which the ships of a nation enter."""
    rows = ROSTER.rows("entries", _Entry, "nation | places | source", _PLACES)
    return {row.nation: row.places for row in rows}


@cache
def airfields() -> Mapping[str, tuple[str, ...]]:
    """6.4/3 Bases at which the aircraft of a nation enter."""
    rows = ROSTER.rows("airfields", _Entry, "nation | places | source", _PLACES)
    return {row.nation: row.places for row in rows}


@cache
def ports() -> Mapping[str, tuple[str, ...]]:
    """6.18 Ports in which the default set-up puts the ships of a nation."""
    rows = ROSTER.rows("ports", _Entry, "nation | places | source", _PLACES)
    return {row.nation: row.places for row in rows}


@cache
def sea_entries() -> tuple[str, ...]:
    """6.4/3 Water of rows 40 to 42 in the western zones."""
    low, high = ROSTER.value("rows")
    zones = ROSTER.value("zones")
    return tuple(
        h for h in HEXES
        if low <= LATTICE.parts(h)[1] <= high and ZONE_OF[h] in zones and wet(h)
    )  # fmt: skip


class Start(Struct, frozen=True):
    """6.18 Where the campaign lets units begin."""

    nato: tuple[Zone, ...]
    soviet: tuple[Zone, ...]
    forward: tuple[Zone, ...]
    apart: int
    norway: int
    norway_subs: Zone


@cache
def start() -> Start:
    """The rule of set-up."""
    return ROSTER.record(Start, "start")


def begins(side: Side, nation: str, sub: bool, hex_: str) -> bool:
    """6.18 May a ship or submarine begin there: in a port of her nation, or in the zones in which
    her side may, but at no base of the enemy? Ice apart."""
    rule, zone = start(), ZONE_OF[hex_]
    if not wet(hex_):
        return False
    if base := BASES.get(hex_):
        if base.side != side:
            return False
        friends = ("US", "UK", "CA", "NE", "WG")
        own = base.nation == nation or (base.nation == "UK" and nation in friends)
        if base.port and own:
            return True
    if side == SOVIET:
        return zone in rule.soviet or (sub and zone in rule.forward and _apart(hex_))
    if nation == "NO":
        return near_norway(hex_, rule.norway) or (sub and zone == rule.norway_subs)
    return zone in rule.nato


def _apart(hex_: str) -> bool:
    """6.18 Far enough from every base of NATO."""
    bases = [h for h, base in BASES.items() if base.side == NATO]
    return all(distance(hex_, h) >= start().apart for h in bases)


def stationed(nation: str, hex_: str) -> bool:
    """6.18 May a squadron begin there: at an airfield of its nation, Americans in Iceland and
    Britain, others of NATO without airfields of their own in Britain?"""
    homes = {"US": ("IC", "UK"), "NE": ("UK",), "CA": ("UK",)}.get(nation, (nation,))
    return hex_ in BASES and BASES[hex_].nation in homes
