"""What each kind of ledger record holds. Bytes: docs/formats.md, "What records hold".

One struct for each kind; its name in small letters is the kind. A field without a default stands in
every record of its kind; one with a default is absent where it has that value, and was absent in
records of releases that did not know it. Fields that no struct names are ignored.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

from msgspec import Struct

from pbem.base.report_json import Run
from pbem.model import DiceKind, Over, Pace, Roll, Side

Mail = Literal["plain", "sealed"]
"""Whether a game's mail travels in the open, or encrypted."""
Charts = Literal["none", "png"]
"""What charts the mails show."""
Press = Literal["none", "open", "moderated", "anonymous"]
"""The policy for messages between sides."""
Sender = Literal["mail", "files", "hand", "nobody"]
"""How a mail left: by a mail server; it lies in the outbox; somebody took it; it has no address."""
PressState = Literal["sent", "waiting", "refused"]
"""What became of a message between sides."""
KeyChange = Literal["change", "recovery", "replacement", "reset"]
"""By what right a new key took the place of another (docs/formats.md, "Keys")."""

MAIL: tuple[Mail, ...] = get_args(Mail)
CHARTS: tuple[Charts, ...] = get_args(Charts)
PRESS: tuple[Press, ...] = get_args(Press)

Edit = dict[str, Any]
"""One edit of a ruling as its file has it; what keys it has, the rule system decides."""


