"""TOML that a moderator wrote: what is wrong with it is said with file, line and column."""

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
"""Characters of a line in which keys are looked for, and of what is said of one."""

_HEADER = re.compile(r"\s*(\[\[?)([^\]]+)\]")
_ENTRY = re.compile(r"""\s*((?:[\w.\s-]|"[^"]*"|'[^']*'){1,80}?)\s*=""")
_NAME = re.compile(r""""([^"]*)"|'([^']*)'|([\w-]+)""")
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_FIELD = re.compile(r"field `([^`]+)`")


def tables(text: str, where: str, hint: str) -> dict[str, Any]:
    """The tables of `text`. where: the file's name. Raises Misprint."""
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        at = _AT.search(said)
        lines = text.splitlines() or [""]
        line, column = (int(n) for n in at.groups(str(0))) if at else (1, 1)
        line = min(line or len(lines), len(lines))
        found = line, column or len(lines[line - 1]) + 1
        raise _misprint(lines, where, found, 1, "toml", _AT.sub("", said), hint) from None


def typed(
    found: object,
    kind: type[T],
    text: str,
    where: str,
    hint: Callable[[Sequence[Key]], str],
    top: Sequence[Key] = (),
) -> T:
    """`found` as `kind`. top: the keys that lead to it in `text`; hint: what may stand where such
    keys lead. Raises Misprint."""
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
    """The error about what stands in `text` under these keys; where a key is missing, about the
    table that it belongs in."""
    line, column, length = place_of(text, path)
    return _misprint(text.splitlines() or [""], where, (line, column), length, code, said, hint)


def place_of(text: str, path: Sequence[Key]) -> tuple[int, int, int]:
    """Line and column (from 1) where the longest beginning of `path` is written, and how many
    characters that takes."""
    best, found = -1, (1, 1, 1)
    for keys, line, start, end in _entries(text):
        if len(keys) > best and tuple(path[: len(keys)]) == keys:
            best, found = len(keys), (line, start + 1, end - start)
    return found


def _entries(text: str) -> Iterator[tuple[tuple[Key, ...], int, int, int]]:
    """Every header and key of the text as the keys that lead to it, with line, start and end.
    Keys of an inline table stand behind the key of their line."""
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
    return tuple(a or b or c for a, b, c in _NAME.findall(text))


def _plain(what: str, path: Sequence[Key]) -> str:
    """What msgspec says, with the key that it says it of."""
    what = what[:LONGEST]
    if "missing required field" in what:
        return what.replace("Object missing required field", "this lacks the key")
    if "unknown field" in what:
        return f"there is no key `{str(path[-1])[:LONGEST]}` here"
    name = ".".join(map(str, path))[:LONGEST]
    return f"{name}: {what}" if name else what


def _misprint(
    lines: Sequence[str],
    where: str,
    at: tuple[int, int],
    length: int,
    code: str,
    said: str,
    hint: str,
) -> Misprint:
    line, column = at
    source, marks = caret(lines[line - 1], column - 1, max(1, length))
    head = f"{where}:{line}:{column}: error {code}: {said}"
    return Misprint("\n".join((head, f"  {source}".rstrip(), f"  {marks}")), hint)
