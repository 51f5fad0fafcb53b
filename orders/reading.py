"""What a unit of mail says once it is read: the orders, where each stands, what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from orders.canon import Fault, Unit
from orders.model import Header, OrderSet, Span

_WIDTH = 68
_LEAD = 24
_CUT = "..."


class Diagnostic(Struct, frozen=True):
    """One mistake, for the person who made it."""

    code: str
    """A word from the table in docs/orders.md, or of the game's own."""
    text: str
    line: int
    """From 1, in the text as the player wrote it."""
    column: int
    """From 1."""
    length: int
    """How many characters of `source` it takes."""
    source: str
    """That line in ASCII, comments blanked, wide ones cut to fit a mail."""
    at: int
    """Where in `source` the mistake begins, from 0."""
    hint: str = ""
    """What to do about it."""
    rule: str = ""
    """The rule's number."""


class Said(Struct, frozen=True):
    """Where one action stands: the verb, and by argument name each item of its value."""

    verb: Span
    args: Mapping[str, tuple[Span, ...]] = {}


class Place(Struct, frozen=True):
    """Where one order stands: all of it, its actor, and its actions (those behind `else` last)."""

    order: Span
    actor: Span
    actions: tuple[Said, ...] = ()


class Reading(Struct, frozen=True):
    """One unit of mail, understood.

    header: None when `refusals` says what is wrong with it (or the block has none). orders: the
    good ones. places: where each of `orders.orders` stands, in the same order. declared: new
    names that orders of this set give (`as TF6`). seen: the report by which each of the orders was
    judged, with what other orders of the set change in it; leaves: with what all of them change
    (`orders.diagnose.judge`). refusals refuse the whole set; each of the diagnostics refuses one
    order.
    """

    unit: Unit
    header: Header | None = None
    orders: OrderSet = OrderSet()
    places: tuple[Place, ...] = ()
    declared: tuple[str, ...] = ()
    seen: tuple[Mapping[str, object], ...] = ()
    leaves: Mapping[str, object] = {}
    refusals: tuple[Diagnostic, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    body: int = 0
    """Index of the first token behind the header."""
    edited: bool = False
    """Whether lines of the order form were left out for other orders, or bind after them."""
    once: Mapping[str, str] = {}
    """`Verb.once` of the verbs that have one, by name."""


def locate(unit: Unit, fault: Fault, rule: str = "") -> Diagnostic:
    """The fault as a diagnostic: offsets become line and column of the player's text."""
    begin = fault.span.start
    start, end = _line_start(unit.text, begin), _line_end(unit.text, begin)
    source, at = _window(unit, start, end, begin)
    return Diagnostic(
        code=fault.code,
        text=fault.text,
        line=_line_number(unit.text, start),
        column=begin - start + 1,
        length=max(1, min(fault.span.end - begin, len(source) - at)),
        source=source,
        at=at,
        hint=fault.hint,
        rule=rule,
    )


def _window(unit: Unit, start: int, end: int, begin: int) -> tuple[str, int]:
    """The line text[start:end], or the part of a wide one around `begin`, and where that is."""
    if end - start <= _WIDTH:
        return _shown(unit, start, end), begin - start
    low = max(start, min(begin - _LEAD, end - _WIDTH))
    high = low + _WIDTH
    before, after = _CUT if low > start else "", _CUT if high < end else ""
    shown = _shown(unit, low + len(before), high - len(after))
    return before + shown + after, begin - low


def _line_number(text: str, start: int) -> int:
    """CRLF, CR and LF each end one line."""
    before = text[:start]
    return 1 + before.count("\n") + before.count("\r") - before.count("\r\n")


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _line_end(text: str, at: int) -> int:
    ends = [i for i in (text.find("\n", at), text.find("\r", at)) if i >= 0]
    return min(ends, default=len(text))


def _shown(unit: Unit, start: int, end: int) -> str:
    """That stretch of text in printable ASCII of the same length; comments are never echoed."""
    line = unit.text[start:end]
    for cut in unit.comments:
        a, b = max(cut.start, start) - start, min(cut.end, end) - start
        if a < b:
            line = line[:a] + " " * (b - a) + line[b:]
    return plain(line)


def plain(text: str) -> str:
    """`text` in printable ASCII, character for character."""
    if text.isascii() and text.isprintable():
        return text
    return "".join([_plain_char(char) for char in text])


@cache
def _plain_char(char: str) -> str:
    if " " <= char <= "~":
        return char
    if char in "\t\n\r\v\f":
        return " "
    from orders.fold import fold

    folded = fold(char)[0][:1]
    return folded if folded and folded.isascii() and folded.isprintable() else "?"
