"""R091-R101, R233, R234: who has Initiative, Vie and Seize."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from games.atlantic_chase import asks, leaders, solitaire, weather
from games.atlantic_chase import asks_battle as ab
from games.atlantic_chase import events as ev
from games.atlantic_chase.evasive import give_evasive, holders_of, spend_evasive, worth_of
from games.atlantic_chase.state import TaskForce, War
from games.atlantic_chase.tables import rules
from pbem.model import D6, TWO_D6, TableLike

CHANCES = {n: sum(1 for a in range(1, 7) for b in range(1, 7) if a + b >= n) for n in range(14)}
"""Of 36 throws of two dice, those of at least so much."""


First = Callable[[], Awaitable[None]]
"""What happens after Initiative has changed and before the weather check."""


async def change(table: TableLike, war: War, rule: str, first: First | None = None) -> None:
    """R100, R093, R233 Initiative goes to the Idle side: tally 0, then its weather check. first:
    what is done before that check, under the weather of before (R237)."""
    war.active, war.tally = war.idle, 0
    table.tell(table.sides, ev.InitiativeChanged(rule=rule, side=war.active))
    if first:
        await first()
    await weather.check(table, war)


async def vie(table: TableLike, war: War) -> bool:
    """R095, R096 Both roll a die; the Idle side adds tally and marker and must roll higher.
    Returns whether Initiative changed."""
    bonus = await _marker_for_vie(table, war)
    label = "INITIATIVE/VIE/-/"
    (active,) = await leaders.roll(table, war, label + war.active.upper(), D6, war.active)
    (idle,) = await leaders.roll(table, war, label + war.idle.upper(), D6, war.idle)
    added = war.tally + bonus
    why = f"{active} against {idle} + {added}"
    changed = idle + added > active
    side = war.idle if changed else war.active
    table.tell(
        table.sides,
        ev.Vied(rule="R095", why=why, side=side, active=active, idle=idle, bonus=added),
    )
    if changed:
        await change(table, war, "R095")
    else:
        war.tally += 1
    return changed


async def seize(
    table: TableLike, war: War, first: First | None = None, vital: bool = False
) -> bool:
    """R097-R099 The Idle side's opportunity: two dice with tally and marker, or an Evasive marker.
    Returns whether Initiative changed. first: see `change`; vital: by default it is tried."""
    side = war.idle
    takers = tuple(
        f.id for f in sorted(_in_play(war), key=lambda f: _need(war, f)) if war.may_evade(f)
    )
    holders = holders_of(war)
    best = max((worth_of(war, f) for f in holders), default=0)
    odds, better = chance(war, 0), chance(war, best)
    tries = (asks.TRY, *(f"{asks.TRY} {f.id}" for f in holders))
    usual = _usual(odds, better, holders, takers, vital)
    question = asks.SeizeOr(
        about=f"{side.upper()} {war.actions + 1}",
        rule="R097",
        actors=asks.whole(side),
        choices=(*tries, *(takers or (asks.NONE,))),
        default=usual,
        odds=odds,
        better=better,
        takers=takers,
    )
    leader = leaders.seizer(war)
    by_power = [leaders.asks_power(leader, "seize", odds)] if leader else []
    if solitaire.imaginary(war, side):  # R213
        give = takers and solitaire.declines(table, side)
        answer = takers[0] if give else tries[1] if holders else asks.TRY
        used = await table.ask(side, by_power, owed=[side]) if by_power and not give else []
    else:
        said, *used = await table.ask(side, [question, *by_power], owed=[side])
        answer = str(said)
    if leader and ab.YES in used:
        leaders.seizes(table, war, leader)
        table.tell(table.sides, ev.SeizeTried(rule="R254", side=side, total=0, seized=True))
        await change(table, war, "R254", first)
        return True
    if not answer.startswith(asks.TRY):
        force = war.forces.get(answer)
        told = ev.SeizeDeclined(rule="R099", side=side, force=force.id if force else "")
        table.tell(table.sides, told)
        if force:
            give_evasive(table, war, force, "R099")
        return False
    return await _attempt(table, war, answer.partition(" ")[2], first)


def _usual(
    odds: int, better: int, holders: list[TaskForce], takers: tuple[str, ...], vital: bool
) -> str:
    """C6, C8 Try from 40 per cent, and with a marker where that lifts the chance over 50."""
    if holders and odds < 50 <= better:
        return f"{asks.TRY} {holders[0].id}"
    return asks.TRY if odds >= 40 or vital or not takers else takers[0]


async def _attempt(table: TableLike, war: War, spender: str, first: First | None) -> bool:
    """R097, R098"""
    side, bonus = war.idle, 0
    if spender:
        force = war.forces[spender]
        bonus = worth_of(war, force)
        spend_evasive(table, force, "seize", "R087")
    dice = await leaders.roll(table, war, f"INITIATIVE/SEIZE/-/{side.upper()}", TWO_D6, side)
    total = sum(dice) + war.tally + bonus
    seized = total >= rules().initiative.seize
    why = f"{sum(dice)} + {war.tally + bonus} = {total}, needs {rules().initiative.seize}"
    told = ev.SeizeTried(rule="R097", why=why, side=side, total=total, seized=seized)
    table.tell(table.sides, told)
    if seized:
        await change(table, war, "R097", first)
    else:
        war.tally += 1
    return seized


async def _marker_for_vie(table: TableLike, war: War) -> int:
    """R086, R087 What the Idle side's marker adds, if it spends one."""
    holders = holders_of(war)
    if not holders:
        return 0
    question = asks.VieSpend(
        about=f"{war.idle.upper()} {war.actions + 1}",
        rule="R087",
        actors=asks.whole(war.idle),
        choices=(asks.NONE, *(f.id for f in holders)),
        default=asks.NONE,
    )
    if solitaire.imaginary(war, war.idle):  # R213
        said: object = holders[0].id
    else:
        (said,) = await table.ask(war.idle, [question], owed=[war.idle])
    if said == asks.NONE:
        return 0
    force = war.forces[str(said)]
    bonus = worth_of(war, force)
    spend_evasive(table, force, "vie", "R087")
    return bonus


def _in_play(war: War) -> list[TaskForce]:
    """The Idle side's Task Forces."""
    return war.own(war.idle)


def _need(war: War, force: TaskForce) -> tuple[bool, bool, int]:
    """C7 Who gets an Evasive marker first: Convoys, then damaged ships, then the longest."""
    hurt = any(s.damaged for s in war.crew(force))
    return not war.convoy(force), not hurt, -force.length


def chance(war: War, bonus: int) -> int:
    """The chance of a Seize in per cent."""
    needed = max(0, min(13, rules().initiative.seize - war.tally - bonus))
    return 100 * CHANCES[needed] // 36
