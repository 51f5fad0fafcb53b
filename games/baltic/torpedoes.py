"""3.3 and 4 Torpedoes: launched in the activation, under way in the third phase of the turn."""

from __future__ import annotations

from collections.abc import Sequence

from games.baltic import damage, gunnery, hulls
from games.baltic import events as ev
from games.baltic.courses import degrees
from games.baltic.state import Reason, Salvo, Vessel, War
from games.baltic.tables import Terrain, Weapon, distances, footprint
from pbem.kit import plane
from pbem.kit.plane import Polygon, Pose
from pbem.model import Side, TableLike


def launch(table: TableLike, war: War, vessel: Vessel, weapon: Weapon, side: str) -> Reason | None:
    """101, 192 A salvo from the bow, or from the named broadside; why it cannot, else None."""
    if reason := gunnery.silent(war, vessel, weapon):
        return reason
    turn = {"": 0, "starboard": 1440, "port": -1440}[side]
    if not gunnery.in_arc(weapon.arc, turn):
        return Reason("192", f"{weapon.id} does not bear to {side}")
    firepower = damage.firepower(vessel, weapon)
    if firepower == 0:
        return Reason("183", f"{weapon.id} has no firepower left")
    length, beam = footprint(hulls.column(vessel.of))
    _, deep = footprint("torpedo")
    heading = (vessel.heading + turn) % plane.CIRCLE
    edge = (beam if turn else length) // 2 + deep // 2
    start = Pose(vessel.x, vessel.y, heading)
    mates = [mate.id for mate in war.members(war.cards[vessel.card])]
    place(table, war, vessel.side, vessel.id, start, edge, firepower, mates)
    return None


def place(
    table: TableLike,
    war: War,
    side: Side,
    who: str,
    start: Pose,
    gap: int,
    firepower: int,
    spared: Sequence[str] = (),
) -> None:
    """Put a salvo on the table, so far ahead of `start`, by the next name (T1, T2 ...). spared:
    those whom it passes in its first run."""
    war.launched += 1
    spot = plane.ahead(start, gap)
    name = f"T{war.launched}"
    war.salvoes[name] = Salvo(name, side, spot.x, spot.y, start.heading, firepower, [*spared])
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
    vessels, solids = _in_reach(war, salvo)
    gone = 0
    while gone < most:
        before, gone = gone, min(gone + distances().sampling, most)
        _put(salvo, start, gone)
        line = hulls.salvo_line(salvo)
        if hulls.off(Pose(salvo.x, salvo.y, 0)):
            return _remove(table, war, salvo, "the edge of the table")
        met: list[Vessel | Terrain] = [v for v in vessels if _touches(line, v)]
        met += [t for t in solids if hulls.on(line, t)]
        for one in sorted(met, key=lambda one: _first(start, before, gone, one)):
            if isinstance(one, Terrain):
                return _remove(table, war, salvo, one.name)
            vessels.remove(one)
            strike(table, war, salvo, one)
            if salvo.fp <= 0:
                return _remove(table, war, salvo, one.id)
    salvo.hit = []
    return None


def _put(salvo: Salvo, start: Pose, mils: int) -> None:
    spot = plane.ahead(start, mils)
    salvo.x, salvo.y = spot.x, spot.y


def _in_reach(war: War, salvo: Salvo) -> tuple[list[Vessel], list[Terrain]]:
    """115, 119, 192, 193, B53 What the spread can touch in its run: vessels in the water, friends
    too, but in its first run nobody of the squadron that launched it; and what is solid."""
    pose, far = Pose(salvo.x, salvo.y, salvo.heading), distances().torpedo + footprint("torpedo")[0]
    swims = [v for v in war.listed() if v.here and not v.aloft and v.of.trait != "skimmer"]
    near = [v for v in swims if hulls.near(pose, v.pose, far + hulls.reach(v))]
    return [v for v in near if v.id not in salvo.hit], [t for t in war.map if t.solid]


def _touches(line: Polygon, vessel: Vessel) -> bool:
    x, y, width = vessel.x - line[0][0], vessel.y - line[0][1], footprint("torpedo")[0]
    apart = hulls.reach(vessel) + 2 * width
    return abs(x) <= apart and abs(y) <= apart and plane.overlap(line, hulls.hull(vessel))


def _first(start: Pose, low: int, high: int, one: Vessel | Terrain) -> int:
    """8 of 2.1 After how many mils, between two samples, the spread first touches it."""
    while high - low > 1:
        middle = (low + high) // 2
        line = hulls.spread(plane.ahead(start, middle))
        there = hulls.on(line, one) if isinstance(one, Terrain) else _touches(line, one)
        low, high = (low, middle) if there else (middle, high)
    return high


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
        splash=damage.dodged(vessel, hits),
    )
    table.tell(table.sides, told)
    salvo.fp -= hits
    damage.take(table, war, vessel, hits, dodges=True)


def _remove(table: TableLike, war: War, salvo: Salvo, what: str) -> None:
    del war.salvoes[salvo.id]
    table.tell(table.sides, ev.SalvoGone(rule="115", salvo=salvo.id, what=what))
