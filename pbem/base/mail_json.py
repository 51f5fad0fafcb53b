"""receipt.json, lock.json and note.json as typed data: the objects that the referee signs, besides
reports.

Bytes: docs/formats.md, "Receipt", "Locks and reveals", "Encrypted mail".
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from pbem.base.hashing import H, canonical_json
from pbem.base.report_json import Anchor

Status = Literal["accepted", "partly", "known", "refused"]
"""What happened to a set: accepted whole, accepted without its wrong orders, received before, or
refused."""


class Understood(Struct, frozen=True):
    """An order as it will be executed."""

    order: str
    """The order as an order file has it."""
    note: str
    """What its execution will cost, in words; may be empty."""


class Problem(Struct, frozen=True):
    """An order that was refused, and why."""

    code: str
    """The kind of mistake in a word: `unknown-unit`."""
    text: str
    """What is wrong, in words."""
    where: str
    """`file:line:column`."""
    line: str
    """The sender's line."""
    start: int = field(name="from")
    """Where in the line the mistake begins, from 0."""
    length: int
    """Length of the mistake, in characters."""
    hint: str
    """What to write instead; may be empty."""
    rule: str
    """The rule that the order breaks; may be empty."""


class InForce(Struct, frozen=True):
    """The set that is in force now."""

    seq: int
    """Its sequence number."""
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
    """The accepted orders."""
    problems: list[Problem] = []
    """The refused orders."""
    without_orders: list[str] = []
    """Names of units without an order."""
    idle: str | UnsetType = UNSET
    """What such units do, in words; left out if there are none."""
    defaults: list[str] = []
    """Open questions, each with what happens without an answer."""
    standing: list[str] = []
    """Standing orders and orders for later turns that are in force with this set."""
    this_turn: list[str] | UnsetType = UNSET
    """Orders of the turn's earlier windows that still count; left out if there are none."""
    replaced: list[str] | UnsetType = UNSET
    """Lines of earlier sets, of this window or before it, whose place it takes; left out if there
    are none."""
    in_force: InForce | None = None
    """The side's set in force, None without one."""
    replaces: int | None = None
    """Number of the receipt whose set this one replaces."""


class Receipt(Judgement, kw_only=True):
    """A receipt.json. An unknown sender learns only the game's name and the code."""

    format: Literal["pbem-receipt/1"] = "pbem-receipt/1"
    game: str
    """The game's name."""
    title: str
    """The system's printed name."""
    system: str
    """The name of the rule system."""
    side: str
    """The sender's side; empty if the sender is unknown."""
    side_name: str
    """The side's printed name."""
    turn: int = 0
    """The system's number of the turn."""
    label: str = ""
    """The rulebook's name of the turn."""
    window: int = 0
    """The open window."""
    deadline: str = ""
    """UTC; empty without one."""
    opened: str = ""
    """When the window opened, UTC."""
    received: str
    """When the mail was received, UTC."""
    tz: str = ""
    """The officer's time zone."""
    dates: str | UnsetType = UNSET
    """`iso` where the officer prefers such dates."""
    head: str
    """The head of the ledger before the receipt's record."""
    number: int
    """The number of this receipt among the side's receipts."""
    digest: str = ""
    """Digest of this receipt, in hex."""
    moderator: str = ""
    """The name of the moderator's key."""
    state: Literal["", "held", "over"] | UnsetType = UNSET
    """Why no deadline runs: the game is on hold or over."""
    early: int | UnsetType = UNSET
    """How many minutes after the last set that it waits for the window closes before its
    deadline; absent where it does not, or where no schedule says so."""
    alone: bool | UnsetType = UNSET
    """The window waits for this side's orders alone; every side's report says so."""
    readers: list[str] | UnsetType = UNSET
    """As in a report."""


class Lock(Struct, kw_only=True, omit_defaults=True):
    """A lock.json: tells a side that the sets of a window are locked."""

    format: Literal["pbem-lock/1"]
    game: str
    """The game's name."""
    side: str
    """The side that is told."""
    setup: str
    """Digest of the set-up text."""
    window: int
    """The locked window."""
    lock: str
    """Digest of the sets of all sides, in hex."""
    own: str
    """The order digest of the side's own set, or `NMR`."""
    anchors: dict[str, list[Anchor]]
    """As in a report, with those that the lock has just fixed."""
    deadline: str
    """Until when links are awaited, UTC; may be empty."""
    digest: str
    """Digest of this object, in hex."""
    moderator: str = ""
    """The name of the moderator's key."""
    readers: list[str] = []
    """As in a report."""
    carried: dict[str, int] = {}
    """Side that gave its link ahead, to the window of the orders that brought it."""


class Note(Struct, kw_only=True):
    """A note.json: a short message in a game of encrypted mail."""

    format: Literal["pbem-note/1"]
    game: str
    """The game's name."""
    side: str
    """The side that is written to."""
    setup: str
    """Digest of the set-up text; empty before the game is open."""
    window: int
    """The open window."""
    subject: str
    """The mail's subject."""
    text: str
    """The mail's text."""
    digest: str
    """Digest of this object, in hex."""
    readers: list[str] = []
    """As in a report."""
    reports: list[str] | UnsetType = UNSET
    """Digests of the reports in the same mail, which the note hands on to later keys."""


def with_digest(tag: str, paper: Struct) -> dict[str, Any]:
    """Convert a receipt, lock or note to JSON data and add its digest.

    The digest covers everything but itself. tag: the tag of the hash (docs/formats.md).
    """
    facts: dict[str, Any] = msgspec.to_builtins(paper)
    del facts["digest"]
    return facts | {"digest": H(tag, canonical_json(facts)).hex()}
