"""R143-R151, R242, Q19, Q24, Q26 The Stealth action: Recon or Attack."""

from __future__ import annotations

from games.atlantic_chase import events as ev
from games.atlantic_chase import initiative
from games.atlantic_chase.designations import active_support
from games.atlantic_chase.rolled import undertake
from games.atlantic_chase.state import Designated, Stealth, War
from games.atlantic_chase.trajectories import foe_force, mark_intel
from games.atlantic_chase.verbs import Attack, Recon
from pbem.kit.checks import Refused
from pbem.model import TableLike


async def recon(table: TableLike, war: War, actor: str, order: Recon) -> None:
    """R144-R146, R242 A U-boat or Submarine goes to any other hex; enemy segments there get Intel.
    Raises Refused."""
    force = _own(war, actor, "R144")
    if force.kind == "mines":
        raise Refused("mines", "R144", f"{actor} lies where it is")
    if order.at == force.at:
        raise Refused("same-hex", "R144", f"{actor} is in {order.at}", "another hex", arg="at")
    foe, prien = war.idle, war.leaders.get("PRIEN")
    if order.by and (prien is None or prien.ship != actor):
        raise Refused("no-leader", "R145", f"Prien does not command {actor}", arg="by")
    if order.at in war.port_hexes(foe) or order.at in war.base_hexes(foe):
        if not order.by:
            text = f"{order.at} has an enemy port or airbase"
            raise Refused("enemy-port", "R145", text, "another hex", arg="at")
        del war.leaders["PRIEN"]
        war.ashore.append("PRIEN")
        table.tell(table.sides, ev.LeaderUsed(rule="R145", leader="PRIEN"))
    force.at = order.at
    table.tell(table.sides, ev.ReconMade(rule="R144", stealth=actor, at=order.at))
    for target in war.own(foe):
        mark_intel(table, target, [order.at], "R063")
    await initiative.vie(table, war)  # R143


async def attack(table: TableLike, war: War, actor: str, order: Attack) -> None:
    """R147-R151 On a Station, or a segment with Contact or Intel, in its hex. Raises Refused."""
    force = _own(war, actor, "R147")
    if not force.at:
        raise Refused("in-box", "R242", f"{actor} is in the U-Boat Box", "recon first")
    target = foe_force(war, order.target, "R147")
    at = force.at
    if at not in target.hexes:
        raise Refused("no-target", "R147", f"{target.id} cannot be met in {at}", arg="target")
    if target.line and at not in (*target.contact, *target.intel):
        text = f"{target.id} has neither Contact nor Intel in {at}"
        raise Refused("not-seen", "R147", text, arg="target")
    deed = Designated("attack", war.active, actor, target.id, at, war.sky(at))
    active_support(war, deed, order)
    await undertake(table, war, deed)


def _own(war: War, actor: str, rule: str) -> Stealth:
    """A Stealth force of the Active side. Raises Refused."""
    force = war.stealth.get(actor)
    if force is None or force.side != war.active:
        raise Refused("not-there", rule, f"{actor} is not in play")
    return force
