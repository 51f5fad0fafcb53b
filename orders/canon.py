"""From the text of a mail to the canonical token stream that is signed and executed.

Mail programs wrap, quote, indent, capitalise and prettify. Texts that differ only in this way give
the same tokens; any other difference gives other tokens or an error. docs/orders.md describes it
byte by byte, so that an independent signer can be written from that page alone.

The alphabet of orders is closed: `A-Z 0-9 - : ; @ , "` and the point between two digits.
`&` is the word AND.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import Literal

from msgspec import Struct

from orders.fold import fold
from orders.model import Span

Armour = Literal["", "base32", "ssh"]

# A point counts only inside a number and an apostrophe nowhere: both separate tokens as spaces do.
# Phones turn two spaces into a point, and every program has its own apostrophe.
_TOKEN = re.compile(r'[0-9]+\.[0-9]+(?![0-9A-Z])|[A-Z0-9]+|[-:;@,"&]')
_STRAY = re.compile(r"""[^A-Z0-9\-:;@,"&\s.'`]|[\x1c-\x1f\x85\xa0]""")
_BLANK = r"[ \t\n\r\v\f]"
# Reports print names like `Cape Horn (Pacific)`: behind a word, words in ( ) are read without them.
_IN_NAME = re.compile(rf"([A-Z0-9]{_BLANK}*)\(([A-Z]+(?:[ \t\n\r\v\f.'-]+[A-Z]+)*\.?)\)")
_GAP = r"[ \t\n\r\v\f>|]"
_EDGE = re.compile(rf"(?<![A-Z0-9])(BEGIN|END){_GAP}+ORDERS(?![A-Z0-9])")
_COMMENT = re.compile(r"\[[^\[\]]*\]")
_FORBIDDEN = r"(?<![A-Z0-9])(?:BEGIN|END)(?![A-Z0-9])"  # seldom looked for: compiled when used
_QUOTING = re.compile(r"(?:\A|(?<=[\r\n]))(?:[ \t]*(?:[>|]|- (?=-)))+")

_SIGNATURE = re.compile(rf"{_GAP}*BEGIN{_GAP}+SEAL(?![A-Z0-9])")
_SIGNATURE_END = rf"(?<![A-Z0-9])END{_GAP}+SEAL(?![A-Z0-9])"
_SSH = re.compile(rf"(?:{_GAP}|-)*BEGIN{_GAP}+SSH{_GAP}+SIGNATURE-*")
_SSH_END = rf"END{_GAP}+SSH{_GAP}+SIGNATURE-*"
_LONGEST_SIGNATURE = 16_384
_MOST_FAULTS = 100


class Token(Struct, frozen=True):
    """One canonical token and where the player wrote it: offsets into the text, end exclusive."""

    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(self.start, self.end)


class Fault(Struct, frozen=True):
    """Why a unit of mail has no canonical form. code: a word; hint: what to do about it."""

    code: str
    text: str
    span: Span
    hint: str = ""


class Unit(Struct, frozen=True):
    """A block of orders and the signature that directly follows it."""

    text: str
    """The whole text it stands in."""
    name: str
    """What to call that text in messages."""
    span: Span
    """Of the block and its signature."""
    tokens: tuple[Token, ...]
    """From BEGIN to END inclusive."""
    canonical: bytes
    """What the signature covers; empty where `faults` says why there is no canonical form."""
    signature: bytes | None = None
    """Raw bytes (an SSHSIG, or the bare form that `pbem.crypto.sshsig` knows), None where none
    follows."""
    armour: Armour = ""
    """How the signature was written."""
    faults: tuple[Fault, ...] = ()
    comments: tuple[Span, ...] = ()
    """Where they are, so that they are never echoed."""

    @property
    def error(self) -> Fault | None:
        """The first fault, None for a clean unit."""
        return self.faults[0] if self.faults else None


class _Source(Struct, frozen=True):
    """A text, its folded form (also in upper case), and where each folded character was."""

    text: str
    folded: str
    upper: str
    places: list[int] | None

    def span(self, start: int, end: int) -> Span:
        """The stretch of the text behind the folded stretch, end exclusive."""
        if self.places is None:
            return Span(start, end)
        return Span(self.places[start], self.places[end - 1] + 1 if end > start else start)


