"""4 Dogfights, fighter escorts, and patrols over ships."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.baltic import damage
from games.baltic import events as ev
from games.baltic import verbs as v
from games.baltic.markers import BOMBER, FIGHTER, LOADED, TORPEDO, flying, meet, shoot_down
from games.baltic.state import Marker, Vessel, War
from orders.book import Book, Facts
from pbem.model import Side, TableLike


def dogfight(
    table: TableLike,
    one: Sequence[Marker],
    other: Sequence[Marker],
    order: Sequence[str] = (FIGHTER, BOMBER, TORPEDO),
) -> None:
    """131, 197 Both sides' fighters roll two dice a plane at once."""
    first, second = one[0], other[0]
    label = f"AEROPLANES/DOGFIGHT/{second.id}/{first.id}"
    dice = damage.roll(table, label, _guns(one))
    back = damage.roll(table, f"AEROPLANES/DOGFIGHT/{first.id}/{second.id}", _guns(other))
    kills, losses = damage.successes(dice), damage.successes(back)
    told = ev.Dogfight(
        rule="131",
        why=f"{first.id} {damage.why(dice)}; {second.id} {damage.why(back)}",
        marker=first.id,
        other=second.id,
        kills=min(kills, sum(m.planes for m in other)),
        losses=min(losses, sum(m.planes for m in one)),
    )
    table.tell(table.sides, told)
    shoot_down(table, other, kills, order)
    shoot_down(table, one, losses, (FIGHTER, BOMBER, TORPEDO))


def _guns(markers: Sequence[Marker]) -> int:
    return sum(2 * m.planes for m in markers if m.type == FIGHTER)


def intercepted(
    table: TableLike,
    war: War,
    fighters: Sequence[Marker],
    target: Marker,
    books: Mapping[Side, Book],
    facts: Mapping[Side, Facts],
) -> None:
    """132, 198 Escorts meet up to two fighter markers before they reach the bombers."""
    for escort in _guards(war, target.id, target.side):
        for fighter in fighters:
            if escort.intercepted < 2 and fighter.planes > 0 and escort.planes > 0:
                escort.intercepted += 1
                dogfight(table, [fighter], [escort])
    left = [m for m in fighters if m.planes > 0]
    if left and target.planes > 0:
        loses = books[target.side].find(target.side.upper(), v.Lose, facts[target.side])
        kinds = [loses.first] if loses else []
        order = [*kinds, *(k for k in (FIGHTER, BOMBER, TORPEDO) if k not in kinds)]
        group = [m for m in flying(war, target.side) if m is target or meet(m, target)]
        dogfight(table, left, sorted(group, key=lambda m: m is not target), order)


def patrol(table: TableLike, war: War, group: Sequence[Marker], vessel: Vessel) -> None:
    """135, 198 Fighters over a ship meet up to two bomber markers that attack her."""
    for guard in _guards(war, vessel.id, vessel.side):
        for bomber in group:
            reached = bomber.type in LOADED and bomber.planes > 0
            if reached and guard.planes > 0 and guard.intercepted < 2:
                guard.intercepted += 1
                escorts = [m for m in group if m.type == FIGHTER and m.planes > 0]
                dogfight(table, [guard], [*escorts[:1], bomber])


def _guards(war: War, name: str, side: Side) -> Iterator[Marker]:
    for marker in flying(war, side):
        if marker.guards == name and marker.type == FIGHTER:
            yield marker
