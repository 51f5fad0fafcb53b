"""What sides are told of movement, search, captures and points; meetings: `events_battle`.

Ships are called by their ids; names are public. `who` and `germans`, `allies` are ids.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.model import Event


class Sailed(Struct, frozen=True):
    """One ship's move. how: move, cruise, join, convoy, station, support, river, stay (in it),
    raid, intern, return; post: the station, landing or leader."""

    who: str
    origin: str
    to: str
    how: str = "move"
    post: str = ""


class ShipsArrived(Event, frozen=True):
    """AC Ships entered play."""

    area: str
    who: tuple[str, ...]


class MoversNamed(Event, frozen=True):
    """M4, G1 The Germans named the ships that move; canal: those bound for the Panama Canal."""

    who: tuple[str, ...]
    canal: tuple[str, ...] = ()


class AlliesMoved(Event, frozen=True):
    """M3, M6, M7 What the Allied ships did, open to both."""

    moves: tuple[Sailed, ...]


class GermansMoved(Event, frozen=True):
    """M5 What the German ships did; for their owner."""

    moves: tuple[Sailed, ...]


class OrderFailed(Event, frozen=True):
    """An order could not be carried out; `why` says it. instead: what the ship did."""

    who: str
    verb: str
    instead: str = ""


class Sought(Struct, frozen=True):
    """One group that searches: its leader, the area, and the German it names, empty for any."""

    who: str
    area: str
    ship: str = ""


class SearchNamed(Event, frozen=True):
    """S3 The Allies say who searches, and for whom."""

    parties: tuple[Sought, ...]


class SearchBlank(Event, frozen=True):
    """S8 Allied ships searched these areas and found nothing."""

    areas: tuple[str, ...]


class Found(Event, frozen=True):
    """S8, S9, G6, G8 A German ship or squadron is found. by: the finder's ships."""

    area: str
    germans: tuple[str, ...]
    by: tuple[str, ...]


class FoundInRiver(Event, frozen=True):
    """G7 A German is found in the Rufiji and must remain there while an Ally watches."""

    germans: tuple[str, ...]
    by: tuple[str, ...]
    area: str = "31"


class Surprised(Event, frozen=True):
    """S11, S12 A German fell on an Allied ship or squadron."""

    area: str
    germans: tuple[str, ...]
    allies: tuple[str, ...]


class CowardicePaid(Event, frozen=True):
    """S5, S6 The Germans score for Allied ships that did not search."""

    area: str
    points: int
    ships: tuple[str, ...]


class ConvoySurprised(Event, frozen=True):
    """Found f: the escort of a convoy was too late."""

    area: str
    germans: tuple[str, ...]
    count: int


class ConvoyDefended(Event, frozen=True):
    """Found f: the escort of a convoy meets the attack."""

    area: str
    germans: tuple[str, ...]
    allies: tuple[str, ...]


class NoConvoy(Event, frozen=True):
    """Found f: there was no convoy to attack."""

    area: str
    who: str


class Captured(Event, frozen=True):
    """E1 A German's log: merchants that a ship took."""

    who: str
    area: str
    count: int


class MerchantsTaken(Event, frozen=True):
    """E1 Merchants are missed in an area; nobody says who took them."""

    area: str
    count: int


class StationRaided(Event, frozen=True):
    """E3 A station was raided."""

    area: str
    station: str
    germans: tuple[str, ...]
    points: int


class LinerInterned(Event, frozen=True):
    """Found b: a liner gave herself up."""

    area: str
    who: str
    points: int


class HomeReached(Event, frozen=True):
    """G9 Ships got home to Germany; points for warships."""

    who: tuple[str, ...]
    points: int


class HomeMissed(Event, frozen=True):
    """G9 A ship was caught and sunk on the way home."""

    who: str
    points: int


class LandingShort(Event, frozen=True):
    """Found c: a landing had fewer ships than it needed."""

    landing: str
    short: int
    points: int


class TurnEnded(Event, frozen=True):
    """E4 All Germans have moved; the points so far."""

    german: int
    british: int
