"""The arguments of one action, read by its verb's plan.

A keyword of the verb always takes precedence over a name; a list goes on while the next token is an
item.
"""

from __future__ import annotations

from orders.canon import words
from orders.cursor import Cursor, Mistake, near, some
from orders.heads import astray, misspelt
from orders.model import Action, Span, Value
from orders.readers import LISTS, NAMES, READERS, Filling, filler, missing, place_at, unfit
from orders.reading import Said
from orders.verbs import Arg
from orders.vocabulary import LEADING, Plan

_NAME_WORDS = 3
_WAYS = frozenset({"VIA", "THROUGH"})
"""What players write before the way that they take."""
_OPEN = frozenset({"name", "row", "rows"})
"""Kinds of which nearly any word could be a value."""
Items = list[tuple[str, Span]]


def read_action(cursor: Cursor, actor: str, at: int, end: int) -> tuple[Action, Said, list[str]]:
    """The one action in tokens[at:end], where it stands, and the new names it gives.

    Raises Mistake.
    """
    if at >= end:
        raise Mistake("missing-verb", "an order is missing here", at - 1, at)
    language = cursor.vocabulary.language
    known = language.verbs.match(cursor.texts, at, end)
    if known is None:
        raise _no_verb(cursor, actor, at, end)
    verb, behind = known
    plan = language.plans[verb]
    found = _arguments(cursor, plan, behind, end)
    _complete(plan, found)
    fresh = [str(found.values[name]) for name in plan.names if name in found.values]
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


def _in_order(plan: Plan, found: Filling) -> dict[str, Value]:
    """Arguments in the order of the verb table, however the player mixed them."""
    return {a.name: found.values[a.name] for a in plan.verb.args if a.name in found.values}


def _arguments(cursor: Cursor, plan: Plan, at: int, end: int) -> Filling:
    found = Filling(cursor, plan, end)
    while at < end:
        keyword = found.keyword(at)
        if keyword:
            arg = plan.args[keyword[0]]
            behind = _take(found, arg, keyword[1])
            if behind is None:
                raise unfit(found, arg, keyword[1])
        else:
            behind = _positional(found, at)
        at = behind
    return found


def _positional(found: Filling, at: int) -> int:
    """Read the next argument that has no keyword; optional ones that do not fit are passed over."""
    found.misfit = None
    for arg in found.plan.positional:
        if arg.name in found.values:
            continue
        behind = _take(found, arg, at)
        if behind is not None:
            return behind
        if not arg.optional:
            raise unfit(found, arg, at)
        found.misfit = found.misfit or arg
    doubtful = found.misfit or found.last
    if doubtful and doubtful.kind != "word" and found.cursor.texts[at] not in ",-":
        raise unfit(found, doubtful, at)
    raise _extra(found, at)


def _take(found: Filling, arg: Arg, at: int) -> int | None:
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
    one = READERS[arg.kind](found, arg, at)
    if one is None:
        return None
    value, behind = one
    whole = arg.kind in ("number", "bearing") and not arg.decimals
    found.values[arg.name] = int(value) if whole else value
    found.spans[arg.name] = (found.cursor.span(at, behind),)
    found.last = None
    return behind


def _list(found: Filling, arg: Arg, at: int) -> tuple[Items, int]:
    """Items from `at` on, with or without commas, up to a keyword or what is not an item."""
    reader = READERS[LISTS[arg.kind]]
    cursor, end = found.cursor, found.end
    items: Items = []
    while at < end:
        here = at + 1 if items and cursor.texts[at] == "," else at
        if here >= end or found.keyword(here):
            break
        one = reader(found, arg, here)
        if one is None:
            break
        value, behind = one
        if arg.kind == "units" and any(value == named for named, _ in items):
            text = f"{cursor.said(here, behind)} is named twice"
            raise Mistake("named-twice", text, here, behind, "name each unit once")
        if behind < end and cursor.texts[behind] == "-":
            zones, behind = _range(found, arg, here, behind)
            items += [(zone, cursor.span(here, behind)) for zone in zones]
        else:
            items.append((value, cursor.span(here, behind)))
        at = behind
    return items, at


def _range(found: Filling, arg: Arg, start: int, dash: int) -> tuple[tuple[str, ...], int]:
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
    last = place_at(cursor, dash + 1, found.end) if dash + 1 < found.end else None
    if last is None:
        raise Mistake("bad-range", "a range needs a zone at both ends", start, dash + 1)
    low = place_at(cursor, start, found.end)
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
    if token == "WHEN" and cursor.vocabulary.language.grammar.triggers:
        return Mistake(
            "misplaced-when",
            "'when' must begin the order",
            at,
            at + 1,
            "write: when ... if ... then ...",
        )
    if token in ("@", "TURN"):
        return Mistake(
            "misplaced-scope", f"{here} must be followed by a unit and a colon", at, at + 1
        )
    if unit := astray(cursor, at, end):
        return unit
    menu = [item.verb for item in cursor.vocabulary.menu.get(actor, ())]
    listed = f"orders: {some(menu)}" if menu else ""
    text = f"{here} is not an order"
    return Mistake(
        "unknown-verb",
        text,
        at,
        at + 1,
        lambda: misspelt(cursor, at, end) or near(here, menu) or listed,
    )


