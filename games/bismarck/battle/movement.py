"""9.5 Movement on the battle board, and 9.31 the order in which ships move."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

from games.bismarck.battle.charts import Charts
from games.bismarck.battle.coordinates import name
from games.bismarck.vessels import Vessel
from pbem.kit.hexes import Facing, Hex, ahead, distance, turned

Pairs = tuple[tuple[int, int], ...]
"""9.53 Pairs of the movement chart: hexes ahead, and hex sides to turn."""


class Place(NamedTuple):
    """A hex and a bow."""

    at: Hex
    facing: Facing


def places(start: Place, evasion: int, enemies: Collection[Hex], charts: Charts) -> list[Place]:
    """9.51-9.57 Every place a ship can end its move in, its present one first (9.54).

    enemies: the hexes that it may not enter (9.55).
    """
    pairs = tuple(charts.options(evasion))
    far = max((hexes for hexes, _ in pairs), default=0)
    if any(distance(start.at, enemy) <= far for enemy in enemies):
        return _found(start, pairs, enemies)
    q, r = start.at
    return [Place(Hex(q + dq, r + dr), facing) for dq, dr, facing in _free(start.facing, pairs)]


@lru_cache(maxsize=256)
def _free(facing: Facing, pairs: Pairs) -> tuple[tuple[int, int, Facing], ...]:
    """The places where nobody is in the way, as steps from the ship's own hex."""
    found = _found(Place(Hex(0, 0), facing), pairs, ())
    return tuple((place.at.q, place.at.r, place.facing) for place in found)


def _found(start: Place, pairs: Pairs, enemies: Collection[Hex]) -> list[Place]:
    found: dict[Place, None] = {start: None}
    for hexes, turns in pairs:
        found |= dict.fromkeys(_reach(start, hexes, turns, enemies))
    return list(found)


def _reach(start: Place, hexes: int, turns: int, enemies: Collection[Hex]) -> Iterable[Place]:
    """Places within one pair of the movement chart: steps ahead and turns in any order."""
    seen = {(start, hexes, turns)}
    todo = [(start, hexes, turns)]
    for place, steps, changes in todo:  # grows while it is walked
        for after in _next(place, steps, changes, enemies):
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return (place for place, _, _ in todo)


def _next(
    place: Place, steps: int, changes: int, enemies: Collection[Hex]
) -> Iterable[tuple[Place, int, int]]:
    if steps:  # 9.57
        to = ahead(place.at, place.facing)
        if to not in enemies:
            yield Place(to, place.facing), steps - 1, changes
    if changes:  # 9.52
        for side in (1, -1):
            yield Place(place.at, turned(place.facing, side)), steps, changes - 1


def follow(
    start: Place, course: str, evasion: int, enemies: Collection[Hex], charts: Charts
) -> tuple[Place, str]:
    """9.51-9.57 Where a course leads, and why it is not sailed to its end; empty where it is.

    course: `AHEAD 2 PORT 1`, hexes ahead and hex sides to turn, in their order.
    """
    place, hexes, turns = start, 0, 0
    for step in steps(course):
        hexes, turns = hexes + (step == "AHEAD"), turns + (step != "AHEAD")
        if not any(hexes <= most and turns <= bends for most, bends in charts.options(evasion)):
            return place, f"evasion {evasion} allows no more (9.53)"
        to = ahead(place.at, place.facing)
        if step != "AHEAD":
            place = Place(place.at, turned(place.facing, 1 if step == "STARBOARD" else -1))
        elif to in enemies:
            return place, f"an enemy is in {name(to)} (9.55)"
        else:
            place = Place(to, place.facing)
    return place, ""


def steps(course: str) -> list[str]:
    """9.52, 9.57 A course one hex and one hex side at a time."""
    words = course.split()
    return [way for way, by in zip(words[::2], words[1::2], strict=True) for _ in range(int(by))]


def bonus_places(
    start: Place, evasion: int, enemies: Collection[Hex], charts: Charts
) -> list[Place]:
    """9.95 Where the bonus move of a withdrawing ship may end: one hex ahead, then at most one
    turn. None for a ship that cannot move a hex (9.95, ruling 50), or whose way an enemy blocks."""
    to = ahead(start.at, start.facing)
    if to in enemies or not max(hexes for hexes, _ in charts.options(evasion)):
        return []
    return [Place(to, turned(start.facing, side)) for side in (0, 1, -1)]


def sequence(vessels: Iterable[Vessel], evasion: Callable[[Vessel], int]) -> list[Vessel]:
    """9.31 Slow ships first; at equal evasion attackers before defenders, then by name."""
    return sorted(vessels, key=lambda v: (evasion(v), not v.attacker, v.ship))
