"""4 Dogfights, fighter escorts, and patrols over ships."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.baltic import damage
from games.baltic import events as ev
from games.baltic import verbs as v
from games.baltic.markers import (
    BOMBER,
    FIGHTER,
    TORPEDO,
    apart,
    flying,
    meet,
    over,
    shoot_down,
)
from games.baltic.state import Marker, Vessel, War
from games.baltic.tables import distances
from orders.book import Book, Facts
from orders.model import Value
from orders.verbs import Arg
from pbem.kit.doctrine import Doctrine
from pbem.model import Side, TableLike

KINDS = (FIGHTER, BOMBER, TORPEDO)
"""The order in which planes are lost in dogfights, unless their owner says otherwise."""
MOST = 2
"""132, 135 Markers that one squadron meets in a turn."""


class Loss(Doctrine, frozen=True):
    """131 Of several markers that are shot at, how many of the planes does this one lose?"""

    hits: int = 0
    """Planes that are still to go."""
    markers: tuple[str, ...] = ()
    """Who can lose them: this marker first, and those about which is not decided yet."""
    types: tuple[str, ...] = ()
    planes: tuple[int, ...] = ()

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `lose`: marker after marker, those that it names first, then its kind."""
        order = self.said(book, facts, v.Lose)
        if order is None:
            return None
        named, left = order.markers, self.hits
        places = range(len(self.markers))
        for i in sorted(
            places, key=lambda i: (_place(named, self.markers[i]), self._rank(i, order))
        ):
            down = min(left, self.planes[i])
            if i == 0:
                return down
            left -= down
        return None

    def _rank(self, i: int, order: v.Lose) -> tuple[bool, int]:
        return self.types[i] != order.first, i


def _place(named: Sequence[str], marker: str) -> int:
    return named.index(marker) if marker in named else len(named)


async def dogfight(table: TableLike, one: Sequence[Marker], other: Sequence[Marker]) -> None:
    """131, 197 Both sides' fighters roll two dice a plane at once; who is shot at picks which of
    his planes go."""
    first, second = one[0], other[0]
    ours, theirs = _shooter(one), _shooter(other)
    dice = damage.roll(table, f"AEROPLANES/DOGFIGHT/{second.id}/{ours}", _guns(one))
    back = damage.roll(table, f"AEROPLANES/DOGFIGHT/{first.id}/{theirs}", _guns(other))
    kills = min(damage.successes(dice), sum(m.planes for m in other))
    losses = min(damage.successes(back), sum(m.planes for m in one))
    told = ev.Dogfight(
        rule="131",
        why=f"{ours} {damage.why(dice)}; {theirs} {damage.why(back)}",
        marker=first.id,
        other=second.id,
        kills=kills,
        losses=losses,
        mates=" ".join(m.id for m in one[1:]),
        others=" ".join(m.id for m in other[1:]),
    )
    table.tell(table.sides, told)
    for group, lost in ((other, kills), (one, losses)):
        shoot_down(table, await _shared(table, group, lost), "131")


async def _shared(table: TableLike, group: Sequence[Marker], hits: int) -> list[tuple[Marker, int]]:
    """131 Planes that each marker loses: its owner is asked about one after the other, where there
    is a choice. Unless he says otherwise they go kind after kind (`KINDS`)."""
    found, left = [], hits
    rest = sorted(group, key=lambda m: (KINDS.index(m.type), m.id))
    while rest:
        marker, others = rest[0], rest[1:]
        least = max(0, left - sum(m.planes for m in others))
        down = most = min(marker.planes, left)
        if least < most:
            asked = Loss(
                about=marker.id,
                form=Arg("planes", "number", least=least, most=most),
                default=most,
                actors=(marker.side.upper(),),
                rule="131",
                hits=left,
                markers=tuple(m.id for m in rest),
                types=tuple(m.type for m in rest),
                planes=tuple(m.planes for m in rest),
            )
            (answer,) = await table.ask(marker.side, [asked])
            down = int(str(answer))
        found.append((marker, down))
        left, rest = left - down, others
    return found


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
    """128, 130, B44 Has it a load, and come over the ship, or with torpedoes within their run?"""
    if not marker.boxes or not marker.planes:
        return False
    if marker.type == TORPEDO:
        return apart(marker, vessel) <= distances().torpedo
    return marker.type == BOMBER and over(marker, vessel)


def _guards(war: War, name: str, side: Side) -> Iterator[Marker]:
    for marker in flying(war, side):
        if marker.guards == name and marker.type == FIGHTER:
            yield marker
