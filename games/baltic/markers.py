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
    shape, at = hulls.hull(vessel), (marker.x, marker.y)
    if plane.inside(at, shape):
        return True
    ends = zip(shape, (*shape[1:], shape[0]), strict=True)
    return min(plane.range_to(at, a, b) for a, b in ends) <= aeroplane_radius()


def meet(one: Marker, other: Marker) -> bool:
    """Do two markers touch?"""
    apart = 2 * aeroplane_radius()
    return plane.square((one.x, one.y), (other.x, other.y)) <= apart * apart


def flying(war: War, side: Side | None = None, enemy: bool = False) -> list[Marker]:
    """Markers in the air, in the order of the state; of a side, or of all others."""
    found = [m for m in war.markers.values() if m.at == "air" and m.planes > 0]
    return [m for m in found if side is None or (m.side == side) != enemy]


def shoot_down(table: TableLike, group: Sequence[Marker], hits: int, order: Sequence[str]) -> int:
    """131, 136 Planes lost, kind after kind in this order; how many."""
    lost = 0
    for marker in sorted(group, key=lambda m: (order.index(m.type), m.id)):
        down = min(marker.planes, hits - lost)
        marker.planes -= down
        lost += down
        if down and marker.planes == 0:
            marker.at = "lost"
            table.tell(table.sides, ev.MarkerLost(rule="136", marker=marker.id))
    return lost
