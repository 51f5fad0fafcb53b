"""3.2 Special weapons: beams and bomb bays. Tesla arcs and rockets fire as guns do: `gunnery`."""

from __future__ import annotations

from msgspec import Struct

from games.baltic import courses, damage, gunnery, hulls
from games.baltic import events as ev
from games.baltic.state import Reason, Vessel, War
from games.baltic.tables import Terrain, Weapon, figures, weapon_range
from games.baltic.tables import gunnery as bands
from pbem.kit import plane
from pbem.kit.plane import Point, Polygon
from pbem.model import TableLike


class _Entry(Struct, frozen=True):
    mils: int
    vessel: Vessel


def beam(
    table: TableLike,
    war: War,
    firer: Vessel,
    weapon: Weapon,
    bearing: int,
    meant: Vessel | None = None,
) -> Reason | None:
    """93-95, 187 A beam along a bearing hits every vessel in its path, friends too; why it cannot,
    else None. meant: the enemy at whom it is fired, if it is at one."""
    if reason := gunnery.silent(war, firer, weapon):
        return reason
    if not gunnery.in_arc(weapon.arc, plane.relative(bearing, firer.heading)):
        return Reason("187", f"the bearing is outside the arc of {weapon.id}")
    _, most = weapon_range("beam")
    start = (firer.x, firer.y)
    tip = plane.ahead(plane.Pose(firer.x, firer.y, bearing), most)
    end = (tip.x, tip.y)
    stop = min([_onto(start, end, t, most) for t in war.map if t.kind in ("land", "rig")] or [most])
    entries = [
        _Entry(mils, vessel)
        for vessel in war.listed()
        if vessel.here and vessel is not firer
        if (mils := _entry(start, end, hulls.hull(vessel), most)) is not None and mils <= stop
    ]
    if meant and meant not in [entry.vessel for entry in entries]:
        crossed = _entry(start, end, hulls.hull(meant), most) is not None
        short = "land or a rig stops it" if crossed else "she is out of range"
        return Reason("68", f"{weapon.id} does not reach {meant.id}: {short}")
    firepower = damage.firepower(firer, weapon)
    used, struck = 0, False
    for entry in sorted(entries, key=lambda one: one.mils):
        left = firepower - used - fading(entry.mils)
        if left <= 0:
            break
        used, struck = used + _strike(table, war, firer, weapon, entry, left), True
    if struck:
        return None
    if entries:
        return Reason("95", f"{weapon.id} is too weak to reach anybody on that path")
    return Reason("93", f"{weapon.id} touches nobody on that path")


def fading(mils: int) -> int:
    """95 What a beam has lost by range: two beyond 10 inches, two more beyond 20."""
    crossed = (mils > bands().short) + (mils > bands().medium)
    return figures().beam_loss * crossed


def _strike(
    table: TableLike, war: War, firer: Vessel, weapon: Weapon, entry: _Entry, dice: int
) -> int:
    """92, 94 Straight dice; the hits rolled, by which the beam loses strength."""
    target = entry.vessel
    label = f"ACTIVATION/BEAM/{target.id}/{firer.id} {weapon.id}"
    rolled = damage.roll(table, label, dice)
    hits = damage.successes(rolled)
    halves = damage.halves(damage.artillery(firer, weapon), target, war.down(target))
    damage.note_tens(target, damage.tens(rolled), halves)
    told = ev.Fired(
        rule="93",
        why=damage.why(rolled),
        vessel=firer.id,
        weapon=weapon.id,
        what="beam",
        target=target.id,
        inches=courses.inches(entry.mils),
        dice=dice,
        hits=hits,
        splash=damage.dodged(target, hits),
    )
    table.tell(table.sides, told)
    damage.take(table, war, target, hits, dodges=True)
    return hits


def _entry(start: Point, end: Point, shape: Polygon, most: int) -> int | None:
    """The mils at which a line enters an outline; None if it misses it."""
    if plane.inside(start, shape):
        return 0
    found: list[int] = []
    last = shape[-1]
    for corner in shape:
        one, two = plane.turn_of(start, end, last), plane.turn_of(start, end, corner)
        if plane.touch(start, end, last, corner) and one != two:
            a, b = plane.turn_of(last, corner, start), plane.turn_of(last, corner, end)
            found.append(most * abs(a) // (abs(a) + abs(b)) if a != b else 0)
        last = corner
    return min(found) if found else None


def _onto(start: Point, end: Point, terrain: Terrain, most: int) -> int:
    """187 Where land or a rig stops a beam; its whole range if it does not."""
    if not terrain.radius:
        found = _entry(start, end, terrain.points, most)
        return most if found is None else found
    centre, radius = terrain.points[0], terrain.radius
    if plane.range_to(centre, start, end) > radius:
        return most
    if plane.square(start, centre) <= radius * radius:
        return 0
    along = (centre[0] - start[0]) * (end[0] - start[0])
    along += (centre[1] - start[1]) * (end[1] - start[1])
    beside = plane.turn_of(start, end, centre) // most
    return max(0, along // most - plane.root(max(0, radius * radius - beside * beside)))


def bombs(table: TableLike, war: War, vessel: Vessel, over: list[str], only: list[str]) -> None:
    """99, 188, 190 Bomb bays on enemies that the move passed over, each once; AA does not count.

    only: the enemies that orders name; empty: all of them."""
    for weapon in vessel.weapons:
        if weapon.kind != "bomb" or gunnery.silent(war, vessel, weapon):
            continue
        for name in over:
            target = war.vessels[name]
            if (only and name not in only) or (target.wreck and name not in only):
                continue
            label = f"ACTIVATION/BOMBS/{target.id}/{vessel.id}"
            rolled = damage.roll(table, label, damage.firepower(vessel, weapon))
            hits = damage.successes(rolled)
            halves = damage.halves(vessel.of.cls, target, war.down(target))
            damage.note_tens(target, damage.tens(rolled), halves)
            told = ev.Fired(
                rule="99",
                why=damage.why(rolled),
                vessel=vessel.id,
                weapon=weapon.id,
                what="bomb",
                target=target.id,
                inches="0.00",
                dice=len(rolled),
                hits=hits,
                splash=damage.dodged(target, hits),
            )
            table.tell(table.sides, told)
            damage.take(table, war, target, hits, dodges=True)
