"""R109-R115, R236, R237, Q16, Q40 The Completion action."""

from __future__ import annotations

from games.atlantic_chase import events as ev
from games.atlantic_chase import initiative, victory
from games.atlantic_chase.state import TaskForce, War
from games.atlantic_chase.tables import rules
from games.atlantic_chase.time_lapse import lapse
from games.atlantic_chase.trajectories import leave, own_force
from games.atlantic_chase.verbs import Complete
from pbem.kit.checks import Refused
from pbem.model import TableLike


async def act(table: TableLike, war: War, actor: str, order: Complete) -> None:
    """R109-R113 Raises Refused."""
    force = own_force(war, actor, "R109")
    port = port_of(war, force)
    table.tell(table.sides, ev.CompletionTried(rule="R109", force=force.id, port=port))
    if await seized(table, war, force):
        table.tell(table.sides, ev.CompletionFailed(rule="R113", force=force.id, name=force.called))
        return
    _out(table, war, force, port)


async def seized(table: TableLike, war: War, force: TaskForce) -> bool:
    """R111, R113, R237 The Idle side's opportunity; if it takes Initiative, the Task Force performs
    Time Lapse under the weather of before."""
    return await initiative.seize(table, war, lambda: lapse(table, war, force, "R113"), True)


def port_of(war: War, force: TaskForce) -> str:
    """R109, R110 The port in which it Completes. Raises Refused."""
    if force.intel:
        raise Refused("intel", "R110", f"{force.id} has an Intel marker")
    if force.length > rules().limits.complete:
        text = f"{force.id} has {force.length} segments, {rules().limits.complete} at most Complete"
        raise Refused("too-long", "R109", text)
    held = war.port_hexes(force.side)
    ports = [force.box] if force.box else [held[cell] for cell in force.hexes if cell in held]
    ports = [port for port in ports if port not in war.closed]
    if not ports:
        raise Refused("no-port", "R109", f"{force.id} is in no friendly port")
    return victory.best_port(war, force, ports)


def _out(table: TableLike, war: War, force: TaskForce, port: str) -> None:
    """R112, R114, Q40 The Task Force leaves play with ships, markers and leaders."""
    told = ev.Completed(rule="R112", force=force.id, port=port, ships=tuple(force.ships))
    table.tell(table.sides, told)
    victory.completed(war, force, port)
    for leader in list(war.leaders_aboard(force)):
        del war.leaders[leader.id]
        war.ashore.append(leader.id)
    for ship in war.crew(force):
        ship.gone = "home"
    leave(war, force)
