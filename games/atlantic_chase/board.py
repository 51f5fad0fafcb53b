"""The public board: hexes, ports, airbases, the Arctic Line, the U-Boat Zone (R007-R023, R094)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from msgspec import Struct

from pbem.kit.grids import Lattice, distances
from pbem.kit.sides import opposite
from pbem.kit.tables import Sheet
from pbem.model import Side

PACKAGE = "games.atlantic_chase.data"
GERMAN, BRITISH = Side("german"), Side("british")
SIDES = (GERMAN, BRITISH)
OTHER = opposite(SIDES)
NAMES = {GERMAN: "German", BRITISH: "British"}
SEA = Lattice("flat", first="column", stagger="each", digits=2)
"""Axial hexes: the letter counts along one axis, the number along the other."""


class Port(Struct, frozen=True):
    """A port with its box (R007, R016)."""

    id: str
    """As in orders: `SCAPA FLOW`."""
    name: str
    hexes: tuple[str, ...]
    lat: float
    lon: float


class Airbase(Struct, frozen=True):
    """An airbase (R013-R015); scenarios say which are in play, and whose."""

    id: str
    name: str
    hex: str
    lat: float
    lon: float


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_SHEET = Sheet(PACKAGE, "board.toml")


def _hexes() -> dict[str, tuple[int, int]]:
    """Hex -> latitude and longitude of its centre, in whole degrees north and east."""
    found: dict[str, tuple[int, int]] = {}
    for line in _SHEET.lines("hexes", str):
        for item in line.split("|"):
            name, north, east = item.split()
            found[name] = (int(north), int(east))
    return found


HEXES: Mapping[str, tuple[int, int]] = _hexes()
CELLS = tuple(HEXES)
_PORT_COLUMNS = "id | name | hexes | lat lon"
PORTS: Mapping[str, Port] = {
    p.id: p for p in _SHEET.rows("ports", Port, _PORT_COLUMNS, {"hexes": _words})
}
AIRBASES: Mapping[str, Airbase] = {
    a.id: a for a in _SHEET.rows("airbases", Airbase, "id | name | hex | lat lon")
}
ARCTIC = frozenset(_words(_SHEET.value("arctic")))
"""R094 Hexes in which the weather is always bad."""
UBOAT_ZONE = frozenset(_words(_SHEET.value("uboat_zone")))
"""R150 The U-Boat Zone."""


class Inset(Struct, frozen=True):
    """R019-R023 What an inset of the map changes."""

    harbours: Mapping[str, tuple[str, ...]]
    """Port -> its hexes there."""
    boxless: tuple[str, ...]
    """R020 Ports without a Port Box."""
    says: str
    """What reports say of it."""


def _inset(line: str) -> tuple[str, Inset]:
    name, ports, boxless, says = (cell.strip() for cell in line.split("|"))
    pairs = (port.split(":") for port in ports.split(",") if port.strip())
    without = tuple(port.strip() for port in boxless.split(",") if port.strip())
    harbours = {port.strip(): _words(cells) for port, cells in pairs}
    return name, Inset(harbours, without, says)


INSETS: Mapping[str, Inset] = dict(_SHEET.lines("insets", _inset))


def _sides(text: str) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair.split("-")) for pair in text.split())


CLOSED = _sides(_SHEET.value("closed"))
"""R017 Hexsides that no Trajectory crosses."""
CANAL = _sides(_SHEET.value("canal"))
"""R018 The KW Kanal: for Germans alone."""


@cache
def neighbours(cell: str, side: Side, opened: frozenset[frozenset[str]]) -> tuple[str, ...]:
    """R017, R018 The hexes to which a Trajectory of `side` may be extended from `cell`, sorted.

    opened: closed hexsides that the scenario opens, each as the set of its two hexes.
    """
    found = []
    for other in SEA.around(cell):
        edge = frozenset((cell, other))
        shut = edge in CLOSED and edge not in opened
        if other in HEXES and not shut and (side == GERMAN or edge not in CANAL):
            found.append(other)
    return tuple(found)


def adjacent(a: str, b: str, side: Side, opened: frozenset[frozenset[str]]) -> bool:
    """May a Trajectory of `side` go from one to the other?"""
    return b in neighbours(a, side, opened)


def opened(text: str) -> frozenset[frozenset[str]]:
    """The hexsides that a scenario opens: `G14 H14 X01 X02` as pairs."""
    words = text.split()
    return frozenset(frozenset(pair) for pair in zip(words[::2], words[1::2], strict=True))


def air_range(a: str, b: str) -> int:
    """R017, R157 Hexes between two, over land and across closed hexsides."""
    return SEA.distance(a, b)


@cache
def sea_distances(origin: str, side: Side, opened: frozenset[frozenset[str]]) -> dict[str, int]:
    """Segments from a hex to every other by sea; the hex itself is 0."""
    return distances(lambda cell: neighbours(cell, side, opened), origin)


def nearest(cells: Iterable[str], to: str, side: Side, way: frozenset[frozenset[str]]) -> str:
    """The hex of `cells` nearest to `to` by sea; the first by name of several."""
    far = sea_distances(to, side, way)
    return min(sorted(cells), key=lambda cell: far.get(cell, 99))
