"""M1-M2, M5, G1: the public board. Areas, merchants, stations, ports of internment, ways."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from pbem.kit import grids as kit
from pbem.kit.sides import opposite
from pbem.kit.tables import Sheet
from pbem.model import Side

PACKAGE = "games.far_seas.data"
GERMAN, BRITISH = Side("german"), Side("british")
SIDES = (GERMAN, BRITISH)
OTHER = opposite(SIDES)
ENGLAND, MEDITERRANEAN, GERMANY = "ENG", "MED", "GER"
ICELAND_GAP, RIVER = "2", "31"
"""Areas that single rules name: G9 the way home to Germany, G2 the Rufiji."""
RED_SEA = ("Aden",)
"""G6 Stations in the Red Sea: a ship that raids one is found without a roll."""


class Area(Struct, frozen=True):
    """One area."""

    id: str
    name: str
    density: int
    """M2 Merchants."""
    stations: Mapping[str, int]
    """M1 Name and points."""
    ports: str
    """Where a German liner may be interned, empty where it may not."""
    ways: tuple[str, ...]
    """Neighbours, sorted by number."""
    canal: tuple[str, ...] = ()
    """Those of them that lie behind the Panama Canal."""
    suez: tuple[str, ...] = ()
    """Those of them that lie behind the Suez Canal."""


def _items(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())


def _stations(text: str) -> Mapping[str, int]:
    held = (item.rpartition(" ") for item in _items(text))
    return {station: int(points) for station, _, points in held}


_SHEET = Sheet(PACKAGE, "areas.toml")


def _areas() -> dict[str, Area]:
    """The areas by id, with the boxes beside the board."""
    columns = "id | name | density | stations | ports | ways"
    rows = _SHEET.rows("areas", Area, columns, {"stations": _stations, "ways": _items})
    areas = {row.id: _canals(row) for row in rows}
    boxes = {box: _SHEET.value("boxes")[box] for box in (ENGLAND, MEDITERRANEAN, GERMANY)}
    return areas | {box: _box(box, areas, printed) for box, printed in boxes.items()}


def _canals(area: Area) -> Area:
    """`20c` and `MED(s)` among its ways, as printed, lie behind a canal."""
    return replace(
        area,
        ways=tuple(way.rstrip("cs()") for way in area.ways),
        canal=tuple(way[:-1] for way in area.ways if way.endswith("c")),
        suez=tuple(way[:-3] for way in area.ways if way.endswith("(s)")),
    )


def _box(box: str, areas: Mapping[str, Area], printed: str) -> Area:
    """A box beside the board: its ways are those of the areas that lead to it."""
    ways = tuple(a.id for a in areas.values() if box in a.ways)
    suez = tuple(a.id for a in areas.values() if box in a.suez)
    return Area(box, printed, 0, {}, "", ways, suez=suez)


AREAS = _areas()
SEA = tuple(id_ for id_ in AREAS if id_.isdigit())
"""The 32 areas, without the boxes."""
STATIONS = {station: area.id for area in AREAS.values() for station in area.stations}
"""M1 Station to its area."""
_OCEANS = _SHEET.value("oceans")
ATLANTIC = frozenset(_OCEANS["atlantic"].split())
PACIFIC = frozenset(_OCEANS["pacific"].split())


def name(area: str) -> str:
    """How the board prints an area: `29 Bay of Bengal`; a box by its name alone."""
    return f"{area} {AREAS[area].name}" if area in SEA else AREAS[area].name


@lru_cache(maxsize=256)
def neighbours(area: str, side: Side, canal: bool = False) -> tuple[str, ...]:
    """M5, G1 Where a ship of `side` may go from `area` in one move, itself not among them.

    canal: the Panama Canal counts for Germans, who declare it; for Allies it always does. Suez,
    England and the Mediterranean are for the Allies (a German may leave it); nobody goes to
    Germany by a move, but by G9.
    """
    ways = AREAS[area].ways
    shut = {GERMANY}
    if side == GERMAN and not canal:
        shut.update(AREAS[area].canal)
    if side == GERMAN:
        shut |= {ENGLAND, MEDITERRANEAN, *AREAS[area].suez}
    return tuple(way for way in ways if way not in shut)


def points(station: str) -> int:
    """M1 What raiding a station is worth."""
    return AREAS[STATIONS[station]].stations[station]


def distances(origin: str, side: Side, canal: bool = False) -> dict[str, int]:
    """Moves from `origin` to every area that `side` can reach."""
    return kit.distances(lambda area: neighbours(area, side, canal), origin)