def decode(raw: bytes) -> str:
    """The text of a file from any program: UTF-8, UTF-16 with its mark, else Windows-1252.

    Never raises: bytes without a meaning become characters that `streams` reports.
    """
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", "replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")  # the fold table reads C1 controls as Windows-1252


def streams(text: str, name: str = "orders.txt") -> list[Unit]:
    """Every unit of mail in `text`, in the order in which they stand.

    A block begins at the last BEGIN ORDERS before its END ORDERS, so that a mention in a
    greeting does no harm. A text with a BEGIN but no END gives one unit that says so.
    """
    folded, places = fold(text)
    source = _Source(text, folded, _upper(folded), places)
    units: list[Unit] = []
    begin, after = -1, 0
    for edge in _EDGE.finditer(source.upper):
        if edge.start() < after:
            continue
        if edge[1] == "BEGIN":
            begin = edge.start()
        elif begin >= 0:
            unit, after = _unit(source, name, begin, edge.end())
            units.append(unit)
            begin = -1
    if begin >= 0 and not units:
        units.append(_unfinished(source, name, begin))
    return units


def canonical(text: str) -> bytes:
    """The canonical bytes of the one block in `text`.

    Raises ValueError when there is not exactly one, or when it has no canonical form.
    """
    units = streams(text)
    if len(units) != 1:
        raise ValueError(f"one block of orders expected, {len(units)} found")
    if units[0].error:
        raise ValueError(f"{units[0].error.code}: {units[0].error.text}")
    return units[0].canonical


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """The canonical tokens of a printed name (`St. Nazaire` -> `ST`, `NAZAIRE`)."""
    return tuple(map(_spelt, _TOKEN.findall(fold(text)[0].upper())))


def signature_text(signature: bytes) -> str:
    """A raw signature as BEGIN SEAL ... END SEAL: base32, lower case, words of eight."""
    import base64

    body = base64.b32encode(signature).decode("ascii").rstrip("=").lower()
    groups = grouped(body)
    lines = [" ".join(groups[i : i + 7]) for i in range(0, len(groups), 7)]
    return "\n".join(["BEGIN SEAL", *lines, "END SEAL", ""])


def grouped(digits: str) -> list[str]:
    """Words of eight: longer ones break in mail."""
    return [digits[i : i + 8] for i in range(0, len(digits), 8)]


def _upper(text: str) -> str:
    """ASCII letters in upper case, everything else unchanged, so that offsets stay valid."""
    if text.isascii():
        return text.upper()
    return "".join([char.upper() if char.isascii() else char for char in text])


def _unit(source: _Source, name: str, begin: int, end: int) -> tuple[Unit, int]:
    """The unit whose block is folded[begin:end], and where in the folded text it ends."""
    tokens, faults, comments = _tokens(source, begin, end)
    signature, armour, after, broken = _signature(source, end)
    faults += broken
    bytes_ = b"" if faults else " ".join([t.text for t in tokens]).encode("ascii") + b"\n"
    unit = Unit(
        source.text,
        name,
        source.span(begin, after),
        tokens,
        bytes_,
        signature,
        armour,
        tuple(faults),
        tuple(comments),
    )
    return unit, after


def _unfinished(source: _Source, name: str, begin: int) -> Unit:
    end = begin + len("BEGIN")
    fault = Fault(
        "no-end",
        "this block of orders has no END ORDERS",
        source.span(begin, end),
        "write END ORDERS after the last order",
    )
    return Unit(source.text, name, fault.span, (), b"", None, "", (fault,))


def _tokens(
    source: _Source, begin: int, end: int
) -> tuple[tuple[Token, ...], list[Fault], list[Span]]:
    """Tokens of folded[begin:end], what is wrong in it, and its comments."""
    block = source.upper[begin:end]
    faults, comments = [], []
    for cut in _COMMENT.finditer(block):
        comments.append(source.span(begin + cut.start(), begin + cut.end()))
        if re.search(_FORBIDDEN, cut[0]):
            faults.append(_bad_comment(comments[-1]))
    if comments:
        block = _COMMENT.sub(_blank, block)
    block = _QUOTING.sub(_blank, block)
    if "(" in block:
        block = _IN_NAME.sub(r"\1 \2 ", block)
    strays = islice(_STRAY.finditer(block), _MOST_FAULTS)
    faults += [_stray(source, begin + m.start(), m[0]) for m in strays]
    return tuple(_found(source, begin, block)), faults, comments


