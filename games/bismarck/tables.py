"""The numbers of the game, typed and read once: the edition's own tables, or the moderator's.

A moderator may give his own text for any table file but the board. It takes the place of the
edition's file in that game, is kept in the state, and must pass `house.check`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct, convert

from games.bismarck.board import Zone
from games.bismarck.state import Face, Sections
from pbem import data

PACKAGE = "games.bismarck.data"
Pair = tuple[int, int]


def table(name: str, house: Mapping[str, str]) -> dict[str, Any]:
    """The table file `name`, the moderator's where he gave one. Callers must not change it.

    Raises ValueError when a moderator's text is no TOML.
    """
    return _parsed(house[name]) if name in house else data.table(PACKAGE, name)


@lru_cache(maxsize=64)
def _parsed(text: str) -> dict[str, Any]:
    from tomllib import loads

    return loads(text)


class ShipRow(Struct, frozen=True):
    """One ship of the order of appearance."""

    name: str
    side: str
    type: str
    evasion: int
    speed: int
    sections: Sections
    fuel: int | None
    """None where it has none."""
    patrol: Pair | None
    """Strength by day and by night, None where it has none."""
    zone: Zone
    """Empty when it enters later."""
    hold: str
    """Why it is not free yet, empty when it is."""


class AirRow(Struct, frozen=True):
    """One air unit."""

    id: str
    name: str
    side: str
    type: str
    front: Face
    back: Face | None
    base: str
    """A port, a base, or a carrier's id."""


class Entry(Struct, frozen=True):
    """Notes 13, 14: where a ship enters, from which turn on, and whether its owner chooses."""

    zone: Zone
    turn: int
    chosen: bool


class Release(Struct, frozen=True):
    """Notes 7-14: the figures of the order of appearance."""

    port_known: int
    port_latest: int
    later: int
    patrol_within: int
    entry: dict[str, Entry]
    """By id of the ship."""
    escort: dict[str, tuple[Zone, ...]]
    """By id of the ship, the zones of its convoy."""


class Weather(Struct, frozen=True):
    """7.1, 7.3 The visibility track. modifier: of the roll, by the level it starts from."""

    levels: int
    start: int
    centre: int
    fog: frozenset[int]
    modifier: dict[int, int]


class Breakout(Struct, frozen=True):
    """5.28 Zones free in the first turn, and the factors that each further zone brings it to."""

    free: int
    cost: tuple[int, ...]


class InPort(Struct, frozen=True):
    """12.33 The Bismarck in port."""

    leave_bergen_by: int
    """The turn by whose end she must have left Bergen."""
    by_day: Mapping[str, int]
    """Points for her arrival, by the day of May."""


class Schedule(Struct, frozen=True):
    """12.3-12.5 The victory point schedule; points by printed name of a ship unless said."""

    no_convoy: int
    air_lost: int
    mobilised: int
    slow: int
    """12.34 The evasion from which down a ship at sea counts as slowed."""
    convoys: tuple[int, ...]
    """12.44 For the first, second ... convoy."""
    port: InPort
    port_hit: Mapping[str, int]
    at_sea: Mapping[str, int]
    at_sea_slow: Mapping[str, int]
    at_sea_hit: Mapping[str, int]
    midships: Mapping[str, int]
    """12.5 A hit on a ship afloat, `capital` or `cruiser`."""
    sunk: Mapping[str, int]
    """12.31, 12.41 By name, or by type for ships without a line of their own."""


def rows(text: str) -> Iterable[list[str]]:
    """The lines of a table written in columns `a | b | c`, cells stripped."""
    for line in text.strip().splitlines():
        if line.strip():
            yield [cell.strip() for cell in line.split("|")]


def _pair(text: str) -> Pair:
    day, night = text.split("-")
    return int(day), int(night)


def _counts(text: str) -> dict[int, int]:
    return {int(a): int(b) for a, b in (item.split(":") for item in text.split())}


def ship_rows(house: Mapping[str, str]) -> list[ShipRow]:
    """2.42 The ships, in the order of the file. Raises ValueError on a faulty row."""
    return [_ship(cells) for cells in rows(table("ships.toml", house)["ships"])]


