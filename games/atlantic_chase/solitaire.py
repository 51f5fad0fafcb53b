"""R075, R213, R214 Solitaire play: what an imaginary side does, by option, in place of its orders.

Its fire, movement and breaking away in Battle are the usual ones (R215-R217: `battle_fire`,
`battle_moves`).
"""

from __future__ import annotations

from collections.abc import Sequence

from games.atlantic_chase import events as ev
from games.atlantic_chase.state import TaskForce, War
from pbem.model import D6, Side, TableLike

DECLINES = 5
"""R213 The die from which it declines a Seize."""
SIGNALS = 4
"""R075 The highest die on which it answers a Slip by Signals."""


def imaginary(war: War, side: Side) -> bool:
    """Is this side played by the rules of solitaire play?"""
    return war.options.get("imaginary") == side


def declines(table: TableLike, side: Side) -> bool:
    """R213 Does it take a marker in place of a Seize? Not asked where nobody could get one."""
    (die,) = table.roll(f"SOLITAIRE/SEIZE/-/{side.upper()}", D6, to=table.sides)
    return die >= DECLINES


def slips(table: TableLike, side: Side, shots: Sequence[str], marker: Sequence[str]) -> str:
    """R075 Signals on 1 to 4, an Evasive marker on 5 and 6; what is possible where only one is."""
    if not shots or not marker:
        return [*shots, *marker][0]
    (die,) = table.roll(f"SOLITAIRE/SLIP/-/{side.upper()}", D6, to=table.sides)
    return shots[0] if die <= SIGNALS else marker[0]


def identify(table: TableLike, war: War, force: TaskForce, rule: str) -> None:
    """R214 A Battle or a Hit shows of what an unidentified Task Force consists: one of the pools of
    its side, drawn by a die."""
    if not force.unknown:
        return
    pools = [pool for pool in war.pools if war.ships[pool[0]].side == force.side]
    force.unknown = False
    if pools:
        ships = table.pick(f"SOLITAIRE/IDENTITY/-/{force.id}", pools, to=table.sides)
        war.pools = [pool for pool in war.pools if pool != ships]
        force.ships = list(ships)
    told = ev.Identified(rule=rule, force=force.id, ships=tuple(force.ships))
    table.tell(table.sides, told)
