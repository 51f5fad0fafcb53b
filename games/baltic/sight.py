"""3.2 Line of sight."""

from __future__ import annotations

from collections.abc import Iterator

from games.baltic import hulls
from games.baltic.state import Vessel, War
from games.baltic.tables import Terrain, box_of
from pbem.kit import plane
from pbem.kit.plane import Point, Polygon

MASKED = 41
"""69 From so many blocked lines on, a target is masked (an option)."""


def blocked_lines(war: War, firer: Vessel, target: Vessel) -> int:
    """66-70 How many of the 81 lines between two hulls are cut."""
    return sum(_lines(war, firer, target))


def clear(war: War, firer: Vessel, target: Vessel) -> bool:
    """68 Is there a line that nothing cuts?"""
    return not all(_lines(war, firer, target))


def _lines(war: War, firer: Vessel, target: Vessel) -> Iterator[bool]:
    """12 of 2.1 For each line from a point of one hull to a point of the other: is it cut?"""
    ours, theirs = hulls.hull(firer), hulls.hull(target)
    channel = box_of((*ours, *theirs))
    terrain = [t for t in _terrain(war, target) if not hulls.apart(channel, t.box)]
    circles = [t for t in terrain if t.radius]
    shapes = [t.points for t in terrain if not t.radius]
    shapes += _between(war, firer, target)
    if not shapes and not circles:
        yield False
        return
    for a in points(ours):
        for b in points(theirs):
            yield any(_cuts(a, b, shape) for shape in shapes) or any(
                _through(a, b, circle) for circle in circles
            )


def masked(war: War, firer: Vessel, target: Vessel) -> bool:
    """69, optional: half of the lines or more are cut."""
    return war.options.get("masked") == "on" and blocked_lines(war, firer, target) >= MASKED


def points(shape: Polygon) -> list[Point]:
    """12 of 2.1 Corners, middles of edges, and the middle of a hull."""
    following = (*shape[1:], shape[0])
    middles = [
        ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in zip(shape, following, strict=True)
    ]
    first, third = shape[0], shape[2]
    return [*shape, *middles, ((first[0] + third[0]) // 2, (first[1] + third[1]) // 2)]


def _terrain(war: War, target: Vessel) -> list[Terrain]:
    """70 The terrain that counts between these levels; reefs are under water (13 of 2.1)."""
    to_air = target.aloft
    return [t for t in war.map if t.kind in ("land", "rig") and (t.high or not to_air)]


def _between(war: War, firer: Vessel, target: Vessel) -> Iterator[Polygon]:
    """67, 178 Between two vessels on the water: hulls hostile to the firer, near the line."""
    if firer.aloft or target.aloft:
        return
    span = hulls.reach(firer) + hulls.reach(target)
    a, b = (firer.x, firer.y), (target.x, target.y)
    for other in war.enemies(firer.side):
        if other is target or other.aloft:
            continue
        if plane.range_to((other.x, other.y), a, b) <= span + hulls.reach(other):
            yield hulls.hull(other)


def _cuts(a: Point, b: Point, shape: Polygon) -> bool:
    """Does a line pass through a polygon? A touched corner is no cut (12 of 2.1)."""
    last = shape[-1]
    for corner in shape:
        if plane.cross(a, b, last, corner):
            return True
        last = corner
    if len(shape) == 4:  # along a diagonal
        return plane.cross(a, b, shape[0], shape[2]) or plane.cross(a, b, shape[1], shape[3])
    return False


def _through(a: Point, b: Point, terrain: Terrain) -> bool:
    return plane.range_to(terrain.points[0], a, b) < terrain.radius
