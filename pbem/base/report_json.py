"""A report.json as typed data: one struct for the whole and one for each of its parts.

Rule systems add fields of their own to units, contacts, events, questions and the board. No kernel
code names these fields: they are in `Report.plain`, the report as the JSON data that templates and
systems get. Unknown fields are kept there as well, so that files of later releases stay readable.
Bytes: docs/formats.md, "Report".
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, Literal, Self

import msgspec
from msgspec import Struct, field

from pbem.model import ContactView, DiceKind, MenuItem, Over, Pace, Plain, Source, UnitView
from pbem.roles import seat

FORMAT: Final = "pbem-report/2"
FORMATS: Final = ("pbem-report/1", FORMAT)
"""What this program reads; they differ in the menu (`pbem.base.report_menu`)."""
RunEnd = Literal["on", "agreed", "told", "asked", "over"]
"""Why a run of agreed turns stopped after a window, or `on`: see `pbem.store.runs`."""
KeyChange = Literal["officer", "change", "recovery", "reset", "replacement"]
"""Why a key was added after the set-up: docs/formats.md, "Keys"."""


class Moderator(Struct, frozen=True):
    """The moderator's keys and address."""

    sign: str
    """The public key line of the key that signs the referee's mail."""
    key: str
    """The name of that key, which order headers repeat."""
    age: str = ""
    """What orders are encrypted to; empty in games of plain mail."""
    mail: str = ""
    """The address for orders; empty if the report does not say it."""


class SetUpRef(Struct, frozen=True):
    """The set-up text of the game."""

    digest: str
    """G0, in hex."""
    text: str
    """The text itself, canonical JSON."""


class SetUpKey(Struct, frozen=True):
    """The moderator in a set-up text."""

    sign: str
    """The public key line of the key that signs the referee's mail."""


class SetUp(Struct, frozen=True):
    """The fields of a set-up text that players' tools read."""

    game: str
    """The game's name."""
    sides: list[str]
    """The scenario's sides in its order."""
    dice: DiceKind
    """The kind of dice."""
    moderator: SetUpKey
    """The moderator's signing key."""
    keys: dict[str, list[str]]
    """Side to the public key lines of its officers."""
    anchors: dict[str, list[str]]
    """Side to dice anchors, in the order of `keys`; empty where a key has none."""
    house: dict[str, str]
    """House rules: file name to content."""
    modulus: str
    """Modulus of the dice key, in hex; empty for dice without proofs."""
    roots: list[str]
    """Certificate of the dice key, in hex; empty for dice without proofs."""
    mail: str = "plain"
    """`plain` or `sealed` (encrypted); absent in games begun before there was encrypted mail."""
    recovery: dict[str, list[str]] = {}
    """Side to recovery keys, in the order of `keys`; empty where a key has none."""


class Event(Struct, frozen=True):
    """Something that the side was told; each kind has fields of its own."""

    kind: str
    """The class of the event in its system."""
    text: str
    """The event in words."""
    rule: str = ""
    """The rule that made it happen."""
    why: str = ""
    """The reason in figures."""


class Question(Struct, frozen=True):
    """A question to the side; each kind has fields of its own."""

    id: str
    """`Q1`, `Q2` … in the order asked."""
    kind: str
    """The class of the question in its system."""
    prompt: str
    """The question in words."""
    choices: list[str]
    """Answers as orders write them; empty where the answer is free."""
    default: object
    """What counts without an answer: a value of an order."""
    about: str = ""
    """What it is about, in printed names."""
    pace: Pace = "turn"
    """Which deadline the question has."""
    rule: str = ""
    """The rule that asks."""
    source: Source = "any"
    """`orders`: never asked by mail."""


class VerbHelp(Struct, frozen=True):
    """A verb that the menu offers."""

    help: str
    """What the verb does, in words."""
    example: str
    """An order that this side may send in this window; empty if none was found."""
    rule: str
    """The rule that it belongs to."""
    syntax: str = ""
    """The verb with its arguments as the parser takes them: `seek [any|none] [SHIP]`."""


class SeenRoll(Struct, frozen=True):
    """A roll that the side may see."""

    label: str
    """The roll's label: PHASE/KIND/LOCUS/ROLLER/ORDINAL/DICE."""
    dice: list[int]
    """The value of each die."""
    proof: str
    """The proof in hex; empty for dice without proofs."""
    window: int = 0
    """The window in which the dice were rolled."""


class Seed(Struct, frozen=True, omit_defaults=True):
    """What the dice of the closed window were made from."""

    window: int
    """The closed window, 0 for the first report."""
    links: dict[str, str]
    """Side to dice link in hex, empty for a side that gave none; no sides for dice without
    links."""
    lock: str
    """Digest of the sets of all sides, in hex."""
    reveals: dict[str, str]
    """In `strict` games: side to the signature (hex) that opened its link."""
    sets: dict[str, str]
    """The reader's side to the order digest of its own set, or `NMR`."""
    carried: dict[str, int] = {}
    """Side whose link came with orders of an earlier window, to that window."""
    firsts: dict[str, str] = {}
    """In the first window: side to the anchor that came with its orders."""
    root: str = ""
    """In later windows: the seed of the first window, in hex."""


class Anchor(Struct, frozen=True):
    """A dice anchor that all sides were told."""

    key: str
    """The name of the key that makes the chain, in the form of `Moderator.key`."""
    anchor: str
    """The anchor in hex."""
    since: int = field(name="from")
    """The first window whose link is checked against this anchor."""


