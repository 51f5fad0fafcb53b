"""R007-R012, R230, Q14, Q25 Port Boxes: transfers between them and the hexes of their ports."""

from __future__ import annotations

from games.atlantic_chase import events as ev
from games.atlantic_chase.state import War
from games.atlantic_chase.trajectories import own_force, tidy
from games.atlantic_chase.verbs import LeavePort, Port
from games.atlantic_chase.victory import require_sailing
from pbem.kit.checks import Refused
from pbem.model import TableLike


async def enter(table: TableLike, war: War, actor: str, order: Port) -> None:
    """R008, R230 A Station in a friendly port hex goes into the Port Box; its Contact goes. Raises
    Refused."""
    force = own_force(war, actor, "R008")
    port = war.port_hexes(force.side).get(force.at, "")
    if not port:
        raise Refused("no-port", "R008", f"{actor} is no Station in a friendly port")
    if war.boxless(port):
        raise Refused("no-box", "R020", f"{port.title()} has no Port Box")
    force.at, force.box = "", port
    tidy(force)
    table.tell(
        table.sides, ev.PortEntered(rule="R008", force=force.id, port=port, name=force.called)
    )


async def leave(table: TableLike, war: War, actor: str, order: LeavePort) -> None:
    """R008 A Station leaves its Port Box for a hex of the port. Raises Refused."""
    force = own_force(war, actor, "R008")
    if not force.box:
        raise Refused("no-port", "R008", f"{actor} is in no Port Box")
    require_sailing(war, force)
    hexes = war.hexes_of(force.box)
    if order.at and order.at not in hexes:
        text = f"{order.at} is no hex of {force.box.title()}"
        raise Refused("no-port", "R016", text, ", ".join(hexes), arg="at")
    force.at, force.box = order.at or hexes[0], ""
    table.tell(
        table.sides, ev.PortLeft(rule="R008", force=force.id, at=force.at, name=force.called)
    )
