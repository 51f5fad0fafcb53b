"""How ships are handled in battle: what orders leave open, chosen by weighing one move ahead.

Nothing here is a rule. A captain enumerates the legal moves and takes the one that does most harm
for the harm it risks, held to the range he is told to seek; equal moves in the order of `places`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from games.bismarck.battle import gunnery
from games.bismarck.battle.charts import Charts, Field, Range
from games.bismarck.battle.gunnery import Battery
from games.bismarck.battle.movement import Place
from games.bismarck.contacts import ORDER, general
from games.bismarck.state import Ship
from pbem.kit.hexes import Facing, Hex, Sector, ahead, distance, sector

BANDS = {"CLOSE": (1, 1), "A": (2, 3), "B": (4, 6), "OPEN": (7, 99), "WITHDRAW": (7, 99)}
"""Hexes to the nearest enemy that each posture seeks."""
CARE = {"CLOSE": 6, "A": 8, "B": 10, "OPEN": 15, "WITHDRAW": 15}
"""Weight, in tenths, of damage taken against damage done."""
PER_HEX = 30_000
AHEAD = 300
SHOWN = 8_000


class Sight(Struct, frozen=True):
    """A ship as captains see it: where it is and what it can fire."""

    ship: str
    guns: Battery
    place: Place


class View(Struct, frozen=True):
    """One captain's position. enemies: where they are now; posture, bow: as ordered; runs_on: the
    ship has to go one hex ahead when the round ends (9.95)."""

    guns: Battery
    enemies: tuple[Sight, ...]
    posture: str = "B"
    bow: bool = False
    night: bool = False
    runs_on: bool = False


def choose(view: View, options: Sequence[Place], charts: Charts) -> Place:
    """The best of the legal places; the first of equals. options: not empty."""
    known: Known = {}
    return max(options, key=lambda p: score(view, p, charts, known))


Known = dict[tuple[int, int, Sector, Sector], tuple[int, int]]
"""Number of an enemy, hexes, where it is seen, where it sees the ship -> damage done and taken."""


def score(view: View, place: Place, charts: Charts, known: Known | None = None) -> int:
    """Damage done less damage taken, less the error in range, plus a bonus for what the bow points
    at.

    known: filled with what the places of one view have in common.
    """
    known = {} if known is None else known
    done, taken, nearest = 0, 0, 99
    bows = 0
    for number, enemy in enumerate(view.enemies):
        hexes, seen, shown = _bearings(place, enemy.place)
        both = known.get((number, hexes, seen, shown))
        if both is None:
            both = known[number, hexes, seen, shown] = (
                harm(view.guns, hexes, seen, _field(shown), view.night, charts),
                harm(enemy.guns, hexes, shown, _field(seen), view.night, charts),
            )
        done = max(done, both[0])
        taken += both[1]
        nearest = min(nearest, hexes)
        bows += seen == "bow"
    low, high = BANDS[view.posture]
    at_last = _nearest_ahead(view, place, nearest) if view.runs_on else nearest
    off = max(low - at_last, at_last - high, 0)
    way = _next(view, place, nearest) if off or low == 7 else 0
    return (
        10 * done
        - CARE[view.posture] * taken
        - PER_HEX * off
        + AHEAD * way
        + SHOWN * (view.bow and bows)
    )


def _bearings(place: Place, other: Place) -> tuple[int, Sector, Sector]:
    """Hexes to another ship, where it lies as seen from this one, and this one as seen from it."""
    (q, r), (to_q, to_r) = place.at, other.at
    return _apart(to_q - q, to_r - r, place.facing, other.facing)


@cache
def _apart(dq: int, dr: int, facing: Facing, heading: Facing) -> tuple[int, Sector, Sector]:
    here, there = Hex(0, 0), Hex(dq, dr)
    return distance(here, there), sector(here, facing, there), sector(there, heading, here)


def _field(at: Sector) -> Field:
    return "bow" if at == "bow" else "stern" if at == "stern" else "broadside"


def _next(view: View, place: Place, nearest: int) -> int:
    """How much one more hex ahead brings the range closer to what is wanted."""
    then = _nearest_ahead(view, place, nearest)
    low, _ = BANDS[view.posture]
    return (then - nearest) if nearest < low or low == 7 else (nearest - then)


def _nearest_ahead(view: View, place: Place, nearest: int) -> int:
    """Hexes to the nearest enemy from the hex ahead. nearest: from this one."""
    to = ahead(place.at, place.facing)
    return min((distance(to, e.place.at) for e in view.enemies), default=nearest)


@lru_cache(maxsize=65536)
def _shots(guns: Battery, hexes: int, at: Sector, distant: Range) -> int:
    able = [g for g in gunnery.GUNS if gunnery.bears(guns.name, g, at, distant)]
    salvos = sum(gunnery.section(guns, g) for g in able)
    return salvos if hexes == 1 else salvos // 2


def harm(guns: Battery, hexes: int, at: Sector, shown: Field, night: bool, charts: Charts) -> int:
    """Expected damage of these guns to a target in that sector that shows that field."""
    distant = gunnery.reach(hexes, charts, night)
    if distant is None:
        return 0
    return _shots(guns, hexes, at, distant) * charts.worth["B" if night else distant][shown]


# Targets


WAYS = ("NEAREST", "WEAKEST", "STRONGEST")
"""Words for a target that name no ship."""


def aimed(word: str, enemies: Iterable[tuple[Ship, Hex]], at: Hex) -> list[Ship]:
    """9.62 The enemies in the order in which a ship fires at them. word: a name, a type, NEAREST,
    WEAKEST, else the strongest type first, then the weakest of it."""
    ranked = sorted(enemies, key=lambda e: _wanted(word, e[0], distance(at, e[1])))
    return [ship for ship, _ in ranked]


def _wanted(word: str, ship: Ship, hexes: int) -> tuple[int, ...]:
    boxes = ship.sections.midships - ship.hits.midships
    rank = ORDER.index(general(ship))
    if word == "NEAREST":
        return 0, hexes, rank, boxes
    if word == "WEAKEST":
        return 0, boxes, rank, hexes
    return int(word not in (ship.id, general(ship))), rank, boxes, hexes


# What a silent player does


def power(ships: Iterable[Ship]) -> int:
    """A rough measure of strength: salvos, weighted by the ship that fires them."""
    return sum(gunnery.strength([s]) * (s.sections.midships - s.hits.midships) for s in ships)


def posture(own: Sequence[Ship], enemies: Sequence[Ship]) -> str:
    """The handling of ships without orders: away from what is much stronger, close to what is
    weaker, else at long range."""
    mine, theirs = power(own), power(enemies)
    if 3 * mine < 2 * theirs:
        return "WITHDRAW"
    return "A" if 4 * mine >= 5 * theirs else "B"
