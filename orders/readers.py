"""One value of each kind, read from the tokens: a place, a number, a row of several.

A reader returns the value in canonical form and where it ends, or None if nothing there is of its
kind; it raises Mistake for what is of the kind and cannot stand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, structs

from orders.conditions import shortest, thousandths
from orders.cursor import Cursor, Mistake, beyond, near, parted, some
from orders.model import Span, Value
from orders.rows import quoted
from orders.verbs import Arg
from orders.vocabulary import LEADING, RESERVED, Plan, Vocabulary

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
LISTS = {"path": "place", "places": "place", "units": "unit", "rows": "row"}
"""The kinds that are lists, with the kind of their items."""
_LONGEST_NAME = 16

FILLERS = frozenset(
    ("TO", "AT", "IN", "INTO", "THE", "TOWARD", "TOWARDS", "ON", "WITH", "OF", "FOR")
)
"""Words that people write and that orders do without, unless they are keywords."""

Found = tuple[str, int] | None


class Filling(Struct):
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

    def keyword(self, at: int) -> tuple[str, int] | None:
        """The argument whose keyword begins at `at` and where that ends; None for one that has
        been read already."""
        known = self.plan.keywords.match(self.cursor.texts, at, self.end)
        return known if known and known[0] not in self.values else None


def place_at(cursor: Cursor, at: int, end: int) -> Found:
    """A zone or port, by its printed name as well."""
    language = cursor.vocabulary.language
    token = cursor.texts[at]
    named = cursor.named(language.aliases, at, end)
    if named:
        return named
    if token in language.grammar.places:
        return token, at + 1
    if language.grammar.place(token):
        text = f"{cursor.said(at, at + 1)} is not on this board"
        places = language.grammar.places
        raise Mistake(
            "unknown-zone", text, at, at + 1, lambda: beyond(token, places) or near(token, places)
        )
    return None


def unit_at(cursor: Cursor, at: int, end: int) -> Found:
    """One of the side's own units, or a name that an earlier order of the set gives."""
    if cursor.texts[at] in cursor.declared:
        return cursor.texts[at], at + 1
    return cursor.named(cursor.vocabulary.units, at, end)


def contact_at(cursor: Cursor, at: int, end: int) -> Found:
    """An enemy as the side knows it."""
    return cursor.named(cursor.vocabulary.contacts, at, end)


def _word(found: Filling, arg: Arg, at: int) -> Found:
    return found.cursor.named(found.plan.choices[arg.choices], at, found.end)


def _direction(found: Filling, arg: Arg, at: int) -> Found:
    allowed = {c.upper() for c in arg.choices} or COMPASS
    token = found.cursor.texts[at]
    return (token, at + 1) if token in allowed else None


def _number(found: Filling, arg: Arg, at: int) -> Found:
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


def _bearing(found: Filling, arg: Arg, at: int) -> Found:
    """Degrees, also from a compass point; 360 is 0."""
    token = found.cursor.texts[at]
    if token not in COMPASS:
        known = _number(found, structs.replace(arg, least=0, most=360), at)
        return ("0", at + 1) if known and known[0] == "360" else known
    whole, part = divmod(225 * COMPASS.index(token), 10)
    if part and not arg.decimals:
        text = f"{token} is {whole}.{part} degrees, but only whole degrees are possible here"
        raise Mistake("bad-bearing", text, at, at + 1, f"write {whole} or {whole + 1}")
    return shortest(f"{whole}.{part}"), at + 1


def _point(found: Filling, arg: Arg, at: int) -> Found:
    """Two numbers, with or without a comma between them."""
    first = _number(found, arg, at)
    if first is None:
        return None
    cursor, behind = found.cursor, first[1]
    comma = behind < found.end and cursor.texts[behind] == ","
    here = behind + comma
    second = _number(found, arg, here) if here < found.end else None
    if second is None:
        text = f"{cursor.said(at, behind)} is only the first number of a point"
        raise Mistake("bad-point", text, at, behind, "write two numbers, for example 12 30")
    return f"{first[0]} {second[0]}", second[1]


def _name(found: Filling, arg: Arg, at: int) -> Found:
    """A new name: one word that is not a zone, a word of the order language or another name."""
    cursor = found.cursor
    token = cursor.texts[at]
    if not token[0].isalpha():
        return None
    language = cursor.vocabulary.language
    grammar = language.grammar
    taken = token in RESERVED or token in LEADING or (token,) in language.verbs.exact
    taken = taken or (token == "WHEN" and bool(grammar.triggers))
    if taken or token in grammar.places or grammar.place(token) or len(token) > _LONGEST_NAME:
        why = "looks like a zone" if grammar.place(token) else "cannot be a name"
        text = f"{cursor.said(at, at + 1)} {why}"
        hint = f"use up to {_LONGEST_NAME} letters and digits, for example TF6"
        raise Mistake("bad-name", text, at, at + 1, hint)
    return token, at + 1


def _row(found: Filling, arg: Arg, at: int) -> Found:
    """The parts of one row, side by side. Once its first part is there, all must be."""
    texts: list[str] = []
    here = at
    for part in arg.of or ():
        over = here >= found.end or (texts and found.keyword(here))
        one = None if over else READERS[part.kind](found, part, here)
        if one is None and not texts:
            return None
        if one is None:
            raise _cut_off(found, part, at, here) if over else unfit(found, part, here)
        texts.append(one[0] if part.kind == "point" else quoted(one[0]))
        here = one[1]
    return " ".join(texts), here


def _cut_off(found: Filling, part: Arg, at: int, behind: int) -> Mistake:
    """A row that ends before `part`."""
    text = f"{found.cursor.said(at, behind)} still needs {_need(part)}"
    return Mistake("missing-argument", text, at, behind, _example(found.plan))


