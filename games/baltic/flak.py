"""4 Offensive ack-ack: ships that have moved fire at aerial corvettes and aeroplanes."""

from __future__ import annotations

from collections.abc import Sequence

from games.baltic import damage, hulls
from games.baltic import events as ev
from games.baltic import verbs as v
from games.baltic.markers import FIRST_SHOT_DOWN, apart, flying, grouped, shoot_down, spread
from games.baltic.state import Marker, Vessel, War
from games.baltic.tables import distances
from orders.book import Book, Facts
from pbem.kit.doctrine import actors, said
from pbem.model import TableLike


def ack_ack(
    table: TableLike, war: War, vessels: Sequence[Vessel], book: Book, facts: Facts
) -> None:
    """136, 137, B48 Each ship that has moved fires once, at a hostile aerial corvette or aeroplane
    marker within 5 inches: by `aa`, else the nearest, of equals torpedo bombers before bombers,
    fighters and corvettes. Of a group torpedo bombers fall first, fighters last."""
    for vessel in vessels:
        dice = damage.anti_aircraft(vessel)
        if not dice or not vessel.may_fire or war.down(vessel) or not vessel.acts:
            continue
        planes: list[Vessel | Marker] = [*flying(war, vessel.side, enemy=True)]
        corvettes = (e for e in war.enemies(vessel.side) if e.of.trait == "aerial" and e.acts)
        ranges = [(_range(vessel, target), target) for target in (*planes, *corvettes)]
        near = [one for one in ranges if one[0] <= distances().anti_aircraft]
        if near:
            order = said(book, actors(vessel.id, vessel.card, vessel.side), v.Aa, facts)
            _, target = min(near, key=lambda one: (not _wished(war, order, one[1]), *_rank(*one)))
            _shoot(table, war, vessel, target, dice)


def _rank(mils: int, target: Vessel | Marker) -> tuple[int, int, str]:
    """The nearest, of equals the kind that does most harm."""
    kinds = FIRST_SHOT_DOWN
    kind = len(kinds) if isinstance(target, Vessel) else kinds.index(target.type)
    return mils, kind, target.id


def _wished(war: War, order: v.Aa | None, target: Vessel | Marker) -> bool:
    """Does an order name this target, or its kind?"""
    if order is None:
        return False
    if isinstance(target, Vessel):
        return order.first == "corvette" or target in war.named(order.at)
    return target.id == order.at or target.type == order.first


def _shoot(table: TableLike, war: War, vessel: Vessel, target: Vessel | Marker, count: int) -> None:
    """136 Each success is a plane, or a hull box that cannot be dodged (186)."""
    dice = damage.roll(table, f"ACTIVATION/ACK ACK/{target.id}/{vessel.id}", count)
    hits, why = damage.successes(dice), damage.why(dice)
    told = ev.AckAck(rule="136", why=why, vessel=vessel.id, target=target.id, hits=hits)
    table.tell(table.sides, told)
    if isinstance(target, Vessel):
        damage.take(table, war, target, hits)
        return
    group = grouped(war, target)
    shoot_down(table, spread(group, hits, FIRST_SHOT_DOWN), "137" if len(group) > 1 else "136")


def _range(vessel: Vessel, target: Vessel | Marker) -> int:
    return hulls.between(vessel, target) if isinstance(target, Vessel) else apart(target, vessel)
