"""R130-R137, R239, R240, Q25 The Reorganize action: split, merge, reinforcements. Each line is one
part of it; as nothing of it costs Initiative but a failed attempt, that is the same as one action
with many parts.
"""

from __future__ import annotations

from games.atlantic_chase import events as ev
from games.atlantic_chase import initiative, leaders
from games.atlantic_chase.state import Group, TaskForce, War
from games.atlantic_chase.tables import rules
from games.atlantic_chase.time_lapse import lapse
from games.atlantic_chase.trajectories import leave, own_force
from games.atlantic_chase.verbs import Merge, Reinforce, Split
from pbem.kit.checks import Refused
from pbem.model import TWO_D6, TableLike


async def split(table: TableLike, war: War, actor: str, order: Split) -> None:
    """R131, R132 Ships of a Station form a new one, with those markers that they take. Raises
    Refused."""
    force = own_force(war, actor, "R131")
    _require_station(force, "R131")
    if strange := [s for s in order.ships if s not in force.ships]:
        raise Refused("not-there", "R131", f"{strange[0]} is not in {actor}", arg="ships")
    if len(order.ships) >= len(force.ships):
        raise Refused("all-ships", "R239", f"{actor} must keep a ship", arg="ships")
    free = war.free_piece(war.active)
    if not free:
        raise Refused("no-piece", "R131", "there is no unused Task Force")
    new = TaskForce(free, force.side, list(order.ships), at=force.at, box=force.box)
    force.ships = [s for s in force.ships if s not in order.ships]
    if order.takes in ("contact", "both"):
        new.contact, force.contact = force.contact, []
    if order.takes in ("evasive", "both"):
        new.evasive, force.evasive = force.evasive, False
    war.forces[free] = new
    told = ev.Divided(rule="R131", force=actor, new=free, ships=order.ships)
    table.tell(table.sides, told)


async def merge(table: TableLike, war: War, actor: str, order: Merge) -> None:
    """R133 Two Stations of a hex or box become one; markers carry over, one of each. Raises
    Refused."""
    force, other = own_force(war, actor, "R133"), own_force(war, order.force, "R133")
    _require_station(force, "R133")
    same = (force.at, force.box) == (other.at, other.box)
    require_known(force, other)
    if force is other or other.line or not same:
        text = f"{other.id} is no Station in the same hex or Port Box as {actor}"
        raise Refused("apart", "R133", text, arg="force")
    force.ships += other.ships
    force.evasive |= other.evasive
    force.contact = force.contact or other.contact
    leave(war, other)
    table.tell(table.sides, ev.Merged(rule="R133", force=actor, gone=other.id))


async def reinforce(table: TableLike, war: War, actor: str, order: Reinforce) -> None:
    """R134-R136, R240 A group comes in on 7 or more; else a Task Force lapses and Initiative goes.
    Raises Refused."""
    group = war.groups.get(order.group)
    if group is None or group.side != war.active:
        raise Refused("not-there", "R134", f"{order.group} is no group of yours", arg="group")
    force = _into(war, group, order)
    loser = _loser(war, order)
    label = f"REINFORCE/GROUP/-/{group.id}"
    dice = await leaders.roll(table, war, label, TWO_D6, war.active)
    if sum(dice) >= rules().other.reinforce:
        _arrive(table, war, group, order, force, sum(dice))
        return
    why = f"rolled {sum(dice)}, needs {rules().other.reinforce}"
    told = ev.Reinforced(
        rule="R136", why=why, side=war.active, group=group.id, roll=sum(dice), port=group.port
    )
    table.tell(table.sides, told)
    if loser:
        await lapse(table, war, loser, "R136")
    await initiative.change(table, war, "R136")


def _into(war: War, group: Group, order: Reinforce) -> TaskForce | None:
    """R134, R135 The Station that it joins; None for a new Task Force. Raises Refused."""
    hexes = war.hexes_of(group.port)
    if order.at and order.at not in hexes:
        raise Refused("no-port", "R134", f"{order.at} is no hex of {group.port.title()}", arg="at")
    shut = group.port in war.closed or war.boxless(group.port)
    if war.ports.get(group.port) != group.side or shut:
        raise Refused("no-port", "R012", f"{group.port.title()} is closed to you")
    if order.into:
        force = own_force(war, order.into, "R134")
        require_known(force)
        if force.box != group.port and force.at not in hexes:
            text = f"{force.id} is no Station in {group.port.title()}"
            raise Refused("apart", "R134", text, arg="into")
        return force
    if not war.free_piece(group.side):
        raise Refused("no-piece", "R135", "there is no unused Task Force", "name a Station: into")
    return None


def _arrive(
    table: TableLike,
    war: War,
    group: Group,
    order: Reinforce,
    force: TaskForce | None,
    rolled: int,
) -> None:
    """R134 All ships of the group enter."""
    if force is None:
        box = "" if order.at else group.port
        force = TaskForce(war.free_piece(group.side), group.side, [], at=order.at, box=box)
        war.forces[force.id] = force
    force.ships += group.ships
    del war.groups[group.id]
    told = ev.Reinforced(
        rule="R134",
        why=f"rolled {rolled}",
        side=group.side,
        group=group.id,
        roll=rolled,
        force=force.id,
        port=group.port,
        ships=tuple(group.ships),
    )
    table.tell(table.sides, told)


def _loser(war: War, order: Reinforce) -> TaskForce | None:
    """R136 Which Task Force lapses if it fails: the one named, else the longest. Raises Refused."""
    if order.lapse:
        return own_force(war, order.lapse, "R136")
    return max((f for f in war.own(war.active) if f.line), key=lambda f: f.length, default=None)


def require_known(*forces: TaskForce) -> None:
    """R214 An unidentified Task Force stays by itself (ruling). Raises Refused."""
    for force in forces:
        if force.unknown:
            raise Refused("unidentified", "R214", f"{force.id} is unidentified, and joins nobody")


def _require_station(force: TaskForce, rule: str) -> None:
    if force.line:
        raise Refused("no-station", rule, f"{force.id} is a Trajectory")
