"""The search board (2.2): zones, neighbours, ports and their arrows, coasts, routes, distances.

Rows run A to Z from north to south, each shifted half a zone, so that a zone has six neighbours.
Everything here is public and the same in every game. Numbers: data/board.toml.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from itertools import chain
from typing import NewType

from msgspec import Struct

from pbem.kit.grids import Lattice, Rank, path, walk
from pbem.kit.sides import opposite
from pbem.kit.tables import Sheet
from pbem.model import Side

Zone = NewType("Zone", str)
"""A zone of the search board, `K14`; empty where a unit is not on it."""

BRITISH, GERMAN = Side("british"), Side("german")
SIDES = (BRITISH, GERMAN)
OTHER = opposite(SIDES)
LATTICE = Lattice("pointed", stagger="back")
"""2.2 Rows A to Z from the north, each half a zone further west."""


class Port(Struct, frozen=True):
    """A port: side `british`, `german` or `neutral`; arrows: the zones that ships go to or from."""

    name: str
    side: str
    zone: Zone
    arrows: frozenset[Zone] = frozenset()


def _zones(text: str) -> tuple[Zone, ...]:
    return tuple(Zone(word) for word in text.split())


def _row(line: str) -> list[Zone]:
    """`A 8-10 12` as A8 A9 A10 A12."""
    row, *spans = line.split()
    ends = [span.partition("-") for span in spans]
    columns = (range(int(low), int(high or low) + 1) for low, _, high in ends)
    return [Zone(f"{row}{column}") for span in columns for column in span]


def _port(line: str) -> Port:
    head, _, arrows = line.partition(":")
    name, side, zone = head.rsplit(None, 2)
    return Port(name, side, Zone(zone), frozenset(_zones(arrows)))


_SHEET = Sheet("games.bismarck.data", "board.toml")
_DATA = _SHEET.table()

SEA = frozenset(chain(*_SHEET.lines("sea", _row)))
"""2.2 Zones with a grid-coordinate: ships may enter."""
LAND = frozenset(chain(*_SHEET.lines("land", _row)))
"""2.2, 6.11 Zones without one, Bordeaux and the inland of coasts among them: air units alone."""
PORTS: Mapping[str, Port] = {port.name: port for port in _SHEET.lines("ports", _port)}
BASES: Mapping[str, Port] = {port.name: port for port in _SHEET.lines("bases", _port)}
"""Air bases that are no ports."""
PATROL_LINE = _zones(_DATA["patrol_line"])
ATLANTIC, AFRICA = _zones(_DATA["atlantic"]), _zones(_DATA["africa"])
CONVOY_ROUTES = tuple(dict.fromkeys(ATLANTIC + AFRICA))
"""10.24 The zones of both routes."""
FOG = frozenset(_zones(_DATA["fog"]))
IRISH_SEA = frozenset(_zones(_DATA["irish_sea"]))
HOME_COAST = _zones(_DATA["home_coast"])
"""10.214 The coasts of Great Britain and Eire, and the Shetlands."""
COASTS: Mapping[Side, tuple[Zone, ...]] = {
    BRITISH: HOME_COAST + _zones(_DATA["far_coast"]),
    GERMAN: _zones(_DATA["german_coast"]),
}
"""7.27 Zones with inherent search."""
GREAT_BRITAIN = frozenset(_zones(_DATA["great_britain"]))
"""6.12 Zones with a part of Great Britain."""

_PORT_AT = {port.zone: port for port in PORTS.values()}
_COAST = tuple(int(n) for n in _DATA["coast_search"].split())
BERGEN = PORTS["Bergen"].zone


def coast_strength(night: bool) -> int:
    """7.27 Inherent search strength of a watched coast zone."""
    return _COAST[night]


@lru_cache(maxsize=1024)
def key(zone: str) -> tuple[int, int]:
    """Order of the board: by row from the north, then from the west."""
    return LATTICE.parts(zone)


def port_at(zone: str) -> str:
    """The name of the port in a zone, empty without one."""
    port = _PORT_AT.get(Zone(zone))
    return port.name if port else ""


def port_of(zone: str, side: str) -> str:
    """7.29 The name of the port of `side` in a zone, empty without one."""
    port = _PORT_AT.get(Zone(zone))
    return port.name if port and port.side == side else ""


@lru_cache(maxsize=4096)
def around(zone: str) -> tuple[Zone, ...]:
    """2.2 The six neighbours on the lattice, whether they are on the board or not."""
    return tuple(Zone(near) for near in LATTICE.around(zone))


@lru_cache(maxsize=4096)
def distance(a: str, b: str) -> int:
    """Zones between two zones as the crow flies."""
    return LATTICE.distance(a, b)


@lru_cache(maxsize=1024)
def sea_steps(side: str, zone: Zone) -> tuple[Zone, ...]:
    """5.17, 5.18, 12.6 Where a ship of `side` may go from a zone, in one step."""
    own = _PORT_AT.get(zone)
    return tuple(
        to
        for to in around(zone)
        if to in SEA
        and (own is None or not own.arrows or to in own.arrows)
        and ((port := _PORT_AT.get(to)) is None or not port.arrows or zone in port.arrows)
        and not closed(to, side)
    )


def closed(zone: str, side: str) -> bool:
    """5.18, 12.6 Is a sea zone shut to ships of `side`? To Germans foreign ports and the Irish Sea
    are; nothing is to the British, who may follow a German into port (12.7)."""
    port = _PORT_AT.get(Zone(zone))
    return side == GERMAN and (zone in IRISH_SEA or (port is not None and port.side != side))


@lru_cache(maxsize=1024)
def air_steps(side: str, zone: Zone) -> tuple[Zone, ...]:
    """6.11, 6.12, 6.14 Where an air unit of `side` may go from a zone, in one step."""
    shut = side == GERMAN and zone in GREAT_BRITAIN
    return tuple(
        to
        for to in around(zone)
        if (to in SEA or to in LAND) and not (shut and to in GREAT_BRITAIN)
    )


def sail(side: str, start: Zone, end: Zone) -> tuple[Zone, ...] | None:
    """The shortest legal way of a ship, without its start; None when there is none.

    Of equally short ways the one nearest the straight line, then the most northern, is taken.
    """
    return _way(side, start, end, ships=True)


def fly(side: str, start: Zone, end: Zone) -> tuple[Zone, ...] | None:
    """The shortest legal way of an air unit, without its start; None when there is none."""
    return _way(side, start, end, ships=False)


def sail_distance(side: str, start: Zone, end: Zone) -> int | None:
    """Zones a ship of `side` needs; None when it cannot get there."""
    way = sail(side, start, end)
    return None if way is None else len(way)


def fly_distance(side: str, start: Zone, end: Zone) -> int | None:
    """Zones an air unit of `side` needs; None when it cannot get there."""
    way = fly(side, start, end)
    return None if way is None else len(way)


@lru_cache(maxsize=4096)
def _way(side: str, start: Zone, end: Zone, ships: bool) -> tuple[Zone, ...] | None:
    if end not in SEA and (ships or end not in LAND):
        return None
    if ships and (start not in SEA or closed(end, side)):
        return None
    near = partial(sea_steps if ships else air_steps, side)
    rank = partial(_off_course, start, end)
    free = walk(near, start, end, lambda zone: distance(zone, end), rank)
    return free if free is not None else path(near, start, end, rank)


def _off_course(start: Zone, end: Zone, zone: Zone) -> Rank:
    return LATTICE.aside(start, end, zone), *key(zone)
