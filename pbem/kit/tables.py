"""Tables of a game as typed records: rows in columns, lines, and TOML tables.

Tables are read from the game's package with `pbem.data`, or from a text that the moderator gave in
its place. Nothing here looks for lines and columns until something is wrong: then the file's text
is read again and the error names the place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, TypeVar, get_args, get_origin

from msgspec import Struct, ValidationError, convert
from msgspec.structs import FieldInfo, fields

from pbem import data

Record = TypeVar("Record", bound=Struct)
Read = TypeVar("Read")
Readers = Mapping[str, Callable[[str], object]]
"""By field, how the text of a cell becomes a value; each raises ValueError for what it cannot
read."""

Layout = tuple[tuple[str, ...], ...]
SKIP, SOURCE, NOTHING, REST, PARTED = "_", "source", "-", "...", "@"


def one_of(words: Sequence[str]) -> Callable[[str], int]:
    """A reader of a word on a ladder, which gives its place: `3+` of `("3", "3+", "4")` is 1."""

    def read(text: str) -> int:
        if text not in words:
            raise ValueError(f"{text!r} is not one of {', '.join(words)}")
        return words.index(text)

    return read


def pair(text: str) -> tuple[int, int]:
    """A reader of two numbers, `4-3`: by day and by night."""
    first, _, second = text.partition("-")
    if not (first.isdecimal() and second.isdecimal()):
        raise ValueError(f"{text!r} is not two numbers, as 4-3")
    return int(first), int(second)


def numbered(text: str, read: Callable[[str], Read]) -> dict[int, Read]:
    """`2:SEC 3:M2` as a table by number, each entry as `read` reads it. Raises ValueError."""
    cells = (cell.partition(":") for cell in text.split())
    return {int(number): read(entry) for number, _, entry in cells}


class TableError(ValueError):
    """A table that cannot be read: `ships.toml:12:31: error bad-cell: ...`, the line, a caret."""


class Sheet(Struct, frozen=True):
    """A table file: of a game's package, or `text`, which the moderator gave in its place."""

    package: str
    name: str
    text: str | None = None

    def table(self) -> dict[str, Any]:
        """The decoded file; every caller gets the same object and must not change it.

        Raises ValueError where the moderator's text is no TOML.
        """
        return data.table(self.package, self.name) if self.text is None else _parsed(self.text)

    def value(self, key: str) -> Any:
        """What stands under a key, `war.ships` for a key inside a table. Raises TableError."""
        found: Any = self.table()
        for name in key.split("."):
            if not isinstance(found, dict) or name not in found:
                raise TableError(f"{self.name}: the key {key!r} is missing")
            found = found[name]
        return found

    def lines(self, key: str, read: Callable[[str], Read]) -> list[Read]:
        """Each line of a text that is not empty, as `read` reads it, in the order of the file.

        Raises TableError with file and line where `read` raises ValueError.
        """
        return [
            self._line(key, line, read) for line in self._text(key).splitlines() if line.strip()
        ]

    def rows(
        self,
        key: str,
        record: type[Record],
        columns: str,
        read: Readers | None = None,
        **same: object,
    ) -> list[Record]:
        """A text in columns as records, in the order of the file.

            sheet.rows("ships", Row, "name | type gun speed | area | source", {"speed": grade})

        columns: the fields from left to right. `|` divides cells and spaces divide the words of a
        cell; a cell with one field holds the whole of it, and a field with `...` the rest of it.
        `_` is skipped. `source` as the last column says where a row comes from: in a table of the
        package it must not be empty, and it is kept only if the record has a field of that name.
        What is `-` holds nothing: None or an empty text, as the field allows. `area@turn` divides
        a word at its `@`, as in `25@2`; without one, the second field keeps its default.
        read: how fields are read that are not simply text, numbers or words of a Literal.
        same: values that all rows share.

        Raises TableError with file, line and column; TypeError if `columns` does not fit the
        record.
        """
        layout, readers = _layout(columns), {**_readers(record), **(read or {})}
        needed, sourced = _judge(record, layout, same), layout[-1] == (SOURCE,)
        plan = _plan(layout, record, readers)

        def row(line: str) -> Record:
            found = _usual_cells(line, plan) or _cells(line, layout, record, readers)
            if missing := [name for name in needed if name not in found]:
                raise _Misread(f"{', '.join(missing)}: missing; columns: {columns}", len(line))
            if self.text is None and sourced and len(line.rstrip(" |").split("|")) < len(layout):
                raise _Misread("the source is missing: page or rule", len(line))
            return record(**found, **same)

        return self.lines(key, row)

    def record(self, record: type[Record], key: str = "") -> Record:
        """The whole file, or the table under `key`, as a record; keys that it has no field for are
        left out. Raises TableError with file and line where a value has another type."""
        try:
            return convert(self.value(key) if key else self.table(), record)
        except ValidationError as wrong:
            what, _, path = str(wrong).partition(" - at `$")
            where = ".".join(filter(None, [key, path.strip("`").strip(".")]))
            place = self._place(where.partition("[")[0])  # items of lists have no line of their own
            raise TableError(f"{place}: error bad-value: {where}: {what}") from None

    def _text(self, key: str) -> str:
        if isinstance(found := self.value(key), str):
            return found
        raise TableError(f"{self._place(key)}: error bad-value: {key} is not a text of lines")

    def _line(self, key: str, line: str, read: Callable[[str], Read]) -> Read:
        try:
            return read(line)
        except ValueError as wrong:
            column = wrong.column if isinstance(wrong, _Misread) else 0
            what = f"{key}: {line.partition('|')[0].strip()}: {wrong}"
            text = f"{self._place(key, line, column)}: error bad-row: {what}"
            raise TableError(f"{text}\n{line}\n{' ' * column}^") from None

    def _place(self, key: str, line: str = "", column: int = 0) -> str:
        """File, line and column of a line of the text under `key`, or of the key."""
        text = self.text
        if text is None:
            text = data.read(self.package, self.name).decode()
        at = _line_of(text.splitlines(), key, line)
        return f"{self.name}:{at}:{column + 1}" if at else self.name


