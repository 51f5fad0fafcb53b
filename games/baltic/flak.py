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
    """136 Ships that have moved fire at every aerial corvette within 5 inches; aeroplanes are shot
    at in the same way (`shot_at`)."""
    for vessel in vessels:
        if (
            damage.anti_aircraft(vessel) == 0
            or not vessel.acts
            or not vessel.fired
            or war.down(vessel)
        ):
            continue
        near = [
            enemy
            for enemy in war.enemies(vessel.side)
            if enemy.of.trait == "aerial"
            and not enemy.wreck
            and hulls.between(vessel, enemy) <= distances().anti_aircraft
        ]
        if near:
            target = min(near, key=lambda enemy: hulls.between(vessel, enemy))
            label = f"ACTIVATION/ACK ACK/{target.id}/{vessel.id}"
            dice = damage.roll(table, label, damage.anti_aircraft(vessel))
            hits = damage.successes(dice)
            told = ev.AckAck(
                rule="136", why=damage.why(dice), vessel=vessel.id, target=target.id, hits=hits
            )
            table.tell(table.sides, told)
            damage.take(table, war, target, hits, "136")


def shot_at(table: TableLike, war: War, vessels: Sequence[Vessel]) -> None:
    """136, 137 Active ships fire at the nearest hostile marker within 5 inches; of a group torpedo
    bombers fall first, fighters last."""
    for vessel in vessels:
        dice = damage.anti_aircraft(vessel)
        if not dice or not vessel.fired or war.down(vessel) or not vessel.acts:
            continue
        near = [m for m in flying(war, vessel.side, enemy=True) if _range(vessel, m) <= _reach()]
        if not near:
            continue
        first = min(near, key=lambda m: (_range(vessel, m), m.id))
        group = [m for m in near if m is first or (m.side == first.side and meet(m, first))]
        rolled = damage.roll(table, f"ACTIVATION/ACK ACK/{first.id}/{vessel.id}", dice)
        hits = damage.successes(rolled)
        told = ev.AckAck(
            rule="136", why=damage.why(rolled), vessel=vessel.id, target=first.id, hits=hits
        )
        table.tell(table.sides, told)
        shoot_down(table, group, hits, FIRST_SHOT_DOWN)


def _reach() -> int:
    return distances().anti_aircraft


def _range(vessel: Vessel, marker: Marker) -> int:
    shape, at = hulls.hull(vessel), (marker.x, marker.y)
    if plane.inside(at, shape):
        return 0
    ends = zip(shape, (*shape[1:], shape[0]), strict=True)
    return max(0, min(plane.range_to(at, a, b) for a, b in ends) - aeroplane_radius())
