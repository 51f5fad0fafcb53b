"""103, 120 Aeroplane markers: kinds, contact, planes lost."""

from __future__ import annotations

from collections.abc import Sequence

from games.baltic import events as ev
from games.baltic import hulls
from games.baltic.state import Marker, Vessel, War
from games.baltic.tables import aeroplane_radius
from pbem.kit import plane
from pbem.model import Side, TableLike

FIGHTER, BOMBER, TORPEDO = "fighter", "bomber", "torpedo"
LOADED = (BOMBER, TORPEDO)
FIRST_SHOT_DOWN = (TORPEDO, BOMBER, FIGHTER)
"""137 The order in which a group loses planes to anti-aircraft fire."""
BOXES = {FIGHTER: 0, BOMBER: 2, TORPEDO: 1}
"""B31."""


def over(marker: Marker, vessel: Vessel) -> bool:
    """Does a marker touch a hull?"""
    return apart(marker, vessel) == 0


def meet(one: Marker, other: Marker) -> bool:
    """Do two markers touch?"""
    apart = 2 * aeroplane_radius()
    return plane.square((one.x, one.y), (other.x, other.y)) <= apart * apart


def flying(war: War, side: Side | None = None, enemy: bool = False) -> list[Marker]:
    """Markers in the air, in the order of the state; of a side, or of all others."""
    found = [m for m in war.markers.values() if m.at == "air" and m.planes > 0]
    return [m for m in found if side is None or (m.side == side) != enemy]


def apart(marker: Marker, vessel: Vessel) -> int:
    """5 of 2.1 The range from the edge of a marker to a hull, in mils; 0 where they touch."""
    shape, at = hulls.hull(vessel), (marker.x, marker.y)
    if plane.inside(at, shape):
        return 0
    ends = zip(shape, (*shape[1:], shape[0]), strict=True)
    return max(0, min(plane.range_to(at, a, b) for a, b in ends) - aeroplane_radius())


def grouped(war: War, marker: Marker) -> list[Marker]:
    """120, 132, B43 A marker and those that fly with it, in contact: its declared group, and the
    fighters that escort one of them."""
    found = [marker]
    for one in found:  # it grows
        mates = [m for m in flying(war, marker.side) if m not in found and meet(one, m)]
        found += [m for m in mates if _together(one, m)]
    return found


def _together(one: Marker, other: Marker) -> bool:
    """Are two of a declared group, or does one escort the other?"""
    escorts = one.id == other.guards or other.id == one.guards
    return escorts or (one.flight or one.id) == (other.flight or other.id)


def spread(group: Sequence[Marker], hits: int, order: Sequence[str]) -> list[tuple[Marker, int]]:
    """137 Planes that hits take from each marker, kind after kind in this order."""
    found, left = [], hits
    for marker in sorted(group, key=lambda m: (order.index(m.type), m.id)):
        down = min(marker.planes, left)
        found.append((marker, down))
        left -= down
    return found


def shoot_down(table: TableLike, losses: Sequence[tuple[Marker, int]], rule: str) -> None:
    """131, 136 Planes are lost; of several markers that were shot at all hear which lost how
    many."""
    for marker, down in losses:
        marker.planes -= down
        if down and len(losses) > 1:
            table.tell(table.sides, ev.PlanesLost(rule=rule, marker=marker.id, planes=down))
        if down and marker.planes == 0:
            marker.at = "lost"
            table.tell(table.sides, ev.MarkerLost(rule=rule, marker=marker.id))