@lru_cache(maxsize=64)
def _parsed(text: str) -> dict[str, object]:
    from tomllib import loads

    return loads(text)


def _line_of(lines: list[str], key: str, wanted: str) -> int:
    """The number of the line that assigns `key`, or of the line `wanted` behind it; 0: unknown."""
    table, _, name = key.rpartition(".")
    inside, found = not table, 0
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        if found and wanted and line == wanted:
            return number
        if bare.startswith("[") and bare.endswith("]"):
            inside = bare.strip("[]") == table
        elif not found and inside and bare.split("=")[0].strip().strip("'\"") == name:
            found = number
            if not wanted or wanted in line:
                return number
    return found


# Rows


class _Misread(ValueError):  # noqa: N818
    """What is wrong with a row, and how many characters stand before it."""

    def __init__(self, text: str, column: int) -> None:
        super().__init__(text)
        self.column = column


@lru_cache(maxsize=64)
def _layout(columns: str) -> Layout:
    return tuple(tuple(cell.split()) for cell in columns.split("|"))


@cache
def _fields(record: type[Struct]) -> Mapping[str, FieldInfo]:
    return {field.name: field for field in fields(record)}


@cache
def _readers(record: type[Struct]) -> Readers:
    """How each field of a record is read."""
    return {name: _reader(field.type) for name, field in _fields(record).items()}


def _reader(hint: object) -> Callable[[str], object]:  # a type, of whichever kind
    """Text, a whole number, or whatever msgspec makes of text."""
    of = hint
    while hasattr(of, "__supertype__"):
        of = of.__supertype__
    if of is str:
        return str
    words = frozenset(get_args(of)) if get_origin(of) is Literal else frozenset()

    def read(text: str) -> object:
        if text in words:  # msgspec would hash the whole type for each of them
            return text
        try:
            return int(text) if of is int else convert(text, hint, strict=False)
        except (ValueError, ValidationError) as wrong:
            title = _title(of)
            raise ValueError(
                f"{text!r} is not {title}" if title else f"{text!r}: {wrong}"
            ) from None

    return read


