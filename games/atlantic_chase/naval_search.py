"""R122-R126 The Naval Search action."""

from __future__ import annotations

from games.atlantic_chase.convoys import require_warships
from games.atlantic_chase.designations import active_support, target_hex
from games.atlantic_chase.rolled import undertake
from games.atlantic_chase.state import Designated, War
from games.atlantic_chase.trajectories import foe_force, own_force
from games.atlantic_chase.verbs import Search
from pbem.kit.checks import Refused
from pbem.model import TableLike


async def act(table: TableLike, war: War, actor: str, order: Search) -> None:
    """R122, R123 An enemy Trajectory with a segment in a hex of the Active Task Force. Raises
    Refused."""
    force = own_force(war, actor, "R122")
    require_warships(war, force)
    target = foe_force(war, order.target, "R122")
    if not target.line:
        text = f"{target.id} is a Station: engage it"
        raise Refused("no-trajectory", "R123", text, arg="target")
    at = target_hex(war, force.id, target, force.hexes, order, "R122")
    deed = Designated("search", war.active, force.id, target.id, at, war.sky(at))
    active_support(war, deed, order)
    await undertake(table, war, deed)
