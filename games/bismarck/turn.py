"""4.0 The whole turn, in the order of the sequence of play.

Availability and visibility stand before the opening question: both players know them when they
decide (across the table the German rolls before anybody moves). Everything else runs from the
sealed orders of both sides, British first where the rules say so.
"""

from __future__ import annotations

from games.bismarck import (
    air,
    availability,
    chance,
    movement,
    search,
    taskforce,
    victory,
    visibility,
)
from games.bismarck.state import War
from pbem.model import Over, TableLike


async def turn(table: TableLike, war: War) -> War | Over:
    """4.0 One turn of four hours; the next turn's state, or the end of the game (12.1)."""
    # 4.1 Unit availability. Told before orders: ships that may sail, aircraft that are rested.
    availability.announce(table, war)
    # 4.2 Visibility. Rolled as the window before closes, so that orders are given under a sky
    # that both can see.
    visibility.phase(table, war)

    books = await table.orders()

    # 4.1, 4.2 What the orders decide of it: the turn Revenge will enter, convoys left (12.42).
    availability.choices(table, war, books)
    availability.convoy_phase(table, war, books)
    # 4.2 Task forces. Before any ship moves, because a force moves as one (5.44).
    taskforce.visibility_phase(table, war, books)

    # 4.3 Shadow determination (8.1). Here a ship located last turn (war.located_last) moves
    # first, is rolled for, and its new zone is revealed before anybody else moves: next edition.

    # 4.4 Air movement. Before the ships: a carrier's aircraft leave from where it was (6.23),
    # and one that launches may not sail two zones (5.29).
    air.movement_phase(table, war, books)
    # 4.5 Ship movement. Secret and simultaneous: no move depends on an enemy's.
    movement.ship_phase(table, war, books)

    # 4.6 Search. After all movement; the German hears what he has to answer before he calls.
    search.phase(table, war, books)

    # 8.2 High-speed shadow of ships that only passed through a searched zone: next edition.

    # 4.7 Air attack (9.1) on ships located this turn (war.located): next edition.

    # 6.23 Aircraft land after the attack, on carriers where these now are.
    air.landing(table, war)

    # 4.8 Naval combat (9.2-9.9) between located ships in one zone: next edition.

    # 4.9 Chance. Last, because a ship located this turn meets no convoy (10.231).
    chance.phase(table, war, books)

    # 12.1 Does the game end? After all phases, so that a ship in port can still be fought (12.7).
    if end := victory.ending(war):
        return victory.finish(table, war, *end)
    # 11.22 The marker moves on; what was located stays on record for shadowing (8.11).
    war.next_turn()
    return war
