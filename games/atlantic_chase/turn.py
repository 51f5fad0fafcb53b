"""The whole turn: one spell of Initiative, from gaining it to losing it (R091).

Only the Active side owes orders: its programme, whose lines are carried out one after the other.
The Idle side may send standing orders, which answer for it. A programme that is spent asks for
another, unless it ends with a Pass.
"""

from __future__ import annotations

from games.atlantic_chase import battle_board, campaign, passing, programme, victory
from games.atlantic_chase import events as ev
from games.atlantic_chase import verbs as v
from games.atlantic_chase.state import War
from games.atlantic_chase.tables import rules
from orders.book import Book
from pbem.kit.checks import Refused
from pbem.model import Over, TableLike


async def turn(table: TableLike, war: War) -> War | Over:
    """R091 One spell; the state of the next, or the end of the operation."""
    if battle_board.alone(war):
        return await battle_board.play(table, war)
    side, done = war.active, -1
    war.holder = side
    while war.active == side:
        books = await table.orders(owed=[side])
        if done < 0:
            told = ev.SpellBegan(rule="R091", side=side, number=war.spell, weather=war.weather)
            table.tell(table.sides, told)
        came = await programme.carry_out(table, war, books[side], done)
        done = came.window
        scored = len(war.scores)
        over = victory.settled(war)
        if not over and war.active == side and (not came.fresh or ends(war, came.book)):
            await give_up(table, war, came.book)
        victory.tell_scores(table, war, scored)
        if over:
            return await campaign.go_on(table, war, over)
    scored = len(war.scores)
    victory.meetings(war, side)
    over = victory.ending(war)
    victory.tell_scores(table, war, scored)
    if over:
        return await campaign.go_on(table, war, over)
    war.turn, war.actions, war.lines, war.last, war.holder = war.turn + 1, 0, 0, "", ""
    return war


def ends(war: War, book: Book) -> bool:
    """Does the spell end with this programme: by `finish pass`, or at the most lines of a spell?"""
    end = programme.ending(war, war.active, book)
    return war.lines >= rules().limits.programme or (end is not None and end.how == "pass")


async def give_up(table: TableLike, war: War, book: Book) -> None:
    """R127, C31 The Active side passes, with the Trajectory that it named or its longest; it is
    told where the one that it named cannot pass."""
    end, side = programme.ending(war, war.active, book), war.active.upper()
    force = end.force if end else ""
    try:
        await passing.act(table, war, force or side, v.Pass())
    except Refused as refused:  # not in play, or no Trajectory
        lines = any(f.line for f in war.own(war.active))
        other = "your longest Trajectory passes" if lines else "you pass without a Trajectory"
        reason = f"{refused.text}; {other}"
        line = f"{side}: finish pass {force}"
        told = ev.LineSkipped(rule=refused.rule, line=line, reason=reason)
        table.tell([war.active], told)
        await passing.act(table, war, side, v.Pass())
