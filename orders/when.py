"""`if CONDITION then ...`: the tests of a condition, read by the game's terms."""

from __future__ import annotations

from typing import Literal

from orders.conditions import shortest, thousandths
from orders.cursor import Cursor, Mistake, near
from orders.model import Condition, Test, Value
from orders.verbs import Term

Comparison = Literal["is", "over", "under", "at least", "at most"]
_OPS: dict[tuple[str, ...], Comparison] = {
    ("IS",): "is",
    ("OVER",): "over",
    ("UNDER",): "under",
    ("AT", "LEAST"): "at least",
    ("AT", "MOST"): "at most",
}
_HOW = "comparisons are: is, over, under, at least, at most"


def read_condition(cursor: Cursor, at: int, end: int) -> Condition:
    """The condition in tokens[at:end], between `if` and `then`. Raises Mistake."""
    if at >= end:
        raise Mistake("missing-condition", "a condition is missing here", at - 1, at)
    joints = [i for i in range(at, end) if cursor.texts[i] in ("AND", "OR")]
    for i in joints:
        if cursor.texts[i] != cursor.texts[joints[0]]:
            raise Mistake(
                "mixed-joiner",
                "'and' and 'or' cannot be mixed in one condition",
                i,
                i + 1,
                "write two orders, one for each case",
            )
    starts, ends = [at, *(i + 1 for i in joints)], [*joints, end]
    tests = tuple(_test(cursor, a, b) for a, b in zip(starts, ends, strict=True))
    return Condition(tests, "or" if joints and cursor.texts[joints[0]] == "OR" else "and")


def _test(cursor: Cursor, at: int, end: int) -> Test:
    first = at
    negated = at < end and cursor.texts[at] == "NOT"
    at += negated
    if at >= end:
        raise Mistake("missing-condition", "a test is missing here", max(first - 1, 0), first + 1)
    language = cursor.vocabulary.language
    known = language.terms.match(cursor.texts, at, end)
    if known is None:
        said = cursor.said(at, at + 1)
        text = f"{said} is not a term that a condition can test"
        raise Mistake("unknown-term", text, at, at + 1, lambda: near(said, language.terms.printed))
    term = language.by_term[known[0]]
    if known[1] == end:
        if term.kind != "flag":
            text = f"'{term.name}' must be compared with something"
            raise Mistake("missing-comparison", text, at, end, _HOW)
        return Test(term.name, "is", "YES", negated)
    op, behind = _comparison(cursor, term, known[1], end)
    other = _other(cursor, term, (at, known[1]), behind, end)
    if other:
        return Test(term.name, op, other, negated, True, _scale(term))
    return Test(term.name, op, _literal(cursor, term, behind, end), negated, False, _scale(term))


def _scale(term: Term) -> tuple[str, ...]:
    return term.values if term.kind == "rank" else ()


def _comparison(cursor: Cursor, term: Term, at: int, end: int) -> tuple[Comparison, int]:
    for size in (2, 1):
        op = _OPS.get(tuple(cursor.texts[at : at + size]))
        if op and at + size < end:
            if op != "is" and term.kind in ("word", "flag"):
                text = f"'{term.name}' can only be compared with 'is'"
                raise Mistake("bad-comparison", text, at, at + size, _HOW)
            return op, at + size
        if op:
            raise Mistake("missing-value", "the value to compare with is missing", at, end)
    text = f"{cursor.said(at, at + 1)} is not a comparison"
    raise Mistake("bad-comparison", text, at, at + 1, _HOW)


def _other(cursor: Cursor, term: Term, left: tuple[int, int], at: int, end: int) -> str:
    """The other term of `enemy evasion over own` or `... over own evasion`, empty if none."""
    terms = cursor.vocabulary.language.terms
    right = tuple(cursor.texts[at:end])
    short = right + tuple(cursor.texts[left[0] + 1 : left[1]])
    name = terms.exact.get(right) or (terms.exact.get(short) if len(right) == 1 else None)
    if name is None or name == term.name:
        return ""
    other = cursor.vocabulary.language.by_term[name]
    if (other.kind, _scale(other)) != (term.kind, _scale(term)):
        text = f"'{term.name}' and '{name}' cannot be compared with each other"
        raise Mistake("bad-comparison", text, at, end)
    return name


def _literal(cursor: Cursor, term: Term, at: int, end: int) -> Value:
    token = cursor.texts[at]
    if term.kind == "number":
        size = thousandths(token) if len(token.partition(".")[0]) <= 4 else None
        if size is None or end != at + 1:
            raise Mistake("bad-number", f"{cursor.said(at, end)} is not a valid number", at, end)
        text = shortest(token)
        return int(text) if text.isdigit() else text
    if term.kind == "flag" and end == at + 1 and token in ("YES", "NO"):
        return token
    named = cursor.named(cursor.vocabulary.language.values[term.name], at, end)
    if named and named[1] == end:
        return named[0]
    listed = list(term.values) or ["yes", "no"]
    said = cursor.said(at, end)
    text = f"{said} is not a value of '{term.name}'"
    raise Mistake(
        "bad-value", text, at, end, lambda: near(said, listed) or f"one of: {', '.join(listed)}"
    )
