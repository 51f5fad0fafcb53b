"""R138-R142, R241 The Signals action."""

from __future__ import annotations

from games.atlantic_chase import board, initiative
from games.atlantic_chase import events as ev
from games.atlantic_chase.state import TaskForce, War
from games.atlantic_chase.time_lapse import lapse
from games.atlantic_chase.trajectories import foe_force, stand
from games.atlantic_chase.verbs import Signals
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike


async def act(table: TableLike, war: War, actor: str, order: Signals) -> None:
    """R138-R142 Raises Refused."""
    target = foe_force(war, order.target, "R138")
    if not target.intel:
        raise Refused("no-intel", "R138", f"{target.id} has no Intel marker", arg="target")
    at = order.at or _best(war, target, order.lapse)
    if at not in target.intel:
        raise Refused("no-intel", "R138", f"{target.id} has no Intel marker in {at}", arg="at")
    if order.lapse:
        own = war.forces.get(order.lapse)
        if own is None or own.side != war.active or at not in own.line:
            text = f"{order.lapse} has no segment in {at}"
            raise Refused("not-there", "R141", text, arg="lapse")
    await effect(table, war, war.active, target, at, order.lapse)
    await initiative.seize(table, war)  # R142


async def effect(
    table: TableLike, war: War, side: Side, target: TaskForce, at: str, lapsing: str
) -> None:
    """R139-R141 The target becomes a Station in that hex; an own Trajectory there may lapse."""
    told = ev.SignalsSent(rule="R138", side=side, force=target.id, at=at, name=target.called)
    table.tell(table.sides, told)
    stand(table, war, target, at, "R139")
    if lapsing in war.forces:
        await lapse(table, war, war.forces[lapsing], "R141")


def _best(war: War, target: TaskForce, lapsing: str) -> str:
    """C5 The marker nearest to an own Task Force, of those in the line that is to lapse if there is
    one; the first in the line of several."""
    own = [cell for force in war.own(war.active) for cell in force.hexes]
    line = war.forces[lapsing].line if lapsing in war.forces else []
    marked = [cell for cell in target.line if cell in target.intel]
    return min(
        [cell for cell in marked if cell in line] or marked,
        key=lambda cell: min((board.air_range(cell, o) for o in own), default=0),
    )
