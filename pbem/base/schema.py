"""The JSON files that commands read, as typed data.

Decoding happens at the edge: what is malformed or of another type is named with its file and its
place in it, and no command meets it. Fields that nobody here reads are ignored, so that files of
later releases stay readable. Bytes: docs/formats.md, "Reports", "Receipts", "Locks and reveals".
"""

from __future__ import annotations

import re
from typing import Any, Literal, TypedDict, TypeVar

import msgspec
from msgspec import Struct

from pbem.errors import Damaged, PbemError, Usage

T = TypeVar("T")
Plain = dict[str, Any]
_BYTE = re.compile(r" \(byte (\d+)\)$")


class Moderator(Struct):
    """Whom a report names: his keys, and the address for orders."""

    sign: str
    key: str
    mail: str = ""
    age: str = ""


class SetUpRef(Struct):
    """The set-up text, and its digest G0."""

    digest: str
    text: str


class Signer(Struct):
    """The moderator in a set-up text."""

    sign: str


class SetUp(Struct):
    """What tools read of a set-up text. mail: of games before there was encrypted mail, plain."""

    game: str
    sides: list[str]
    dice: str
    moderator: Signer
    keys: dict[str, list[str]]
    anchors: dict[str, list[str]]
    house: dict[str, str]
    modulus: str
    roots: list[str]
    mail: str = "plain"
    recovery: dict[str, list[str]] = {}


class Unit(Struct):
    """An own unit; systems add fields."""

    id: str
    name: str
    type: str
    place: str


class Contact(Struct):
    """An enemy unit; systems add fields."""

    id: str
    type: str
    place: str
    age: int


class Event(Struct):
    """What happened; each kind has fields of its own."""

    kind: str
    text: str
    rule: str = ""


class Question(Struct):
    """What a side is asked."""

    id: str
    kind: str
    prompt: str
    choices: list[str]
    default: Any
    pace: str = "turn"


class MenuArg(Struct):
    """What one argument of a verb may be."""

    name: str
    kind: str
    values: list[str]


class MenuItem(Struct):
    """A verb that a unit may be given."""

    verb: str
    args: list[MenuArg]


class VerbHelp(Struct):
    """Help and example of a verb."""

    help: str
    example: str
    rule: str


class Roll(Struct):
    """Dice that a side saw."""

    label: str
    dice: list[int]
    proof: str
    window: int = 0


class Seed(Struct):
    """What the dice of the closed window were made from."""

    window: int
    links: dict[str, str]
    lock: str
    reveals: dict[str, str]
    sets: dict[str, str]
    carried: dict[str, int] = {}
    firsts: dict[str, str] = {}
    root: str = ""


class Anchor(Struct):
    """A dice anchor that reports name, and the window from which it counts."""

    key: str
    anchor: str
    since: int = msgspec.field(name="from")


class LaterKey(Struct):
    """A key that came after the set-up. why: `officer`, `replaced`, …"""

    key: str
    why: str
    since: int = msgspec.field(name="from")
    old: str = ""
    window: int = 0
    signature: str = ""


class Over(Struct):
    """How a game ended."""

    result: str
    rule: str
    why: str


class Report(Struct):
    """A report.json."""

    format: Literal["pbem-report/1"]
    game: str
    title: str
    system: str
    edition: str
    scenario: str
    side: str
    side_name: str
    turn: int
    turns: int
    label: str
    news: str
    window: int
    seq: int
    digest: str
    setup: SetUpRef
    moderator: Moderator
    dice_mode: str
    opened: str
    deadline: str
    head: str
    anchors: dict[str, list[Anchor]]
    flags: list[str]
    result: Over | None
    units: list[Unit]
    contacts: list[Contact]
    board: Plain
    menu: dict[str, list[MenuItem]]
    verbs: dict[str, VerbHelp]
    suggest: list[str]
    form: str
    events: list[Event]
    questions: list[Question]
    standing: list[str]
    rolls: list[Roll]
    seed: Seed
    run: Plain | None = None
    commit: str = ""
    keys: dict[str, list[LaterKey]] = {}
    taken_back: list[int] = []
    readers: list[str] = []


class Understood(Struct):
    """An order as it was understood."""

    order: str
    note: str


class Problem(Struct):
    """What is wrong with an order, and where."""

    code: str
    text: str
    where: str
    line: str
    start: int = msgspec.field(name="from")
    length: int
    hint: str
    rule: str


class InForce(Struct):
    """The set that counts."""

    seq: int
    digest: str


class Receipt(Struct):
    """A receipt.json."""

    format: Literal["pbem-receipt/1"]
    game: str
    title: str
    system: str
    side: str
    side_name: str
    turn: int
    label: str
    window: int
    status: str
    code: str
    reason: str
    hint: str
    understood: list[Understood]
    problems: list[Problem]
    without_orders: list[str]
    defaults: list[str]
    standing: list[str]
    in_force: InForce | None
    replaces: int | None
    deadline: str
    opened: str
    received: str
    tz: str
    head: str
    number: int
    digest: str
    readers: list[str] = []


class Lock(Struct):
    """A lock.json."""

    format: Literal["pbem-lock/1"]
    game: str
    side: str
    setup: str
    window: int
    lock: str
    own: str
    anchors: dict[str, list[Anchor]]
    deadline: str
    digest: str
    moderator: str = ""
    readers: list[str] = []


class Sent(Struct):
    """A note.json."""

    format: Literal["pbem-note/1"]
    game: str
    side: str
    setup: str
    window: int
    subject: str
    text: str
    digest: str
    readers: list[str] = []
    reports: list[str] = []


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


KINDS: dict[str, type[Struct]] = {"report": Report, "receipt": Receipt, "lock": Lock, "note": Sent}


def decoded(raw: bytes, where: str, hint: str = "", error: type[PbemError] = Usage) -> Any:
    """The value of a JSON file, in any encoding that JSON may have. where: what messages call it.
    Raises `error` with line and column."""
    import json

    try:
        text = raw.decode(json.detect_encoding(raw))
    except ValueError as wrong:
        raise error(f"{where}: it is not text: {wrong}", hint) from None
    try:
        return msgspec.json.decode(text)
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


def require_report(report: Plain, where: str, hint: str = "") -> None:
    """A report's fields and those of its set-up text must be of their types. Raises Usage."""
    typed(report, Report, where, hint)
    inner = f"{where}: setup.text"
    typed(decoded(report["setup"]["text"].encode(), inner, hint), SetUp, inner, hint)


def require_kind(facts: Plain, kind: str, where: str, hint: str = "") -> None:
    """The object of a report.json, receipt.json, lock.json or note.json. Raises Usage."""
    if kind == "report":
        require_report(facts, where, hint)
    else:
        typed(facts, KINDS[kind], where, hint)


def _line_of(text: str, said: str) -> str:
    """Where the decoder stopped, as `:line:column`, and what it says."""
    at = _BYTE.search(said)
    before = text.encode()[: int(at[1])].decode(errors="replace") if at else text
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return f":{line}:{column}: {_BYTE.sub('', said)}"