READERS: dict[str, Callable[[Filling, Arg, int], Found]] = {
    "place": lambda found, arg, at: place_at(found.cursor, at, found.end),
    "unit": lambda found, arg, at: unit_at(found.cursor, at, found.end),
    "contact": lambda found, arg, at: contact_at(found.cursor, at, found.end),
    "word": _word,
    "number": _number,
    "name": _name,
    "direction": _direction,
    "bearing": _bearing,
    "point": _point,
    "row": _row,
}

WHAT = {
    "place": ("unknown-zone", "is not a place on this board"),
    "unit": ("unknown-unit", "is not one of your units"),
    "contact": ("unknown-contact", "is not one of your contacts"),
    "either": ("unknown-contact", "is neither a contact nor one of your units"),
    "word": ("bad-word", "is not allowed here"),
    "number": ("bad-number", "is not a number"),
    "name": ("bad-name", "cannot be a name"),
    "direction": ("bad-direction", "is not a compass point of this board"),
    "bearing": ("bad-bearing", "is not a bearing, as 270 and W are"),
    "point": ("bad-point", "is not a point"),
}
"""The code and the words for what is not of a kind."""
NEEDS = {
    "place": "a place on the board",
    "unit": "one of your units",
    "contact": "a contact",
    "either": "a contact or one of your units",
    "number": "a number",
    "name": "a new name",
    "direction": "a compass point",
    "bearing": "a bearing in degrees",
    "point": "a point, two numbers",
}
"""What is needed where a value of a kind is missing."""


NAMES = frozenset({"unit", "contact", "either"})
"""Kinds whose values the sender's own report lists."""


def _first(arg: Arg) -> tuple[Arg, str]:
    """What `arg` begins with, and of which kind that is: an item of a list, a part of a row."""
    kind = LISTS.get(arg.kind, arg.kind)
    return (arg.of[0], arg.of[0].kind) if kind == "row" and arg.of else (arg, kind)


def _need(arg: Arg) -> str:
    first, kind = _first(arg)
    return NEEDS.get(kind) or f"one of: {', '.join(first.choices)}"


def _example(plan: Plan) -> str:
    return f"for example: {plan.verb.example}" if plan.verb.example else ""


def unfit(found: Filling, arg: Arg, at: int, also: Sequence[str] = ()) -> Mistake:
    """What is at `at` does not fit `arg`: say what is missing or what is wrong with it. also: words
    that might stand there too."""
    cursor, plan, end = found.cursor, found.plan, found.end
    if at >= end or found.keyword(at):
        return missing(plan, arg, at)
    first, kind = _first(arg)
    stop = cursor.extent(at, end)
    code, what = WHAT[kind]
    own = kind in ("unit", "either")
    if own and (gone := cursor.vocabulary.lost.match(cursor.texts, at, end)):
        return cursor.gone(at, gone[1], gone[0])
    said = cursor.said(at, stop)
    words = [*(first.choices if kind == "word" else ()), *also]
    names = [] if kind == "word" else names_of(cursor.vocabulary, kind)
    listed = f"one of: {', '.join(words)}" if words else ""
    if names and kind in NAMES and not listed:
        listed = f"{'your units' if kind == 'unit' else 'known'}: {some(names)}"
    known = [*names, *words, *plan.keywords.printed]
    bare = cursor.texts[at + 1 : stop - 1] if cursor.texts[at] == '"' else cursor.texts[at:end]
    return Mistake(
        code,
        f"{said} {what}",
        at,
        stop,
        lambda: (
            parted(bare, known)
            or filler(cursor, at, plan)
            or _keyed_list(found, at)
            or near(said, known)
            or listed
        ),
    )


def _keyed_list(found: Filling, at: int) -> str:
    """`write 'at port 1'` of a word with which a list begins that needs its keyword; else empty."""
    word = found.cursor.texts[at].lower()
    for arg in found.plan.verb.args:
        if arg.keyword and arg.of and word in arg.of[0].choices and arg.name not in found.values:
            numbers = [str(max(1, part.least)) for part in arg.of if part.kind == "number"]
            return f"write '{' '.join([arg.keyword, word, *numbers])}'"
    return ""


def filler(cursor: Cursor, at: int, plan: Plan) -> str:
    """What to do about a word of everyday speech that orders do without: `move to C8`; empty for
    any other word."""
    if two := also(cursor, at):
        return two
    if cursor.texts[at] not in FILLERS:
        return ""
    example = _example(plan)
    return f"leave {cursor.said(at, at + 1)} out{'; ' + example if example else ''}"


def also(cursor: Cursor, at: int) -> str:
    """What to write for `then` or `and` before a second order of a unit; else empty."""
    verbs, end = cursor.vocabulary.language.verbs, len(cursor.texts)
    two = cursor.texts[at] in ("THEN", "AND") and verbs.match(cursor.texts, at + 1, end)
    return "write 'also' between two orders that are carried out together" if two else ""


def names_of(words: Vocabulary, kind: str) -> list[str]:
    """The names of a kind that the sender might have meant; none of kinds without names."""
    units, contacts = words.units.printed, words.contacts.printed
    lists = {
        "place": words.language.aliases.printed,
        "unit": units,
        "contact": contacts,
        "either": [*contacts, *units],
    }
    return lists.get(kind, [])


def missing(plan: Plan, arg: Arg, end: int) -> Mistake:
    """The mistake where `arg`, which is required, does not stand before `end`."""
    text = f"'{plan.verb.name}' still needs {arg.keyword + ' ' if arg.keyword else ''}{_need(arg)}"
    return Mistake("missing-argument", text, end - 1, end, _example(plan))
