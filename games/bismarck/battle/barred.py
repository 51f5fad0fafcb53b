"""9.43, 9.93 What was ordered of a ship in a battle and a rule forbids: her owner hears it once."""

from __future__ import annotations

from games.bismarck import asks, undone
from games.bismarck.answers import Answers
from games.bismarck.battle import reinforce, withdraw
from games.bismarck.state import War
from games.bismarck.verbs_battle import Reinforce, Withdraw
from games.bismarck.vessels import Battle, Reserve
from pbem.kit.doctrine import actors
from pbem.model import TableLike


def withdrawals(table: TableLike, war: War, battle: Battle, answers: Answers) -> None:
    """9.93 Ships that were to withdraw by now and are held. By whom is not said: that would tell
    how fast an enemy is."""
    for vessel in battle.fighting():
        ship = war.ships[vessel.ship]
        if vessel.withdrawing or vessel.held or withdraw.able(war, battle, vessel):
            continue
        order = answers.explicit(war, ship.side, actors(ship.id, ship.force), Withdraw)
        if order and asks.due(order, ship.hits.midships, ship.evasion_now, battle.round):
            vessel.held = True
            why = "an enemy of her size or a larger one, within six hexes, is as fast as she is"
            undone.tell(table, ship.side, order, why, "9.93", ship.name)


def entries(table: TableLike, war: War, battle: Battle, answers: Answers) -> None:
    """9.41, 9.43 Units that were to enter by now and may attack nobody in the action."""
    for reserve in battle.reserves:
        if reserve.barred or battle.round < reinforce.FIRST_ROUND:
            continue
        who = actors(reserve.id, *reserve.ships)
        order = answers.explicit(war, reserve.side, who, Reinforce)
        if order is None or order.what == "no" or order.action not in (0, battle.number):
            continue
        if battle.round >= order.round and not reinforce.qualified(war, battle, reserve):
            reserve.barred = True
            why, rule = _why(war, battle, reserve)
            name = reserve.id if len(reserve.ships) > 1 else war.ships[reserve.ships[0]].name
            undone.tell(table, reserve.side, order, why, rule, name)


def _why(war: War, battle: Battle, reserve: Reserve) -> tuple[str, str]:
    """Why a reserve does not qualify, and the rule."""
    if all(war.ships[i].type == "CV" for i in reserve.ships):
        return "aircraft carriers never attack ships", "9.221"
    if not reinforce.open_to(war, battle, reserve):
        return "a unit that shadows attacks nothing but what it shadows", "9.224"
    return "every enemy in the action is faster", "9.43"
