"""The orders of roles: put together with those of their sides' commanders when a window closes.

A commander's word counts first. A role's set adds orders for the units that the commander's set
does not name; of two roles that order one unit, the first in the scenario counts. Questions and the
words of a set (RUN, LINKS, CONSENT ...) are the commanders' alone (`pbem.player.role_orders`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from orders.book import VOID
from orders.model import OrderSet
from pbem.model import Side
from pbem.roles import role_of, side_of
from pbem.store.seats import roles

if TYPE_CHECKING:
    from pbem.store.register import Register


def merged(register: Register, sets: Mapping[Side, OrderSet]) -> dict[Side, OrderSet]:
    """What each side orders, from the sets in force of its commanders and its roles.

    sets: by seat. A side is missing if neither sent a set. If a side's set is void, because its
    dice link was not revealed, those of its roles are void with it.
    """
    if not register.created.roles:
        return dict(sets)
    found = {side: orders for side, orders in sets.items() if not role_of(side)}
    for seat in roles(register):
        if seat in sets:
            side = Side(side_of(seat))
            found[side] = joined(found.get(side, OrderSet()), sets[seat])
    return found


def joined(first: OrderSet, more: OrderSet) -> OrderSet:
    """`first`, and what `more` orders to units that `first` does not name."""
    if VOID in first.words:
        return first
    named = {order.actor for order in first.orders} | {*first.cleared}
    return replace(
        first,
        orders=first.orders + tuple(o for o in more.orders if o.actor not in named),
        cleared=first.cleared + tuple(a for a in more.cleared if a not in named),
    )
