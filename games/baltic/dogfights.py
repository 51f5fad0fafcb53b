"""4 Dogfights, fighter escorts, and patrols over ships."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.baltic import damage
from games.baltic import events as ev
from games.baltic import verbs as v
from games.baltic.markers import BOMBER, FIGHTER, TORPEDO, flying, meet, over, shoot_down
from games.baltic.state import Marker, Vessel, War
from orders.book import Book, Facts
from orders.model import Value
from pbem.kit.doctrine import Doctrine
from pbem.model import Side, TableLike

KINDS = (FIGHTER, BOMBER, TORPEDO)
"""The order in which planes are lost in dogfights, unless their owner says otherwise."""
MOST = 2
"""132, 135 Markers that one squadron meets in a turn."""


class Loss(Doctrine, frozen=True):
    """131 Of several kinds of aeroplanes that are shot at, which is lost first?"""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `lose`."""
        order = self.said(book, facts, v.Lose)
        wished = order.first.upper() if order else ""
        return wished if wished in self.choices else None


async def dogfight(table: TableLike, one: Sequence[Marker], other: Sequence[Marker]) -> None:
    """131, 197 Both sides' fighters roll two dice a plane at once; who is shot at picks which of
    his planes go."""
    first, second = one[0], other[0]
    ours, theirs = _shooter(one), _shooter(other)
    dice = damage.roll(table, f"AEROPLANES/DOGFIGHT/{second.id}/{ours}", _guns(one))
    back = damage.roll(table, f"AEROPLANES/DOGFIGHT/{first.id}/{theirs}", _guns(other))
    kills, losses = damage.successes(dice), damage.successes(back)
    told = ev.Dogfight(
        rule="131",
        why=f"{ours} {damage.why(dice)}; {theirs} {damage.why(back)}",
        marker=first.id,
        other=second.id,
        kills=min(kills, sum(m.planes for m in other)),
        losses=min(losses, sum(m.planes for m in one)),
    )
    table.tell(table.sides, told)
    for group, lost in ((other, kills), (one, losses)):
        if lost:
            shoot_down(table, group, lost, await _order(table, group))


async def _order(table: TableLike, group: Sequence[Marker]) -> list[str]:
    """131 The order in which a group loses its kinds; asked where it has several."""
    kinds = [kind for kind in KINDS if any(m.type == kind for m in group)]
    if len(kinds) < 2:
        return kinds
    side = group[0].side
    asked = Loss(
        about=" ".join(marker.id for marker in group),
        choices=tuple(kind.upper() for kind in kinds),
        default=kinds[0].upper(),
        actors=(side.upper(),),
        rule="131",
    )
    (answer,) = await table.ask(side, [asked])
    return sorted(kinds, key=lambda kind: kind.upper() != answer)


def _shooter(markers: Sequence[Marker]) -> str:
    """197 The first fighter of a group: bombers do not shoot."""
    return next((m.id for m in markers if m.type == FIGHTER), markers[0].id)


def _guns(markers: Sequence[Marker]) -> int:
    return sum(2 * m.planes for m in markers if m.type == FIGHTER)


async def engaged(
    table: TableLike, war: War, fighters: Sequence[Marker], enemies: Sequence[Marker]
) -> None:
    """123, 197 Fighters fight all whom they touch at the start: first the escorts of those, then,
    whoever is left, the others."""
    met = await _escorted(table, war, fighters, enemies)
    left = [m for m in fighters if m.planes > 0]
    others = [m for m in enemies if m.planes > 0 and m.id not in met]
    if left and others:
        await dogfight(table, left, others)


async def intercepted(
    table: TableLike, war: War, fighters: Sequence[Marker], target: Marker
) -> None:
    """132, 198 Escorts meet up to two fighter markers; those that are left then fight the bombers
    and whoever else flies with them."""
    await _escorted(table, war, fighters, [target])
    left = [m for m in fighters if m.planes > 0]
    if left and target.planes > 0:
        mates = [m for m in flying(war, target.side) if meet(m, target)]
        group = [m for m in mates if m is target or m.guards != target.id]
        await dogfight(table, left, sorted(group, key=lambda m: m is not target))


async def _escorted(
    table: TableLike, war: War, fighters: Sequence[Marker], targets: Sequence[Marker]
) -> set[str]:
    """132 The escorts that are in contact with these meet the fighters that attack them, two at
    most; which escorts have."""
    met: set[str] = set()
    for target in targets:
        for escort in _guards(war, target.id, target.side):
            for fighter in fighters if meet(escort, target) else ():
                if escort.intercepted < MOST and fighter.planes > 0 and escort.planes > 0:
                    escort.intercepted += 1
                    met.add(escort.id)
                    await dogfight(table, [fighter], [escort])
    return met


async def patrol(table: TableLike, war: War, group: Sequence[Marker], vessel: Vessel) -> None:
    """132, 135, 198 Fighters over a ship meet up to two bomber markers that attack her; first the
    fighters that fly with the bombers, or guard them, meet those."""
    for guard in _guards(war, vessel.id, vessel.side):
        for bomber in group:
            if _attacks(bomber, vessel) and guard.planes > 0 and guard.intercepted < MOST:
                guard.intercepted += 1
                for escort in _escorts(war, group, bomber):
                    if guard.planes > 0:
                        escort.intercepted += 1
                        await dogfight(table, [guard], [escort])
                if guard.planes > 0:
                    await dogfight(table, [guard], [bomber])


def _escorts(war: War, group: Sequence[Marker], bomber: Marker) -> list[Marker]:
    """132, 192 Fighters in contact with a bomber squadron, of its group or on guard over it, that
    can still meet an enemy."""
    near = [m for m in flying(war, bomber.side) if m.type == FIGHTER and meet(m, bomber)]
    return [m for m in near if (m in group or m.guards == bomber.id) and m.intercepted < MOST]


def _attacks(marker: Marker, vessel: Vessel) -> bool:
    """128, 130 Has it a load, and for bombs come over the ship?"""
    if not marker.boxes or not marker.planes:
        return False
    return marker.type == TORPEDO or (marker.type == BOMBER and over(marker, vessel))


def _guards(war: War, name: str, side: Side) -> Iterator[Marker]:
    for marker in flying(war, side):
        if marker.guards == name and marker.type == FIGHTER:
            yield marker