def _title(of: object) -> str:  # a type, of whichever kind
    """A type in words, empty for one that msgspec describes better."""
    words = [str(value) for value in get_args(of) if isinstance(value, str)]
    known: dict[object, str] = {int: "a whole number", float: "a number", bool: "true or false"}
    return f"one of {', '.join(words)}" if words else known.get(of, "")


def _judge(record: type[Struct], layout: Layout, same: Mapping[str, object]) -> list[str]:
    """The fields that every row must fill. Raises TypeError unless every column is a field, and
    every field has a column, a value or a default."""
    columns = [name.removesuffix(REST) for cell in layout for name in cell]
    names = [part for name in columns for part in name.split(PARTED)]
    known = _fields(record)
    for name in names:
        if name not in known and name not in (SKIP, SOURCE):
            raise TypeError(f"{record.__name__} has no field {name!r}, which is a column")
    for name, field in known.items():
        if field.required and name not in names and name not in same:
            raise TypeError(f"{record.__name__}.{name} has no column and no default")
    needed = [name.partition(PARTED)[0] for name in columns]
    needed += [name for name in names if name in known and known[name].required]
    return [name for name in needed if name in known]


_Plan = Sequence[Sequence[tuple[str, bool, Callable[[str], object]]]]
"""By cell, of each word its field, whether that may be None, and how it is read; the field is empty
if no field of the record has the name."""


def _plan(layout: Layout, record: type[Struct], read: Readers) -> _Plan:
    """How `_usual_cells` reads rows; empty for columns of which only `_cells` knows enough."""
    known = _fields(record)
    if any(PARTED in name or REST in name for cell in layout for name in cell):
        return ()
    return [
        [
            (name, type(None) in get_args(known[name].type), read[name])
            if name in known
            else ("", False, str)
            for name in cell
        ]
        for cell in layout
    ]


def _usual_cells(line: str, plan: _Plan) -> dict[str, object]:
    """The values of a row with a word for each field, in a third of the time of `_cells`; nothing
    for any other row, which `_cells` reads or finds fault with."""
    found: dict[str, object] = {}
    for cell, text in zip(plan, line.split("|", len(plan) - 1), strict=False):
        words = [text.strip()] if len(cell) == 1 else text.split()
        if len(words) != len(cell):
            return {}
        for (name, optional, read), word in zip(cell, words, strict=True):
            if not name:
                continue
            try:
                found[name] = (
                    None if optional and word == NOTHING else read("" if word == NOTHING else word)
                )
            except (ValueError, KeyError, IndexError):
                return {}
    return found


def _cells(line: str, layout: Layout, record: type[Struct], read: Readers) -> dict[str, object]:
    """The values of one row by field. Raises _Misread."""
    found: dict[str, object] = {}
    known, start = _fields(record), 0
    texts = line.split("|", len(layout) - 1)
    for names, text in zip(layout, texts, strict=False):
        for name, word, at in _words(names, text, start):
            if name in known:
                found[name] = _value(known[name], word, at, read[name])
        start += len(text) + 1
    return found


def _words(names: tuple[str, ...], text: str, start: int) -> Iterator[tuple[str, str, int]]:
    """Each field of a cell with its text and the column where that begins. Raises _Misread."""
    left = text.strip()
    end = start + len(text.rstrip())
    for number, name in enumerate(names, 1):
        whole = name.endswith(REST) or len(names) == 1
        word = left if whole else left.partition(" ")[0]
        at, left = end - len(left), left[len(word) :].lstrip()
        if number == len(names) and left:
            raise _Misread(f"{left!r} is too much", end - len(left))
        first, _, second = name.removesuffix(REST).partition(PARTED)
        if second:
            word, _, part = word.partition(PARTED)
            if part:
                yield second, part, at + len(word) + 1
        yield first, word, at


def _value(field: FieldInfo, text: str, at: int, read: Callable[[str], object]) -> object:
    """Raises _Misread."""
    if text == NOTHING and type(None) in get_args(field.type):
        return None
    try:
        return read("" if text == NOTHING else text)
    except (ValueError, KeyError, IndexError) as wrong:
        what = str(wrong) if isinstance(wrong, ValueError) else f"{text!r} is unknown"
        what = what if repr(text) in what else f"{text!r} cannot be read: {what}"
        raise _Misread(f"{field.name}: {what if text else 'missing'}", at) from None
