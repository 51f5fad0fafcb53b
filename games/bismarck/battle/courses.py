"""9.51-9.57 The shortest course to every place that a ship can reach in a round, for orders."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from games.bismarck.battle.movement import Place
from pbem.kit.hexes import Hex, ahead, turned

STEPS = ("ahead", "port", "starboard")


def courses(
    start: Place, options: Iterable[tuple[int, int]], enemies: Collection[Hex]
) -> dict[Place, str]:
    """Place -> `ahead 1 port 1`; the first is `ahead 0`, which stays (9.54).

    options: 9.53 hexes and turns that go together. enemies: the hexes that it may not enter
    (9.55). The places are those of `movement.places`.
    """
    found: dict[Place, tuple[str, ...]] = {start: ()}
    for hexes, turns in options:
        for place, way in _ways(start, hexes, turns, enemies):
            if place not in found or len(way) < len(found[place]):
                found[place] = way
    return {place: written(way) for place, way in found.items()}


def _ways(
    start: Place, hexes: int, turns: int, enemies: Collection[Hex]
) -> Iterator[tuple[Place, tuple[str, ...]]]:
    """Places within one pair of the movement chart, the nearest first."""
    todo: list[tuple[Place, int, int, tuple[str, ...]]] = [(start, hexes, turns, ())]
    seen = {(start, hexes, turns)}
    for place, steps, changes, way in todo:  # grows while it is walked
        yield place, way
        after = []
        to = ahead(place.at, place.facing)
        if steps and to not in enemies:
            after.append((Place(to, place.facing), steps - 1, changes, "ahead"))
        if changes:
            for side, step in ((-1, "port"), (1, "starboard")):
                turned_ = Place(place.at, turned(place.facing, side))
                after.append((turned_, steps, changes - 1, step))
        for one, s, c, step in after:
            if (one, s, c) not in seen:
                seen.add((one, s, c))
                todo.append((one, s, c, (*way, step)))


def written(way: tuple[str, ...]) -> str:
    """Steps as an order says them: equal ones in a row are counted."""
    said: list[tuple[str, int]] = []
    for step in way:
        if said and said[-1][0] == step:
            said[-1] = (step, said[-1][1] + 1)
        else:
            said.append((step, 1))
    return " ".join(f"{step} {n}" for step, n in said) or "ahead 0"
