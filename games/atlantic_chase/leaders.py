"""R212, R254 Leaders: powers, and when they are used. Every roll of a side goes through here."""

from __future__ import annotations

from games.atlantic_chase import events as ev
from games.atlantic_chase.state import Designated, Leader, War
from pbem.kit.checks import Refused
from pbem.model import Dice, Side, TableLike


async def roll(
    table: TableLike, war: War, label: str, dice: Dice, side: Side, battle: bool = False
) -> tuple[int, ...]:
    """Dice of a side, seen by all, as its leaders leave them (Forbes, Marschall, Somerville)."""
    return table.roll(label, dice, to=table.sides)


async def before(table: TableLike, war: War, deed: Designated) -> None:
    """R254 What leaders do before an action is rolled: Tovey, Krancke, Walker. Sets `shift` and
    `coordination` of the deed."""


async def relieve(table: TableLike, war: War, deed: Designated) -> None:
    """R254 Gensoul takes an Intel marker off before Interruption."""


async def seizes(table: TableLike, war: War) -> bool:
    """R254 Luetjens: the Idle side's attempt succeeds without dice."""
    return False


def ashore(war: War, side: Side) -> Leader | None:
    """R129 The leader who may make All Pass."""
    able = (x for _, x in sorted(war.leaders.items()) if x.side == side and x.power == "all pass")
    return next((x for x in able if x.left), None)


def pass_all(table: TableLike, war: War) -> None:
    """R129 A leader ashore turns a Pass into All Pass, twice. Raises Refused."""
    leader = ashore(war, war.active)
    if leader is None:
        raise Refused("no-leader", "R129", "there is no leader for All Pass")
    leader.left -= 1
    table.tell(table.sides, ev.LeaderUsed(rule="R129", leader=leader.id))
