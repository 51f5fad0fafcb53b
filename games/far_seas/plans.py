"""How a side meets the enemy: one answer for a whole meeting, and what it means for each ship.

Where the answer is silent, orders in force decide; so does a ship's own order in the same mail.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.far_seas import asks, running
from games.far_seas.asks import Meets
from games.far_seas.board import OTHER
from games.far_seas.melee import Melee, names
from games.far_seas.refuges import refuges
from games.far_seas.state import GERMAN, GRADES, War
from games.far_seas.strength import odds
from pbem.model import Side

ORDERS = "ORDERS"
"""Standing orders decide."""
LET_GO = "LET GO"
"""Stand, and follow nobody who runs."""
AT, TO, AFTER = "FIRE AT ", "RUN TO ", "RUN AFTER "
RUN_APART, RUN_HURT = "RUN APART", "RUN HURT"
LATER = (1, 2)
"""K5 The rounds after which a plan may run; orders can say any."""


def question(war: War, melee: Melee, side: Side, usual: str) -> Meets:
    """What a side is asked about a meeting; with a single choice it need not be asked.

    usual: what its orders say now.
    """
    own, foes = melee.ships(side), melee.ships(OTHER[side])
    return Meets(
        about=melee.area,
        rule="K2" if melee.sprung else "R1",
        choices=choices(war, melee, side),
        default=ORDERS,
        own=names(own),
        foes=names(foes),
        speed=GRADES[running.pace(own, war.options)],
        fastest=GRADES[max(running.speed_now(f, war.options) for f in foes)],
        odds=odds(own, foes),
        german=side == GERMAN,
        may_run=not melee.sprung,
        usual="" if melee.sprung else usual,
    )


def choices(war: War, melee: Melee, side: Side) -> tuple[str, ...]:
    """The answers; only what both sides see decides how many there are."""
    foes = [f.id for f in melee.ships(OTHER[side])]
    at = [AT + id_ for id_ in foes] if len(foes) > 1 else []
    if melee.sprung:
        return (ORDERS, *at)
    own = melee.ships(side)
    ways = refuges(war, own)
    run = [TO + area for area in ways] if len(ways) > 1 else [asks.RUN]
    apart = [RUN_APART] if len(own) > 1 else []
    after = [f"{AFTER}{n}" for n in LATER]
    return (ORDERS, asks.STAND, *at, LET_GO, *run, *apart, *after, RUN_HURT)


def runs(plan: str, melee: Melee, side: Side) -> str:
    """R1, K5 RUN or STAND by a plan, empty where it leaves that to orders."""
    if plan in ("", ORDERS):
        return ""
    if plan.startswith(AFTER):
        now = melee.rounds >= int(plan.removeprefix(AFTER))
    elif plan == RUN_HURT:
        now = any(g.ship.damage > g.before for g in melee.sides[side])
    else:
        now = plan.startswith(asks.RUN)
    return asks.RUN if now else asks.STAND


def splits(plan: str) -> str:
    """R3 How ships that run break up."""
    return asks.APART if plan == RUN_APART else ""


def refuge(plan: str, ways: Sequence[str]) -> str:
    """R9 Where they run to."""
    area = plan.removeprefix(TO)
    return area if area in ways else ""


def follows(plan: str) -> str:
    """R3 Whether they follow those who run."""
    return asks.NONE if plan == LET_GO else ""


def aim(plan: str, ids: Sequence[str]) -> str:
    """K2 At whom they fire, while that ship is there."""
    target = plan.removeprefix(AT)
    return target if target in ids else ""
