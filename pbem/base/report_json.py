"""A report.json as typed data: one struct for the whole and one for each of its parts.

Rule systems add fields of their own to units, contacts, events, questions and the board. No kernel
code names these: they stand in `Report.plain`, the report as the JSON data that templates
and systems get. Fields that nobody here knows are kept there as well, so that files of later
releases stay readable. Bytes: docs/formats.md, "Report".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, Literal

import msgspec
from msgspec import Struct, field

from pbem.model import ContactView, DiceKind, MenuItem, Over, Pace, Plain, Source, UnitView

FORMAT: Final = "pbem-report/1"
RunEnd = Literal["on", "agreed", "told", "asked", "over"]
"""Why a run of agreed turns stopped after a window, or `on`: see `pbem.store.runs`."""
KeyChange = Literal["officer", "change", "recovery", "reset", "replacement"]
"""By what right a key came after the set-up: docs/formats.md, "Keys"."""


class Moderator(Struct, frozen=True):
    """The moderator, as a report names him."""

    sign: str
    """His public key line, which signs what he sends."""
    key: str
    """What names that key: what order headers repeat."""
    age: str = ""
    """What orders are encrypted to; empty in games of plain mail."""
    mail: str = ""
    """Where orders go, where the report says it."""


class SetUpRef(Struct, frozen=True):
    """The set-up text of the game."""

    digest: str
    text: str


class SetUpKey(Struct, frozen=True):
    """The moderator in a set-up text."""

    sign: str


class SetUp(Struct, frozen=True):
    """What players' tools read of a set-up text."""

    game: str
    sides: list[str]
    dice: DiceKind
    moderator: SetUpKey
    keys: dict[str, list[str]]
    """Side to the public key lines of its officers."""
    anchors: dict[str, list[str]]
    """Side to dice anchors, in the order of `keys`; empty where a key has none."""
    house: dict[str, str]
    """The moderator's own table files by name."""
    modulus: str
    """Of the dice key, in hex; empty where dice have none, as are `roots`, its certificate."""
    roots: list[str]
    mail: str = "plain"
    """`plain` or `encrypted`; games begun before there was encrypted mail do not say it."""
    recovery: dict[str, list[str]] = {}
    """Side to recovery keys, in the order of `keys`."""


class Event(Struct, frozen=True):
    """What happened; each kind has fields of its own."""

    kind: str
    """The class of the event in its system."""
    text: str
    """The event in words."""
    rule: str = ""
    """The rule that made it happen."""
    why: str = ""
    """The reason in figures."""


class Question(Struct, frozen=True):
    """What a side is asked; each kind has fields of its own."""

    id: str
    """`Q1`, `Q2` … in the order asked."""
    kind: str
    """The class of the question in its system."""
    prompt: str
    """The question in words."""
    choices: list[str]
    """Answers as orders write them; empty where the answer is free."""
    default: object
    """Taken when nobody answers: a value of an order."""
    about: str = ""
    """What it is about, in printed names."""
    pace: Pace = "turn"
    """Which deadline it has."""
    rule: str = ""
    """The rule that asks."""
    source: Source = "any"
    """`orders`: never asked by mail."""


class VerbHelp(Struct, frozen=True):
    """A verb that the menu offers: its help, an order that parses, its rule."""

    help: str
    example: str
    rule: str


class SeenRoll(Struct, frozen=True):
    """Dice that a side saw."""

    label: str
    """PHASE/KIND/LOCUS/ROLLER/ORDINAL/DICE."""
    dice: list[int]
    proof: str
    """In hex; empty for dice without proofs."""
    window: int = 0
    """The window in which they were rolled."""


class Seed(Struct, frozen=True, omit_defaults=True):
    """What the dice of the closed window were made from."""

    window: int
    """The closed window, 0 for the first report."""
    links: dict[str, str]
    """Side to dice link in hex, empty where it gave none; none at all without provable dice."""
    lock: str
    """Over the sets of all sides, in hex."""
    reveals: dict[str, str]
    """In `strict` games: side to the signature (hex) that opened its link."""
    sets: dict[str, str]
    """The side to the order digest of its own set, or `NMR`."""
    carried: dict[str, int] = {}
    """Sides whose link came with orders of an earlier window, and of which."""
    firsts: dict[str, str] = {}
    """In the first window: side to the anchor that came with its orders."""
    root: str = ""
    """In later ones: the seed of the first window, in hex."""


