"""R253, section 9.6 of our rules page: scenarios of the Battle Board, one Battle each. Their hex is
a name for the place alone: nothing happens on the map.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.atlantic_chase import battle, victory
from games.atlantic_chase.board import GERMAN
from games.atlantic_chase.state import Designated, War
from pbem.model import Over, TableLike

EXIT_POINTS = {"exit_3": 3, "exit_1": 1}
"""Special rule -> German points for each German ship that breaks away undamaged."""
LANDING = 2
"""Special rule `landing`: German points for each undamaged German ship in Close at the end."""


def alone(war: War) -> bool:
    """Is this a scenario of the Battle Board?"""
    return war.special("battle_board")


async def play(table: TableLike, war: War) -> Over:
    """9.6 Both sides send their doctrine; then the Task Forces of the two sides fight."""
    await table.orders(owed=table.sides)
    (own,), (foe,) = war.own(war.active), war.own(war.idle)
    deed = Designated("engage", war.active, own.id, foe.id, own.at, war.weather)
    how: battle.How = "surprise" if war.special("surprised") else "battle"
    zones = await battle.fight(table, war, deed, how)
    _ends(war, zones)
    victory.tell_scores(table, war, before=0)
    return victory.over(war)


def _ends(war: War, zones: Mapping[str, str]) -> None:
    """Points for where ships are in the end. zones: those of the ships still on the board."""
    for word, points in EXIT_POINTS.items():
        for _, ship in sorted(war.ships.items()):
            away = ship.gone == "out" and ship.side == GERMAN and not ship.damaged
            if war.special(word) and away:
                war.score(GERMAN, points, "exit", "R253", ship.card.name)
    if war.special("landing"):
        for id_, ship in sorted(war.ships.items()):
            there = ship.side == GERMAN and not ship.gone and zones.get(id_) == "close"
            if there and not ship.damaged:
                war.score(GERMAN, LANDING, "landing", "R032", ship.card.name)
