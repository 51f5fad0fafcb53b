"""3.3 and 4 Torpedoes: launched in the activation, under way in the third phase of the turn."""

from __future__ import annotations

from games.baltic import damage, gunnery, hulls
from games.baltic import events as ev
from games.baltic.courses import degrees
from games.baltic.state import Salvo, Vessel, War
from games.baltic.tables import Weapon, distances, footprint
from pbem.kit import plane
from pbem.kit.plane import Pose
from pbem.model import Side, TableLike


def launch(table: TableLike, war: War, vessel: Vessel, weapon: Weapon, side: str) -> str:
    """101, 192 A salvo from the bow, or from the named broadside; why it cannot, else empty."""
    if reason := gunnery.silent(war, vessel, weapon):
        return reason
    turn = {"": 0, "starboard": 1440, "port": -1440}[side]
    if not gunnery.in_arc(weapon.arc, turn):
        return f"{weapon.id} does not bear to {side}"
    firepower = damage.firepower(vessel, weapon)
    if firepower == 0:
        return f"{weapon.id} has no firepower left"
    length, beam = footprint(hulls.column(vessel.of))
    _, deep = footprint("torpedo")
    heading = (vessel.heading + turn) % plane.CIRCLE
    edge = (beam if turn else length) // 2 + deep // 2
    place(table, war, vessel.side, vessel.id, Pose(vessel.x, vessel.y, heading), edge, firepower)
    return ""


def place(
    table: TableLike, war: War, side: Side, who: str, start: Pose, gap: int, firepower: int
) -> None:
    """Put a salvo on the table, so far ahead of `start`, by the next name (T1, T2 ...)."""
    war.launched += 1
    spot = plane.ahead(start, gap)
    name = f"T{war.launched}"
    war.salvoes[name] = Salvo(name, side, spot.x, spot.y, start.heading, firepower, [who])
    told = ev.SalvoLaunched(rule="101", vessel=who, salvo=name, heading=degrees(start.heading))
    table.tell(table.sides, told)


def phase(table: TableLike, war: War, places: list[Side]) -> None:
    """111, 112 Every salvo runs, sides in turn by initiative."""
    queues = {side: [s for s in war.salvoes.values() if s.side == side] for side in places}
    for queue in queues.values():
        queue.sort(key=lambda salvo: int(salvo.id[1:]))
    while any(queues.values()):
        for side in places:
            if queues[side]:
                run(table, war, queues[side].pop(0))


def run(table: TableLike, war: War, salvo: Salvo) -> None:
    """114-118 Fifteen inches straight on; what it touches, and what stops it."""
    start, most = Pose(salvo.x, salvo.y, salvo.heading), distances().torpedo
    gone = 0
    while gone < most:
        gone = min(gone + distances().sampling, most)
        spot = plane.ahead(start, gone)
        salvo.x, salvo.y = spot.x, spot.y
        line = hulls.salvo_line(salvo)
        if hulls.off(spot):
            return _remove(table, war, salvo, "the edge of the table")
        for terrain in war.map:
            if terrain.solid and hulls.on(line, terrain):
                return _remove(table, war, salvo, terrain.name)
        for vessel in _touched(war, salvo):
            salvo.hit.append(vessel.id)
            strike(table, war, salvo, vessel)
            if salvo.fp <= 0:
                return _remove(table, war, salvo, vessel.id)
    salvo.hit = []
    return None


def _touched(war: War, salvo: Salvo) -> list[Vessel]:
    """119, 192, 193 Vessels in the water that the spread has reached, friends too."""
    line = hulls.salvo_line(salvo)
    pose = Pose(salvo.x, salvo.y, salvo.heading)
    wide, _ = footprint("torpedo")
    return [
        vessel
        for vessel in war.listed()
        if vessel.here
        and vessel.id not in salvo.hit
        and not vessel.of.flies
        and vessel.of.trait != "skimmer"
        and hulls.near(pose, vessel.pose, hulls.reach(vessel) + wide)
        and plane.overlap(line, hulls.hull(vessel))
    ]


def strike(table: TableLike, war: War, salvo: Salvo, vessel: Vessel) -> None:
    """116-118 Concussion charges, then a die a torpedo left; a wreck takes them all (191)."""
    if vessel.wreck:
        told = ev.SalvoStruck(
            rule="191", salvo=salvo.id, target=vessel.id, stopped=0, hits=salvo.fp
        )
        table.tell(table.sides, told)
        salvo.fp = 0
        return
    label = f"TORPEDOES/CHARGES/{vessel.id}/{salvo.id}"
    guard = damage.roll(table, label, damage.charges(vessel))
    stopped = min(salvo.fp, damage.successes(guard))
    salvo.fp -= stopped
    rolled = damage.roll(table, f"TORPEDOES/SALVO/{vessel.id}/{salvo.id}", salvo.fp)
    hits = damage.successes(rolled)
    damage.note_tens(vessel, damage.tens(rolled), 2)
    told = ev.SalvoStruck(
        rule="117",
        why=f"charges: {damage.why(guard)}; torpedoes: {damage.why(rolled)}",
        salvo=salvo.id,
        target=vessel.id,
        stopped=stopped,
        hits=hits,
        splash=max(0, min(hits, vessel.of.jink - vessel.splash)),
    )
    table.tell(table.sides, told)
    salvo.fp -= hits
    damage.take(table, war, vessel, hits, "117", dodges=True)


def _remove(table: TableLike, war: War, salvo: Salvo, what: str) -> None:
    del war.salvoes[salvo.id]
    table.tell(table.sides, ev.SalvoGone(rule="115", salvo=salvo.id, what=what))
