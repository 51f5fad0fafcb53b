"""R187-R208, R248-R252 Battle. Not yet in play: a Battle ends without a shot (see RULES.md)."""

from __future__ import annotations

from typing import Literal

from games.atlantic_chase import events as ev
from games.atlantic_chase.damage import clear
from games.atlantic_chase.state import Battle, Designated, War
from games.atlantic_chase.tables import rules
from games.atlantic_chase.trajectories import make_contact, stand
from pbem.model import TableLike

How = Literal["battle", "skirmish", "surprise"]


async def fight(table: TableLike, war: War, deed: Designated, how: How) -> None:
    """R187-R207 A whole Battle between the Active and the Target Task Force, to the Stations and
    Contacts of its end; Initiative is the caller's."""
    other = rules().other
    rounds = other.rounds_good if deed.sky == "good" else other.rounds_bad
    war.fight = Battle(deed.force, deed.target, deed.at, deed.sky, how, rounds)
    if how == "skirmish":
        war.fight.rounds = 1
    told = ev.BattleBegan(
        rule="R187",
        active=deed.force,
        target=deed.target,
        at=deed.at,
        how=how,
        rounds=war.fight.rounds,
    )
    table.tell(table.sides, told)
    end(table, war)


def end(table: TableLike, war: War) -> None:
    """R206, Q47 Survivors are Stations in the battle hex, each with a Contact."""
    fight_ = war.fight
    assert fight_
    war.fight = None
    clear(table, war)
    table.tell(table.sides, ev.BattleEnded(rule="R205", at=fight_.at, rounds=fight_.round))
    for id_ in (fight_.active, fight_.target):
        if force := war.forces.get(id_):
            stand(table, war, force, fight_.at, "R206")
            make_contact(table, force, fight_.at, "R206")