def _extra(found: Filling, at: int) -> Mistake:
    cursor, plan, end = found.cursor, found.plan, found.end
    keyword = plan.keywords.match(cursor.texts, at, end)
    if keyword:
        return Mistake("extra-words", f"{cursor.said(at, keyword[1])} appears twice", at, end)
    open_args = [a for a in plan.verb.args if not a.keyword and a.name not in found.values]
    for arg in open_args:  # a name that the sender cannot know, rather than a word too many
        if arg.kind in NAMES:
            words = [word for a in open_args if a.kind == "word" for word in a.choices]
            return unfit(found, arg, at, words)
    text = f"'{plan.verb.name}' does not take {cursor.said(at, end)}"
    left = [a.keyword for a in plan.verb.args if a.keyword and a.name not in found.values]
    said = cursor.said(at, at + 1)
    usual = "put ';' between two orders"
    return Mistake(
        "extra-words",
        text,
        at,
        end,
        lambda: (
            _longer(cursor, at)
            or _repeated(cursor, at, left)
            or filler(cursor, at, plan)
            or near(said, left)
            or _keyed(found, at)
            or _worded(found, at)
            or usual
        ),
    )


def _repeated(cursor: Cursor, at: int, left: list[str]) -> str:
    """What to write for `x 3`, `3 times` or `3` behind an order that can be repeated, or empty."""
    number = next((text for text in cursor.texts[at : at + 2] if text.isdigit()), "")
    plain = cursor.texts[at] in ("X", "*", number)
    return f"write 'times {number}'" if number and plain and "times" in left else ""


def _keyed(found: Filling, at: int) -> str:
    """`write 'with TF3' or 'air TF3'` where what stands at `at` is a value of arguments that begin
    with their keywords; else empty."""
    fits = []
    for arg in found.plan.verb.args:
        if not arg.keyword or arg.name in found.values or arg.kind in _OPEN:
            continue
        try:
            one = READERS[LISTS.get(arg.kind, arg.kind)](found, arg, at)
        except Mistake:
            continue
        if one:
            fits.append(f"'{arg.keyword} {found.cursor.said(at, one[1])[1:]}")
    return f"write {' or '.join(fits)}" if fits else ""


def _worded(found: Filling, at: int) -> str:
    """`write 'by canal'` for `via canal` or `through Panama`: where another word stands for the
    keyword of an argument that takes certain words; else empty."""
    texts, verbs = found.cursor.texts, found.cursor.vocabulary.language.verbs
    if verbs.match(texts, at, found.end):
        return ""
    for arg in found.plan.verb.args:
        if not arg.keyword or arg.kind != "word" or arg.name in found.values:
            continue
        said = [word for word in arg.choices if word.upper() in texts[at + 1 : found.end]]
        if texts[at] in _WAYS and len(arg.choices) == 1:
            said = list(arg.choices)
        if said:
            wanted = f"'{arg.keyword} {said[0]}'"
            now = _anybody(found, arg)
            return f"write {wanted}" if now else f"leave it out: {wanted} is not possible now"
    return ""


def _anybody(found: Filling, arg: Arg) -> bool:
    """Does the menu offer the argument to anybody?"""
    offered = (i for items in found.cursor.vocabulary.menu.values() for i in items)
    verb = found.plan.verb.name
    return any(i.verb == verb and arg.name in [a.name for a in i.args] for i in offered)


def _longer(cursor: Cursor, at: int) -> str:
    """`did you mean 'CAPE HORN PACIFIC' or ...?` where tokens up to `at` begin names of places, of
    which the words before it are another name; else empty."""
    places = cursor.vocabulary.language.aliases
    for start in range(max(at - _NAME_WORDS, 0), at):
        begun, first = tuple(cursor.texts[start : at + 1]), dict[str, str]()
        for name in places.printed:
            key = words(name)
            if key[: len(begun)] == begun:
                first.setdefault(places.exact[key], name)
        if first:
            return "did you mean " + " or ".join(f"'{name}'" for name in first.values()) + "?"
    return ""


def _complete(plan: Plan, found: Filling) -> None:
    """Raises Mistake when a required argument is missing."""
    for arg in plan.verb.args:
        if not arg.optional and arg.name not in found.values:
            raise missing(plan, arg, found.end)
