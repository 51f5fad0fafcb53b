"""213 and 2.6 The end of a game and its points."""

from __future__ import annotations

from collections.abc import Sequence

from games.baltic import events as ev
from games.baltic import hulls
from games.baltic.state import Vessel, War
from games.baltic.tables import margins, plan
from pbem.model import Over, Side, TableLike


def worth(war: War, vessel: Vessel) -> int:
    """2.4 The points of one vessel; a scenario counts one of them double."""
    points = vessel.of.points // vessel.of.vessels
    return points * 2 if vessel.id == plan(war.scenario).double else points


def scored(war: War, side: Side) -> int:
    """2.6 The points of a side: enemies wrecked, crippled, driven off, what it holds or brought
    home."""
    found = sum(_lost(war, enemy) for enemy in war.listed() if enemy.side != side)
    scenario = plan(war.scenario)
    if scenario.hold and holder(war) == side:
        found += scenario.hold.points
    if scenario.exit:
        way = scenario.exit
        if side == way.side:
            found += sum(worth(war, v) for v in war.listed() if v.side == side and v.out == "exit")
        elif war.vessels[way.flagship].out != "exit":
            found += way.points
    return found


def _lost(war: War, vessel: Vessel) -> int:
    """A wreck counts whole; crippled ships of the line and what left over the edge half, down. The
    side that must break through scores no crippled ships."""
    if vessel.wreck:
        return worth(war, vessel)
    way = plan(war.scenario).exit
    cripples = not (way and vessel.side != way.side)
    if vessel.out == "edge" or (vessel.here and vessel.crippled and vessel.of.capital and cripples):
        return worth(war, vessel) // 2
    return 0


def holder(war: War) -> str:
    """B1 The side that alone has a sound ship of the line near the rig, from edge to edge as all
    ranges (5 of 2.1); empty: none."""
    hold = plan(war.scenario).hold
    if not hold:
        return ""
    rig = next(terrain for terrain in war.map if terrain.name == hold.name)
    near = {
        vessel.side
        for vessel in war.listed()
        if vessel.acts and vessel.of.capital and not vessel.crippled
        if hulls.away(vessel, rig) <= hold.within * 1000
    }
    return next(iter(near)) if len(near) == 1 else ""


def finished(war: War) -> bool:
    """213 Are fewer than two sides left that can act, in a free battle with a ship of the line
    (2.6)? Of more than two the others go on without one."""
    free = plan(war.scenario).purse > 0
    left = {v.side for v in war.listed() if v.acts and (v.of.capital or not free)}
    return len(left) < 2


def afloat(war: War) -> list[Side]:
    """213 Sides that have something left that can act."""
    left = {v.side for v in war.listed() if v.acts}
    return [side for side in war.sides if side in left]


def count(table: TableLike, war: War) -> Over:
    """2.6 The result; a difference of 100 is a victory, of 40 a marginal one."""
    points = {side: scored(war, side) for side in war.sides}
    for side in war.sides:
        table.tell(table.sides, ev.Scored(rule="2.6", side=side, points=points[side]))
    ranked = sorted(war.sides, key=lambda side: -points[side])
    best, next_best = points[ranked[0]], points[ranked[1]]
    lead = best - next_best
    text = _says(points, ranked)
    if lead < margins().marginal:
        return Over("draw", "2.6", f"{text}: fewer than {margins().marginal} points apart")
    grade = "a victory" if lead >= margins().decisive else "a marginal victory"
    return Over(ranked[0], "2.6", f"{text}: {grade}")


def _says(points: dict[Side, int], ranked: Sequence[Side]) -> str:
    return ", ".join(f"{side.title()} {points[side]}" for side in ranked)
