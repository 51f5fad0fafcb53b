"""What an officer of a role may order: the units of his own report's menu, without conditions.

Judged by the role's report alone, like every order. Conditions and reactions are refused because
the rules decide them by what the whole side knows: by what his ship then does, the officer would
learn it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from orders.canon import Fault
from orders.model import Order
from orders.reading import Diagnostic, Place, Reading, locate
from orders.vocabulary import LEADING
from pbem.base.report_json import Report

FINAL = "FINAL"


def within_role(reading: Reading, report: Report) -> Reading:
    """The reading without what a role may not order, each with its diagnostic; unchanged if the
    report is a side's."""
    if not report.role:
        return reading
    kept, places, seen, found = [], [], [], list(reading.diagnostics)
    read = zip(reading.orders.orders, reading.places, reading.seen, strict=True)
    for order, place, by in read:
        fault = _fault(reading, report, order, place)
        if fault is None:
            kept.append(order)
            places.append(place)
            seen.append(by)
        else:
            found.append(locate(reading.unit, fault))
    found += _cleared(reading, report)
    found += _words(reading, report)
    orders = replace(
        reading.orders,
        orders=tuple(kept),
        cleared=tuple(a for a in reading.orders.cleared if a in report.menu),
        words={w: value for w, value in reading.orders.words.items() if w == FINAL},
    )
    found.sort(key=lambda d: (d.line, d.column))
    return replace(
        reading,
        orders=orders,
        places=tuple(places),
        seen=tuple(seen),
        diagnostics=tuple(found),
    )


def may_order(report: Report, order: Order) -> bool:
    """Whether an order that stands by itself is one that the report's role may give; always if the
    report is a side's."""
    return not report.role or (order.actor in report.menu and not _conditional(order))


def _fault(reading: Reading, report: Report, order: Order, place: Place) -> Fault | None:
    """What a role may not order: a unit that is not on its menu, or a condition."""
    if order.actor not in report.menu and order.actor not in reading.declared:
        return _not_yours(order.actor, report, place)
    if not _conditional(order):
        return None
    text = f"the {report.role} officer gives orders without conditions"
    return Fault("role-condition", text, place.order, "say what it does in any case")


def _conditional(order: Order) -> bool:
    """Whether something decides if it is carried out."""
    return order.when is not None or bool(order.trigger)


def _not_yours(actor: str, report: Report, place: Place) -> Fault:
    text = f"{actor} is not for the {report.role} officer to order"
    return Fault("not-yours", text, place.actor, _yours(report))


def _yours(report: Report) -> str:
    return f"yours to order: {', '.join(report.menu) or 'nothing now'}"


def _cleared(reading: Reading, report: Report) -> Iterator[Diagnostic]:
    """`@X: none` for units that are not on the menu."""
    for actor in reading.orders.cleared:
        if actor not in report.menu:
            text = f"{actor} is not for the {report.role} officer to order"
            yield _at(reading, actor.split()[0], "not-yours", text, _yours(report))


def _words(reading: Reading, report: Report) -> Iterator[Diagnostic]:
    """Words that bind the whole side."""
    for word in LEADING:
        if word in reading.orders.words and word != FINAL:
            text = f"{word} is for the commander, not for the {report.role} officer"
            yield _at(reading, word, "commander-only", text, "delete it")


def _at(reading: Reading, word: str, code: str, text: str, hint: str) -> Diagnostic:
    """A diagnostic at the first token of the body that is this word."""
    tokens = reading.unit.tokens[reading.body :]
    token = next((t for t in tokens if t.text == word), tokens[0])
    return locate(reading.unit, Fault(code, text, token.span, hint))
