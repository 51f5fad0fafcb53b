"""4 Offensive ack-ack: ships that have moved fire at aerial corvettes and aeroplanes."""

from __future__ import annotations

from collections.abc import Sequence

from games.baltic import damage, hulls
from games.baltic import events as ev
from games.baltic.markers import FIRST_SHOT_DOWN, apart, flying, grouped, shoot_down, spread
from games.baltic.state import Marker, Vessel, War
from games.baltic.tables import distances
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
    group = grouped(war, target)
    shoot_down(table, spread(group, hits, FIRST_SHOT_DOWN), "137" if len(group) > 1 else "136")


def _range(vessel: Vessel, target: Vessel | Marker) -> int:
    return hulls.between(vessel, target) if isinstance(target, Vessel) else apart(target, vessel)
