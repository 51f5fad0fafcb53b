"""The arguments of one action, read by its verb's plan.

A keyword of the verb always takes precedence over a name; a list goes on while the next token is an
item.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from orders.conditions import shortest, thousandths
from orders.cursor import Cursor, Mistake, near, some
from orders.model import Action, Span, Value
from orders.reading import Said
from orders.verbs import Arg
from orders.vocabulary import LEADING, RESERVED, Plan

COMPASS = (
    "N",
    "NNE",
    "NE",
    "ENE",
    "E",
    "ESE",
    "SE",
    "SSE",
    "S",
    "SSW",
    "SW",
    "WSW",
    "W",
    "WNW",
    "NW",
    "NNW",
)
LISTS = {"path": "place", "places": "place", "units": "unit"}
_LONGEST_NAME = 16

Items = list[tuple[str, Span]]


class _Filling(Struct):
    """The arguments of one action while they are read."""

    cursor: Cursor
    plan: Plan
    end: int
    """The token behind the last one that may be read."""
    values: dict[str, Value] = {}
    """So far, by argument."""
    spans: dict[str, tuple[Span, ...]] = {}
    """Where each stands."""
    last: Arg | None = None
    """The list that was read last."""
    misfit: Arg | None = None
    """An optional argument that did not fit."""


def read_action(cursor: Cursor, actor: str, at: int, end: int) -> tuple[Action, Said, list[str]]:
    """The one action in tokens[at:end], where it stands, and the new names it gives.

    Raises Mistake.
    """
    if at >= end:
        raise Mistake("missing-verb", "an order is missing here", at - 1, at)
    words = cursor.vocabulary.language
    known = words.verbs.match(cursor.texts, at, end)
    if known is None:
        raise _no_verb(cursor, actor, at, end)
    verb, behind = known
    plan = words.plans[verb]
    found = _arguments(cursor, plan, behind, end)
    _complete(plan, found)
    fresh = [str(found.values[a.name]) for a in plan.verb.args if _is_new(a, found)]
    return (
        Action(verb, _in_order(plan, found)),
        Said(cursor.span(at, behind), found.spans),
        fresh,
    )


def read_value(cursor: Cursor, plan: Plan, at: int, end: int) -> Value:
    """The free answer of a question, whose one argument is `plan`'s. Raises Mistake."""
    found = _arguments(cursor, plan, at, end)
    _complete(plan, found)
    return found.values[plan.verb.args[0].name]


def _is_new(arg: Arg, found: _Filling) -> bool:
    return arg.kind == "name" and arg.name in found.values


def _in_order(plan: Plan, found: _Filling) -> dict[str, Value]:
    """Arguments in the order of the verb table, however the player mixed them."""
    return {a.name: found.values[a.name] for a in plan.verb.args if a.name in found.values}


def _arguments(cursor: Cursor, plan: Plan, at: int, end: int) -> _Filling:
    found = _Filling(cursor, plan, end)
    while at < end:
        keyword = plan.keywords.match(cursor.texts, at, end)
        if keyword and keyword[0] not in found.values:
            arg = plan.args[keyword[0]]
            behind = _take(found, arg, keyword[1])
            if behind is None:
                raise _unknown(found, arg, keyword[1])
        else:
            behind = _positional(found, at)
        at = behind
    return found


def _positional(found: _Filling, at: int) -> int:
    """Read the next argument that has no keyword; optional ones that do not fit are passed over."""
    found.misfit = None
    for arg in found.plan.positional:
        if arg.name in found.values:
            continue
        behind = _take(found, arg, at)
        if behind is not None:
            return behind
        if not arg.optional:
            raise _unknown(found, arg, at)
        found.misfit = found.misfit or arg
    doubtful = found.misfit or found.last
    if doubtful and doubtful.kind != "word" and found.cursor.texts[at] not in ",-":
        raise _unknown(found, doubtful, at)
    raise _extra(found, at)


def _take(found: _Filling, arg: Arg, at: int) -> int | None:
    """Read `arg` at `at` into `found`; where it ends, None when nothing there fits it."""
    if at >= found.end:
        return None
    if arg.kind in LISTS:
        items, behind = _list(found, arg, at)
        if not items:
            return None
        _count(arg, len(items), at, behind)
        found.values[arg.name] = [value for value, _ in items]
        found.spans[arg.name] = tuple(span for _, span in items)
        found.last = arg
        return behind
    one = _READERS[arg.kind](found, arg, at)
    if one is None:
        return None
    value, behind = one
    found.values[arg.name] = int(value) if arg.kind == "number" and not arg.decimals else value
    found.spans[arg.name] = (found.cursor.span(at, behind),)
    found.last = None
    return behind


