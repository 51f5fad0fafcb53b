"""AC: the position in which a game begins, from the tables of ships and scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

from msgspec import Struct, convert

from games.far_seas.board import BRITISH, GERMAN, PACKAGE
from games.far_seas.knowledge import Knowledge, Sighting
from games.far_seas.state import GRADES, Gun, Ship, Type, War
from orders.fold import fold
from pbem import data
from pbem.model import Side


class Row(Struct, frozen=True):
    """One line of ships.toml. station: the list of AC, empty for Germans; optional: in play by
    option alone."""

    name: str
    side: Side
    nation: str
    type: Type
    gun: Gun
    speed: int
    capacity: int
    roll: int
    points: int
    area: str
    enters: int
    tubes: bool
    station: str = ""
    optional: bool = False


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


def scenario(name: str) -> Mapping[str, Any]:
    """The table of a scenario."""
    found: Mapping[str, Any] = data.table(PACKAGE, "scenarios.toml")[name]
    return found


def begin(name: str, options: Mapping[str, str]) -> War:
    """AC The state before the first turn of a scenario."""
    table = scenario(name)
    first, last = int(table["first"]), int(table["last"])
    ships = {ship.id: ship for ship in _ships(table, options, first)}
    war = War(
        turn=first,
        last=last,
        ships=ships,
        known=Knowledge(),
        scenario=name,
        areas=tuple(table["areas"].split()),
        levels=tuple(table["levels"]),
        options=dict(options),
    )
    enter(war)
    return war


def _ships(table: Mapping[str, Any], options: Mapping[str, str], first: int) -> Iterable[Ship]:
    starts = dict(_starts(table.get("ships", "")))
    for row in rows():
        wanted = row.name in starts if starts else not row.optional or _chosen(row, options)
        if wanted:
            area, turn = starts.get(row.name) or (row.area, row.enters)
            yield _ship(row, area, max(first, turn))


def _starts(lines: str) -> Iterator[tuple[str, tuple[str, int]]]:
    for line in lines.strip().splitlines():
        name, start = _cells(line)
        area, _, turn = start.partition("@")
        yield name, (area, int(turn or 1))


def _chosen(row: Row, options: Mapping[str, str]) -> bool:
    goeben = row.area == "MED"
    return options.get("optional", "none") in (("all",) if goeben else ("all", "liners"))


def _ship(row: Row, area: str, enters: int) -> Ship:
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
    """AC Ships whose turn it is stand in the Start box of their area; a German's is known."""
    fresh = [s for s in war.ships.values() if s.enters == war.turn and not s.area and not s.gone]
    for ship in fresh:
        ship.area = ship.start
        war.mark(ship)
        if ship.side == GERMAN:
            war.known.ships[ship.id] = Sighting(ship.id, ship.area, war.turn)
    return sorted(fresh, key=lambda s: s.id)
