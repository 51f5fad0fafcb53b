"""Lines of a report that are for one seat alone: its notices, and its standing orders."""

from __future__ import annotations

from collections.abc import Iterable

from orders.book import left
from orders.model import Order, OrderSet
from orders.show import show
from orders.verbs import matters
from pbem.engine.runner import Runner
from pbem.model import Side
from pbem.roles import role_of
from pbem.store.register import Register

OFFICER = (
    "You see and order a part of your side. What its commander orders counts before yours, and the "
    "turn waits for his orders alone."
)
"""What every report of a role says."""


def told_flags(register: Register, opens: int, closed: int, side: str) -> list[str]:
    """Return the notices for one seat: what every report of a role says, and the rulings that only
    some sides, `side` among them, are told. opens, closed: as for `ruling_lines.flags`."""
    role = [OFFICER] if role_of(side) else []
    if all(ruling.to is None for ruling in register.rulings):
        return role
    from pbem.reports import ruling_lines

    return [*role, *ruling_lines.flags(register, opens, closed, side)]


def standing_lines(drive: Runner, side: Side) -> list[str]:
    """Return a side's standing orders and orders for later turns in force, as order lines."""
    later = drive.books[side].standing.later
    if drive.system.whole_sets:
        later = [order for order in later if not _replaced(drive, side, order)]
    orders = (*_always(drive, side), *later)
    return show(OrderSet(orders), drive.system.grammar).splitlines()


def _replaced(drive: Runner, side: Side, order: Order) -> bool:
    """Whether an order that was given ahead for this turn has been replaced by one given in it."""
    book = drive.books[side]
    given = book.given.get(order.actor, ())
    plain = [o for o in given if o.turn is None and o.when is None and not o.trigger]
    return order.turn == book.turn and not left((order,), plain, book.settings)


def turn_orders(drive: Runner, side: Side) -> list[Order]:
    """Return what a side ordered in earlier windows of the turn, without what is surely carried out
    (`System.lasts`) and what `standing_lines` has."""
    given = drive.books[side].given
    orders = (o for actor in sorted(given) for o in given[actor] if o.turn is None)
    return [order for order in orders if drive.system.lasts(drive.state, side, order)]


def given_lines(drive: Runner, given: OrderSet) -> list[str]:
    """Return what a set ordered for its own turn alone, as order lines."""
    orders = tuple(o for o in given.orders if not o.standing and o.turn is None)
    return show(OrderSet(orders), drive.system.grammar).splitlines()


def _always(drive: Runner, side: Side) -> Iterable[Order]:
    always = drive.books[side].standing.always
    return [order for actor in sorted(always) for order in always[actor]]


def bound(drive: Runner, side: Side) -> dict[str, frozenset[str]]:
    """Return, for each actor, the verbs that the order form must not suggest, because the actor's
    orders in force have settled them: a suggestion, sent as it is, would override these orders.

    An order settles its own verbs, those that exclude them (`Verb.once`), and those that the system
    calls alternatives to them. One of an earlier window of the turn that is still to be carried out
    settles every verb, because a new set replaces all that was said to its actor; if it is a
    setting, which stands beside other orders, it settles the verbs about the same matter only.
    """
    later = drive.books[side].standing.later
    orders = [*_always(drive, side), *(o for o in later if o.turn == drive.state.turn)]
    found: dict[str, frozenset[str]] = {}
    rivals = (*drive.system.alternatives, *drive.system.grammar.exclusive())
    for order in (o for o in orders if not o.trigger):
        verbs = frozenset(action.verb for action in (*order.actions, *order.otherwise))
        groups = [group for group in rivals if group & verbs]
        found[order.actor] = verbs.union(found.get(order.actor, ()), *groups)
    every = frozenset(verb.name for verb in drive.system.grammar.verbs)
    book = drive.books[side]
    for actor, said in book.given.items():
        lasting = (o for o in said if drive.system.lasts(drive.state, side, o))
        about = {m for o in lasting for m in matters(o, book.settings)}
        same = {verb for verb, matter in book.settings.items() if matter in about}
        found[actor] = every if "" in about else found.get(actor, frozenset()) | same
    return found
