"""21, 6.6 Tactical nuclear warfare (an option): release, first use, what an attack costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.second_fleet import advanced_events as ev
from games.second_fleet import advanced_verbs as av
from games.second_fleet.advanced_state import Nuclear
from games.second_fleet.advanced_tables import nuclear_chart
from games.second_fleet.board import SIDES
from games.second_fleet.state import War, enemy
from orders.book import Book, Facts
from orders.model import Value
from pbem.kit.checks import Refused
from pbem.model import Question, Side, TableLike

WORDS = ("hold", "reply", "go")


class ReleaseQuestion(Question, frozen=True, kw_only=True):
    """6.6/1 Shall nuclear weapons be released?"""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """The standing order of the side."""
        found = book.find(self.about, av.Release, facts)
        return found.what if found else None


def begin(war: War) -> None:
    """6.6/2 The pools."""
    chart = nuclear_chart()
    for side in SIDES:
        pool = chart.soviet if side == "soviet" else chart.nato
        war.nuclear[side] = Nuclear(pool=dict(pool))


async def release(table: TableLike, war: War) -> None:
    """6.6/1 Both answer at once, sealed; the answer holds for the day."""
    if not war.on("nuclear"):
        return
    asked = {
        side: [ReleaseQuestion(about=side.upper(), choices=WORDS, default="hold", rule="6.6/1")]
        for side in table.sides
    }
    said: Mapping[Side, Sequence[Value]] = await table.ask_each(asked)
    for side in table.sides:
        arms, word = war.nuclear[side], said[side][0]
        arms.released = word == "go" or (word == "reply" and war.nuclear[enemy(side)].fired > 0)
        told = ev.ReleaseSet(rule="6.6", answer=str(word), released=arms.released or arms.granted)
        table.tell([side], told)


def released(war: War, side: Side) -> bool:
    """6.6/1, 6.9/5 May a side fire?"""
    arms = war.nuclear.get(side)
    return arms is not None and (arms.released or arms.granted)


def spend(war: War, side: Side, weapon: str, by: Sequence[str]) -> None:
    """6.6/2 A nuclear box of each ship with logistics, else one of the pool for each unit. Raises
    Refused, and nothing is spent, if there are not enough."""
    if not released(war, side):
        raise Refused("not-released", "6.6/1", "nuclear weapons are not released")
    ships = [war.vessels[name] for name in by if name in war.vessels]
    boxed = [s for s in ships if s.stores is not None]
    row = "torpedo" if weapon == "asw" and any(s.sub for s in ships) else weapon  # 6.5/2
    if any(s.stores and not s.stores.nuclear.get(row, 0) for s in boxed):
        raise Refused("no-warhead", "6.6/2", "one of them has no nuclear box left")
    pool, need = war.nuclear[side].pool, len(by) - len(boxed)
    if pool.get(row, 0) < need:
        raise Refused("no-warhead", "6.6/2", "there are too few nuclear weapons left")
    pool[row] = pool.get(row, 0) - need
    for ship in boxed:
        assert ship.stores is not None
        ship.stores.nuclear[row] -= 1


def fired(table: TableLike, war: War, side: Side) -> None:
    """6.6/4 The first use of a side scores for the enemy; told to all."""
    arms, chart = war.nuclear[side], nuclear_chart()
    arms.fired += 1
    points = chart.first[side] if arms.fired == 1 else 0
    war.score(enemy(side), points, "nuclear", "3.14", "first nuclear weapon")
    table.tell(table.sides, ev.NuclearFired(rule="6.6", side=side, points=points))
