"""R025-R032 Convoys, squadrons and shore batteries."""

from __future__ import annotations

from games.atlantic_chase import events as ev
from games.atlantic_chase.state import TaskForce, War
from games.atlantic_chase.trajectories import own_force
from games.atlantic_chase.verbs import Disperse
from pbem.kit.checks import Refused
from pbem.model import TableLike


def require_warships(war: War, force: TaskForce) -> None:
    """R029, R209 A Task Force with a Convoy neither searches nor engages nor strikes, nor, by
    option, one with a damaged ship; nor (ruling) one that is unidentified. Raises Refused."""
    if force.unknown:
        raise Refused("unidentified", "R214", f"{force.id} is unidentified: it has no ships yet")
    if war.options.get("damaged_hunt") == "forbidden":
        for ship in war.crew(force):
            if ship.damaged:
                text = f"{ship.card.name} of {force.id} is damaged"
                raise Refused("damaged", "R209", text)
    if war.convoy(force):
        raise Refused("convoy", "R029", f"{force.id} holds a Convoy")


async def disperse(table: TableLike, war: War, actor: str, order: Disperse) -> None:
    """R027 A Convoy disperses for good, where the operation permits it. Raises Refused."""
    force = own_force(war, actor, "R027")
    ships = [s for s in war.crew(force) if s.convoy and not s.scattered]
    if not ships:
        raise Refused("no-convoy", "R027", f"{actor} has no Convoy that could disperse")
    if not may_disperse(war, force):
        raise Refused("not-here", "R027", f"{actor} may not disperse in this operation, or not yet")
    for ship in ships:
        ship.scattered = True
        table.tell(table.sides, ev.Dispersed(rule="R027", ship=ship.id))


def may_disperse(war: War, force: TaskForce) -> bool:
    """R027 Special rule `scatter`: Convoy 1 (PQ 17) may, from spell 2 on."""
    return war.special("scatter") and "CONVOY 1" in force.ships and war.spell >= 2
