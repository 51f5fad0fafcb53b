"""How a programme is carried out: its lines as written, each judged when its turn comes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from games.atlantic_chase import (
    air_strike,
    completion,
    convoys,
    engage,
    naval_search,
    passing,
    ports,
    reorganize,
    signals,
    stealth,
    trajectories,
    victory,
)
from games.atlantic_chase import events as ev
from games.atlantic_chase import verbs as v
from games.atlantic_chase.facts import knows
from games.atlantic_chase.state import War
from games.atlantic_chase.tables import rules
from orders.book import Book, Command, Standing, chosen
from orders.model import Order
from orders.rows import typed
from orders.show import line
from pbem.kit.bots import content
from pbem.kit.checks import Refused
from pbem.kit.doctrine import plays_asked
from pbem.model import Side, TableLike

Act = Callable[..., Awaitable[None]]
"""(table, state, actor, order): one action; raises Refused before anything has happened."""

ACTS: Mapping[type[Struct], Act] = {
    v.Course: trajectories.course,
    v.Search: naval_search.act,
    v.Engage: engage.act,
    v.Strike: air_strike.act,
    v.Recon: stealth.recon,
    v.Attack: stealth.attack,
    v.Signals: signals.act,
    v.Complete: completion.act,
    v.Pass: passing.act,
    v.Split: reorganize.split,
    v.Merge: reorganize.merge,
    v.Reinforce: reorganize.reinforce,
    v.Port: ports.enter,
    v.LeavePort: ports.leave,
    v.Disperse: convoys.disperse,
}
"""R092 The nine actions, and what is done between them."""
SHOWING = (v.Search, v.Engage, v.Strike, v.Recon, v.Attack, v.Signals, v.Reinforce)
"""Actions after which more is known than before."""
KINDS: tuple[type[Struct], ...] = (*ACTS, v.Stop)


class Done(Struct, frozen=True):
    """What a programme came to."""

    fresh: bool
    """Did sets since the last programme bring any line?"""
    book: Book
    """The orders in force when it was spent."""
    window: int
    """The window whose programme it was."""


async def carry_out(table: TableLike, war: War, book: Book, done: int = -1) -> Done:
    """The lines of the Active side's programme until they are spent or Initiative is lost. done:
    the window whose programme was carried out before.

    In games played `asked` a window follows each action that has shown anything: a new programme
    replaces what is left of the old one, which else goes on.
    """
    side, fresh, window = war.active, False, book.window
    waiting = iter(lines(war, side, _as_it_is(book), done))
    written = _written(book, done)
    while (command := _next(war, side, waiting)) is not None:
        fresh |= command.fresh
        told = await _times(table, war, side, command)
        if told and not _spent(war, side) and plays_asked(war.options):
            war.rest = [line(one, v.GRAMMAR) for one in _below(written, command)]
            book = (await table.orders(owed=[side]))[side]
            war.rest = []
            if _brings(book, window):
                waiting = iter(lines(war, side, _as_it_is(book), window))
                written = _written(book, window)
                fresh, window = True, book.window
    _tell_lost(table, war, side, waiting)
    return Done(fresh, book, window)


def _written(book: Book, done: int) -> list[Order]:
    """The lines of the sets since the window `done`, as they were written."""
    kinds = {book.verbs[kind] for kind in KINDS}
    given = (o for window, orders in reversed(book.sets) if window > done for o in orders)
    return [o for o in given if any(a.verb in kinds for a in (*o.actions, *o.otherwise))]


def _below(written: list[Order], taken: Command[Struct]) -> list[Order]:
    """What is left of written lines below one that has its turn; lines that were prepared for the
    spell and standing ones come after all others."""
    places = [i for i, one in enumerate(written) if one is taken.said]
    if not places:
        return []
    one, below = written[places[0]], written[places[0] + 1 :]
    rest = replace(one, actions=taken.behind, when=None, otherwise=())
    return [rest, *below] if taken.behind else below


def _tell_lost(table: TableLike, war: War, side: Side, waiting: Iterator[Command[Struct]]) -> None:
    """A side is told which lines its programme did not come to, as it has lost Initiative or its
    spell has had the most lines; in the second case also where none is left, as the spell ends."""
    full = war.active == side
    if war.over or not _spent(war, side):
        return
    left = list(takewhile(lambda one: not isinstance(one.order, v.Stop), waiting))
    if left or full:
        told = ev.LinesLost(
            rule="R091",
            line=_text(war, left[0]) if left else "",
            count=len(left),
            standing=any(one.standing for one in left),
            most=rules().limits.programme if full else 0,
        )
        table.tell([side], told)


def _text(war: War, command: Command[Struct]) -> str:
    """A line as it was ordered."""
    when = "@" if command.standing else "" if command.fresh else f"turn {war.turn} "
    return f"{when}{command.actor}: {content(command.order, v.GRAMMAR)}"


def _spent(war: War, side: Side) -> bool:
    """Is the programme over: by its loss of Initiative, the end of the operation, or its length?"""
    return war.over or war.active != side or war.lines >= rules().limits.programme


def _next(war: War, side: Side, waiting: Iterator[Command[Struct]]) -> Command[Struct] | None:
    """The next line of the programme; None where it ends."""
    if _spent(war, side):
        return None
    command = next(waiting, None)
    return None if command is None or isinstance(command.order, v.Stop) else command


async def _times(table: TableLike, war: War, side: Side, command: Command[Struct]) -> bool:
    """A line as often as it says. Returns whether it was carried out and has shown anything."""
    told = False
    for time in range(getattr(command.order, "times", 1)):
        if _spent(war, side) or not await _line(table, war, command, again=time > 0):
            break
        told = isinstance(command.order, SHOWING)
    return told


def _brings(book: Book, window: int) -> bool:
    """Does a set since that window bring lines of a programme?"""
    kinds = {book.verbs[kind] for kind in KINDS}
    fresh = [order for at, orders in book.sets if at > window for order in orders]
    return any(a.verb in kinds for o in fresh for a in (*o.actions, *o.otherwise))


def _as_it_is(book: Book) -> Book:
    """The orders of this moment: mails that answer questions in the middle of a programme bring
    orders for the next one."""
    standing = Standing(dict(book.standing.always), list(book.standing.later))
    return replace(book, given=dict(book.given), sets=list(book.sets), standing=standing)


def lines(war: War, side: Side, book: Book, done: int) -> Iterator[Command[Struct]]:
    """The lines in force: those of sets since the window `done`, those prepared for this spell,
    standing ones. What is left of earlier sets is dropped: a new programme replaces the old."""
    kinds = {book.verbs[kind]: kind for kind in KINDS}
    for command in book.script(kinds, knows(war, side)):
        old = command.fresh and command.window <= done
        if not old:
            yield command


def ending(war: War, side: Side, book: Book) -> v.End | None:
    """What a side ordered for the end of its programme: the first order that binds; but a plain
    `finish pass`, as the form has it, gives way to any other."""
    facts, verb = knows(war, side), book.verbs[v.End]
    for layer in book.layers(side.upper()):
        said = [(o, a) for o in layer for a in chosen(o, facts) if a.verb == verb]
        ends = [(order.when is None, typed(action.args, v.End)) for order, action in said]
        for plain, end in ends:
            if not plain or end != v.End("pass"):
                return end
        if ends:
            return ends[0][1]
    return None


async def _line(table: TableLike, war: War, command: Command[Struct], again: bool) -> bool:
    """One line; one that is not permitted is left out, and its side is told why, unless it was
    carried out before and has ended of itself. Returns whether it was carried out. Lines that are
    left out are not counted as actions: the enemy is told that count."""
    side, order = war.active, command.order
    war.lines += 1
    scored = len(war.scores)
    begun = not victory.finished(war)
    try:
        require_permitted(war, order)
        await ACTS[type(order)](table, war, command.actor, order)
    except Refused as refused:
        if again:
            return False
        told = ev.LineSkipped(rule=refused.rule, line=_text(war, command), reason=refused.text)
        table.tell([side], told)
        return False
    victory.tell_scores(table, war, scored)
    war.actions += 1
    war.over = war.over or (begun and victory.finished(war))
    return True


def require_permitted(war: War, order: Struct) -> None:
    """Once no Convoy is left, the German may only strike, Complete, pass, reorganize and lay
    Trajectories (our common rules). Raises Refused."""
    if victory.convoys_gone(war) and isinstance(
        order, v.Search | v.Engage | v.Recon | v.Attack | v.Signals
    ):
        text = "no Convoy is left: the Germans make for home"
        raise Refused("going-home", victory.RULE, text)
