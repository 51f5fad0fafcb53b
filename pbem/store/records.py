"""The kinds of ledger records, one struct for each. Bytes: docs/formats.md, "What records hold".

The name of a struct in lower case is the kind, so both must stay as they are on disk. A field
without a default is in every record of its kind. A field with a default is left out if it has that
value, so that fields can be added: records of releases that did not know them stay readable.
Unknown fields are ignored.
"""

from typing import Any, Literal, get_args

from msgspec import Struct

from pbem.base.report_json import Run
from pbem.model import DiceKind, Over, Pace, Roll, Side
from pbem.roles import seats

Mail = Literal["plain", "sealed"]
"""Whether a game's mail is plain or encrypted (`sealed`, the word of release 0.1.0)."""
Charts = Literal["none", "png"]
"""What charts mails contain."""
Press = Literal["none", "open", "moderated", "anonymous"]
"""The policy for messages between sides."""
Missed = Literal["told", "hidden"]
"""Whether all sides learn who missed a window, once it has closed."""
Aids = Literal["allowed", "none"]
"""Whether players may reckon with `pbem where`, as the sides have agreed."""
Sender = Literal["mail", "files", "hand", "nobody"]
"""How a mail left: sent by mail, left in the outbox, taken by hand, or not sent for want of an
address."""
PressState = Literal["sent", "waiting", "refused"]
"""What happened to a message between sides."""
KeyChange = Literal["change", "recovery", "replacement", "reset"]
"""Why a new key replaced another (docs/formats.md, "Keys")."""

MAIL: tuple[Mail, ...] = get_args(Mail)
CHARTS: tuple[Charts, ...] = get_args(Charts)
PRESS: tuple[Press, ...] = get_args(Press)
MISSED: tuple[Missed, ...] = get_args(Missed)
AIDS: tuple[Aids, ...] = get_args(Aids)

Edit = dict[str, Any]
"""One edit of a ruling as its file has it. The rule system decides which keys it has."""


