"""Which orders of earlier sets a new one leaves in force, and which units have none.

The order page does the same (templates/order_page/js/in_force.js).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from orders.model import Order
from orders.reading import Reading
from orders.show import line, scope
from orders.vocabulary import language
from pbem.base.report_json import Report
from pbem.model import Plain, System


class Earlier(NamedTuple):
    """Standing orders and orders for later turns of earlier sets, as order lines."""

    kept: list[str]
    """Those that stay in force beside the new set."""
    replaced: list[str]
    """Those whose place it takes."""


def earlier(system: System, report: Report, reading: Reading) -> Earlier:
    """The report's orders in force, by what the set leaves of them: an actor's standing orders, and
    those for one turn, are replaced all together."""
    heads = {f"{scope(o)}{o.actor}" for o in reading.orders.orders}
    heads |= {f"@{actor}" for actor in reading.orders.cleared}
    if system.whole_sets:
        # Orders for this turn that were written before it are replaced like those of its sets.
        now = {o.actor for o in reading.orders.orders if _now(o) and o.when is None}
        heads |= {f"turn {report.turn} {actor}" for actor in now}
    kept = [said for said in report.standing if _head(said) not in heads]
    return Earlier(kept, [said for said in report.standing if _head(said) in heads])


def lasting(system: System, report: Report, reading: Reading) -> list[str]:
    """The standing orders and those for later turns that are in force with this set."""
    fresh = (o for o in reading.orders.orders if o.standing or (o.turn or 0) > report.turn)
    kept = earlier(system, report, reading).kept
    return [*kept, *(line(order, system.grammar) for order in fresh)]


def without(system: System, report: Report, reading: Reading) -> list[str]:
    """The names of units on the menu that have no order in force for this turn.

    Units in a force or group or under a leader are left out: they do as these do. None is named
    where the order form has a remark alone: then no order of the turn is due any more.
    """
    if report.suggest and all(said.startswith("[") for said in report.suggest):
        return []
    ordered = {*_ordered(system, report, reading)}
    left: Plain = reading.leaves  # with the units that the set itself makes
    free = [u for u in left["units"] if not any(u.get(key) for key in LED)]
    return [u["name"] for u in free if u["id"] in left["menu"] and u["id"] not in ordered]


LED = ("force", "leader", "group")
"""What a unit has that does as others do."""


def _ordered(system: System, report: Report, reading: Reading) -> Iterator[str]:
    """Who has an order for this turn, whatever happens in it, or a standing one."""
    plans = language(system.grammar).plans
    for order in reading.orders.orders:
        if _now(order):
            yield order.actor
            for action in (*order.actions, *order.otherwise):
                for arg in plans[action.verb].verb.args:
                    if arg.keyword == "with":  # companions
                        named = action.args.get(arg.name, ())
                        yield from named if isinstance(named, list) else [str(named)]
    for said in lasting(system, report, reading):
        found = _SCOPE.match(_head(said))
        if found and found["turn"] in (None, str(report.turn)):
            yield found["actor"]


_SCOPE = re.compile(r"(?:@|turn (?P<turn>\d+) )(?P<actor>.+)")


def _now(order: Order) -> bool:
    """Whether an order is for this turn alone, whatever happens in it."""
    return order.turn is None and not order.standing and not order.trigger


def _head(said: str) -> str:
    """What stands before the colon of an order line: scope and actor."""
    return said.partition(":")[0]