class Anchor(Struct, frozen=True):
    """A dice anchor that all sides were told of."""

    key: str
    """Names the key whose chain it is of, as `Moderator.key` does."""
    anchor: str
    """In hex."""
    since: int = field(name="from")
    """The first window whose link it answers for."""


class LaterKey(Struct, frozen=True, omit_defaults=True):
    """A key that came after the set-up; the last six fields are those of a signed change."""

    key: str
    """The public key line."""
    why: KeyChange
    since: int = field(name="from")
    """The window that was open when it came."""
    window: int = 0
    """The window that the change names."""
    old: str = ""
    """Digest (hex) of the key that signed the change."""
    anchor: str = ""
    """Of the new key's dice chain, in hex."""
    age: str = ""
    """What the officer's mail is encrypted to instead of the key."""
    signature: str = ""
    """Of the old key, bare, in hex."""
    proof: str = ""
    """The signature of the new key over the same text, bare, in hex."""


class Run(Struct, frozen=True):
    """The run of agreed turns that a window belongs to."""

    first: int = field(name="from")
    """Its first window."""
    last: int = field(name="to")
    """Its last window, as agreed."""
    why: RunEnd


class Report(Struct, kw_only=True, dict=True):
    """A report.json. Of one that was composed, units and contacts are the system's own views."""

    format: Literal["pbem-report/1"] = FORMAT
    game: str
    title: str
    """The scenario's printed name."""
    system: str
    edition: str
    scenario: str
    side: str
    """The seat that reads it; `spectators` for those who watch."""
    side_name: str
    """The seat's printed name."""
    turn: int
    """The system's number of the turn to be ordered."""
    turns: int
    """How many turns there are, 0 without a limit."""
    label: str
    """How the rulebook names the turn."""
    news: str
    """One line for the subject of the mail."""
    window: int
    """The window that it opens."""
    seq: int
    """The least number of a set that answers it."""
    digest: str
    """Of this report, in hex; empty while it is being composed."""
    setup: SetUpRef
    moderator: Moderator
    dice_mode: DiceKind
    opened: str
    """When the window opened, UTC."""
    deadline: str
    """UTC; empty without one."""
    head: str
    """Of the ledger before the record that issued the report."""
    anchors: dict[str, list[Anchor]]
    """Side to the dice anchors named so far; empty where dice have no links."""
    flags: list[str]
    """What every reader must know, in words."""
    result: Over | None
    """How the game ended, None while it goes on."""
    units: Sequence[UnitView]
    """Own units."""
    contacts: Sequence[ContactView]
    """Enemies as this side knows them."""
    board: object
    """Further facts of the system, in any form it likes."""
    menu: Mapping[str, Sequence[MenuItem]]
    """Unit to what it may be ordered. Units may share one item."""
    verbs: dict[str, VerbHelp]
    """Every verb that the menu offers."""
    suggest: list[str]
    """Order lines that are legal as they stand."""
    form: str
    """The same as one text."""
    events: list[Event]
    """What the side was told, in order."""
    questions: list[Question]
    standing: list[str]
    """Standing orders, and orders for later turns, as order lines."""
    rolls: list[SeenRoll]
    seed: Seed
    run: Run | None = None
    """None outside of runs of agreed turns."""
    commit: str = ""
    """To all rolls and the state, in hex; empty in games begun before there was one."""
    keys: dict[str, list[LaterKey]] = {}
    """Side to the keys that came after the set-up, the oldest first."""
    taken_back: list[int] = []
    """Windows that an undo took back when it opened this one for new orders."""
    readers: list[str] = []
    """Names of the keys that it is for; empty in games of plain mail."""

    @cached_property
    def plain(self) -> Plain:
        """The report as JSON data, with the fields that its system adds and those that nobody here
        knows: what was read, or what was composed (`pbem.reports.report.draft`)."""
        return dict[str, object](msgspec.to_builtins(self))

    @classmethod
    def of(cls, plain: Plain) -> Report:
        """The report that this JSON data is. Raises msgspec.ValidationError."""
        report = msgspec.convert(plain, cls)
        report.plain = plain
        return report

    @property
    def runs_on(self) -> bool:
        """Whether its window takes no orders, because a run of agreed turns goes on through it."""
        return self.run is not None and self.run.why == "on"