class Body(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a record of any kind may hold."""

    # path in the game's folder to SHA-256, of every file that came with the record
    files: dict[str, str] = {}
    # the sides that get a mail by it, once for each mail; `spectatorN` for those who watch
    mailed: list[str] | None = None
    clock: str = ""  # `PBEM_NOW` where that set the time

    @property
    def kind(self) -> str:
        """The kind of record that holds this."""
        return _KIND_OF[type(self)]


class Arrived(Body, frozen=True, kw_only=True, omit_defaults=True):
    """A record that a fetched mail may have brought."""

    mail: str = ""  # the name of that mail


class Acknowledged(Arrived, frozen=True, kw_only=True, omit_defaults=True):
    """A record that may be acknowledged by a receipt."""

    receipt: str = ""  # the digest of the receipt


class Opening(Body, frozen=True, kw_only=True, omit_defaults=True):
    """A record that may open a window with reports."""

    position: str = ""  # hash of the position behind it, empty where it changes none
    # side to the digest of its report; empty where the record opens no window
    reports: dict[str, str] = {}
    blind: str = ""  # the number that blinds the commitment, in hex; empty in games begun without
    commit: str = ""  # what the reports commit to: every roll behind them and the state, in hex
    public: str = ""  # digest of the spectators' report, empty while nobody watches
    # the release that worded the reports, where it is not the one that made the game
    release: str = ""
    pace: Pace = "turn"  # the pace of the window that opens

    @property
    def opening(self) -> int:
        """The window that is open behind the record."""
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
    mail: Mail  # how mail travels
    seed: str  # the seed text of seeded dice, else empty
    modulus: str  # the modulus of the dice key in hex, empty without one
    roots: list[str]  # the proof that the dice key is sound: roots in hex
    house: dict[str, str]  # file name to content of the moderator's own tables
    moderator: str  # the moderator's public key line
    # the rules by which dice, windows and numbers are fixed (docs/formats.md, "Protocols")
    protocol: int = 1
    age: str = ""  # what orders are encrypted to, empty in plain games
    chart: Charts = "none"  # whether mails show a chart
    press: Press = "none"  # the policy for messages between sides

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
    letter: str  # digest of the letter that the key answers, empty where none was sent
    name: str  # salted digest of the officer's name
    email: str  # salted digest of the officer's address
    bot: bool  # whether the key is that of the referee's own bot
    recovery: str = ""  # the public line of the recovery key, empty without one
    age: str = ""  # what the officer's mail is encrypted to, where that is not the key


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
    side: Side  # the side that it is of
    officer: int  # the number of the officer whose key signed it; 0: the moderator entered it
    seq: int  # its sequence number
    digest: str  # digest of its canonical form
    order: str  # its order digest, over canonical form and signature
    canonical: str  # its canonical form
    signature: str  # its signature in hex; random bytes where the moderator entered it
    link: str  # the dice link that its header gives, in hex; empty without one
    arrival: str  # when it came
    final: bool  # whether its window need not wait for another set of the side
    refused_orders: int  # how many of its orders were refused
    anchor: str = ""  # the dice anchor that its header announces
    consent: str = ""  # what it consents to: `UNDO 14`
    ahead: int = 0  # how many windows beyond its own it reaches
    raw: str | None = None  # in hex the file that was signed, where that is not the canonical form


class Refused(Acknowledged, frozen=True, kw_only=True, omit_defaults=True):
    """A whole input is refused."""

    code: str  # why, in a word
    raw: str  # salted digest of what came
    window: int  # the window that was open
    side: str = ""  # the side of the sender, where he is known
    claimed: bool = False  # whether the sender's address alone says that he is of this side


class SetInForce(Struct, frozen=True):
    """The set of a side that a lock covers."""

    order: str  # its order digest, or `NMR`
    record: int  # the number of its record, 0 without a set


class Closed(Opening, frozen=True, kw_only=True, omit_defaults=True):
    """A window is closed by the rules, and the next one opens."""

    window: int  # the window that closes
    turn: int  # the system's number of the turn that the game stands in behind it
    sets: dict[Side, SetInForce]  # side to its set in force
    lock: str  # the lock of these sets, in hex
    # side to its dice link in hex, empty where it gave none; no sides where dice have no links
    links: dict[str, str]
    rolls: list[Roll]  # every roll of the window
    opens: int  # the window that opens; behind the end, the number of the final reports
    deadline: str  # the deadline of the window that opens, empty without one
    over: Over | None  # how the game ends with this window, if it does
    # sides whose link came with orders of an earlier window, and of which one
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
        """Whether the next window belongs to the same run, without mail between."""
        return self.run is not None and self.run.why == "on"


class Locked(Body, frozen=True, kw_only=True, omit_defaults=True):
    """The sets of a window are fixed, and links are awaited (`strict` dice)."""

    window: int  # the window
    lock: str  # the lock of the sets, in hex
    sets: dict[Side, SetInForce]  # side to its set in force
    deadline: str  # until when links are awaited, empty without a deadline


class Revealed(Acknowledged, frozen=True, kw_only=True, omit_defaults=True):
    """A side opens its link behind a lock."""

    window: int  # the locked window
    side: Side
    officer: int  # the number of the officer whose key signed it
    lock: str  # the lock that it answers, in hex
    link: str  # the link in hex
    signature: str  # its signature in hex


class Accepted(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A set of orders in force or superseded; also what the record of an undo keeps of it."""

    n: int  # the number of its record
    at: str  # when it was recorded
    seq: int  # its sequence number
    digest: str  # of its canonical form
    order: str  # its order digest, which the dice are made from
    canonical: str  # its canonical form
    final: bool  # whether the window need not wait for another set of its side
    clean: bool  # whether none of its orders was refused
    raw: str  # in hex the file that was signed, empty where that is the canonical form
    link: str  # the dice link in hex, of the window that lies `ahead` of its own; empty without
    officer: int  # the number of the officer who signed it; 0: the moderator entered it
    ahead: int = 0  # how many windows beyond its own it reaches


class Undone(Opening, frozen=True, kw_only=True, omit_defaults=True):
    """The last closed window is taken back."""

    # the windows that are taken back; none where one that was taken back before is reopened
    windows: list[int]
    reopen: bool  # whether new orders are asked for under a new number
    opens: int  # the window that is open then
    deadline: str  # its deadline, empty without one
    # side to its set that is kept; no sides where orders are asked for anew
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
    """A key that is said to be lost, and what takes its place."""

    side: Side  # the side whose key it is
    ends: list[int]  # the numbers of the officers whose keys end
    key: str  # the public line of the new key
    anchor: str  # the anchor of the new key's dice chain, empty without one
    due: str  # when the new key counts, unless a key that is said to be lost signs before
    age: str = ""  # what mail is encrypted to, where that is not the new key


class Noted(Arrived, frozen=True, kw_only=True, omit_defaults=True):
    """Something that sides were told, or that is to be remembered; one of these things."""

    sides: list[str] | None = None  # whom it concerns
    text: str = ""  # salted digest of a note
    letter: str = ""  # digest of a letter of invitation
    age: str = ""  # a new age key of the moderator
    reminder: int = 0  # the window that sides were reminded of
    absent: dict[str, str] | None = None  # side to the day until which it is away
    heeded: dict[str, int] = {}  # side to the record whose ABSENT or RESIGN it was
    side: str = ""  # the side whose question by mail was answered
    answer: str = ""  # what it asked, in a word
    spectator: int = 0  # the number of somebody who watches
    gone: bool = False  # whether this spectator watches no more
    name: str = ""  # salted digest of the spectator's name
    email: str = ""  # salted digest of the address of a spectator, or of the officer `address`
    reset: Loss | None = None  # a lost key
    awaited: list[str] = []  # the sides whose links a locked window waits for
    address: int = 0  # the number of the officer whose mail goes elsewhere from now on


class Resent(Acknowledged, frozen=True, kw_only=True, omit_defaults=True):
    """A report, or a receipt, goes out once more."""

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
    """The clock is stopped."""

    reason: str  # why
    by: str  # who stopped it: `moderator` or `tick`


class Resumed(Body, frozen=True, kw_only=True, omit_defaults=True):
    """The clock goes on."""

    deadline: str | None = None  # the deadline of the open window; absent: as it was


class Replaced(Acknowledged, frozen=True, kw_only=True, omit_defaults=True):
    """A key takes the place of another."""

    side: Side
    number: int  # the number of the new officer
    key: str  # the public line of the new key
    anchor: str  # the anchor of its dice chain in hex, empty without one
    ends: list[int]  # the numbers of the officers whose keys end
    why: KeyChange | None = None  # By what right; absent: `replacement`. See `right`
    # salted digest of the new officer's name, where a decision of the moderator brings him
    name: str = ""
    email: str = ""  # salted digest of his address
    recovery: str = ""  # the public line of his recovery key, empty without one
    age: str = ""  # what his mail is encrypted to, where that is not the key
    window: int = 0  # the window that was open when its player changed the key, 0 else
    old: str = ""  # the name of the key that signed the change
    signature: str = ""  # that key's signature in hex
    proof: str = ""  # the new key's signature in hex
    notice: int = 0  # the number of the record that announced a loss

    @property
    def right(self) -> KeyChange:
        """By what right the key changed."""
        return self.why or "replacement"


class Ruled(Opening, frozen=True, kw_only=True, omit_defaults=True):
    """The moderator rules on something."""

    window: int | None = None  # the open window; absent before rulings could change anything
    rule: str  # the number of the rule, empty without one
    text: str  # what holds from now on
    reason: str  # why
    # whether nothing had come in for the open window; absent as `window`
    timely: bool | None = None
    to: list[str] | None = None  # the sides that are told; absent: all
    edits: list[Edit] | None = None  # changes of the state; absent where the ruling changes nothing
    permit: Edition | None = None  # the edition that the game goes on with
    resumed: str | None = None  # the position that the permitted edition takes over, as text
    opens: int = 0  # the window that opens, 0 where none does
    # the deadline of the window that opens, empty without one; absent where none opens
    deadline: str | None = None

    @property
    def opening(self) -> int:
        """The window that is open behind the ruling; 0 before rulings said so."""
        return self.opens or self.window or 0


class Sent(Body, frozen=True, kw_only=True, omit_defaults=True):
    """Mails have left."""

    mails: list[str]  # their files in the outbox
    by: Sender  # how they left


class Bounced(Body, frozen=True, kw_only=True, omit_defaults=True):
    """A mail could not be delivered."""

    mail: str  # its file in the outbox
    code: str  # what the mail server said


class Pressed(Arrived, frozen=True, kw_only=True, omit_defaults=True):
    """A message from side to side, or the moderator's decision on one that waited."""

    state: PressState  # what became of it
    # the side that it comes from, empty in anonymous games; absent in a decision
    by: str | None = None
    to: list[str] | None = None  # the sides that it goes to; absent in a decision
    text: str = ""  # salted digest of the message; absent in a decision
    all: bool = False  # whether it is written to all, so that spectators read it
    of: int = 0  # in a decision, the number of the record of the message that waited


TYPES: dict[str, type[Body]] = {
    one.__name__.lower(): one
    for one in (
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
"""Kind of record to what it holds."""

KINDS = frozenset(TYPES)
_KIND_OF = {body: kind for kind, body in TYPES.items()}
