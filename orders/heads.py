"""Divides a block into the orders of each actor.

A colon always ends an actor. The actor is the longest known name that ends there, else the one
token before it; so an order whose `;` was forgotten still ends where the next actor begins.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from orders.cursor import Cursor, Mistake, closest, near, some

_TURN_DIGITS = 4
_NAME_TOKENS = 5
_JOINING = (",", "AND")
_STOPS = (";", "ALSO", "THEN", "ELSE", "END")
"""Where an order ends that no actor follows directly."""


Kind = Literal["actor", "question", "unknown"]
Names = tuple[tuple[str, int, int], ...]


class Head(Struct, frozen=True):
    """One `@ turn 7 TF1, TF2:`."""

    start: int
    """Its first token."""
    colon: int
    """Its last token."""
    kind: Kind
    """`unknown`: not a known name, or not yet; an earlier order of the set may give it."""
    names: Names
    """(actor or question, start, end) of each."""
    standing: bool = False
    turn: int | None = None
    fault: Mistake | None = None
    """What is wrong with its scope."""


def heads(cursor: Cursor, body: int, end: int) -> list[Head]:
    """Every head in tokens[body:end]."""
    found = []
    low = body
    for i, text in enumerate(cursor.texts[body:end], body):
        if text == ":":
            found.append(_head(cursor, low, i))
            low = i + 1
        elif text == ";":
            low = i + 1
    return found


def _head(cursor: Cursor, low: int, colon: int) -> Head:
    known = _known(cursor, low, colon)
    if known is None:
        start, name = _phrase(cursor, low, colon)
        return _scoped(cursor, low, colon, "unknown", ((name, start, colon),))
    name, start = known
    kind: Kind = "question" if name in cursor.vocabulary.questions else "actor"
    names = [(name, start, colon)]
    if kind == "actor" and start > low and cursor.texts[start - 1] in _JOINING:
        names = _several(cursor, low, start) + names
    return _scoped(cursor, low, colon, kind, tuple(names))


def _known(cursor: Cursor, low: int, end: int) -> tuple[str, int] | None:
    """The actor or question whose name ends before `end`, and where it starts."""
    if end <= low:
        return None
    vocabulary = cursor.vocabulary
    if cursor.texts[end - 1] == '"':
        start = next((i for i in range(end - 2, low - 1, -1) if cursor.texts[i] == '"'), -1)
        quoted = vocabulary.actors.exact.get(tuple(cursor.texts[start + 1 : end - 1]))
        return (quoted, start) if quoted and start >= 0 else None
    actor = vocabulary.actors.ending(cursor.texts, end, low)
    if actor is None and cursor.texts[end - 1] in vocabulary.questions:
        return cursor.texts[end - 1], end - 1
    return actor


def _several(cursor: Cursor, low: int, end: int) -> list[tuple[str, int, int]]:
    """The actors before the last one, if names with commas or `and` between them are all that
    stands since `low`."""
    names: list[tuple[str, int, int]] = []
    at = end
    while at > low and cursor.texts[at - 1] in _JOINING:
        stop = at - 1 - (cursor.texts[at - 2 : at] == [",", "AND"])
        known = _known(cursor, low, stop)
        if known is None:
            return []
        names.append((known[0], known[1], stop))
        at = known[1]
    return names[::-1] if _scope_start(cursor, low, at) == low else []


def _scope_start(cursor: Cursor, low: int, start: int) -> int:
    """Where the `@` and `turn N` that stand directly before `start` begin."""
    while start > low:
        if cursor.texts[start - 1] == "@":
            start -= 1
        elif start - 1 > low and cursor.texts[start - 2] == "TURN":
            start -= 2
        else:
            break
    return start


def _scoped(cursor: Cursor, low: int, colon: int, kind: Kind, names: Names) -> Head:
    """The head of those names, with the scope that stands before the first of them."""
    start = names[0][1]
    first = _scope_start(cursor, low, start)
    scope = cursor.texts[first:start]
    standing = "@" in scope
    number = scope[scope.index("TURN") + 1] if "TURN" in scope else ""
    fault = None
    if number and not (number.isdigit() and len(number) <= _TURN_DIGITS):
        text = f"{cursor.said(first, start)} is not a valid turn"
        fault = Mistake("bad-turn", text, first, start, "write 'turn 7' before the unit")
    elif scope.count("TURN") > 1 or scope.count("@") > 1 or (standing and number):
        fault = Mistake(
            "two-scopes",
            "write only one '@' or 'turn N' before a unit",
            first,
            start,
            "'@' orders stay until replaced, 'turn N' orders apply in that turn",
        )
    turn = int(number) if number and fault is None else None
    return Head(first, colon, kind, names, standing, turn, fault)


def _phrase(cursor: Cursor, low: int, colon: int) -> tuple[int, str]:
    """Where an unknown name starts: all since the last `;` if that may be one name, else the
    one token before the colon."""
    start = low
    while start < colon and cursor.texts[start] in ("@", "TURN"):
        start += 2 if cursor.texts[start] == "TURN" else 1
    start = min(start, max(colon - 1, low))
    whole = cursor.texts[start:colon]
    verbs = cursor.vocabulary.language.verbs
    simple = len(whole) <= _NAME_TOKENS and not any(t in ("IF", ",", "@") for t in whole)
    if not simple or (len(whole) > 1 and verbs.match(cursor.texts, start, colon)):
        start = max(colon - 1, low)
    return start, " ".join(cursor.texts[start:colon])


def unknown_actor(cursor: Cursor, head: Head) -> Mistake:
    """The message for a head that names no unit of the sender."""
    name, start, end = head.names[0]
    if start == end:
        return Mistake("unknown-unit", "a unit is missing before ':'", end, end + 1)
    said = cursor.said(start, end)
    if name[:1] == "Q" and name[1:].isdigit():
        asked = ", ".join(cursor.vocabulary.questions) or "none"
        text = f"there is no question {said}"
        return Mistake("unknown-question", text, start, end, f"open questions: {asked}")
    bare = end - (cursor.texts[end - 1] == '"')
    if gone := cursor.vocabulary.lost.ending(cursor.texts, bare, start):
        return cursor.gone(gone[1], bare, gone[0])
    printed = cursor.vocabulary.actors.printed
    listed = f"your units: {some(list(cursor.vocabulary.menu))}"
    text = f"{said} is not one of your units"
    return Mistake("unknown-unit", text, start, end, lambda: near(said, printed) or listed)


def astray(cursor: Cursor, at: int, end: int) -> Mistake | None:
    """What is wrong where tokens[at:end] begin with a unit instead of an order, or are words before
    the name of the next unit; None where they do not."""
    texts, words = cursor.texts, cursor.vocabulary
    found = words.actors.match(texts, at, end)
    stop = found[1] if found else at + (texts[at] in words.questions)
    before = end < len(texts) and texts[end] not in _STOPS
    said = cursor.said(at, max(stop, at + 1))
    if gone := words.lost.match(texts, at, end):
        return cursor.gone(at, gone[1], gone[0])
    if found and before and (stop == end or texts[stop] in _JOINING):
        hint = "write a comma between two units, and a colon after the last"
        return Mistake("missing-colon", f"{said} has no order", at, stop, hint)
    if stop > at:
        hint = f"write '{said[1:-1]}: ...'"
        return Mistake("missing-colon", f"{said} has no colon after it", at, stop, hint)
    if before and end - at < _NAME_TOKENS and not words.language.verbs.match(texts, at, end):
        text = f"{cursor.said(at, end)} is not part of the name after it"
        return Mistake(
            "extra-words", text, at, end, "leave it out; only a name stands before a colon"
        )
    return None


def misspelt(cursor: Cursor, at: int, end: int) -> str:
    """`did you mean 'SUFFOLK: hold ...'?` where what is like the name of a unit stands before an
    order, without a colon; else empty."""
    words = cursor.vocabulary
    for stop in range(at + 1, min(at + _NAME_TOKENS, end)):
        verb = words.language.verbs.match(cursor.texts, stop, end)
        name = closest(cursor.said(at, stop), words.actors.printed) if verb else ""
        if verb and name:
            return f"did you mean '{name}: {verb[0]} ...'?"
    return ""
