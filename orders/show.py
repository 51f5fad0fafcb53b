"""Orders as text: what receipts, forms and the ledger print, and what tools write.

One order a line with its full scope, `;` at each end; parsing it gives the same orders again.
"""

from __future__ import annotations

from collections.abc import Sequence

from orders.model import Action, Condition, Order, OrderSet, Test, Value
from orders.verbs import Arg, Grammar
from orders.vocabulary import LEADING, language


def show(orders: OrderSet, grammar: Grammar) -> str:
    """Every line of an order set: words, clearings, orders, answers; empty without any."""
    lines = [show_word(word, orders.words[word]) for word in LEADING if word in orders.words]
    lines += [f"@{actor}: none;" for actor in orders.cleared]
    lines += [show_order(order, grammar) + ";" for order in orders.orders]
    lines += [f"{name}: {_text(value)};" for name, value in orders.answers.items()]
    return "".join(line + "\n" for line in lines)


def show_order(order: Order, grammar: Grammar) -> str:
    """One order with its scope, without `;`: `turn 7 CL1: patrol F19 F20`."""
    return f"{scope(order)}{order.actor}: {show_content(order, grammar)}"


def line(order: Order, grammar: Grammar) -> str:
    """One order as a line, with `;`; made once for each order, as standing ones are shown in every
    window."""
    if (text := order.__dict__.get("line")) is None:
        text = order.__dict__["line"] = f"{show_order(order, grammar)};"
    return text


def scope(order: Order) -> str:
    """`@`, `turn 7 ` or nothing: what stands before the actor."""
    if order.standing:
        return "@"
    return "" if order.turn is None else f"turn {order.turn} "


def show_content(order: Order, grammar: Grammar) -> str:
    """What the actor is told to do, without its scope: `when sighted then withdraw NW`."""
    text = _actions(order.actions, grammar)
    trigger = f"when {order.trigger} " if order.trigger else ""
    if order.when is None:
        return f"{trigger}then {text}" if trigger else text
    other = f" else {_actions(order.otherwise, grammar)}" if order.otherwise else ""
    return f"{trigger}if {show_condition(order.when)} then {text}{other}"


def show_action(action: Action, grammar: Grammar) -> str:
    """One action: its verb, then its arguments in the order of the verb table."""
    plan = language(grammar).plans[action.verb]
    parts = [action.verb]
    for arg in plan.verb.args:
        if arg.name in action.args:
            parts += _argument(arg, action.args[arg.name])
    return " ".join(parts)


def show_condition(condition: Condition) -> str:
    """The tests with their joiner, terms in full (`over own evasion`)."""
    return f" {condition.joiner} ".join(map(_test, condition.tests))


def show_word(word: str, value: str) -> str:
    """A word that stands before the first unit: `ABSENT UNTIL 2026-11-24;`."""
    until = "UNTIL " if word == "ABSENT" else ""
    return f"{word} {until}{value}".rstrip() + ";"


def _actions(actions: Sequence[Action], grammar: Grammar) -> str:
    return " also ".join(show_action(action, grammar) for action in actions)


def _argument(arg: Arg, value: Value) -> list[str]:
    return [arg.keyword, _text(value)] if arg.keyword else [_text(value)]


def _text(value: Value) -> str:
    return " ".join(value) if isinstance(value, list) else str(value)


def _test(test: Test) -> str:
    negation = "not " if test.negated else ""
    left = f"{test.left} {test.of}" if test.of else test.left
    if test.op == "is" and test.right == "YES":
        return negation + left
    other = f" {test.other}" if test.other else ""
    return f"{negation}{left} {test.op} {_text(test.right)}{other}"
