"""215 Where ships and squadrons may be set up. The order page runs this module too."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from games.baltic import hulls
from games.baltic.tables import Terrain, box_of
from pbem.kit import plane
from pbem.kit.plane import Polygon, Pose


class Berth(Struct, frozen=True):
    """A vessel in its place."""

    id: str
    x: int
    y: int
    shape: Polygon


def berths(names: Sequence[str], pose: Pose, size: tuple[int, int]) -> list[Berth]:
    """The vessels of a card: those of a squadron abreast of their flagship, an inch and more apart,
    within 4 inches of her. pose: of the first; size: length and beam of each."""
    length, beam = size
    found: list[Berth] = []
    for number, name in enumerate(names):
        side = 1440 if number % 2 else -1440
        way = (pose.heading + side) % plane.CIRCLE
        spot = plane.ahead(Pose(pose.x, pose.y, way), (beam + 900) * ((number + 1) // 2))
        shape = plane.corners(Pose(spot.x, spot.y, pose.heading), length, beam)
        found.append(Berth(name, spot.x, spot.y, shape))
    return found


def barred(
    wanted: Sequence[Berth],
    zone: Sequence[int],
    sea: Sequence[Terrain],
    shuns: Sequence[str],
    others: Sequence[Berth],
) -> str:
    """Why they cannot be set up there; empty if they can.

    zone: west, south, east, north. shuns: the kinds of terrain that would hold or wreck them.
    others: who lies there already.
    """
    for one in wanted:
        if one.x < zone[0] or one.y < zone[1] or one.x > zone[2] or one.y > zone[3]:
            return f"{one.id} would be outside your area of deployment"
        for thing in sea:
            bars = thing.kind in shuns or (thing.solid and thing.high)
            if bars and hulls.on(one.shape, thing):
                where = f"on {thing.name}" if thing.solid else f"in {thing.kind} water"
                return f"{one.id} would be {where}"
        for other in others:
            near = not hulls.apart(box_of(one.shape), box_of(other.shape))
            if near and plane.overlap(one.shape, other.shape):
                return f"{one.id} would touch {other.id}"
    return ""
