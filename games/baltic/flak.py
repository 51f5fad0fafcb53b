"""4 Offensive ack-ack: ships that have moved fire at aerial corvettes and aeroplanes."""

from __future__ import annotations

from collections.abc import Sequence

from games.baltic import damage, hulls
from games.baltic import events as ev
from games.baltic.markers import FIRST_SHOT_DOWN, flying, meet, shoot_down
from games.baltic.state import Marker, Vessel, War
from games.baltic.tables import aeroplane_radius, distances
from pbem.kit import plane
from pbem.model import TableLike


def ack_ack(table: TableLike, war: War, vessels: Sequence[Vessel]) -> None:
    """136, 137 Each ship that has moved fires once, at the nearest hostile aerial corvette or
    aeroplane marker within 5 inches; of a group torpedo bombers fall first, fighters last."""
    for vessel in vessels:
        dice = damage.anti_aircraft(vessel)
        if not dice or not vessel.may_fire or war.down(vessel) or not vessel.acts:
            continue
        planes: list[Vessel | Marker] = [*flying(war, vessel.side, enemy=True)]
        corvettes = (e for e in war.enemies(vessel.side) if e.of.trait == "aerial" and e.acts)
        ranges = [(_range(vessel, target), target) for target in (*planes, *corvettes)]
        near = [one for one in ranges if one[0] <= distances().anti_aircraft]
        if near:
            _, target = min(near, key=lambda one: (one[0], one[1].id))
            _shoot(table, war, vessel, target, dice)


def _shoot(table: TableLike, war: War, vessel: Vessel, target: Vessel | Marker, count: int) -> None:
    """136 Each success is a plane, or a hull box that cannot be dodged (186)."""
    dice = damage.roll(table, f"ACTIVATION/ACK ACK/{target.id}/{vessel.id}", count)
    hits, why = damage.successes(dice), damage.why(dice)
    told = ev.AckAck(rule="136", why=why, vessel=vessel.id, target=target.id, hits=hits)
    table.tell(table.sides, told)
    if isinstance(target, Vessel):
        damage.take(table, war, target, hits, "136")
        return
    group = [m for m in flying(war, target.side) if m is target or meet(m, target)]
    shoot_down(table, group, hits, FIRST_SHOT_DOWN)


def _range(vessel: Vessel, target: Vessel | Marker) -> int:
    if isinstance(target, Vessel):
        return hulls.between(vessel, target)
    shape, at = hulls.hull(vessel), (target.x, target.y)
    if plane.inside(at, shape):
        return 0
    ends = zip(shape, (*shape[1:], shape[0]), strict=True)
    return max(0, min(plane.range_to(at, a, b) for a, b in ends) - aeroplane_radius())
