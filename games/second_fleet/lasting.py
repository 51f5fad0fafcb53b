"""Which orders of a turn's earlier windows are still to be carried out."""

from __future__ import annotations

from games.second_fleet.able import MORNING
from games.second_fleet.actions import FLY, REORGANISE, SHIP, kind_of
from games.second_fleet.state import War
from games.second_fleet.tables import aircraft
from orders.model import Order
from pbem.model import Side


def lasts(war: War, side: Side, order: Order) -> bool:
    """13, 64, 6.13/5 May an order still count? Not if its part of the day is over, or if its unit
    has been activated."""
    verbs = [action.verb for action in (*order.actions, *order.otherwise)]
    return any(_waits(war, side, order.actor, verb) for verb in verbs)


def _waits(war: War, side: Side, actor: str, verb: str) -> bool:
    morning = verb in MORNING or (verb == "mine" and actor in aircraft())
    if war.stage not in ("cap", "segment") or morning:
        return war.stage not in ("cap", "segment")
    if verb == "cap":
        return war.segment <= 1 and side not in war.capped
    if verb == "replenish":
        return not any(war.used.values())
    if verb in REORGANISE:
        return "surf" not in war.used[side]
    unit = war.squadrons.get(actor)
    acts = verb in SHIP or verb in FLY
    return not acts or (kind_of(actor) not in war.used[side] and not (unit and unit.acted))
