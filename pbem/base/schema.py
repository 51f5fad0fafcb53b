"""Decoding JSON files at the edge: what is malformed or of another type is named with its file and
its place in it, and no command meets it.

The types are those of `report_json` and `mail_json`, and of files in a game's folder.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypedDict, TypeVar

import msgspec

from pbem.errors import Damaged, PbemError, Usage

if TYPE_CHECKING:
    from pbem.base.report_json import Report
    from pbem.model import Plain

T = TypeVar("T")
_BYTE = re.compile(r" \(byte (\d+)\)$")


class Address(TypedDict):
    """An officer in a game's addresses.json."""

    email: str
    name: str
    tz: str


class Pressed(TypedDict):
    """A message between sides, as the moderator keeps it."""

    by: str
    to: list[str]
    day: str
    text: str


def decoded(raw: bytes, where: str, hint: str = "", error: type[PbemError] = Usage) -> object:
    """The value of a JSON file, in any encoding that JSON may have. where: what messages call it.
    Raises `error` with line and column."""
    import json

    try:
        text = raw.decode(json.detect_encoding(raw))
    except ValueError as wrong:
        raise error(f"{where}: it is not text: {wrong}", hint) from None
    try:
        found: object = msgspec.json.decode(text)
        return found
    except (msgspec.DecodeError, UnicodeEncodeError) as wrong:
        raise error(f"{where}{_line_of(text, str(wrong))}", hint) from None
    except RecursionError:
        raise error(f"{where}: it is nested too deeply", hint) from None


def typed(
    found: object, kind: type[T], where: str, hint: str = "", error: type[PbemError] = Usage
) -> T:
    """`found` as `kind`. Raises `error`, which names the place: `units[3].place`."""
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError as wrong:
        what, _, place = str(wrong).partition(" - at `")
        path = place.rstrip("`").removeprefix("$").removeprefix(".")
        raise error(f"{where}: {path}: {what}" if path else f"{where}: {what}", hint) from None


def stored(content: bytes, kind: type[T], path: object) -> T:
    """What a JSON file of a game's folder holds. Raises Damaged, which names the file and the
    place in it."""
    hint = "restore it from a copy of the game's folder"
    return typed(decoded(content, str(path), hint, Damaged), kind, str(path), hint, Damaged)


def require_report(report: Plain, where: str, hint: str = "") -> Report:
    """The report that this JSON data is: its fields and those of its set-up text must be of their
    types. Raises Usage."""
    from pbem.base.report_json import Report, SetUp

    found = typed(report, Report, where, hint)
    found.plain = report
    inner = f"{where}: setup.text"
    typed(decoded(found.setup.text.encode(), inner, hint), SetUp, inner, hint)
    return found


def require_kind(facts: Plain, kind: str, where: str, hint: str = "") -> None:
    """The object of a report.json, receipt.json, lock.json or note.json. Raises Usage."""
    from pbem.base import mail_json

    if kind == "report":
        require_report(facts, where, hint)
        return
    kinds: dict[str, type[msgspec.Struct]] = {
        "receipt": mail_json.Receipt,
        "lock": mail_json.Lock,
        "note": mail_json.Note,
    }
    typed(facts, kinds[kind], where, hint)


def _line_of(text: str, said: str) -> str:
    """Where the decoder stopped, as `:line:column`, and what it says."""
    at = _BYTE.search(said)
    before = text.encode()[: int(at[1])].decode(errors="replace") if at else text
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return f":{line}:{column}: {_BYTE.sub('', said)}"
