"""R116-R121, R238 The Engage action."""

from __future__ import annotations

from games.atlantic_chase.convoys import require_warships
from games.atlantic_chase.designations import active_support, target_hex
from games.atlantic_chase.rolled import undertake
from games.atlantic_chase.state import Designated, War
from games.atlantic_chase.trajectories import foe_force, own_force
from games.atlantic_chase.verbs import Engage
from games.atlantic_chase.victory import require_engaging
from pbem.kit.checks import Refused
from pbem.model import TableLike


async def act(table: TableLike, war: War, actor: str, order: Engage) -> None:
    """R116, R117 An enemy Station in a hex of the Active Task Force. Raises Refused."""
    force = own_force(war, actor, "R116")
    require_warships(war, force)
    target = foe_force(war, order.target, "R116")
    if not target.station:
        where = f"is in {target.box.title()}" if target.box else "is a Trajectory: search for it"
        raise Refused("no-station", "R117", f"{target.id} {where}", arg="target")
    require_engaging(war, target)
    at = target_hex(war, force.id, target, force.hexes, order, "R116")
    deed = Designated("engage", war.active, force.id, target.id, at, war.sky(at))
    active_support(war, deed, order)
    await undertake(table, war, deed)
