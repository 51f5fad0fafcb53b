"""9.3 A naval action round by round, in the order of the rulebook; its set-up is `setup`."""

from __future__ import annotations

from games.bismarck import events_battle as ev
from games.bismarck.answers import Answers
from games.bismarck.battle import barred, ending, fire, manoeuvre, plans, reinforce, setup
from games.bismarck.state import War
from games.bismarck.vessels import Battle
from pbem.model import TableLike


async def fight(table: TableLike, war: War, battle: Battle, answers: Answers) -> None:
    """9.32 Rounds until one side has no ship left in the action, both end it, or the Bismarck is
    sunk."""
    while not battle.over:
        battle.round += 1
        said = await plans.ask(war, battle, answers)
        ending.declare(war, battle, said)  # 9.94
        barred.withdrawals(table, war, battle, answers)
        manoeuvre.phase(table, war, battle, said)  # 9.31, 9.5
        battle.note_places()
        _tell_round(table, war, battle)
        fire.phase(table, war, battle, said)  # 9.6, 9.7
        ending.clear_sunk(war, battle)
        battle.over = ending.at_once(war, battle, said)  # 9.714, 9.92
        if not battle.over:
            ending.move_away(table, war, battle)  # 9.94-9.97
            if not ending.decided(battle):
                reinforce.phase(table, war, battle, said)  # 9.4
                barred.entries(table, war, battle, answers)
            battle.over = ending.decided(battle) or ending.spent(battle)
        battle.note_places()
    for vessel in battle.fighting():
        vessel.fate = "broke off"
    ended = ev.BattleEnded(rule="9.32", why=battle.over, zone=battle.zone, rounds=battle.round)
    table.tell(table.sides, ended)


def _tell_round(table: TableLike, war: War, battle: Battle) -> None:
    leaving = [war.ships[v.ship].name for v in battle.fighting() if v.withdrawing]
    begun = ev.RoundBegun(
        rule="9.31",
        zone=battle.zone,
        round=battle.round,
        ranges=setup.ranges(war, battle),
        withdrawing=tuple(sorted(leaving)),
        places=setup.places(war, battle),
    )
    table.tell(table.sides, begun)
