"""4.0 The whole turn, in the order of the sequence of play.

Availability and visibility come before the opening question: both players know them when they
decide (across the table the German rolls before anybody moves). Everything else follows the orders
of both sides, given in secret, British first where the rules say so.
"""

from __future__ import annotations

from games.bismarck import (
    air,
    airstrike,
    availability,
    chance,
    combat,
    movement,
    repair,
    search,
    shadowing,
    taskforce,
    victory,
    visibility,
)
from games.bismarck.state import BRITISH, GERMAN, War
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

    # 4.3 Shadow determination. A ship located last turn moves first, is rolled for, and its new
    # zone is revealed before anybody else moves (8.11).
    await shadowing.determination(table, war, books)

    # 4.4 Air movement. Before the ships: a carrier's aircraft leave from where it was (6.23),
    # and one that launches may not sail two zones (5.29).
    air.movement_phase(table, war, books)
    # 4.5 Ship movement. Secret and simultaneous: no move depends on an enemy's.
    movement.ship_phase(table, war, books)
    # 9.728 Damaged engines, upon completion of all movement.
    repair.phase(table, war)

    # 4.6 Search, British first; 8.2 shadows at high speed, whose followers may call and be found.
    calls = search.Calls()
    while passed := search.phase(table, war, BRITISH, books, calls):
        await shadowing.high_speed(table, war, passed, books[BRITISH])
    search.phase(table, war, GERMAN, books)

    # What both sides want of the enemies they have located, asked in one window.
    answers = await combat.encounter(table, war, books)

    # 4.7 Air attack. After all search, before any naval combat (9.14).
    await airstrike.phase(table, war, answers)
    if end := victory.sunk(war):  # 12.11, 9.714: the game is over at once
        return victory.finish(table, war, *end)

    # 6.23 Aircraft land after the attack, on carriers where these now are.
    air.landing(table, war)

    # 4.8 Naval combat between located ships in one zone (9.2-9.9).
    await combat.phase(table, war, answers)
    if end := victory.sunk(war):
        return victory.finish(table, war, *end)

    # 4.9 Chance. Last, because a ship located this turn meets no convoy (10.231).
    chance.phase(table, war, books)

    # 12.1 Does the game end? After all phases, so that a ship in port can still be fought (12.7).
    if end := victory.ending(war):
        return victory.finish(table, war, *end)
    victory.arrivals(table, war)  # 12.32: the Prinz Eugen in port does not end it
    # 11.22 The marker moves on; what was located stays on record for shadowing (8.11).
    war.next_turn()
    return war
