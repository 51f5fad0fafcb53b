"""R, K All meetings of a segment: both sides say how they meet the enemy, then they are fought.

In a game played `asked` one window asks about all of them side by side, one question for each
meeting and side, at most once in a turn: meetings of later segments follow orders. Both sides were
told before who found whom, so neither window nor question tells anything else.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.far_seas import chase, combat, melee, plans
from games.far_seas.asks import RUN, STAND, Meets
from games.far_seas.melee import Melee
from games.far_seas.state import BRITISH, SIDES, Fight, War
from pbem.kit.doctrine import plays_asked
from pbem.model import Side, TableLike


async def phase(table: TableLike, war: War, fights: Sequence[Fight]) -> None:
    """R, K Each meeting. A German is met once in a segment (S10), but the ships of a station meet
    every raider while they are there (S9)."""
    await _plan(table, war, fights)
    fought = False
    for fight in fights:
        _still_there(war, fight)
        if fight.german and fight.british:
            fought |= await combat.battle(table, war, fight)
            war.fight = None
    if fought:  # K9 Any damaged Ally, once all have fought
        await combat.retire(table, war, war.fleet(BRITISH))


def _still_there(war: War, fight: Fight) -> None:
    """S9 What an earlier meeting of the segment has left in its place; who ran raids no more."""
    fight.british = [i for i in fight.british if war.ships[i].area == fight.area]
    if fight.station:
        fight.german = [i for i in fight.german if war.ships[i].raids == fight.station]


async def _plan(table: TableLike, war: War, fights: Sequence[Fight]) -> None:
    """R1, K5 How each side meets the enemy."""
    put: dict[Side, list[Meets]] = {side: [] for side in SIDES}
    asked: dict[Side, list[Fight]] = {side: [] for side in SIDES}
    for fight in fights:
        for question, side in await _questions(table, war, fight):
            if len(question.choices) > 1:
                put[side].append(question)
                asked[side].append(fight)
    war.fight = None
    owed = [side for side in SIDES if put[side]]
    if owed and not war.planned and plays_asked(table.options):
        war.planned = war.meeting = True
        said = await table.ask_each(put, owed)
        war.meeting = False
        for side in owed:
            for fight, answer in zip(asked[side], said[side], strict=True):
                fight.plans[str(side)] = str(answer)


async def _questions(table: TableLike, war: War, fight: Fight) -> list[tuple[Meets, Side]]:
    """The question of either side about one meeting."""
    whole = melee.begin(war, fight)
    would = await chase.wishes(table, war, fight, whole)
    return [
        (plans.question(war, whole, side, _usual(whole, side, len(would[side]))), side)
        for side in SIDES
    ]


def _usual(whole: Melee, side: Side, runners: int) -> str:
    """What the orders of a side say now: RUN, STAND, or SOME."""
    return STAND if not runners else RUN if runners == len(whole.sides[side]) else "SOME"
