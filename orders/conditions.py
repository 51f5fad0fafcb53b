"""Whether a condition holds by what a side knows at this moment.

A test of something unknown is false, and so is its negation, so that no order can tell its sender
what he has not been told.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from msgspec import UnsetType

from orders.model import Comparison, Condition, Test, Value

Facts = Callable[..., Value | None]
"""(term) -> what the side knows of it: a number, or a word of the term's values; None unknown.
A flag is `YES` or `NO`. Of a term about a unit, contact or place: (term, of)."""


_OUTCOMES: Mapping[Comparison, Callable[[int, int], bool]] = {
    "is": operator.eq,
    "over": operator.gt,
    "under": operator.lt,
    "at least": operator.ge,
    "at most": operator.le,
}


def holds(condition: Condition, facts: Facts) -> bool:
    """True when the tests, joined by `and` or `or`, are known to hold."""
    join = all if condition.joiner == "and" else any
    return join(known_true(test, facts) for test in condition.tests)


def known_true(test: Test, facts: Facts) -> bool:
    """True when one test, negation included, is known to hold."""
    left = _known(facts, test.left, test.of)
    right = _known(facts, str(test.right), test.other) if test.term else test.right
    outcome = None if left is None or right is None else _compare(test, left, right)
    return outcome is not None and outcome != test.negated


def _known(facts: Facts, term: str, of: str | UnsetType) -> Value | None:
    """What the side knows of a term."""
    return facts(term, of) if of else facts(term)


def _compare(test: Test, left: Value, right: Value) -> bool | None:
    """The comparison's outcome, None where the two cannot be compared."""
    one, other = _measure(left, test.scale), _measure(right, test.scale)
    if one is None or other is None:
        same = str(left).upper() == str(right).upper()
        return same if test.op == "is" and not test.scale else None
    return _OUTCOMES[test.op](one, other)


def _measure(value: Value, scale: tuple[str, ...]) -> int | None:
    """A rank's place on its scale, or a number in thousandths; None for anything else."""
    if scale:
        folded = [rank.upper() for rank in scale]
        word = str(value).upper()
        return folded.index(word) if word in folded else None
    if isinstance(value, int):
        return value * 1000
    return thousandths(value) if isinstance(value, str) else None


def thousandths(text: str) -> int | None:
    """`12.5` -> 12500: decimals are compared exactly, never as floats."""
    whole, _, part = text.partition(".")
    if not (text.isascii() and whole.isdigit() and len(part) <= 3):
        return None
    if part and not part.isdigit():
        return None
    return int(whole) * 1000 + int((part + "000")[:3])


def shortest(number: str) -> str:
    """`02.50` -> `2.5`, `2.0` -> `2`: the one way in which a number is written."""
    whole, _, part = number.partition(".")
    tail = part.rstrip("0")
    return f"{int(whole)}.{tail}" if tail else str(int(whole))
