"""R083-R090, R231 Evasive markers: earned, spent, and what they add to initiative rolls."""

from __future__ import annotations

from games.atlantic_chase import events as ev
from games.atlantic_chase.state import TaskForce, War
from games.atlantic_chase.tables import rules
from pbem.model import TableLike


def give_evasive(table: TableLike, war: War, force: TaskForce, rule: str) -> None:
    """R083, R085 An Evasive marker, unless it has one."""
    if war.may_evade(force):
        force.evasive = True
        table.tell(table.sides, ev.EvasiveGiven(rule=rule, force=force.id, name=force.called))


def spend_evasive(table: TableLike, force: TaskForce, use: str, rule: str) -> None:
    """R086 Spending removes it."""
    force.evasive = False
    told = ev.EvasiveSpent(rule=rule, force=force.id, use=use, name=force.called)
    table.tell(table.sides, told)


def holders_of(war: War) -> list[TaskForce]:
    """R087 The Idle side's Task Forces with a marker, those first whose marker adds most."""
    return sorted((f for f in war.own(war.idle) if f.evasive), key=lambda f: -worth_of(war, f))


def worth_of(war: War, force: TaskForce) -> int:
    """R087 What an Evasive marker adds to an initiative roll."""
    bad = war.weather == "bad" or any(war.arctic(cell) for cell in force.hexes)
    return rules().initiative.bad if bad else rules().initiative.good
