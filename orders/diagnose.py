"""Good error messages, and the judging of orders that parse but cannot stand.

Everything said here comes from the sender's own words, his own report and the public board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import msgspec

from orders.canon import Fault
from orders.cursor import some
from orders.model import Action, Order, Span
from orders.reading import Diagnostic, Place, Reading, Said, locate
from orders.report import Menu, MenuItem, typed

__all__ = ["Check", "Diagnostic", "Problem", "format", "format_all", "judge", "locate"]


class Problem(Protocol):
    """Why an order cannot stand, as a game's `check` says it (`pbem.model.Problem`).

    arg, item: the argument it is about and which of its values; empty for the whole order.
    """

    @property
    def code(self) -> str:
        """A word, `no-fuel`."""

    @property
    def text(self) -> str:
        """What is wrong."""

    @property
    def hint(self) -> str:
        """What to do about it."""

    @property
    def rule(self) -> str:
        """The rule's number."""

    @property
    def arg(self) -> str:
        """The argument it is about."""

    @property
    def item(self) -> int:
        """Which of its values, from 0."""


Check = Callable[[Order, Mapping[str, object]], Problem | None]
"""A game's own checker: one order against the sender's report (decoded JSON)."""


def format(diagnostic: Diagnostic, name: str) -> str:
    """The message as it is printed: place, code and text, the line, a caret, the hint.

    Ends without a newline.
    """
    d = diagnostic
    rule = f" ({d.rule})" if d.rule else ""
    lines = [
        f"{name}:{d.line}:{d.column}: error {d.code}: {d.text}{rule}",
        f"  {d.source}".rstrip(),
        f"  {' ' * d.at}^{'~' * (d.length - 1)}",
    ]
    if d.hint:
        lines.append(f"  hint: {d.hint}")
    return "\n".join(lines)


def format_all(diagnostics: Iterable[Diagnostic], name: str) -> str:
    """All messages, one below the other; empty without any. Ends without a newline."""
    return "\n".join(format(d, name) for d in diagnostics)


def judge(reading: Reading, report: Mapping[str, object], check: Check | None) -> Reading:
    """The reading without the orders that cannot stand, each with its diagnostic instead.

    report: the sender's own report.json, decoded. check: the game's own checker, or None. Verbs
    must be in the unit's menu; values that the menu lists bind only orders for now. Orders that are
    standing, later, conditional or reactions apply at another time and are left to `check`.
    """
    seen = typed(report)
    kept: list[Order] = []
    places: list[Place] = []
    found = list(reading.diagnostics)
    for order, place in zip(reading.orders.orders, reading.places, strict=True):
        problem = (
            _past(seen.turn, order, place)
            or _menu_fault(reading, seen.menu, order, place)
            or _game_fault(check, report, order, place)
            or _contradiction(reading.once, kept, order, place)
        )
        if problem is None:
            kept.append(order)
            places.append(place)
        else:
            found.append(locate(reading.unit, *problem))
    found.sort(key=lambda d: (d.line, d.column))
    orders = msgspec.structs.replace(reading.orders, orders=tuple(kept))
    return msgspec.structs.replace(
        reading, orders=orders, places=tuple(places), diagnostics=tuple(found)
    )


def _menu_fault(
    reading: Reading, menu: Menu, order: Order, place: Place
) -> tuple[Fault, str] | None:
    """What the menu does not offer now, None when it offers all; orders for later pass."""
    if order.standing or order.turn is not None or order.trigger:
        return None
    items = menu.get(order.actor)
    if items is None:
        return None if order.actor in reading.declared else (_idle(order, place), "")
    for action, said in zip((*order.actions, *order.otherwise), place.actions, strict=True):
        offered = next((item for item in items if item.verb == action.verb), None)
        if offered is None:
            text = f"{order.actor} cannot be given '{action.verb}' now"
            verbs = ", ".join(item.verb for item in items)
            return Fault("not-now", text, said.verb, f"orders: {verbs}"), ""
        fault = None if order.when else _value_fault(action, said, offered)
        if fault:
            return fault, ""
    return None


def _past(turn: int | None, order: Order, place: Place) -> tuple[Fault, str] | None:
    """An order for a turn that is over."""
    if order.turn is None or turn is None or order.turn >= turn:
        return None
    text = f"turn {order.turn} is over"
    return Fault("past-turn", text, place.actor, f"turn {turn} is being played"), ""


def _idle(order: Order, place: Place) -> Fault:
    return Fault("not-now", f"{order.actor} cannot be given orders now", place.actor)


def _value_fault(action: Action, said: Said, offered: MenuItem) -> Fault | None:
    """A value that the menu does not offer for this argument; none are listed where the board
    decides."""
    listed = {arg.name: arg.values for arg in offered.args}
    for name, value in action.args.items():
        allowed = listed.get(name, ())
        for i, item in enumerate(value if isinstance(value, list) else [str(value)]):
            if allowed and item not in allowed:
                text = f"'{action.verb}' is not possible with {item} now"
                hint = f"possible now: {some(allowed)}"
                return Fault("not-now", text, _spot(said, name, i), hint)
    return None


def _game_fault(
    check: Check | None, report: Mapping[str, object], order: Order, place: Place
) -> tuple[Fault, str] | None:
    """What the game's own checker says of an order."""
    problem = check(order, report) if check else None
    if problem is None:
        return None
    span = place.order
    for said in place.actions:
        if problem.arg in said.args:
            span = _spot(said, problem.arg, problem.item)
            break
    return Fault(problem.code, problem.text, span, problem.hint), problem.rule


def _contradiction(
    once: Mapping[str, str], kept: Iterable[Order], order: Order, place: Place
) -> tuple[Fault, str] | None:
    """An order that can never be carried out, because the same actor has one for the same time that
    binds without a condition, of verbs that exclude each other (`Verb.once`)."""
    for other in kept:
        if other.when is None and _time(other) == _time(order):
            for action, said in zip(order.actions, place.actions, strict=False):
                for rival in other.actions:
                    both = once.get(action.verb), once.get(rival.verb)
                    if both[0] and both[0] == both[1] and _words(action) != _words(rival):
                        text = (
                            f"'{_words(action)}' contradicts '{_words(rival)}', which {order.actor}"
                            " is ordered in this set already"
                        )
                        hint = "leave one of them out, or put the one with a condition first"
                        return Fault("contradiction", text, said.verb, hint), ""
    return None


def _time(order: Order) -> tuple[str, bool, int | None, str]:
    """Who does it, and when: orders alike in this may contradict each other."""
    return order.actor, order.standing, order.turn, order.trigger or ""


def _words(action: Action) -> str:
    """An action as messages call it: its verb and the names and words with it."""
    return " ".join([action.verb, *(v for v in action.args.values() if isinstance(v, str))])


def _spot(said: Said, arg: str, item: int) -> Span:
    spans = said.args.get(arg) or (said.verb,)
    return spans[min(max(item, 0), len(spans) - 1)]
