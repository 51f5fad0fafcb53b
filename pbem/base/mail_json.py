"""receipt.json, lock.json and note.json as typed data: what the referee signs besides reports.

Bytes: docs/formats.md, "Receipt", "Locks and reveals", "Encrypted mail".
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from pbem.base.hashing import H, canonical_json
from pbem.base.report_json import Anchor

Status = Literal["accepted", "partly", "known", "refused"]
"""What became of a set: taken whole, taken without its wrong orders, taken before, refused."""


class Understood(Struct, frozen=True):
    """An order as it will be executed."""

    order: str
    """The order as an order file has it."""
    note: str
    """What it will take, in words; may be empty."""


class Problem(Struct, frozen=True):
    """An order that was refused, and why."""

    code: str
    """A word: `unknown-unit`."""
    text: str
    """What is wrong, in words."""
    where: str
    """`file:line:column`."""
    line: str
    """The sender's line."""
    start: int = field(name="from")
    """Where in the line the mistake begins, from 0."""
    length: int
    """Of the mistake, in characters."""
    hint: str
    rule: str


class InForce(Struct, frozen=True):
    """The set that counts now."""

    seq: int
    digest: str
    """Its order digest, in hex."""


class Judgement(Struct, kw_only=True):
    """What the referee decided about one order set, dice link or change of keys."""

    status: Status
    code: str = ""
    """Why a set was refused; `revealed` and `rekeyed` answer a link and a change of keys."""
    reason: str = ""
    """The code in words."""
    hint: str = ""
    """What to do now."""
    understood: list[Understood] = []
    problems: list[Problem] = []
    without_orders: list[str] = []
    """Names of units that were given nothing."""
    defaults: list[str] = []
    """Open questions with what happens without an answer."""
    standing: list[str] = []
    """Standing orders that stay in force."""
    in_force: InForce | None = None
    replaces: int | None = None
    """Number of the receipt whose set this one replaces."""


class Receipt(Judgement, kw_only=True):
    """A receipt.json. A sender who is not known learns the game's name and the code alone."""

    format: Literal["pbem-receipt/1"] = "pbem-receipt/1"
    game: str
    title: str
    system: str
    side: str
    """Empty where the sender is not known."""
    side_name: str
    turn: int = 0
    label: str = ""
    """How the rulebook names the turn."""
    window: int = 0
    deadline: str = ""
    opened: str = ""
    received: str
    """Times in UTC."""
    tz: str = ""
    """The officer's time zone."""
    head: str
    """Of the ledger before the receipt's record."""
    number: int
    """Counts the side's receipts."""
    digest: str = ""
    moderator: str = ""
    """Names the moderator's key."""
    state: Literal["", "held", "over"] | UnsetType = UNSET
    """Why no deadline runs."""
    readers: list[str] | UnsetType = UNSET
    """As of a report."""


class Lock(Struct, kw_only=True, omit_defaults=True):
    """A lock.json: tells a side that the sets of a window are locked."""

    format: Literal["pbem-lock/1"]
    game: str
    side: str
    setup: str
    """Digest of the set-up text."""
    window: int
    lock: str
    """Over the sets of all sides, in hex."""
    own: str
    """The order digest of the side's own set, or `NMR`."""
    anchors: dict[str, list[Anchor]]
    """As of a report, with those that the lock has just fixed."""
    deadline: str
    """Until when links are awaited, UTC; may be empty."""
    digest: str
    moderator: str = ""
    """Names the moderator's key."""
    readers: list[str] = []
    """As of a report."""


class Note(Struct, kw_only=True):
    """A note.json: a mail of a few words in a game of encrypted mail."""

    format: Literal["pbem-note/1"]
    game: str
    side: str
    setup: str
    """Digest of the set-up text; empty before the game is open."""
    window: int
    subject: str
    text: str
    digest: str
    readers: list[str] = []
    """As of a report."""
    reports: list[str] | UnsetType = UNSET
    """Digests of the reports in the same mail, which it hands on to later keys."""


def with_digest(tag: str, paper: Struct) -> dict[str, Any]:
    """A receipt, lock or note as JSON data, with the digest that it was made without. tag: of the
    hash (docs/formats.md)."""
    facts: dict[str, Any] = msgspec.to_builtins(paper)
    del facts["digest"]
    return facts | {"digest": H(tag, canonical_json(facts)).hex()}
