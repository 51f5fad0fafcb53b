"""4 What aeroplanes do to ships: bombs, torpedoes, strafing."""

from __future__ import annotations

from collections.abc import Sequence

from games.baltic import damage, hulls, torpedoes
from games.baltic import events as ev
from games.baltic.markers import BOMBER, TORPEDO, apart, over
from games.baltic.state import Marker, Vessel, War
from games.baltic.tables import aeroplane_radius
from pbem.kit import plane
from pbem.kit.plane import Point, Pose
from pbem.model import TableLike

RUN = 4000
"""130 Mils from a ship at which torpedo bombers launch."""


def run_in(marker: Marker, vessel: Vessel, way: Sequence[Point]) -> Point:
    """130 Torpedo bombers stop 4 inches short, so that their salvo can run; others fly over."""
    if marker.type != TORPEDO:
        return vessel.x, vessel.y
    start = way[-1] if way else (marker.x, marker.y)
    back = plane.bearing((vessel.x, vessel.y), start)
    spot = plane.ahead(Pose(vessel.x, vessel.y, back), hulls.reach(vessel) + RUN)
    near = plane.square(start, (vessel.x, vessel.y)) <= (hulls.reach(vessel) + RUN) ** 2
    return start if near else (spot.x, spot.y)


def near(marker: Marker, vessel: Vessel, launch: int) -> bool:
    """130, B44 Have torpedo bombers come within so many mils?"""
    return marker.type == TORPEDO and apart(marker, vessel) <= launch


def run(table: TableLike, war: War, marker: Marker, vessel: Vessel, load: bool) -> None:
    """126-130 What one marker does to a vessel; on one that was wrecked this turn it wastes
    nothing."""
    if vessel.lately(war.turn):
        what = f"keeps its load: {vessel.id} is a wreck by now"
        table.tell([marker.side], ev.Unable(rule="128", actor=marker.id, what=what))
        return
    if marker.type == TORPEDO:
        if marker.boxes:
            marker.boxes -= 1
            bearing = plane.bearing((marker.x, marker.y), (vessel.x, vessel.y))
            start = Pose(marker.x, marker.y, bearing)
            gap = aeroplane_radius() + 250
            if over(marker, vessel):
                gap = -gap  # on the near side, so that the run leads across her
            torpedoes.place(table, war, marker.side, marker.id, start, gap, marker.planes)
        return
    if not over(marker, vessel):
        return
    if marker.type == BOMBER:
        _bomb(table, war, marker, vessel, load)
    elif vessel.of.flies:
        _strafe(table, war, marker, vessel)


def _bomb(table: TableLike, war: War, marker: Marker, vessel: Vessel, load: bool) -> None:
    """128, 129, 199 Planes less AA; the whole load doubles both."""
    if not marker.boxes:
        return
    times = 2 if load and marker.boxes > 1 else 1
    marker.boxes -= times
    dice = bomb_dice(marker.planes, damage.anti_aircraft(vessel), times)
    rolled = damage.roll(table, f"AEROPLANES/BOMBS/{vessel.id}/{marker.id}", dice)
    _hit(table, war, marker, vessel, rolled, "128", "bombs")


def bomb_dice(planes: int, anti_aircraft: int, times: int = 1) -> int:
    """128, 129 Dice of a bombing run."""
    return max(0, times * (planes - anti_aircraft))


def _strafe(table: TableLike, war: War, marker: Marker, vessel: Vessel) -> None:
    """126, 127, B15 Corvettes are strafed as a squadron, whose AA adds up; hits that one cannot
    take go to the next."""
    if vessel.of.capital:
        dice = max(0, marker.planes // 2 - damage.anti_aircraft(vessel))
        rolled = damage.roll(table, f"AEROPLANES/STRAFING/{vessel.id}/{marker.id}", dice)
        _hit(table, war, marker, vessel, rolled, "127", "strafes")
        return
    squadron = war.members(war.cards[vessel.card])
    dice = max(0, marker.planes - sum(damage.anti_aircraft(mate) for mate in squadron))
    rolled = damage.roll(table, f"AEROPLANES/STRAFING/{vessel.id}/{marker.id}", dice)
    shares, hits = list[tuple[Vessel, int]](), damage.successes(rolled)
    for one in (vessel, *(mate for mate in squadron if mate is not vessel)):
        share = min(hits, damage.dodged(one, hits) + one.hull)
        shares.append((one, share))
        hits -= share
    told = ev.AirAttack(
        rule="126",
        why=damage.why(rolled),
        marker=marker.id,
        target=vessel.id,
        what="strafes",
        dice=len(rolled),
        hits=damage.successes(rolled),
        splash=sum(damage.dodged(one, share) for one, share in shares),
    )
    table.tell(table.sides, told)
    for one, share in shares:
        damage.take(table, war, one, share, dodges=True)


def _hit(
    table: TableLike,
    war: War,
    marker: Marker,
    vessel: Vessel,
    rolled: Sequence[int],
    rule: str,
    what: str,
) -> None:
    hits = damage.successes(rolled)
    splash = damage.dodged(vessel, hits)
    damage.note_tens(vessel, damage.tens(rolled), 2)
    told = ev.AirAttack(
        rule=rule,
        why=damage.why(rolled),
        marker=marker.id,
        target=vessel.id,
        what=what,
        dice=len(rolled),
        hits=hits,
        splash=splash,
    )
    table.tell(table.sides, told)
    damage.take(table, war, vessel, hits, dodges=True)
