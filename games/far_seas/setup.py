"""AC: the position in which a game begins, from the tables of ships and scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import get_args

from msgspec import Struct, convert

from games.far_seas.board import BRITISH, GERMAN, PACKAGE
from games.far_seas.knowledge import Knowledge, Sighting
from games.far_seas.state import GRADES, Gun, Ship, Type, War
from games.far_seas.tables import Scenario, scenario
from orders.fold import fold
from pbem import data
from pbem.model import Side


class Row(Struct, frozen=True):
    """One line of ships.toml."""

    name: str
    side: Side
    nation: str
    type: Type
    gun: Gun
    speed: int
    """Place in GRADES."""
    capacity: int
    roll: int
    points: int
    area: str
    """Where it begins."""
    enters: int
    """In which turn."""
    tubes: bool
    """It may make torpedo attacks."""
    station: str = ""
    """The list of AC that it stands in, empty for Germans."""
    optional: bool = False
    """In play by option alone."""


def id_of(name: str) -> str:
    """A printed name as orders have it: `Königsberg` is KONIGSBERG."""
    return fold(name)[0].upper()


def rows() -> Iterator[Row]:
    """Every ship of the tables, Germans first, as printed."""
    table = data.table(PACKAGE, "ships.toml")
    for line in table["german"].strip().splitlines():
        name, ratings, start, tubes = _cells(line)
        yield _row(name, GERMAN, f"DE {ratings}", start, tubes == "y", "")
    for line in table["allied"].strip().splitlines():
        name, ratings, start, station = _cells(line)
        yield _row(name, BRITISH, ratings, start, True, station)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")]


def _row(name: str, side: Side, ratings: str, start: str, tubes: bool, station: str) -> Row:
    """K6: battleships have no torpedo attacks; liners have no tubes (ruling)."""
    nation, type_, gun, speed, capacity, roll, points = ratings.split()
    area, _, turn = start.partition("@")
    assert gun in get_args(Gun)
    return Row(
        name=name.rstrip("*"),
        side=side,
        nation=nation,
        type=convert(type_, Type),
        gun=convert(gun, Gun),
        speed=GRADES.index(speed),
        capacity=int(capacity),
        roll=int(roll),
        points=int(points),
        area=area,
        enters=int(turn or 1),
        tubes=tubes and type_ not in ("BB", "AMC"),
        station=station,
        optional=name.endswith("*"),
    )


def begin(name: str, options: Mapping[str, str]) -> War:
    """AC The state before the first turn of a scenario."""
    table = scenario(name)
    ships = {ship.id: ship for ship in _ships(table, options)}
    war = War(
        turn=table.first,
        last=table.last,
        ships=ships,
        known=Knowledge(),
        scenario=name,
        areas=tuple(table.areas.split()),
        levels=table.levels,
        options=dict(options),
    )
    enter(war)
    return war


def _ships(table: Scenario, options: Mapping[str, str]) -> Iterable[Ship]:
    """The ships of a scenario: those it lists, or all that options do not leave out."""
    starts = dict(_starts(table.ships))
    for row in rows():
        wanted = row.name in starts if starts else not row.optional or _chosen(row, options)
        if wanted:
            area, turn = starts.get(row.name) or (row.area, row.enters)
            yield _ship(row, area, max(table.first, turn))


def _starts(lines: str) -> Iterator[tuple[str, tuple[str, int]]]:
    for line in lines.strip().splitlines():
        name, start = _cells(line)
        area, _, turn = start.partition("@")
        yield name, (area, int(turn or 1))


def _chosen(row: Row, options: Mapping[str, str]) -> bool:
    goeben = row.area == "MED"
    return options.get("optional", "none") in (("all",) if goeben else ("all", "liners"))


def _ship(row: Row, area: str, enters: int) -> Ship:
    """A ship of the tables as it begins."""
    return Ship(
        id=id_of(row.name),
        name=row.name,
        side=row.side,
        nation=row.nation,
        type=row.type,
        gun=row.gun,
        speed=row.speed,
        capacity=row.capacity,
        roll=row.roll,
        points=row.points,
        tubes=row.tubes,
        start=area,
        enters=enters,
    )


def enter(war: War) -> list[Ship]:
    """AC Ships that enter this turn are put into the Start box of their area; Germans are seen."""
    fresh = [s for s in war.ships.values() if s.enters == war.turn and not s.area and not s.gone]
    for ship in fresh:
        ship.area = ship.start
        war.mark(ship)
        if ship.side == GERMAN:
            war.known.ships[ship.id] = Sighting(ship.id, ship.area, war.turn)
    return sorted(fresh, key=lambda s: s.id)
