"""Decode JSON files and check their types before a command uses them.

Errors name the file and the place in it. The types are those of `report_json` and `mail_json`, and
of files in a game's folder.
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
_BYTE = r" \(byte (\d+)\)$"


class Address(TypedDict):
    """An officer in a game's addresses.json."""

    email: str
    name: str
    tz: str
    """A time zone, such as `Europe/Berlin`; empty for UTC."""


class PressMessage(TypedDict):
    """A message between sides in `private/press/`."""

    by: str
    """The side that wrote it."""
    to: list[str]
    """The sides that it is for."""
    day: str
    text: str


def decoded(raw: bytes, where: str, hint: str = "", error: type[PbemError] = Usage) -> object:
    """Decode a JSON file in UTF-8, UTF-16 or UTF-32.

    where: what messages call it. Raises `error` with line and column.
    """
    import json

    try:
        text = raw.decode(json.detect_encoding(raw))
    except ValueError as wrong:
        raise error(f"{where}: this is not text: {wrong}", hint) from None
    try:
        found: object = msgspec.json.decode(text)
        return found
    except (msgspec.DecodeError, UnicodeEncodeError) as wrong:
        raise error(f"{where}{_line_of(text, str(wrong))}", hint) from None
    except RecursionError:
        raise error(f"{where}: the JSON is nested too deeply", hint) from None


def typed(
    found: object, kind: type[T], where: str, hint: str = "", error: type[PbemError] = Usage
) -> T:
    """Convert plain data to the type `kind`. Raises `error`, which names the place:
    `units[3].place`."""
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError as wrong:
        raise error(_placed(wrong, where), hint) from None


def _placed(wrong: msgspec.ValidationError, where: str) -> str:
    """What a ValidationError says, behind the name of the file and the place in it."""
    what, _, place = str(wrong).partition(" - at `")
    path = place.rstrip("`").removeprefix("$").removeprefix(".")
    return f"{where}: {path}: {what}" if path else f"{where}: {what}"


def stored(content: bytes, kind: type[T], path: object) -> T:
    """Decode a JSON file of a game's folder. Raises Damaged, which names the file and the place in
    it."""
    hint = "restore it from a copy of the game's folder"
    return typed(decoded(content, str(path), hint, Damaged), kind, str(path), hint, Damaged)


def require_report(report: Plain, where: str, hint: str = "") -> Report:
    """Convert the object of a report.json. Raises Usage if a field of it, or of its set-up text,
    has the wrong type."""
    from pbem.base.report_json import Report, SetUp

    try:
        found = Report.of(report)
    except msgspec.ValidationError as wrong:
        raise Usage(_placed(wrong, where), hint) from None
    inner = f"{where}: setup.text"
    typed(decoded(found.setup.text.encode(), inner, hint), SetUp, inner, hint)
    return found


def require_kind(facts: Plain, kind: str, where: str, hint: str = "") -> None:
    """Check the object of a report.json, receipt.json, lock.json or note.json. Raises Usage.

    kind: `report`, `receipt`, `lock` or `note`.
    """
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
    """Replace the byte offset in the decoder's message by `:line:column`.

    said: the message, which may end in `(byte N)`.
    """
    at = re.search(_BYTE, said)
    before = text.encode()[: int(at[1])].decode(errors="replace") if at else text
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return f":{line}:{column}: {re.sub(_BYTE, '', said)}"
