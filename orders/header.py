"""The header of an order file: which game, window, side and report it answers, and when.

Digests are written in words of eight hex digits: longer words break in mail. A wrong or missing
field refuses the whole set, and each has its own error: `no-window`, `bad-window`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from orders.canon import Fault, Token, grouped
from orders.model import Header, Span

_GAME = re.compile(r"[A-Z][A-Z0-9]{0,15}")
_SIDE = re.compile(r"[A-Z][A-Z0-9]{0,31}")
_COUNT = re.compile(r"[1-9][0-9]{0,5}")
_SECONDS = re.compile(r"[1-9][0-9]{0,14}")  # below 2**53, which JavaScript counts exactly
LARGEST_SEQ = 10**15 - 1
_EIGHT = re.compile(r"[0-9A-F]{8}")
_DIGEST = 8
"""Words in a SHA-256."""
_MOST_FAULTS = 20


class _Field(Struct, frozen=True):
    """One field: how many tokens it may have, what they must be, in words."""

    name: str
    shape: Callable[[tuple[str, ...]], bool]
    should: str
    optional: bool = False


def _one(pattern: re.Pattern[str]) -> Callable[[tuple[str, ...]], bool]:
    return lambda value: len(value) == 1 and pattern.fullmatch(value[0]) is not None


def _digest(value: tuple[str, ...]) -> bool:
    return len(value) == _DIGEST and all(_EIGHT.fullmatch(word) for word in value)


def _short(value: tuple[str, ...]) -> bool:
    return 1 <= len(value) <= _DIGEST and all(_EIGHT.fullmatch(word) for word in value)


def _link(value: tuple[str, ...]) -> bool:
    return value == ("NONE",) or _digest(value)


_HEX = "64 hex digits in words of eight"
_FIELDS = (
    _Field("game", _one(_GAME), "a letter and up to 15 letters or digits"),
    _Field("setup", _digest, _HEX),
    _Field("window", _one(_COUNT), "a number from 1 to 999999"),
    _Field("side", _one(_SIDE), "the name of your side"),
    _Field("seq", _one(_SECONDS), "the signing time in seconds"),
    _Field("report", _digest, _HEX),
    _Field("link", _link, f"{_HEX}, or none"),
    _Field("moderator", _short, "hex digits in words of eight, 64 at most"),
    _Field("anchor", _digest, _HEX, optional=True),
)
FIELDS = tuple(f.name for f in _FIELDS)
_BY_NAME = {f.name.upper(): f for f in _FIELDS}


def read_header(tokens: Sequence[Token], start: int = 2) -> tuple[Header | None, int, list[Fault]]:
    """Read the fields that stand at `tokens[start]`, in any order, behind BEGIN ORDERS.

    Returns the header (None when anything is wrong or missing), the index of the first token behind
    it, and every fault. A block without fields, or that cannot be read and has no tokens, has a
    fault for each field.
    """
    found: dict[str, tuple[str, ...]] = {}
    faults: list[Fault] = []
    at = start
    while _opens(tokens, at):
        field, named = _BY_NAME[tokens[at].text], at
        at = end = _value_end(tokens, at + 2)
        value = tuple(t.text for t in tokens[named + 2 : end])
        span = Span(tokens[named].start, tokens[end - 1].end)
        if field.name in found and len(faults) >= _MOST_FAULTS:
            continue
        if field.name in found:
            faults.append(_fault("twice", field, span, "appears twice"))
        elif not field.shape(value):
            faults.append(_fault("bad", field, span, f"should be {field.should}"))
        found[field.name] = value
    faults += _missing(found, tokens[1].span if tokens else Span(0, 0))
    return (None if faults else _header(found)), at, faults


def show_header(header: Header) -> str:
    """The header as our tools write it: three lines, digests in words of eight."""
    hexed = {
        name: " ".join(grouped(getattr(header, name)))
        for name in ("setup", "report", "moderator", "anchor")
    }
    link = header.link if header.link == "none" else " ".join(grouped(header.link))
    lines = [
        f"game: {header.game}  window: {header.window}  side: {header.side}  seq: {header.seq}",
        f"setup: {hexed['setup']}",
        f"report: {hexed['report']}",
        f"link: {link}",
        f"moderator: {hexed['moderator']}",
    ]
    if header.anchor:
        lines.append(f"anchor: {hexed['anchor']}")
    return "\n".join(lines) + "\n"


def _opens(tokens: Sequence[Token], at: int) -> bool:
    return at + 1 < len(tokens) and tokens[at].text in _BY_NAME and tokens[at + 1].text == ":"


def _value_end(tokens: Sequence[Token], at: int) -> int:
    """Behind the value that starts at `at`: up to the next field where one follows, else one
    token or all words of eight hex digits. A word before a colon is never part of a value.
    """
    stop = at
    while stop < len(tokens) and tokens[stop].text not in (":", ";"):
        stop += 1
    stop = max(at, stop - 1 if stop < len(tokens) and tokens[stop].text == ":" else stop)
    if stop > at and _opens(tokens, stop):
        return stop
    end = at
    while end < stop and _EIGHT.fullmatch(tokens[end].text):
        end += 1
    return end if end > at else min(at + 1, stop)


def _missing(found: dict[str, tuple[str, ...]], span: Span) -> list[Fault]:
    return [
        _fault("no", field, span, "is missing")
        for field in _FIELDS
        if field.name not in found and not field.optional
    ]


def _fault(how: str, field: _Field, span: Span, what: str) -> Fault:
    hint = "'pbem sign' writes the header; leave it as it is"
    return Fault(f"{how}-{field.name}", f"the field '{field.name}:' {what}", span, hint)


def _header(found: dict[str, tuple[str, ...]]) -> Header:
    """The header, from fields that are all well-formed."""
    text = {name: "".join(value).lower() for name, value in found.items()}
    return Header(
        game=text["game"],
        setup=text["setup"],
        window=int(text["window"]),
        side=text["side"],
        seq=int(text["seq"]),
        report=text["report"],
        link=text["link"],
        moderator=text["moderator"],
        anchor=text.get("anchor", ""),
    )