def _found(source: _Source, begin: int, block: str) -> list[Token]:
    """The tokens of a block that begins at folded[begin]."""
    found = _TOKEN.finditer(block)
    matches = [(_spelt(m[0]), begin + m.start(), begin + m.end()) for m in found]
    if source.places is None:
        return [Token(text, start, end) for text, start, end in matches]
    spans = [(text, source.span(start, end)) for text, start, end in matches]
    return [Token(text, span.start, span.end) for text, span in spans]


def _spelt(token: str) -> str:
    """A token as it is signed: `&` is the word AND."""
    return "AND" if token == "&" else token


def line_tokens(text: str) -> tuple[Token, ...] | None:
    """The tokens of a line of orders that stands in no block; None if it has no canonical form."""
    folded, places = fold(text)
    tokens, faults, _ = _tokens(_Source(text, folded, _upper(folded), places), 0, len(folded))
    return None if faults else tokens


def _blank(cut: re.Match[str]) -> str:
    return " " * len(cut[0])


def _bad_comment(span: Span) -> Fault:
    return Fault(
        "bad-comment", "a comment must not contain BEGIN or END", span, "reword the comment"
    )


def _stray(source: _Source, at: int, char: str) -> Fault:
    span = source.span(at, at + 1)
    if char in "[]":
        return Fault(
            "bad-comment",
            "this bracket has no matching bracket",
            span,
            "comments cannot be nested and must not contain BEGIN ORDERS or END ORDERS",
        )
    shown = f"'{char}'" if " " < char < "\x7f" else f"U+{ord(char):04X}"
    hint = {
        "<": "write 'under' or 'at most'",
        ">": "write 'over' or 'at least'; if a mail program put it there, attach the file",
        "=": "write 'is', 'at least' or 'at most'",
        "#": "write comments in [brackets]",
        "/": "write comments in [brackets], and a space between two names",
        "(": "write comments in [brackets]",
        ")": "write comments in [brackets]",
    }.get(char, "remove it")
    return Fault("stray-character", f"{shown} is not allowed in orders", span, hint)


def _signature(source: _Source, end: int) -> tuple[bytes | None, Armour, int, list[Fault]]:
    """What directly follows the block that ends at `end`."""
    for opening, closing, armour in (
        (_SIGNATURE, _SIGNATURE_END, "base32"),
        (_SSH, _SSH_END, "ssh"),
    ):
        head = opening.match(source.upper, end)
        if head is None:
            continue
        limit = min(len(source.folded), head.end() + _LONGEST_SIGNATURE)
        following = _EDGE.search(source.upper, head.end(), limit)
        stop = following.start() if following else limit
        tail = re.compile(closing).search(source.upper, head.end(), stop)
        body = source.folded[head.end() : tail.start()] if tail else ""
        raw = _bytes_of(body, armour)
        after = tail.end() if tail else head.end()
        kind: Armour = "base32" if armour == "base32" else "ssh"
        if raw is not None:
            return raw, kind, after, []
        at = head.end() - len(head[0].lstrip(" \t\n\r\v\f>|"))
        fault = Fault(
            "damaged-signature",
            "this signature is damaged",
            source.span(at, head.end()),
            "sign again and send the whole file",
        )
        return None, kind, after, [fault]
    return None, "", end, []


def _bytes_of(body: str, armour: str) -> bytes | None:
    """The raw signature, None where the text is not base32 (signature) or base64 (ssh)."""
    import base64
    import binascii

    packed = re.sub(rf"{_GAP}+", "", body)
    try:
        if armour == "base32":
            packed = packed.upper() if packed.isascii() else "!"
            raw = base64.b32decode(packed + "=" * (-len(packed) % 8))
        else:
            raw = base64.b64decode(packed.rstrip("-"), validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw or None