def _list(found: _Filling, arg: Arg, at: int) -> tuple[Items, int]:
    """Items from `at` on, with or without commas, up to a keyword or what is not an item."""
    reader = _READERS[LISTS[arg.kind]]
    cursor, end = found.cursor, found.end
    items: Items = []
    while at < end:
        here = at + 1 if items and cursor.texts[at] == "," else at
        keyword = found.plan.keywords.match(cursor.texts, here, end)
        if here >= end or (keyword and keyword[0] not in found.values):
            break
        one = reader(found, arg, here)
        if one is None:
            break
        value, behind = one
        if behind < end and cursor.texts[behind] == "-":
            zones, behind = _range(found, arg, here, behind)
            items += [(zone, cursor.span(here, behind)) for zone in zones]
        else:
            items.append((value, cursor.span(here, behind)))
        at = behind
    return items, at


def _range(found: _Filling, arg: Arg, start: int, dash: int) -> tuple[tuple[str, ...], int]:
    """`F19-F21`, whose first zone is tokens[start:dash]: the zones, and where it ends."""
    cursor = found.cursor
    if arg.kind != "places":
        raise Mistake(
            "range-here",
            "a range is not allowed here",
            start,
            dash + 1,
            "write each zone, with spaces between them" if arg.kind == "path" else "",
        )
    last = _place(found, arg, dash + 1) if dash + 1 < found.end else None
    if last is None:
        raise Mistake("bad-range", "a range needs a zone at both ends", start, dash + 1)
    low = _place(found, arg, start)
    between = cursor.vocabulary.language.grammar.between
    zones = between(low[0], last[0]) if low else None
    if zones is None:
        text = f"{cursor.said(start, last[1])} is not a straight line of zones"
        raise Mistake("bad-range", text, start, last[1], "write each zone")
    return tuple(zones), last[1]


def _count(arg: Arg, count: int, at: int, end: int) -> None:
    if count < arg.least:
        raise Mistake("too-few", f"list at least {arg.least} here", at, end)
    if count > arg.most:
        raise Mistake("too-many", f"list at most {arg.most} here", at, end)


def _place(found: _Filling, arg: Arg, at: int) -> tuple[str, int] | None:
    cursor = found.cursor
    language = cursor.vocabulary.language
    token = cursor.texts[at]
    named = cursor.named(language.aliases, at, found.end)
    if named:
        return named
    if token in language.grammar.places:
        return token, at + 1
    if language.grammar.place(token):
        text = f"{cursor.said(at, at + 1)} is not on this board"
        raise Mistake(
            "unknown-zone", text, at, at + 1, lambda: near(token, language.grammar.places)
        )
    return None


def _unit(found: _Filling, arg: Arg, at: int) -> tuple[str, int] | None:
    cursor = found.cursor
    if cursor.texts[at] in cursor.declared:
        return cursor.texts[at], at + 1
    return cursor.named(cursor.vocabulary.units, at, found.end)


def _contact(found: _Filling, arg: Arg, at: int) -> tuple[str, int] | None:
    return found.cursor.named(found.cursor.vocabulary.contacts, at, found.end)


def _word(found: _Filling, arg: Arg, at: int) -> tuple[str, int] | None:
    return found.cursor.named(found.plan.choices[arg.name], at, found.end)


def _direction(found: _Filling, arg: Arg, at: int) -> tuple[str, int] | None:
    allowed = {c.upper() for c in arg.choices} or COMPASS
    token = found.cursor.texts[at]
    return (token, at + 1) if token in allowed else None


def _number(found: _Filling, arg: Arg, at: int) -> tuple[str, int] | None:
    """A number within its bounds; with decimals it stays text, without trailing zeros."""
    token = found.cursor.texts[at]
    whole, _, part = token.partition(".")
    if not whole.isdigit():
        return None
    size = thousandths(token)
    if len(whole) > 4 or size is None or len(part) > arg.decimals:
        what = f"up to {arg.decimals} decimals" if arg.decimals else "no decimals"
        text = f"{found.cursor.said(at, at + 1)} is not a valid number here"
        raise Mistake("bad-number", text, at, at + 1, f"write up to 4 digits and {what}")
    if not arg.least * 1000 <= size <= arg.most * 1000:
        text = f"{token} is not between {arg.least} and {arg.most}"
        raise Mistake("bad-number", text, at, at + 1)
    return shortest(token), at + 1


