"""Read TOML that a moderator wrote, with errors that name file, line and column.

`tomllib` does not keep the places of keys. They are searched for in the text only after an error,
with patterns that are good enough for that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec

from pbem.errors import Misprint
from pbem.text.layout import caret

Key = str | int
T = TypeVar("T")

LONGEST = 1000
"""Characters of a line in which keys are searched for, and of a message about one."""

_HEADER = re.compile(r"\s*(\[\[?)([^\]]+)\]")
_ENTRY = re.compile(r"""\s*((?:[\w.\s-]|"[^"]*"|'[^']*'){1,80}?)\s*=""")
_NAME = re.compile(r""""([^"]*)"|'([^']*)'|([\w-]+)""")
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_FIELD = re.compile(r"field `([^`]+)`")
_TYPES = re.compile(r"Expected `([^`]+)`, got `([^`]+)`")
_LEAST = re.compile(r"Expected `([^`]+)` >= (\S+)")
_CURLY = re.compile("[\u2018-\u201f\u00ab\u00bb]")
WORDS = {
    "str": 'text in "quotes"',
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list in [brackets]",
    "object": "a table in {braces}",
}
"""What a moderator calls the types that msgspec names."""


def tables(text: str, where: str, hint: str) -> dict[str, Any]:
    """Parse TOML. where: the file's name. Raises Misprint."""
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what = str(error)
        at = _AT.search(what)
        lines = text.splitlines() or [""]
        line, column = (int(n) for n in at.groups(str(0))) if at else (1, 1)
        line = min(line or len(lines), len(lines))
        found = line, column or len(lines[line - 1]) + 1
        said = _AT.sub("", what)
        if _CURLY.search(lines[line - 1]):  # shown in ASCII, they look right
            said, hint = "the quotes of this line are curly", 'write straight ones: "'
        raise _misprint(lines, where, found, 1, "toml", said, hint) from None


def typed(
    found: object,
    kind: type[T],
    text: str,
    where: str,
    hint: Callable[[Sequence[Key]], str],
    top: Sequence[Key] = (),
) -> T:
    """Convert plain data to the type `kind`. Raises Misprint.

    top: the keys that lead to `found` in `text`; hint: returns what is allowed where some keys
    lead.
    """
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `$")
        path = [*top, *(name or int(number) for name, number in _STEP.findall(place.rstrip("`")))]
        unknown = _FIELD.search(what) if "unknown" in what else None
        path += [unknown[1]] if unknown else []
        raise misprint(text, where, path, "value", _plain(what, path), hint(path)) from None


def misprint(
    text: str, where: str, path: Sequence[Key], code: str, said: str, hint: str = ""
) -> Misprint:
    """Make the error about the value under the keys `path`. If the last key is missing, the error
    points to the table that it belongs in. said: what is wrong."""
    line, column, length = place_of(text, path)
    return _misprint(text.splitlines() or [""], where, (line, column), length, code, said, hint)


def place_of(text: str, path: Sequence[Key]) -> tuple[int, int, int]:
    """Find the longest beginning of `path` that the text has. Returns line and column, from 1, and
    the length in characters."""
    best, found = -1, (1, 1, 1)
    for keys, line, start, end in _entries(text):
        if len(keys) > best and tuple(path[: len(keys)]) == keys:
            best, found = len(keys), (line, start + 1, end - start)
    return found


def _entries(text: str) -> Iterator[tuple[tuple[Key, ...], int, int, int]]:
    """Give every header and key of the text: the keys that lead to it, line, start and end.

    The keys of an inline table follow the key of their line. Lines inside a multi-line string are
    skipped.
    """
    header: tuple[Key, ...] = ()
    counts: dict[tuple[Key, ...], int] = {}
    inside = False
    for number, whole in enumerate(text.splitlines(), 1):
        line = whole[:LONGEST]
        closed = inside
        inside ^= (line.count('"""') + line.count("'" * 3)) % 2 == 1
        if closed:
            continue
        if head := _HEADER.match(line):
            header = _names(head[2])
            if head[1] == "[[":
                counts[header] = counts.get(header, -1) + 1
                header = (*header, counts[header])
            yield header, number, head.start(1), head.end()
        elif entry := _ENTRY.match(line):
            keys = (*header, *_names(entry[1]))
            yield keys, number, entry.start(1), entry.end(1)
            for inner in _ENTRY.finditer(line.replace("{", " ").replace(",", " "), entry.end()):
                yield (*keys, *_names(inner[1])), number, inner.start(1), inner.end(1)


def _names(text: str) -> tuple[Key, ...]:
    """Split a dotted key into its parts, without quotes."""
    return tuple(a or b or c for a, b, c in _NAME.findall(text))


def _plain(what: str, path: Sequence[Key]) -> str:
    """Rewrite a message of msgspec for the author of the file, with the key that it is about."""
    what = what[:LONGEST]
    if "missing required field" in what:
        return what.replace("Object missing required field", "this lacks the key")
    if "unknown field" in what:
        return f"there is no key `{str(path[-1])[:LONGEST]}` here"
    what = _TYPES.sub(
        lambda found: f"this must be {_words(found[1])}, not {_words(found[2])}", what
    )
    what = _LEAST.sub(lambda found: f"this must be {_words(found[1])} from {found[2]}", what)
    what = what.replace("Invalid enum value", "this cannot be")
    name = ".".join(map(str, path))[:LONGEST]
    return f"{name}: {what}" if name else what


def _words(types: str) -> str:
    """Types of msgspec (`int | null`) in words."""
    return " or ".join(WORDS.get(one, one) for one in types.split(" | ") if one != "null")


def _misprint(
    lines: Sequence[str],
    where: str,
    at: tuple[int, int],
    length: int,
    code: str,
    said: str,
    hint: str,
) -> Misprint:
    """Make the error at a line and column: a line of text, the source line, and marks under it."""
    line, column = at
    source, marks = caret(lines[line - 1], column - 1, max(1, length))
    head = f"{where}:{line}:{column}: error {code}: {said}"
    return Misprint("\n".join((head, f"  {source}".rstrip(), f"  {marks}")), hint)
