"""2.1 The outlines of things on the table, and what touches what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from games.baltic import tables
from games.baltic.state import Salvo, Vessel
from games.baltic.tables import Terrain
from pbem.kit import plane
from pbem.kit.plane import Point, Polygon, Pose


def column(sheet: tables.ShipSheet) -> str:
    """The column of telegraph and footprints: the class, `aerial` or `carrier`."""
    return sheet.trait if sheet.trait in ("aerial", "carrier") else sheet.cls


def hull(vessel: Vessel, pose: Pose | None = None) -> Polygon:
    """7 Her outline; pose: as if she were there."""
    return outline(vessel.sheet, pose or vessel.pose)


@lru_cache(1024)
def outline(sheet: str, pose: Pose) -> Polygon:
    """7 The outline of a type of vessel; many ask for the same one in turn."""
    return plane.corners(pose, *footprint_of(tables.sheets()[sheet]))


@cache
def _reach(sheet: str) -> int:
    length, beam = footprint_of(tables.sheets()[sheet])
    return (length + beam) // 2 + 1


def reach(vessel: Vessel) -> int:
    """A radius around her middle that holds all of her."""
    return _reach(vessel.sheet)


def salvo_line(salvo: Salvo) -> Polygon:
    """B2 Where a salvo's torpedoes are."""
    return spread(Pose(salvo.x, salvo.y, salvo.heading))


def spread(pose: Pose) -> Polygon:
    """B2 Three inches wide and half an inch deep."""
    wide, deep = tables.footprint("torpedo")
    return plane.corners(pose, deep, wide)


def near(a: Pose, b: Pose, apart: int) -> bool:
    """Are two middles no further than that from each other? Quick, before exact tests."""
    return abs(a.x - b.x) <= apart and abs(a.y - b.y) <= apart


def touching(one: Vessel, other: Vessel, pose: Pose | None = None) -> bool:
    """Do two hulls touch or overlap? pose: `one` as if she were there."""
    at = pose or one.pose
    apart = _reach(one.sheet) + _reach(other.sheet)
    if abs(at.x - other.x) > apart or abs(at.y - other.y) > apart:
        return False
    return plane.overlap(hull(one, at), hull(other))


def nearest(one: Vessel, others: Sequence[Vessel]) -> Vessel | None:
    """The nearest of these, of equals the first: what the name of a squadron means to a ship."""
    return min(others, key=lambda other: between(one, other), default=None)


def between(one: Vessel, other: Vessel) -> int:
    """5 of 2.1 The range: the least distance of two hulls, in mils."""
    return _range(hull(one), hull(other))


@lru_cache(1024)
def _range(one: Polygon, other: Polygon) -> int:
    return plane.range_between(one, other)


def on(shape: Polygon, terrain: Terrain) -> bool:
    """Does an outline touch a thing of the map?"""
    return bool(touched(shape, (terrain,)))


def touched(shape: Polygon, things: Iterable[Terrain]) -> list[Terrain]:
    """The things of the map that an outline touches."""
    box = tables.box_of(shape)
    return [thing for thing in things if not apart(box, thing.box) and _upon(shape, thing)]


def _upon(shape: Polygon, terrain: Terrain) -> bool:
    if not terrain.radius:
        return plane.overlap(shape, terrain.points)
    centre = terrain.points[0]
    return plane.inside(centre, shape) or _edge_range(centre, shape) <= terrain.radius


def away(vessel: Vessel, terrain: Terrain) -> int:
    """5 of 2.1 The least distance of a hull and a thing of the map, in mils."""
    shape = hull(vessel)
    if on(shape, terrain):
        return 0
    if not terrain.radius:
        return plane.range_between(shape, terrain.points)
    return _edge_range(terrain.points[0], shape) - terrain.radius


def apart(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    """Have two boxes no point in common? Quick, before exact tests."""
    return one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]


def _edge_range(point: Point, shape: Polygon) -> int:
    ends = zip(shape, (*shape[1:], shape[0]), strict=True)
    return min(plane.range_to(point, a, b) for a, b in ends)


def off(pose: Pose) -> bool:
    """14 Has a middle left the table?"""
    size = tables.size()
    return not (0 <= pose.x <= size.width and 0 <= pose.y <= size.height)


def edge_of(pose: Pose) -> str:
    """The edge over which a middle went: west, east, south or north."""
    size = tables.size()
    if pose.x < 0:
        return "west"
    if pose.x > size.width:
        return "east"
    return "south" if pose.y < 0 else "north"


def solid_for(vessel: Vessel, terrain: Terrain) -> bool:
    """8, 65, 170 Does she run onto it? Flying ships cross all but what reaches into the air."""
    return terrain.solid and (terrain.high or not vessel.aloft)


def footprint_of(sheet: tables.ShipSheet) -> tuple[int, int]:
    """7 of 2.1 Length and beam of a type."""
    return tables.footprint(column(sheet))
