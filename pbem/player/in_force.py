"""Which orders of earlier sets a new one leaves in force, and which units have none.

The order page does the same (templates/order_page/js/in_force.js).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from orders.canon import words
from orders.model import Order
from orders.reading import Reading
from orders.show import line, scope
from orders.verbs import matters
from orders.vocabulary import Language, language
from pbem.base.report_json import Report
from pbem.model import Plain, System


class Earlier(NamedTuple):
    """Orders of earlier sets, as order lines."""

    kept: list[str]
    """Standing orders and orders for later turns that stay in force beside the new set."""
    this_turn: list[str]
    """Orders of the turn's earlier windows that stay in force beside it."""
    replaced: list[str]
    """Orders of both kinds that it replaces, except those that it repeats."""


def earlier(system: System, report: Report, reading: Reading) -> Earlier:
    """The orders in force that the report lists, divided by what a new set does to them.

    New orders for an actor replace all of its earlier ones in the same scope (standing, for a later
    turn, for this turn). A setting is replaced only by one about the same matter, and what is left
    of a programme only as a whole, by the lines of a new one.
    """
    told, settings = language(system.grammar), system.grammar.settings()
    said = _said(system, report, reading, settings)
    anew = _new_programme(system, report, reading)
    again = {line(order, system.grammar) for order in reading.orders.orders}
    kept, this_turn, replaced = list[str](), list[str](), list[str]()
    for written, left in ((report.standing, kept), (report.this_turn, this_turn)):
        for one in written:
            about, verbs = said.get(_head(one), frozenset()), _verbs(one, told)
            gone = about is None or bool(about & {settings.get(verb, "") for verb in verbs})
            if left is this_turn and system.spent.issuperset(verbs):
                gone = anew  # no other line of these verbs is left in the turn
            if not gone or one not in again:
                (replaced if gone else left).append(one)
    return Earlier(kept, this_turn, replaced)


def _new_programme(system: System, report: Report, reading: Reading) -> bool:
    """Whether the set brings a line of a programme, and so replaces the one that goes on."""
    now = (o for o in reading.orders.orders if not o.standing and o.turn in (None, report.turn))
    actions = (a for o in now for a in (*o.actions, *o.otherwise))
    return any(action.verb in system.spent for action in actions)


def _said(
    system: System, report: Report, reading: Reading, settings: Mapping[str, str]
) -> dict[str, frozenset[str] | None]:
    """Scope and actor -> the matters of the set's orders for it; None if the set clears it."""
    found: dict[str, frozenset[str] | None] = {}

    def add(head: str, order: Order) -> None:
        found[head] = (found.get(head) or frozenset()) | matters(order, settings)

    for order in reading.orders.orders:
        add(f"{scope(order)}{order.actor}", order)
        if order.turn == report.turn:
            add(order.actor, order)
        if system.whole_sets and _now(order) and order.when is None:
            # Orders for this turn that were written before it are replaced like those of its sets.
            add(f"turn {report.turn} {order.actor}", order)
    return found | {f"@{actor}": None for actor in reading.orders.cleared}


def _verbs(line: str, told: Language) -> list[str]:
    """The verb of each action of an order line, in order; an empty text for an unknown one.

    The line cannot be parsed, because the units that it names may be gone. So it is split as the
    parser would: an action begins behind the colon (behind THEN if the order waits for something),
    and behind each ALSO and ELSE.
    """
    texts = words(line.partition(":")[2])
    first = texts.index("THEN") + 1 if "THEN" in texts else 0
    starts = [first, *(i for i in range(first, len(texts)) if texts[i - 1] in ("ALSO", "ELSE"))]
    verbs = (told.verbs.match(texts, at, len(texts)) for at in starts)
    return [verb[0] if verb else "" for verb in verbs]


def lasting(system: System, report: Report, reading: Reading) -> list[str]:
    """The standing orders and those for later turns that are in force with this set."""
    fresh = (o for o in reading.orders.orders if o.standing or (o.turn or 0) > report.turn)
    kept = earlier(system, report, reading).kept
    return [*kept, *(line(order, system.grammar) for order in fresh)]


def without_orders(system: System, report: Report, reading: Reading) -> list[str]:
    """The names of units on the menu that have no order in force for this turn.

    Units that need none are left out (`NOT_DUE`). The list is empty if the order form holds nothing
    but remarks: then no order of the turn is due any more.
    """
    if report.suggest and all(said.startswith("[") for said in report.suggest):
        return []
    ordered = {*_ordered(system, report, reading)}
    left: Plain = reading.leaves  # with the units that the set itself makes
    free = [u for u in left["units"] if not any(u.get(key) for key in NOT_DUE)]
    return [u["name"] for u in free if left["menu"].get(u["id"]) and u["id"] not in ordered]


NOT_DUE = ("force", "leader", "group", "moved", "tied")
"""Fields that a unit has if it needs no order of its own: it follows a force, a leader or a group,
has done what it may do in this turn, or may not act yet."""


def _ordered(system: System, report: Report, reading: Reading) -> Iterator[str]:
    """The actors with a standing order, or an order for this turn that waits for no trigger."""
    for order in reading.orders.orders:
        if order.standing or _now(order, report.turn):
            yield order.actor
        if _now(order, report.turn):
            yield from _companions(system, order)
    held = earlier(system, report, reading)
    for said in held.kept:
        found = _SCOPE.match(_head(said))
        if found and found["turn"] in (None, str(report.turn)):
            yield found["actor"]
    yield from map(_head, held.this_turn)


_SCOPE = re.compile(r"(?:@|turn (?P<turn>\d+) )(?P<actor>.+)")


def _companions(system: System, order: Order) -> Iterator[str]:
    """The units that an order takes along, by an argument with the keyword `with`."""
    plans = language(system.grammar).plans
    for action in (*order.actions, *order.otherwise):
        for arg in plans[action.verb].verb.args:
            if arg.keyword == "with":
                named = action.args.get(arg.name, ())
                yield from named if isinstance(named, list) else [str(named)]


def _now(order: Order, turn: int | None = None) -> bool:
    """Whether an order is for this turn alone and waits for no trigger. turn: the one that is
    played, if orders that name it count too."""
    return order.turn in (None, turn) and not order.standing and not order.trigger


def _head(said: str) -> str:
    """What stands before the colon of an order line: scope and actor."""
    return said.partition(":")[0]
