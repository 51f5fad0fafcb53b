"""R127-R129, Q15 The Pass action."""

from __future__ import annotations

from games.atlantic_chase import events as ev
from games.atlantic_chase import initiative, leaders
from games.atlantic_chase.state import War
from games.atlantic_chase.time_lapse import lapse_in_turn
from games.atlantic_chase.trajectories import own_force
from games.atlantic_chase.verbs import Pass
from pbem.kit.checks import Refused
from pbem.model import TableLike


async def act(table: TableLike, war: War, actor: str, order: Pass) -> None:
    """R127 One own Trajectory performs Time Lapse, and Initiative goes to the enemy. Raises
    Refused."""
    lines = [f for f in war.own(war.active) if f.line]
    if order.what == "all":
        leaders.pass_all(table, war)  # R129
    elif actor != war.active.upper():
        lines = [own_force(war, actor, "R127")]
        if not lines[0].line:
            raise Refused("no-trajectory", "R127", f"{actor} is no Trajectory")
    else:
        lines = sorted(lines, key=lambda f: -f.length)[:1]  # Q15 nothing, where there is none
    names = ", ".join(f.id for f in lines)
    table.tell(table.sides, ev.Passed(rule="R127", side=war.active, force=names))
    waiting = [f.id for f in sorted(lines, key=lambda f: -f.length)]
    await lapse_in_turn(table, war, war.active, waiting, "R127")
    await initiative.change(table, war, "R127")
