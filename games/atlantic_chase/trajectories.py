"""R033-R041, R059-R068, R076-R080, R152-R156: Stations, Trajectories, their Intel and Contacts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from games.atlantic_chase import board, tables
from games.atlantic_chase import events as ev
from games.atlantic_chase.board import OTHER
from games.atlantic_chase.state import TaskForce, War
from games.atlantic_chase.verbs import Course
from games.atlantic_chase.victory import require_sailing
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike


def watched(war: War, side: Side) -> frozenset[str]:
    """R059-R061 Hexes in which a segment of `side` gets Intel as it is placed: those with an enemy
    Station, port, airbase in play or Stealth force."""
    foe = OTHER[side]
    stations = {f.at for f in war.own(foe) if f.at}
    hidden = {s.at for s in war.stealth_of(foe) if s.at}
    return frozenset(stations | hidden | set(war.port_hexes(foe)) | set(war.base_hexes(foe)))


async def course(table: TableLike, war: War, actor: str, order: Course) -> None:
    """R152-R156 The Trajectory action. Raises Refused."""
    force = own_force(war, actor, "R152")
    at_head, added = _plan(war, force, order)
    if not force.line:
        # R154, R062 The Station becomes a segment of its hex, with its Contact.
        start = force.at or added[0]
        force.line, force.at, force.box = [start], "", ""
        if added and added[0] == start:
            added = added[1:]
        placed = [start, *added]
    else:
        placed = list(added)
    force.line = [*reversed(added), *force.line] if at_head else [*force.line, *added]
    table.tell(
        table.sides,
        ev.Extended(rule="R152", force=force.id, added=tuple(placed), line=tuple(force.line)),
    )
    mark_intel(table, force, [c for c in placed if c in watched(war, force.side)], "R059")


def mark_intel(table: TableLike, force: TaskForce, cells: Iterable[str], rule: str) -> None:
    """R064 Intel on these segments, at most one each."""
    fresh = [cell for cell in cells if cell in force.line and cell not in force.intel]
    if fresh:
        force.intel += fresh
        told = ev.IntelPlaced(rule=rule, force=force.id, hexes=tuple(fresh), name=force.called)
        table.tell(table.sides, told)


def _plan(war: War, force: TaskForce, order: Course) -> tuple[bool, list[str]]:
    """R153 Whether the head end is extended, and the hexes added in order. Raises Refused."""
    added = list(order.path)
    at_head = False
    if force.line:
        at_head = _end(war, force, order) == 0
        here = force.line[0] if at_head else force.line[-1]
        added = added[1:] if added[0] == here and added[1:] else added
    elif force.box:
        require_sailing(war, force)
        here = _way_out(war, force, added[0])
        added = added if added[0] == here else [here, *added]
    else:
        here = force.at
    if order.start and not force.line and order.start != here:
        text = f"{order.start} is not where {force.id} begins"
        raise Refused("no-end", "R040", text, arg="start")
    way = [here, *added] if added[:1] != [here] else added
    for a, b in pairwise(way):
        if not board.adjacent(a, b, force.side, war.opened):
            raise Refused(
                "no-way", "R153", f"{b} is not adjacent to {a} for {force.id}", arg="path"
            )
    whole = [*force.line, *added] if force.line else way
    if len(set(whole)) < len(whole):
        twice = next(c for i, c in enumerate(whole) if c in whole[:i])
        raise Refused("twice", "R037", f"{force.id} would have two segments in {twice}", arg="path")
    if len(whole) > tables.rules().limits.line:
        raise Refused(
            "too-long", "R036", f"{force.id} would have {len(whole)} segments", arg="path"
        )
    return at_head, added


def _end(war: War, force: TaskForce, order: Course) -> int:
    """R040 0 for the first end of the line, -1 for the last: the one named, else the one that the
    path touches, the last of two. Raises Refused."""
    ends = {force.line[0]: 0, force.line[-1]: -1}
    if order.start:
        if order.start not in ends:
            raise Refused("no-end", "R040", f"{order.start} is no end of {force.id}", arg="start")
        return ends[order.start]
    if order.path[0] in ends and order.path[1:]:  # a path may begin with the end itself
        return ends[order.path[0]]
    for cell, end in reversed(ends.items()):
        if board.adjacent(cell, order.path[0], force.side, war.opened):
            return end
    text = f"{order.path[0]} touches no end of {force.id}"
    raise Refused("no-way", "R040", text, "name every hex", arg="path")


def _way_out(war: War, force: TaskForce, first: str) -> str:
    """R152 The port hex in which a Trajectory out of a Port Box begins. Raises Refused."""
    hexes = war.hexes_of(force.box)
    if first in hexes:
        return first
    for cell in hexes:
        if board.adjacent(cell, first, force.side, war.opened):
            return cell
    text = f"{first} is not adjacent to {force.box.title()}"
    raise Refused("no-way", "R152", text, arg="path")


# What happens to a Trajectory


def shorten(force: TaskForce, kept: Sequence[str], station: str = "") -> list[str]:
    """R041 Only these segments stay, or a Station where none do; markers go with their segments
    (R065, R079). Returns the hexes that are gone."""
    gone = [cell for cell in force.line if cell not in kept]
    force.line = [cell for cell in force.line if cell in kept]
    if not force.line:
        force.at = station
        force.intel = []
    tidy(force)
    return gone


def stand(table: TableLike, war: War, force: TaskForce, at: str, rule: str) -> None:
    """R139, R177 The Trajectory becomes a Station in that hex; all Intel goes, and every Contact
    but the one there."""
    if force.line:
        shorten(force, (), at)
        told = ev.StationPlaced(rule=rule, force=force.id, at=at, name=force.called)
        table.tell(table.sides, told)


def tidy(force: TaskForce) -> None:
    """R065, R079 Markers of hexes that the Task Force has left are gone."""
    force.intel = [cell for cell in force.intel if cell in force.line]
    force.contact = [cell for cell in force.contact if cell in force.hexes]
    if force.launch not in force.hexes:
        force.launch = ""


def make_contact(table: TableLike, force: TaskForce, at: str, rule: str) -> None:
    """R076, R077 A Contact in that hex, at most one."""
    if at in force.hexes and at not in force.contact:
        force.contact.append(at)
        told = ev.ContactMade(rule=rule, force=force.id, at=at, name=force.called)
        table.tell(table.sides, told)


def leave(war: War, force: TaskForce) -> None:
    """R112, Q39 The piece leaves the map with all its markers and may be used again."""
    del war.forces[force.id]
    war.spent.append(force.id)


# Who may be named


def own_force(war: War, id_: str, rule: str) -> TaskForce:
    """A Task Force of the Active side. Raises Refused."""
    force = war.forces.get(id_)
    if force is None or force.side != war.active:
        raise Refused("not-there", rule, f"{id_} is not in play")
    return force


def foe_force(war: War, id_: str, rule: str) -> TaskForce:
    """A Task Force of the Idle side. Raises Refused."""
    force = war.forces.get(id_)
    if force is None or force.side == war.active:
        raise Refused("not-there", rule, f"{id_} is not in play", arg="target")
    return force
