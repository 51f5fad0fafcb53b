"""`if CONDITION then ...` and `when TRIGGER ...`, read by the game's terms and triggers."""

from __future__ import annotations

from msgspec import UNSET

from orders.conditions import shortest, thousandths
from orders.cursor import Cursor, Mistake, near
from orders.model import Comparison, Condition, Test, Value
from orders.readers import NEEDS, WHAT, contact_at, names_of, place_at, unit_at
from orders.verbs import Term

_OPS: dict[tuple[str, ...], Comparison] = {
    ("IS",): "is",
    ("OVER",): "over",
    ("UNDER",): "under",
    ("AT", "LEAST"): "at least",
    ("AT", "MOST"): "at most",
}
_HOW = "comparisons are: is, over, under, at least, at most"
_READERS = {
    "unit": (unit_at,),
    "contact": (contact_at,),
    "either": (contact_at, unit_at),
    "place": (place_at,),
}
"""What reads the name that a term is about."""


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
    of, stop = _about(cursor, term, at, known[1], end)
    if stop == end:
        if term.kind != "flag":
            text = f"{cursor.said(at, stop)} must be compared with something"
            text = text if of else f"'{term.name}' must be compared with something"
            raise Mistake("missing-comparison", text, at, end, _HOW)
        return Test(term.name, "is", "YES", negated, of=of or UNSET)
    op, behind = _comparison(cursor, term, stop, end)
    right = _other(cursor, term, (at, known[1]), behind, end)
    if right:
        name, other = right
        scale = _scale(term)
        return Test(term.name, op, name, negated, True, scale, of or UNSET, other or UNSET)
    value = _literal(cursor, term, behind, end)
    return Test(term.name, op, value, negated, False, _scale(term), of or UNSET)


def _about(cursor: Cursor, term: Term, start: int, at: int, end: int) -> tuple[str, int]:
    """What the term, tokens[start:at], is about (`C3` of `range of C3`), and where that ends;
    empty for a term that is about nothing in particular."""
    if not term.of:
        return "", at
    if at >= end:
        text = f"'{term.name}' needs {NEEDS[term.of]} behind it"
        raise Mistake("missing-argument", text, start, at)
    for read in _READERS[term.of]:
        found = read(cursor, at, end)
        if found:
            return found
    stop = cursor.extent(at, end)
    code, what = WHAT[term.of]
    said, known = cursor.said(at, stop), names_of(cursor.vocabulary, term.of)
    raise Mistake(code, f"{said} {what}", at, stop, lambda: near(said, known))


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


def _other(
    cursor: Cursor, term: Term, left: tuple[int, int], at: int, end: int
) -> tuple[str, str] | None:
    """The other term of `enemy evasion over own` or `... over own evasion`, and what that one is
    about; None if there is no other term.

    left: the tokens of the first term's name.
    """
    language = cursor.vocabulary.language
    name, of = _whole(cursor, at, end) or ("", "")
    if not name and end == at + 1 and not term.of:
        short = (cursor.texts[at], *cursor.texts[left[0] + 1 : left[1]])
        name = language.terms.exact.get(short, "")
        name = "" if name and language.by_term[name].of else name
    if not name or (name == term.name and not of):
        return None
    other = language.by_term[name]
    if (other.kind, _scale(other)) != (term.kind, _scale(term)):
        text = f"'{term.name}' and '{name}' cannot be compared with each other"
        raise Mistake("bad-comparison", text, at, end)
    return name, of


def _whole(cursor: Cursor, at: int, end: int) -> tuple[str, str] | None:
    """The term that is all of tokens[at:end], and what it is about; None if that is no term."""
    language = cursor.vocabulary.language
    known = language.terms.match(cursor.texts, at, end)
    if known is None:
        return None
    of, stop = _about(cursor, language.by_term[known[0]], at, known[1], end)
    return (known[0], of) if stop == end else None


def read_trigger(cursor: Cursor, at: int, end: int) -> tuple[str, int]:
    """The trigger behind `when`, which is tokens[at], and where it ends. Raises Mistake."""
    triggers = cursor.vocabulary.language.triggers
    known = triggers.match(cursor.texts, at + 1, end)
    if known:
        return known
    listed = f"triggers: {', '.join(triggers.printed)}"
    if at + 1 >= end:
        raise Mistake("missing-trigger", "'when' needs a trigger behind it", at, end, listed)
    said = cursor.said(at + 1, at + 2)
    text = f"{said} is not a trigger of this game"
    hint = lambda: near(said, triggers.printed) or listed  # noqa: E731
    raise Mistake("unknown-trigger", text, at + 1, at + 2, hint)


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