def _ship(cells: list[str]) -> ShipRow:
    """One row of ships.toml. Raises ValueError."""
    try:
        name, values, boxes, supply, start = cells[:5]
        side, kind, evasion, speed = values.split()
        bow, stern, beam, midships = (int(n) for n in boxes.split())
        fuel, patrol = supply.split()
        zone, hold = start.split()
        return ShipRow(
            name=name,
            side=side,
            type=kind,
            evasion=int(evasion),
            speed=int(speed),
            sections=Sections(bow, stern, beam, beam, midships),
            fuel=None if fuel == "-" else int(fuel),
            patrol=None if patrol == "-" else _pair(patrol),
            zone=Zone("" if zone == "-" else zone),
            hold="" if hold == "free" else hold,
        )
    except ValueError:
        raise ValueError(f"ships.toml: ships: '{cells[0]}' is not a complete row") from None


def moving(house: Mapping[str, str]) -> Pair:
    """7.26 Search strength of a ship or task force in movement mode."""
    return _pair(table("ships.toml", house)["moving"])


def air_rows(house: Mapping[str, str]) -> list[AirRow]:
    """2.43 The air units, in the order of the file. Raises ValueError on a faulty row."""
    file = table("air.toml", house)
    kinds = {cells[0]: _kind(cells) for cells in rows(file["kinds"])}
    return [_air(cells, kinds) for cells in rows(file["units"])]


def _kind(cells: list[str]) -> tuple[str, str, Face, Face | None]:
    """One row of the kinds of aircraft: side, type and the two faces. Raises ValueError."""
    try:
        _, what, front, back = cells[:4]
        side, kind = what.split(maxsplit=1)
        return side, kind, _face(front), None if back == "-" else _face(back.split(maxsplit=1)[1])
    except ValueError:
        raise ValueError(f"air.toml: kinds: '{cells[0]}' is not a complete row") from None


def _face(text: str) -> Face:
    search, endurance, speed = text.split()
    return Face(_pair(search), int(endurance), int(speed))


def _air(cells: list[str], kinds: Mapping[str, tuple[str, str, Face, Face | None]]) -> AirRow:
    """One row of the air units. Raises ValueError."""
    try:
        id_, name, kind, base = cells
        side, type_, front, back = kinds[kind]
    except (ValueError, KeyError):
        raise ValueError(f"air.toml: units: '{cells[0]}' is not a complete row") from None
    return AirRow(id_, name, side, type_, front, back, base)


def rest(house: Mapping[str, str]) -> int:
    """6.42 Turns from a landing to the next flight."""
    return int(table("air.toml", house)["rest"])


def release(house: Mapping[str, str]) -> Release:
    """Notes 7-14 of the order of appearance."""
    file = table("ships.toml", house)
    figures = file["release"]
    entries = {name.upper(): _entry(text) for name, text in file["entry"].items()}
    ways = {name.upper(): tuple(map(Zone, text.split())) for name, text in file["escort"].items()}
    return Release(
        figures["port_known"],
        figures["port_latest"],
        figures["later"],
        figures["patrol_within"],
        entries,
        ways,
    )


def _entry(text: str) -> Entry:
    zone, turn, who = text.split()
    return Entry(Zone(zone), int(turn), who == "owner")


def weather(house: Mapping[str, str], signs: str = "errata") -> Weather:
    """7.1 The visibility track; signs: `errata` or `printed` (ruling 1)."""
    file = table("visibility.toml", house)
    return Weather(
        levels=file["levels"],
        start=file["start"],
        centre=file["centre"],
        fog=frozenset(int(n) for n in file["fog"].split()),
        modifier=_counts(file["modifier"][signs]),
    )


def breakout(house: Mapping[str, str]) -> Breakout:
    """5.28 The breakout bonus."""
    file = table("ships.toml", house)["breakout"]
    return Breakout(file["free"], tuple(file["cost"]))


def schedule(house: Mapping[str, str]) -> Schedule:
    """12.3-12.5 The victory point schedule."""
    return convert(table("victory.toml", house), Schedule)