class Body(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The fields of records of every kind."""

    # path in the game's folder to SHA-256, of every file that came with the record
    files: dict[str, str] = {}
    # the sides that get a mail by the record, once for each mail; `spectatorN` for spectators
    mailed: list[str] | None = None
    clock: str = ""  # `PBEM_NOW` if that set the time

    @property
    def kind(self) -> str:
        """The kind of record that holds this."""
        return _KIND_OF[type(self)]


class Arrived(Body, frozen=True, kw_only=True, omit_defaults=True):
    """A record that a fetched mail may have caused."""

    mail: str = ""  # the name of that mail


class Acknowledged(Arrived, frozen=True, kw_only=True, omit_defaults=True):
    """A record that may be acknowledged by a receipt."""

    receipt: str = ""  # the digest of the receipt


class Opening(Body, frozen=True, kw_only=True, omit_defaults=True):
    """A record that may open a window with reports."""

    position: str = ""  # hash of the position after the record, empty if it changes none
    # side to the digest of its report; empty if the record opens no window
    reports: dict[str, str] = {}
    # the number that blinds the commitment, in hex; empty in games begun before commitments
    blind: str = ""
    commit: str = ""  # the reports' commitment to the state and the rolls before it, in hex
    public: str = ""  # digest of the spectators' report, empty without spectators
    # the release that made the reports, if another one made the game
    release: str = ""
    pace: Pace = "turn"  # the pace of the window that opens
    owed: list[Side] = []  # the sides that must answer that window; none named: every side

    @property
    def opening(self) -> int:
        """The window that is open after the record."""
        raise NotImplementedError


class Edition(Struct, frozen=True):
    """An edition of a rule system."""

    edition: str  # its name
    data: str  # digest of its data files


class Created(Body, frozen=True, kw_only=True, omit_defaults=True):
    """A game is made."""

    game: str  # its name
    system: str  # the name of its rule system
    edition: str  # the edition of that system
    release: str  # the release of this program that made it
    data: str  # digest of the system's data files
    scenario: str  # the name of the scenario
    sides: list[Side]  # the scenario's sides in its order
    options: dict[str, str]  # every option with its value
    dice: DiceKind  # the kind of dice
    mail: Mail  # whether mail is encrypted
    seed: str  # the seed text of seeded dice, else empty
    modulus: str  # the modulus of the dice key in hex, empty without one
    roots: list[str]  # the proof that the dice key is sound: roots in hex
    house: dict[str, str]  # house rules: file name to content
    moderator: str  # the moderator's public key line
    # the rules for dice, windows and sequence numbers (docs/formats.md, "Protocols")
    protocol: int = 1
    age: str = ""  # what orders are encrypted to, empty in plain games
    chart: Charts = "none"  # whether mails contain charts
    press: Press = "none"  # the policy for messages between sides
    # side to the names of its roles in the scenario's order; no sides without roles
    roles: dict[Side, list[str]] = {}
    # whether all sides learn who missed a window; games made before they could: hidden
    missed: Missed = "hidden"
    aids: Aids = "allowed"  # whether players may reckon with `pbem where`

    @property
    def seats(self) -> tuple[Side, ...]:
        """The sides, then their roles (`pbem.roles`)."""
        return tuple(Side(one) for one in seats(self.sides, self.roles))

    @property
    def pinned(self) -> Edition:
        """The edition that the game is pinned to."""
        return Edition(self.edition, self.data)


class Enlisted(Body, frozen=True, kw_only=True, omit_defaults=True):
    """A key is registered for a side."""

    side: Side
    number: int  # counts the officers of the side from 1; none is used twice
    key: str  # the public key line
    anchor: str  # the anchor of the key's dice chain in hex, empty without one
    letter: str  # digest of the letter that the key answers, empty without one
    name: str  # salted digest of the officer's name
    email: str  # salted digest of the officer's address
    bot: bool  # whether the key is that of the referee's own bot
    recovery: str = ""  # the public line of the recovery key, empty without one
    age: str = ""  # what the officer's mail is encrypted to, if that is not the key


class Opened(Opening, frozen=True, kw_only=True, omit_defaults=True):
    """The game begins: its first window opens."""

    setup: str  # the set-up text
    window: int  # the window that opens
    deadline: str  # its deadline, empty without one

    @property
    def opening(self) -> int:
        """The window that opens."""
        return self.window


class Received(Acknowledged, frozen=True, kw_only=True, omit_defaults=True):
    """A set of orders is accepted."""

    window: int  # the window that it is for
    side: Side  # the side that sent it
    officer: int  # the number of the officer whose key signed it; 0: the moderator entered it
    seq: int  # its sequence number
    digest: str  # digest of its canonical form
    order: str  # its order digest, over canonical form and signature
    canonical: str  # its canonical form
    signature: str  # its signature in hex; random bytes where the moderator entered it
    link: str  # the dice link that its header gives, in hex; empty without one
    arrival: str  # when it was received
    final: bool  # whether the window may close without another set of the side
    refused_orders: int  # how many of its orders were refused
    # whether lines of the order form were left out for other orders, or bind after them
    edited: bool = False
    anchor: str = ""  # the dice anchor that its header announces
    consent: str = ""  # what it consents to: `UNDO 14`
    ahead: int = 0  # how many windows beyond its own it agrees to run
    links: int = 0  # of how many windows it gives the dice links ahead, if it does
    raw: str | None = None  # the file that was signed, in hex, if that is not the canonical form
    bot: bool = False  # whether the referee's bot wrote it for a side that had sent none


class Refused(Acknowledged, frozen=True, kw_only=True, omit_defaults=True):
    """A mail of orders, or another input, is refused as a whole."""

    code: str  # why, in a word
    raw: str  # salted digest of the input
    window: int  # the window that was open
    side: str = ""  # the sender's side, if the sender is known
    claimed: bool = False  # whether only the sender's address, not a key, shows the side
    officer: int = 0  # the number of the officer whose key signed what came by mail, 0: nobody's
    signed: str = ""  # salted digest of the text that this key signed


NMR = "NMR"
"""Stands for the order digest of a side without a set: no moves received."""


class SetInForce(Struct, frozen=True):
    """The set of a side that a lock covers."""

    order: str  # its order digest, or `NMR`
    record: int  # the number of its record, 0 without a set


class Closed(Opening, frozen=True, kw_only=True, omit_defaults=True):
    """A window is closed by the rules, and the next one opens."""

    window: int  # the window that closes
    turn: int  # the system's number of the turn after it
    sets: dict[Side, SetInForce]  # side to its set in force
    lock: str  # the lock of these sets, in hex
    # side to its dice link in hex, empty if it gave none; no sides for dice without links
    links: dict[str, str]
    rolls: list[Roll]  # every roll of the window
    opens: int  # the window that opens; after the end, the number of the final reports
    deadline: str  # the deadline of the window that opens, empty without one
    over: Over | None  # how the game ends with this window, if it does
    # side whose link came with orders of an earlier window, to that window
    carried: dict[str, int] = {}
    # in the first window, side to the dice anchor that came with its orders
    firsts: dict[str, str] = {}
    seed: str = ""  # the seed of the rolls in hex; empty without links, and before protocol 2
    # in `strict` games, side to the signature of its revealed link, in hex
    reveals: dict[str, str] | None = None
    void: list[Side] | None = None  # in `strict` games, the sides whose orders did not count
    run: Run | None = None  # the run of agreed turns that the window belongs to

    @property
    def opening(self) -> int:
        """The window that opens."""
        return self.opens

    @property
    def runs_on(self) -> bool:
        """Whether the next window belongs to the same run, so that no mail is sent between them."""
        return self.run is not None and self.run.why == "on"


class Locked(Body, frozen=True, kw_only=True, omit_defaults=True):
    """The sets of a window are locked, and links are awaited (`strict` dice)."""

    window: int  # the window
    lock: str  # the lock of the sets, in hex
    sets: dict[Side, SetInForce]  # side to its set in force
    deadline: str  # until when links are awaited, empty without a deadline


class Revealed(Acknowledged, frozen=True, kw_only=True, omit_defaults=True):
    """A side reveals its link after a lock."""

    window: int  # the locked window
    side: Side
    officer: int  # the number of the officer whose key signed it
    lock: str  # the lock that the link was signed with, in hex
    link: str  # the link in hex
    signature: str  # its signature in hex


class Accepted(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An accepted set, in force or superseded. The record of an undo holds the sets that it keeps
    in this form."""

    n: int  # the number of its record
    at: str  # when it was recorded
    seq: int  # its sequence number
    digest: str  # of its canonical form
    order: str  # its order digest, which the lock covers
    canonical: str  # its canonical form
    final: bool  # whether the window may close without another set of its side
    clean: bool  # whether its orders bind as they are written: none refused, the form not `edited`
    raw: str  # the file that was signed, in hex; empty if that is the canonical form
    link: str  # the dice link of the last window that it reaches, in hex; empty without one
    officer: int  # the number of the officer who signed it; 0: the moderator entered it
    ahead: int = 0  # how many windows beyond its own it agrees to run
    links: int = 0  # of how many windows it gives the dice links ahead, if it does

    @property
    def reach(self) -> int:
        """How many windows beyond its own its dice link reaches."""
        return max(self.ahead, self.links - 1)


class Undone(Opening, frozen=True, kw_only=True, omit_defaults=True):
    """The last closed window is taken back."""

    # the windows that are taken back; none if a window that was taken back before is reopened
    windows: list[int]
    reopen: bool  # whether new orders are asked for, under a new number
    opens: int  # the window that is open then
    deadline: str  # its deadline, empty without one
    # side to its set that is kept; no sides if new orders are asked for
    sets: dict[Side, Accepted]
    published: bool = False  # whether a replay had been published

    @property
    def opening(self) -> int:
        """The window that is open then."""
        return self.opens


class Looked(Body, frozen=True, kw_only=True, omit_defaults=True):
    """The moderator read the truth."""

    window: int  # the window that was open


class Loss(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An announcement that a key is lost, with the key that will replace it."""

    side: Side  # the side whose key it is
    ends: list[int]  # the numbers of the officers whose keys end
    key: str  # the public line of the new key
    anchor: str  # the anchor of the new key's dice chain, empty without one
    due: str  # when the new key counts, unless the lost key signs anything before
    age: str = ""  # what mail is encrypted to, if that is not the new key


class Noted(Arrived, frozen=True, kw_only=True, omit_defaults=True):
    """Something that sides were told or that must be remembered. Each record has the fields of one
    such thing."""

    sides: list[str] | None = None  # the sides that it concerns
    text: str = ""  # salted digest of a note
    letter: str = ""  # digest of a letter of invitation
    age: str = ""  # a new age key of the moderator
    reminder: int = 0  # the window that sides were reminded of
    absent: dict[str, str] | None = None  # side to the day until which it is away
    heeded: dict[str, int] = {}  # side to the record of the set whose words were handled
    side: str = ""  # the side whose question by mail was answered
    answer: str = ""  # what it asked for, in a word
    spectator: int = 0  # the number of a spectator
    gone: bool = False  # whether this spectator gets no more reports
    name: str = ""  # salted digest of the spectator's name
    email: str = ""  # salted digest of the address of a spectator, or of the officer `address`
    reset: Loss | None = None  # a lost key
    awaited: list[str] = []  # the sides whose links a locked window waits for
    address: int = 0  # the number of the officer whose address changes
    prefers: dict[str, str] = {}  # how `side` wants its mail; a time zone as a salted digest


class Resent(Acknowledged, frozen=True, kw_only=True, omit_defaults=True):
    """A report or a receipt is sent again."""

    side: Side  # the side that gets it
    window: int  # the window that the report opened, or that was open


class Ended(Body, frozen=True, kw_only=True, omit_defaults=True):
    """The moderator ends the game."""

    result: str  # a side, `draw` or `none`
    reason: str  # why


class Scheduled(Body, frozen=True, kw_only=True, omit_defaults=True):
    """The game is put on a schedule, or off it."""

    rule: str  # the schedule; empty for none
    deadline: str  # the deadline of the open window, empty without one


class Extended(Body, frozen=True, kw_only=True, omit_defaults=True):
    """The deadline of the open window is moved."""

    deadline: str  # the new deadline
    reason: str  # why


class Held(Body, frozen=True, kw_only=True, omit_defaults=True):
    """The game is put on hold."""

    reason: str  # why
    by: str  # who stopped it: `moderator` or `tick`


class Resumed(Body, frozen=True, kw_only=True, omit_defaults=True):
    """The game is taken off hold."""

    deadline: str | None = None  # the deadline of the open window; absent: as it was


class Replaced(Acknowledged, frozen=True, kw_only=True, omit_defaults=True):
    """A key replaces another."""

    side: Side
    number: int  # the number of the new officer
    key: str  # the public line of the new key
    anchor: str  # the anchor of its dice chain in hex, empty without one
    ends: list[int]  # the numbers of the officers whose keys end
    why: KeyChange | None = None  # why; absent: `replacement`. Use `right`
    # salted digest of the new officer's name, if the moderator replaces an officer
    name: str = ""
    email: str = ""  # salted digest of the new officer's address
    recovery: str = ""  # the public line of the new officer's recovery key, empty without one
    age: str = ""  # what the officer's mail is encrypted to, if that is not the key
    window: int = 0  # the window that was open when the player changed the key, otherwise 0
    old: str = ""  # the name of the key that signed the change
    signature: str = ""  # that key's signature in hex
    proof: str = ""  # the new key's signature in hex
    notice: int = 0  # the number of the record that announced a loss

    @property
    def right(self) -> KeyChange:
        """Why the key changed."""
        return self.why or "replacement"


class Ruled(Opening, frozen=True, kw_only=True, omit_defaults=True):
    """The moderator makes a ruling."""

    window: int | None = None  # the open window; absent in records made before rulings had edits
    rule: str  # the number of the rule, empty without one
    text: str  # what holds from now on
    reason: str  # why
    # whether nothing had come in for the open window; absent as `window`
    timely: bool | None = None
    to: list[str] | None = None  # the sides that are told; absent: all
    edits: list[Edit] | None = None  # changes of the state; absent without any
    permit: Edition | None = None  # the edition with which the game continues
    resumed: str | None = None  # the position from which that edition continues, as text
    opens: int = 0  # the window that opens, 0 without one
    # the deadline of the window that opens, empty without one; absent if no window opens
    deadline: str | None = None

    @property
    def opening(self) -> int:
        """The window that is open after the ruling; 0 in records that do not say it."""
        return self.opens or self.window or 0


class Sent(Body, frozen=True, kw_only=True, omit_defaults=True):
    """Mails have left."""

    mails: list[str]  # the files in the outbox
    by: Sender  # how they left


class Bounced(Body, frozen=True, kw_only=True, omit_defaults=True):
    """A mail could not be delivered."""

    mail: str  # its file in the outbox
    code: str  # what the mail server said


class Pressed(Arrived, frozen=True, kw_only=True, omit_defaults=True):
    """A message between sides, or the moderator's decision on one that waited."""

    state: PressState  # what happened to it
    # the side that wrote it, empty in anonymous games; absent in a decision
    by: str | None = None
    to: list[str] | None = None  # the sides that it is for; absent in a decision
    text: str = ""  # salted digest of the message; absent in a decision
    all: bool = False  # whether it is for all sides, and therefore for spectators too
    of: int = 0  # in a decision, the number of the record of the message that waited


TYPES: dict[str, type[Body]] = {
    body.__name__.lower(): body
    for body in (
        Bounced,
        Closed,
        Created,
        Ended,
        Enlisted,
        Extended,
        Held,
        Locked,
        Looked,
        Noted,
        Opened,
        Pressed,
        Received,
        Refused,
        Replaced,
        Resent,
        Resumed,
        Revealed,
        Ruled,
        Scheduled,
        Sent,
        Undone,
    )
}
"""Kind of record to its struct."""

_KIND_OF = {body: kind for kind, body in TYPES.items()}