def _name(found: _Filling, arg: Arg, at: int) -> tuple[str, int] | None:
    """A new name: one word that is not a zone, a word of the order language or another name."""
    cursor = found.cursor
    token = cursor.texts[at]
    if not token[0].isalpha():
        return None
    words = cursor.vocabulary
    grammar = words.language.grammar
    taken = token in RESERVED or token in LEADING or (token,) in words.language.verbs.exact
    if taken or token in grammar.places or grammar.place(token) or len(token) > _LONGEST_NAME:
        why = "looks like a zone" if grammar.place(token) else "cannot be a name"
        text = f"{cursor.said(at, at + 1)} {why}"
        hint = f"use up to {_LONGEST_NAME} letters and digits, for example TF6"
        raise Mistake("bad-name", text, at, at + 1, hint)
    return token, at + 1


_READERS: dict[str, Callable[[_Filling, Arg, int], tuple[str, int] | None]] = {
    "place": _place,
    "unit": _unit,
    "contact": _contact,
    "word": _word,
    "number": _number,
    "name": _name,
    "direction": _direction,
}

_WHAT = {
    "place": ("unknown-zone", "is not a zone or port"),
    "unit": ("unknown-unit", "is not one of your units"),
    "contact": ("unknown-contact", "is not one of your contacts"),
    "word": ("bad-word", "is not allowed here"),
    "number": ("bad-number", "is not a number"),
    "name": ("bad-name", "cannot be a name"),
    "direction": ("bad-direction", "is not a compass point of this board"),
}
_NEEDS = {
    "place": "a zone or port",
    "unit": "one of your units",
    "contact": "a contact",
    "number": "a number",
    "name": "a new name",
    "direction": "a compass point",
}


def _no_verb(cursor: Cursor, actor: str, at: int, end: int) -> Mistake:
    token = cursor.texts[at]
    here = cursor.said(at, at + 1)
    if token == "IF":
        return Mistake(
            "nested-if",
            "an 'if' cannot contain another 'if'",
            at,
            at + 1,
            "write two orders, each with its own condition",
        )
    if token in LEADING:
        return Mistake(
            "misplaced-word",
            f"{here} must come before the first unit",
            at,
            at + 1,
            "move it to the top, directly after the header",
        )
    if token in ("@", "TURN"):
        return Mistake(
            "misplaced-scope", f"{here} must be followed by a unit and a colon", at, at + 1
        )
    menu = [item.verb for item in cursor.vocabulary.menu.get(actor, ())]
    listed = f"orders: {some(menu)}" if menu else ""
    text = f"{here} is not an order"
    return Mistake("unknown-verb", text, at, at + 1, lambda: near(here, menu) or listed)


def _unknown(found: _Filling, arg: Arg, at: int) -> Mistake:
    """What is at `at` does not fit `arg`: say what is missing or what is wrong with it."""
    kind = LISTS.get(arg.kind, arg.kind)
    cursor, plan, end = found.cursor, found.plan, found.end
    if at >= end:
        return _missing(plan, arg, end)
    stop = cursor.extent(at, end)
    code, what = _WHAT[kind]
    said = cursor.said(at, stop)
    listed = f"one of: {', '.join(arg.choices)}" if kind == "word" else ""
    known = _known(cursor, plan, arg, kind)
    return Mistake(code, f"{said} {what}", at, stop, lambda: near(said, known) or listed)


def _known(cursor: Cursor, plan: Plan, arg: Arg, kind: str) -> list[str]:
    """The words the sender might have meant."""
    words = cursor.vocabulary
    lists = {
        "place": words.language.aliases.printed,
        "unit": words.units.printed,
        "contact": words.contacts.printed,
        "word": list(arg.choices),
    }
    return [*lists.get(kind, []), *plan.keywords.printed]


def _extra(found: _Filling, at: int) -> Mistake:
    cursor, plan, end = found.cursor, found.plan, found.end
    keyword = plan.keywords.match(cursor.texts, at, end)
    if keyword:
        return Mistake("extra-words", f"{cursor.said(at, keyword[1])} appears twice", at, end)
    text = f"'{plan.verb.name}' does not take {cursor.said(at, end)}"
    left = [a.keyword for a in plan.verb.args if a.keyword and a.name not in found.values]
    said = cursor.said(at, at + 1)
    return Mistake(
        "extra-words", text, at, end, lambda: near(said, left) or "put ';' between two orders"
    )


def _complete(plan: Plan, found: _Filling) -> None:
    """Raises Mistake when a required argument is missing."""
    for arg in plan.verb.args:
        if not arg.optional and arg.name not in found.values:
            raise _missing(plan, arg, found.end)


def _missing(plan: Plan, arg: Arg, end: int) -> Mistake:
    kind = LISTS.get(arg.kind, arg.kind)
    need = _NEEDS.get(kind) or f"one of: {', '.join(arg.choices)}"
    text = f"'{plan.verb.name}' still needs {arg.keyword + ' ' if arg.keyword else ''}{need}"
    hint = f"for example: {plan.verb.example}" if plan.verb.example else ""
    return Mistake("missing-argument", text, end - 1, end, hint)