class LaterKey(Struct, frozen=True, omit_defaults=True):
    """A key that was added after the set-up. The fields from `window` on belong to a signed
    change."""

    key: str
    """The public key line."""
    why: KeyChange
    """The reason for which it was added."""
    since: int = field(name="from")
    """The window that was open when it was added."""
    window: int = 0
    """The window that the change names."""
    old: str = ""
    """Digest (hex) of the key that signed the change."""
    anchor: str = ""
    """Anchor of the new key's dice chain, in hex."""
    age: str = ""
    """What the officer's mail is encrypted to instead of the key."""
    signature: str = ""
    """The old key's signature, bare, in hex."""
    proof: str = ""
    """The new key's signature over the same text, bare, in hex."""


class Run(Struct, frozen=True):
    """The run of agreed turns that a window belongs to."""

    first: int = field(name="from")
    """The first window of the run."""
    last: int = field(name="to")
    """The last window of the run, as agreed."""
    why: RunEnd
    """Why the run stopped after this window, or `on`."""


class Report(Struct, kw_only=True, dict=True):
    """A report.json. In a report that is being composed, units and contacts are the system's own
    views."""

    format: Literal["pbem-report/1", "pbem-report/2"] = FORMAT
    game: str
    """The game's name."""
    title: str
    """The scenario's printed name."""
    system: str
    """The name of the rule system."""
    edition: str
    """The edition of the rule system."""
    scenario: str
    """The name of the scenario."""
    side: str
    """The side that the report is for; `spectators` for spectators."""
    role: str = ""
    """The role of the side that the report is for; empty: the side's commanders."""
    side_name: str
    """The side's printed name, and the role's."""
    turn: int
    """The system's number of the turn that orders are awaited for."""
    turns: int
    """Number of turns in the game, 0 without a limit."""
    label: str
    """The rulebook's name of the turn."""
    news: str
    """One line for the subject of the mail."""
    window: int
    """The window that the report opens."""
    seq: int
    """The lowest sequence number of a set that answers the report."""
    digest: str
    """Digest of this report, in hex; empty while it is being composed."""
    setup: SetUpRef
    """The set-up text."""
    moderator: Moderator
    """The moderator's keys and address."""
    dice_mode: DiceKind
    """The kind of dice."""
    opened: str
    """When the window opened, UTC."""
    deadline: str
    """UTC; empty without one."""
    head: str
    """Head of the ledger before the record that issued the report."""
    anchors: dict[str, list[Anchor]]
    """Side to the dice anchors named so far; empty for dice without links."""
    flags: list[str]
    """What every reader must know, in words."""
    result: Over | None
    """How the game ended, None while it goes on."""
    units: Sequence[UnitView]
    """The side's own units."""
    contacts: Sequence[ContactView]
    """Enemies as this side knows them."""
    board: object
    """Further facts, in a form that the system chooses."""
    menu: Mapping[str, Sequence[MenuItem]]
    """Unit to the orders that it may be given. Units may share one item."""
    verbs: dict[str, VerbHelp]
    """Every verb that the menu offers."""
    suggest: list[str]
    """Order lines that are legal without a change."""
    form: str
    """The suggested orders as one text, the order form."""
    events: list[Event]
    """What the side was told, in order."""
    questions: list[Question]
    """The open questions to the side."""
    standing: list[str]
    """Standing orders, and orders for later turns, as order lines."""
    lost: dict[str, str] = {}
    """Own units that are gone, each with what became of it, in words."""
    ordered: list[str] = []
    """What the side ordered for the closed window alone, as order lines; empty for roles."""
    this_turn: list[str] = []
    """Orders of the turn's earlier windows that a new set does not replace, unless it says so, as
    order lines; those that are surely carried out are left out. Empty for roles."""
    rolls: list[SeenRoll]
    """The rolls of the closed window that the side may see."""
    seed: Seed
    """What those rolls were made from."""
    run: Run | None = None
    """None outside runs of agreed turns."""
    commit: str = ""
    """The commitment to all rolls and the state, in hex; empty in games begun before there were
    commitments."""
    keys: dict[str, list[LaterKey]] = {}
    """Side to the keys that were added after the set-up, the oldest first."""
    taken_back: list[int] = []
    """Windows that an undo took back when it opened this one for new orders."""
    readers: list[str] = []
    """Names of the keys that the report is for; empty in games of plain mail."""
    owed: list[str] = []
    """The sides that must answer the window while the others may; empty: every side must."""
    missed: dict[str, int] = {}
    """The sides that sent no orders for the closed window that they owed, with how many windows
    each has missed so far; empty where this is not told."""

    @cached_property
    def plain(self) -> Plain:
        """The report as JSON data, with the fields that its system adds and with unknown fields.

        It is the data that was read, or that was composed (`pbem.reports.report.draft`). Without
        either it is made from the typed fields alone.
        """
        return dict[str, object](msgspec.to_builtins(self))

    @classmethod
    def of(cls, plain: Plain) -> Self:
        """Convert the object of a report.json. Raises msgspec.ValidationError."""
        from pbem.base.report_menu import lengthened

        plain = lengthened(plain)
        report = msgspec.convert(plain, cls)
        report.plain = plain
        return report

    @property
    def seat(self) -> str:
        """Whom the report is for: the side, or its role as `side.role`."""
        return seat(self.side, self.role)

    @property
    def runs_on(self) -> bool:
        """Whether the window takes no orders, because a run of agreed turns continues in it."""
        return self.run is not None and self.run.why == "on"
