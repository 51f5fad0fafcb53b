"""The numbers of the game, typed and read once: the edition's own tables, or the moderator's.

A moderator may give his own text for any table file but the board. It takes the place of the
edition's file in that game, is kept in the state, and must pass `house.check`.
"""

from collections.abc import Mapping
from typing import Any, get_args

from msgspec import Struct

from games.bismarck.board import Zone
from games.bismarck.state import AirKind, AirUnit, Face, Hold, Sections, Ship
from pbem.kit.tables import Sheet, numbered, pair
from pbem.kit.views import filler
from pbem.model import Side

PACKAGE = "games.bismarck.data"
Pair = tuple[int, int]


def sheet(name: str, house: Mapping[str, str]) -> Sheet:
    """The table file `name`, the moderator's where he gave one."""
    return Sheet(PACKAGE, name, house.get(name))


def table(name: str, house: Mapping[str, str]) -> dict[str, Any]:
    """The same decoded. Callers must not change it.

    Raises ValueError when a moderator's text is no TOML.
    """
    return sheet(name, house).table()


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


_HOLDS = {"free": "", **{hold: hold for hold in get_args(Hold)}}


def _sections(text: str) -> Sections:
    bow, stern, beam, midships = map(int, text.split())
    return Sections(bow, stern, beam, beam, midships)


def _face(text: str) -> Face:
    search, endurance, speed = text.split()
    return Face(pair(search), int(endurance), int(speed))


def ships(house: Mapping[str, str]) -> list[Ship]:
    """2.42 The ships as they begin, in the order of the file. Raises ValueError on a faulty row."""
    found = sheet("ships.toml", house).rows(
        "ships",
        Ship,
        "name | side type evasion speed | sections | fuel patrol | zone hold | source",
        {"sections": _sections, "patrol": pair, "hold": _HOLDS.__getitem__},
        id="",
    )
    for ship in found:
        ship.id, ship.tank, ship.origin = ship.name.upper(), ship.fuel, ship.zone
        ship.mode = "patrol" if ship.hold == "patrol" else "move"
    return found


class Kind(Struct, frozen=True):
    """2.43 A kind of aircraft."""

    kind: str
    side: Side
    type: AirKind
    front: Face
    back: Face | None


class Squadron(Struct, frozen=True):
    """An air unit of the order of appearance."""

    id: str
    name: str
    kind: Kind
    base: str


_UNIT = filler(AirUnit, {Squadron: "id name base", Kind: "side type front back"})


def aircraft(house: Mapping[str, str]) -> list[AirUnit]:
    """2.43 The air units, in the order of the file. Raises ValueError on a faulty row."""
    file = sheet("air.toml", house)
    faces = {"front": _face, "back": lambda text: _face(text.partition(" ")[2])}
    found = file.rows("kinds", Kind, "kind | side type... | front | back | source", faces)
    kinds = {kind.kind: kind for kind in found}
    columns = "id | name | kind | base"
    squadrons = file.rows("units", Squadron, columns, {"kind": kinds.__getitem__})
    return [_UNIT(squadron, squadron.kind) for squadron in squadrons]


def moving(house: Mapping[str, str]) -> Pair:
    """7.26 Search strength of a ship or task force in movement mode."""
    return pair(table("ships.toml", house)["moving"])


def rest(house: Mapping[str, str]) -> int:
    """6.42 Turns from a landing to the next flight."""
    return int(table("air.toml", house)["rest"])


def release(house: Mapping[str, str]) -> Release:
    """Notes 7-14 of the order of appearance."""
    file = table("ships.toml", house)
    entries = {name.upper(): _entry(text) for name, text in file["entry"].items()}
    ways = {name.upper(): tuple(map(Zone, text.split())) for name, text in file["escort"].items()}
    figures = {key: file["release"][key] for key in Release.__struct_fields__[:4]}
    return Release(**figures, entry=entries, escort=ways)


def _entry(text: str) -> Entry:
    zone, turn, who = text.split()
    return Entry(Zone(zone), int(turn), who == "owner")


def weather(house: Mapping[str, str], signs: str = "errata") -> Weather:
    """7.1 The visibility track; signs: `errata` or `printed` (7.16, ruling 1)."""
    file = table("visibility.toml", house)
    return Weather(
        levels=file["levels"],
        start=file["start"],
        centre=file["centre"],
        fog=frozenset(int(n) for n in file["fog"].split()),
        modifier=numbered(file["modifier"][signs], int),
    )


def breakout(house: Mapping[str, str]) -> Breakout:
    """5.28 The breakout bonus."""
    file = table("ships.toml", house)["breakout"]
    return Breakout(file["free"], tuple(file["cost"]))


def schedule(house: Mapping[str, str]) -> Schedule:
    """12.3-12.5 The victory point schedule."""
    return sheet("victory.toml", house).record(Schedule)
