"""24, 6.8 Close combat (an option): guns and short missiles, both sides at once."""

from __future__ import annotations

from collections.abc import Sequence

from games.second_fleet import advanced_events as ev
from games.second_fleet import combat, detection, harm, targets, weather
from games.second_fleet.advanced_tables import optional_chart
from games.second_fleet.board import BASES, SOVIET, steps
from games.second_fleet.goals import Goal
from games.second_fleet.knowledge import refresh
from games.second_fleet.results import outcome
from games.second_fleet.state import Vessel, War, enemy
from games.second_fleet.tables import limits
from pbem.kit.checks import Refused
from pbem.model import TableLike


def fight(table: TableLike, war: War, ships: Sequence[Vessel], aimed: Goal) -> None:
    """6.8/1-3 A stack against the detected ships of a hex. Raises Refused."""
    side, here, goal = ships[0].side, ships[0].hex, aimed.hex
    if not war.on("close"):
        raise Refused("no-close-combat", "89", "this game is played without close combat")
    if weather.storm(war, here, goal):
        raise Refused("storm", "6.2/5", "there is no close combat in a storm")
    if ships[0].sub or (goal not in steps(here) and not (goal == here and here in BASES)):
        raise Refused("out-of-range", "6.8/1", f"{goal} is not beside {here}")
    foes = [s for s in war.surface(enemy(side), goal) if s.level]
    foes = [s for s in foes if not aimed.units or s.key in aimed.units]
    ours, theirs = _line(ships), _line(foes)
    if not theirs:
        raise Refused("no-target", "121", f"no enemy ship is known in {goal}")
    if not any(s.now.close for s in ours):
        raise Refused("no-points", "263", "none of them has points for this attack")
    seen = detection.watched(war, ships)
    totals = [sum(s.now.close for s in line) for line in (ours, theirs)]
    results = []
    for line, total, foe in ((ours, totals[0], theirs), (theirs, totals[1], ours)):
        label = f"COMBAT/CLOSE/{goal}/{line[0].side.upper()}"
        results.append(combat.rolled(table, label, modifier(war, line, foe), total))
    told = ev.CloseFought(
        rule="6.8", at=goal, attacker=side, totals=tuple(totals), results=tuple(results)
    )
    table.tell(table.sides, told)
    _deal(table, war, foes, results[0])
    _deal(table, war, ships, results[1])
    war.named[side] = sorted({*war.named[side], *(s.id for s in theirs)})
    war.named[enemy(side)] = sorted({*war.named[enemy(side)], *(s.id for s in ours if s.level)})
    detection.after_attack(table, war, ships, seen)
    for one in table.sides:
        refresh(table, war, one, "attack")


def _line(ships: Sequence[Vessel]) -> list[Vessel]:
    """6.8/2 The five with most points of those that fight."""
    able = [s for s in ships if not s.sunk and not s.decoy]
    ranked = sorted(able, key=lambda s: (-s.now.close, s.id))
    return ranked[: limits().close_ships]


def modifier(war: War, line: Sequence[Vessel], foe: Sequence[Vessel]) -> int:
    """6.8/2 Against who is Strategic, and of Soviets in the dark."""
    chart = optional_chart()
    found = chart.close_detected if foe[0].level == 2 else 0
    if line[0].side == SOVIET and war.dark(line[0].hex):
        found += chart.close_dark
    return found


def _deal(table: TableLike, war: War, ships: Sequence[Vessel], result: int) -> None:
    """6.8/3 To the top ship of the array, then the next, while points last; of ships that are alike
    in the order of a hidden lot (6.16/5)."""
    keys = list(dict.fromkeys(s.key for s in ships))
    groups = [[s for s in ships if s.key == key] for key in keys]
    line = [s for group in groups for s in targets.ranked(table, war, group)]
    for ship in line:
        if result <= 0:
            return
        taken = min(result, ship.now.defence)
        result -= taken
        ship.attacked = True
        harm.hit(table, war, ship, taken, outcome(taken, ship.now.defence, ship.damaged), "6.8")
