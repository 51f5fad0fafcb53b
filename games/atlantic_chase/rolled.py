"""The course of the four actions that are rolled for: Naval Search, Engage, Air Strike, Stealth
Attack (R106-R107, R118-R126, R149-R151, R168, Q35, Q50).
"""

from __future__ import annotations

from games.atlantic_chase import events as ev
from games.atlantic_chase import initiative, leaders, results, tables
from games.atlantic_chase.designations import (
    announce,
    idle_support,
    intel,
    lapsing,
    modifiers,
)
from games.atlantic_chase.interruption import interrupted
from games.atlantic_chase.state import Designated, War
from games.atlantic_chase.time_lapse import lapse_all
from games.atlantic_chase.totals import trajectory_total
from pbem.model import TWO_D6, TableLike

RULES = {"strike": "R102", "engage": "R118", "search": "R124", "attack": "R149"}
"""The rule of each action's roll."""


async def undertake(table: TableLike, war: War, deed: Designated) -> None:
    """An action from the Idle side's designations to Initiative. A cancelled one has no result
    (R229)."""
    war.deed = deed
    if deed.air in war.forces and deed.launch in war.forces[deed.air].line:
        war.forces[deed.air].launch = deed.launch  # R057
    await leaders.relieve(table, war, deed)
    await idle_support(table, war, deed)
    if deed.foe_air in war.forces and deed.foe_launch in war.forces[deed.foe_air].line:
        war.forces[deed.foe_air].launch = deed.foe_launch
    announce(table, deed, RULES[deed.deed])
    if await interrupted(table, war, deed):
        _lay_down(war)
        return
    await leaders.before(table, war, deed)
    marked = intel(war, deed)
    icons = await _roll(table, war, deed)
    fought = await results.apply(table, war, deed, icons)
    if deed.deed == "attack":
        _use_up(table, war, deed.force)
    await lapse_all(table, war, sorted(lapsing(deed)), RULES[deed.deed])
    _lay_down(war)
    if icons == ("M",) and marked:  # R168
        await initiative.change(table, war, "R168")
    elif deed.deed == "search" and not fought:
        await initiative.seize(table, war)  # R125, Q5
    else:
        await initiative.vie(table, war)  # R107, R120, R121, R126, R151


async def _roll(table: TableLike, war: War, deed: Designated) -> tuple[str, ...]:
    """R118, R124 Two dice with all modifiers on the action's table."""
    total = trajectory_total(war, deed)
    label = f"{deed.deed.upper()}/ROLL/{deed.at}/{deed.force}"
    dice = await leaders.roll(table, war, label, TWO_D6, deed.side)
    added = modifiers(war, deed)
    modifier = sum(value for _, value in added)
    icons = tables.results(deed.deed, total, sum(dice) + modifier)
    war.last = "+".join(icons)
    named = "".join(f", {name} {value:+d}" for name, value in added)
    told = ev.Rolled(
        rule=RULES[deed.deed],
        why=f"Trajectory Total {total}, rolled {sum(dice)}{named}",
        deed=deed.deed,
        force=deed.force,
        target=deed.target,
        at=deed.at,
        total=total,
        dice=dice,
        modifier=modifier,
        result=war.last,
        name=war.called(deed.force),
        target_name=war.called(deed.target),
    )
    table.tell(table.sides, told)
    return icons


def _use_up(table: TableLike, war: War, stealth: str) -> None:
    """R148 Who has attacked leaves the game, whatever the result, and its commander with it."""
    del war.stealth[stealth]
    table.tell(table.sides, ev.StealthSpent(rule="R148", stealth=stealth))
    for leader in [x.id for x in war.leaders.values() if x.ship == stealth]:
        del war.leaders[leader]
        war.ashore.append(leader)


def _lay_down(war: War) -> None:
    """Launch markers come off, and no action is under way."""
    war.deed = None
    for force in war.forces.values():
        force.launch = ""
