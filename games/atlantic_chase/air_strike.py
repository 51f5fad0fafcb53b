"""R102-R108, R235 The Air Strike action."""

from __future__ import annotations

from games.atlantic_chase import board
from games.atlantic_chase.convoys import require_warships
from games.atlantic_chase.designations import active_support, require_short, target_hex
from games.atlantic_chase.rolled import undertake
from games.atlantic_chase.state import Designated, War
from games.atlantic_chase.trajectories import foe_force, own_force
from games.atlantic_chase.verbs import Strike
from games.atlantic_chase.victory import strike_modifiers
from pbem.kit.checks import Refused
from pbem.model import TableLike


async def act(table: TableLike, war: War, actor: str, order: Strike) -> None:
    """R102-R105 From an airbase, or an undamaged carrier without a Convoy. Raises Refused."""
    launches = _launches(war, actor, order)
    target = foe_force(war, order.target, "R104")
    near = [
        cell
        for cell in target.hexes
        if war.sky(cell) == "good" and any(board.air_range(a, cell) <= 2 for a in launches)
    ]
    if target.hexes and not near:
        raise Refused("no-target", "R104", f"{target.id} is out of reach", arg="target")
    at = target_hex(war, actor, target, near, order, "R104")
    deed = Designated("strike", war.active, actor, target.id, at, war.sky(at))
    deed.air = actor
    deed.launch = min(launches, key=lambda a: board.air_range(a, at))
    deed.special = strike_modifiers(war, actor, target)
    active_support(war, deed, order)
    await undertake(table, war, deed)


def _launches(war: War, actor: str, order: Strike) -> list[str]:
    """R102, R103 The hexes from which aircraft may fly. Raises Refused."""
    if war.weather == "bad":
        raise Refused("bad-weather", "R102", "aircraft do not strike in bad weather")
    if actor in war.bases:
        if war.bases[actor] != war.active:
            raise Refused("not-there", "R103", f"{actor} is not yours")
        cells = [board.AIRBASES[actor].hex]
    else:
        force = own_force(war, actor, "R103")
        require_warships(war, force)
        if not war.deck(force):
            raise Refused("no-carrier", "R103", f"{actor} has no undamaged carrier")
        require_short(war, force)
        cells = list(force.hexes)
    found = [c for c in cells if not war.arctic(c) and order.launch in ("", c)]
    if not cells:
        raise Refused("no-launch", "R102", f"{actor} is in {war.forces[actor].box.title()}")
    if not found:
        raise Refused("no-launch", "R102", f"{actor} cannot launch there", arg="launch")
    return found
