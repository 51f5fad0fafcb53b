"""R127-R129, Q15 The Pass action."""

from __future__ import annotations

from games.atlantic_chase import completion, initiative, leaders, victory
from games.atlantic_chase import events as ev
from games.atlantic_chase.state import TaskForce, War
from games.atlantic_chase.time_lapse import lapse_in_turn
from games.atlantic_chase.trajectories import own_force
from games.atlantic_chase.verbs import Complete, Pass
from pbem.kit.checks import Refused
from pbem.model import TableLike


async def act(table: TableLike, war: War, actor: str, order: Pass) -> None:
    """R127 One own Trajectory performs Time Lapse, and Initiative goes to the enemy; before that
    Germans Complete who must. Raises Refused."""
    side = war.active
    leader = leaders.all_passer(war) if order.what == "all" else None  # R129
    lines = _lines(war, actor, order)
    await come_home(table, war)
    if war.active != side:
        return
    if leader:
        leaders.pass_all(table, leader)
    lines = [f for f in lines if f.id in war.forces]
    names = ", ".join(f.id for f in lines)
    table.tell(table.sides, ev.Passed(rule="R127", side=war.active, force=names))
    waiting = [f.id for f in sorted(lines, key=lambda f: -f.length)]
    await lapse_in_turn(table, war, war.active, waiting, "R127")
    await initiative.change(table, war, "R127")


def _lines(war: War, actor: str, order: Pass) -> list[TaskForce]:
    """R127, R129, Q15 The Trajectories that perform Time Lapse: all, the one named, or the longest;
    nothing, where a side has none. A Pass that becomes All Pass names a Trajectory as any other.
    Raises Refused."""
    lines = [f for f in war.own(war.active) if f.line]
    named = None if actor == war.active.upper() else own_force(war, actor, "R127")
    if named and not named.line:
        raise Refused("no-trajectory", "R127", f"{actor} is no Trajectory")
    if order.what == "all":
        return lines
    return [named] if named else sorted(lines, key=lambda f: -f.length)[:1]


async def come_home(table: TableLike, war: War) -> None:
    """Our common rules: once no Convoy is left, Germans must Complete every warship that can before
    they pass."""
    for force in war.own(war.active):
        if victory.must_complete(war, force):
            try:
                await completion.act(table, war, force.id, Complete())
            except Refused:  # in no port, or with Intel
                continue
