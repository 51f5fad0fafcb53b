"""The public board: 1,257 hexes, zones, closed hexsides, SOSUS, bases, ways over sea and air.

Hexes are named by column and row, `2930`. What the checks of orders need is kept within the Python
that the order page may run.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Literal

from msgspec import Struct

from pbem.kit.grids import Lattice, distances
from pbem.kit.sides import opposite
from pbem.kit.tables import Sheet
from pbem.model import Side

PACKAGE = "games.second_fleet.data"
NATO, SOVIET = Side("nato"), Side("soviet")
SIDES = (NATO, SOVIET)
OTHER = opposite(SIDES)
LATTICE = Lattice("flat", first="column", stagger="even", letters=False, digits=2)

Zone = Literal["SV", "BS", "GS", "NS", "IC", "LS", "NA", "BI"]
ZONES: Mapping[str, Zone] = {
    "V": "SV", "B": "BS", "G": "GS", "N": "NS", "I": "IC", "L": "LS", "A": "NA", "U": "BI",
}  # fmt: skip
"""Letters of the map to zones."""
ZONE_NAMES: Mapping[Zone, str] = {
    "LS": "Labrador Sea",
    "NA": "North Atlantic",
    "BI": "British Isles",
    "IC": "Iceland",
    "NS": "Norwegian Sea",
    "GS": "Greenland Sea",
    "SV": "Svalbard",
    "BS": "Barents Sea",
}
"""233 In the order in which they are resolved."""
ISLANDS = ("IC", "SV")
"""Zones that are called by an island, which has no article."""
BESIDE: Mapping[Zone, tuple[Zone, ...]] = {
    "GS": ("SV", "BS", "NS", "IC"),
    "SV": ("GS", "BS"),
    "BS": ("GS", "SV", "NS"),
    "NS": ("GS", "BS", "IC", "BI"),
    "IC": ("GS", "NS", "BI", "NA", "LS"),
    "LS": ("IC", "NA"),
    "NA": ("IC", "LS", "BI"),
    "BI": ("NS", "IC", "NA"),
}
"""Zones that touch on the strategic display."""
WATER, LAND = ".dPFcMN", "LROWG"
"""Letters of hexes that hold water, and of those that are all land."""
COAST, PACK, FJORD = "Fc", "P", "F"
_SHEET = Sheet(PACKAGE, "map.toml")


def called(zone: Zone) -> str:
    """A zone as it stands in a sentence: `the Barents Sea`, `Iceland`."""
    return ZONE_NAMES[zone] if zone in ISLANDS else f"the {ZONE_NAMES[zone]}"


class Base(Struct, frozen=True):
    """A port or an airfield, as printed."""

    hex: str
    kind: Literal["AF", "PT", "AP", "LS"]
    """219 Airfield, port, both, landing strip."""
    nation: str
    close_aa: int
    defence: int
    points: int
    strategy: str
    name: str

    @property
    def side(self) -> Side:
        """Who begins with it."""
        return SOVIET if self.nation == "SO" else NATO

    @property
    def field(self) -> bool:
        """Aircraft may land."""
        return self.kind in ("AF", "AP")

    @property
    def port(self) -> bool:
        """Ships may lie in it."""
        return self.kind in ("PT", "AP")


def _letters(key: str) -> dict[str, str]:
    """Hex to letter."""
    found = {}
    for line in _SHEET.value(key).strip().splitlines():
        row, _, letters = line.partition("|")
        for column, letter in enumerate(letters, 1):
            if letter != " ":
                found[f"{column:02d}{row}"] = letter
    return dict(sorted(found.items()))


HEXES: Mapping[str, str] = _letters("terrain")
"""Every hex of the map with its terrain."""
ZONE_OF: Mapping[str, Zone] = {hex_: ZONES[z] for hex_, z in _letters("zones").items()}
CLOSED: tuple[tuple[str, str], ...] = tuple(
    (pair[:4], pair[5:]) for line in _SHEET.lines("closed", str.split) for pair in line
)
"""Pairs of hexes whose common side is all land, the lower number first."""
SOSUS = tuple(h for line in _SHEET.lines("sosus", str.split) for h in line)
BASES: Mapping[str, Base] = {
    base.hex: base
    for base in _SHEET.rows(
        "bases",
        Base,
        "hex | kind | nation | close_aa defence points | strategy | name | source",
    )
}


def wet(hex_: str) -> bool:
    """Does the hex hold water?"""
    return HEXES.get(hex_, "L") in WATER


@lru_cache(maxsize=1 << 16)
def distance(a: str, b: str) -> int:
    """Hexes from one to the other as the crow flies."""
    return LATTICE.distance(a, b)


@cache
def around(hex_: str) -> tuple[str, ...]:
    """The neighbours that are on the map."""
    return tuple(h for h in LATTICE.around(hex_) if h in HEXES)


def closed(a: str, b: str) -> bool:
    """Is the common side of two neighbours all land?"""
    return ((a, b) if a < b else (b, a)) in CLOSED


@cache
def steps(hex_: str) -> tuple[str, ...]:
    """6.13/1 Where a ship or a submarine may go in one step."""
    if not wet(hex_):
        return ()
    return tuple(h for h in around(hex_) if wet(h) and not closed(hex_, h))


@lru_cache(maxsize=4096)
def zone_within(hex_: str, most: int) -> frozenset[str]:
    """6.1/2 All hexes at most so many steps by water from a hex, itself among them."""
    found, edge = {hex_}, [hex_]
    for _ in range(most):
        edge = [to for at in edge for to in steps(at) if to not in found]
        found.update(edge)
    return frozenset(found)


@lru_cache(maxsize=2048)
def by_water(hex_: str) -> dict[str, int]:
    """Steps by water from a hex to each that can be reached."""
    return distances(steps, hex_)


@lru_cache(maxsize=2048)
def by_air(hex_: str) -> dict[str, int]:
    """Hexes flown from a hex to each, never off the map."""
    return distances(around, hex_)


@cache
def zones_from(zone: Zone) -> dict[Zone, int]:
    """How many zones away each zone is."""
    return distances(lambda z: BESIDE[z], zone)


@cache
def mountain(hex_: str) -> bool:
    """A sub-oceanic mountain."""
    return HEXES[hex_] in "MN"


@cache
def near_sosus(hex_: str, most: int) -> bool:
    """119 Is it at most so many hexes from the line?"""
    return any(distance(hex_, line) <= most for line in SOSUS)


@cache
def shore(hex_: str) -> str:
    """6.13/7-8 Whose coast it is: NO, UK, IC, DK, SO or another of the nearest land, of Ireland
    where no other is as near; empty at sea."""
    if HEXES[hex_] not in COAST:
        return ""
    if LATTICE.parts(hex_)[0] < MAINLAND:
        return _islands(hex_)
    known = [h for h, letter in HEXES.items() if letter in LAND or h in BASES]
    land = min(known, key=lambda h: (distance(hex_, h), HEXES[h] == "G", h))
    if land in BASES:
        return BASES[land].nation
    if HEXES[land] != "L":
        return {"R": "SO", "O": "FI", "W": "SE", "G": "IR"}[HEXES[land]]
    return "NO" if LATTICE.parts(land)[1] <= NORTHERN else "UK"


MAINLAND, NORTHERN = 29, 27
"""Column and row that divide Norway from the islands in the west, and from Britain."""


def _islands(hex_: str) -> str:
    """Greenland, Iceland, Svalbard and Jan Mayen, which are not the coast of Norway (112)."""
    column, row = LATTICE.parts(hex_)
    if row <= 8 and column >= 18:
        return "SJ"
    if hex_ == "2119":
        return "JM"
    return "IC" if column >= 14 and row >= 26 else "DK"


@cache
def norway() -> tuple[str, ...]:
    """6.13/7 Coastal hexes of Norway."""
    return tuple(h for h in HEXES if shore(h) == "NO")


def near_norway(hex_: str, most: int) -> bool:
    """23 Is it at most so many hexes from Norway?"""
    return hex_ in _about_norway(most)


@cache
def _about_norway(most: int) -> frozenset[str]:
    return frozenset(h for coast in norway() for h in LATTICE.within(coast, most))


@cache
def line_between(start: str, end: str) -> tuple[str, ...]:
    """6.14/6 The hexes that a missile crosses, with its target, without where it was launched."""
    return tuple(h for h in LATTICE.line(start, end) if h in HEXES)


@cache
def over_water(start: str, end: str) -> bool:
    """261 Does no all-land hexside lie on the line of a missile? All sides of a hex without water
    are, but not those of its goal, an airfield that lies inland."""
    at = start
    for hex_ in line_between(start, end):
        if closed(at, hex_) or not (wet(hex_) or hex_ == end):
            return False
        at = hex_
    return True


@cache
def off_norway(most: int) -> frozenset[str]:
    """23 The hexes that are farther from Norway."""
    return frozenset(h for h in HEXES if not near_norway(h, most))


def title(hex_: str) -> str:
    """`3412 Narvik`; the number alone where there is no base."""
    return f"{hex_} {BASES[hex_].name}" if hex_ in BASES else hex_
