"""The whole turn, in the order of play: half a month in segments.

A segment is one window: both sides give orders in secret, the Germans' names are read first, the
Allied ships move openly, then the Germans secretly. In a game played `asked` the Germans give their
orders first, and the Allies after they have heard the names.
"""

from __future__ import annotations

from games.far_seas import captures, meetings, movement, river, search, setup, surprise, victory
from games.far_seas import events as ev
from games.far_seas.asks import Dispositions
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.movement import Books
from games.far_seas.state import War
from pbem.kit.doctrine import plays_asked
from pbem.model import Over, TableLike


async def turn(table: TableLike, war: War) -> War | Over:
    """E4 One turn; the next turn's state, or the end of the game."""
    while True:
        war.segment += 1
        # M4 Whose orders are due is known to all: by mail the Germans name their ships first.
        books = await table.orders(owed=[GERMAN] if plays_asked(table.options) else ())
        await segment(table, war, books)
        # E4 Segments go on until all Germans have moved. Which have is known to all.
        if not movement.waiting(war):
            break
    # Found c: landings are counted when all ships of the turn stand where they stand.
    victory.landings(table, war)
    table.tell(
        table.sides, ev.TurnEnded(rule="E4", german=war.total(GERMAN), british=war.total(BRITISH))
    )
    if over := victory.ending(war):
        return over
    movement.next_turn(war)
    river.release(war)
    # AC Ships whose turn it is. Told before orders are asked for: they may move at once.
    for ship in setup.enter(war):
        table.tell(table.sides, ev.ShipsArrived(rule="AC", area=ship.area, who=(ship.id,)))
    return war


async def segment(table: TableLike, war: War, books: Books) -> None:
    """One segment, from the naming of the Germans to their captures."""
    inside = [s.id for s in war.fleet(GERMAN) if s.duty == "river"]
    # M4 Names first. The plot is made here, so that no answer of the Allies can change it.
    german = movement.plot(table, war, books, GERMAN)
    movement.announce(table, war, german)
    named = sorted(id_ for course in german for id_ in course.ids)
    await _dispositions(table, war, named)
    # Found a: liners move first.
    first = movement.liners(war, german)
    movement.sail(table, war, first, GERMAN)
    # M3 Allied ships move before the Germans are on the board: nobody reacts to what he cannot see.
    movement.sail(table, war, movement.plot(table, war, books, BRITISH), BRITISH)
    movement.sail(table, war, [c for c in german if c not in first], GERMAN)
    war.bound = {}
    # G8 The river before the open sea: who is met at its mouth is found, and cannot surprise (S11).
    fights = river.phase(table, war, inside)
    # S11 The Germans' surprise search comes before the Allied search (found a).
    fights += surprise.phase(table, war, books)
    # S1-S10
    fights += search.phase(table, war, books)
    # Found f: convoys are attacked by those whom nobody found.
    fights += captures.convoys(table, war, books)
    await meetings.phase(table, war, fights)
    # E1-E3, G9 Raids after combat (F10), captures by whoever did nothing else.
    captures.stations(table, war)
    captures.merchants(table, war, books)
    captures.leave(table, war)


async def _dispositions(table: TableLike, war: War, named: list[str]) -> None:
    """M3, M4 By mail the Allies give their orders now. All can see whether any of them may still
    move; where none may, those that search do so by orders given before."""
    if plays_asked(table.options) and any(movement.free(war, ship) for ship in war.fleet(BRITISH)):
        about = ", ".join(named) or "nobody"
        await table.ask(BRITISH, [Dispositions(about=about, rule="M4")], owed=[BRITISH])
