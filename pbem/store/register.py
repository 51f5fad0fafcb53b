"""The present state of a game: a pure fold over the records of its ledger.

Every command starts from this. Nothing in it comes from anywhere else, so the game is the same
after a lost index, after a killed process, and on a second machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.base.report_json import LaterKey
from pbem.model import Over, Pace, Side
from pbem.store.holders import (
    Anchor,
    Given,
    Officer,
    Reveal,
    Ruling,
    accepted,
    counting_from,
    later_key,
    newest,
    officer_of,
)
from pbem.store.ledger import Record
from pbem.store.mail_state import MailState
from pbem.store.ordering import by_side
from pbem.store.records import (
    Accepted,
    Body,
    Closed,
    Created,
    Edition,
    Ended,
    Enlisted,
    Extended,
    Held,
    Locked,
    Loss,
    Noted,
    Opened,
    Opening,
    Received,
    Refused,
    Replaced,
    Resumed,
    Revealed,
    Ruled,
    Scheduled,
    Undone,
)

PROTOCOL = 2
"""The protocol of new games: the rules for dice, windows and sequence numbers (docs/formats.md,
"Protocols"). Games of release 0.1.0 have protocol 1 and keep it."""

NOT_MADE = Created(
    game="",
    system="",
    edition="",
    release="",
    data="",
    scenario="",
    sides=[],
    options={},
    dice="fast",
    mail="plain",
    seed="",
    modulus="",
    roots=[],
    house={},
    moderator="",
)
"""Stands in the register of a ledger without a record."""


class Register(Struct):
    """The state of a game."""

    created: Created = NOT_MADE  # how it was made
    setup: str = ""  # the set-up text, empty before `open`
    window: int = 0  # the open one, 0 before `open`
    used: int = 0  # the highest window number ever opened
    opened_at: str = ""  # when the window opened
    deadline: str = ""  # of the open window, empty without one
    pace: Pace = "turn"  # of the open window
    owed: list[Side] = []  # the sides that must answer the open window; none named: every side
    position: str = ""  # hash of the stored position
    officers: list[Officer] = []
    spectators: list[int] = []  # the numbers of those who watch
    spectated: int = 0  # how many ever watched
    anchors: list[Anchor] = []  # of the dice, in the order in which they were named to all sides
    pending: list[Anchor] = []  # of the dice, not yet named
    # the record of a set to the dice link that it brought (in games of protocol 1 only of sets
    # that reach beyond their windows); what became known stays known, whatever is undone
    given: dict[int, Given] = {}
    # the record of a set for the open window to its side and the anchor that it announces
    announced: dict[int, tuple[Side, str]] = {}
    former: list[Officer] = []  # officers whose keys have ended
    later: list[tuple[Side, LaterKey]] = []  # keys that were added after the set-up
    # the record that announced a lost key, to that loss, until the new key counts
    resets: dict[int, Loss] = {}
    withdrawn: list[Side] = []  # sides whose lost key signed after all
    consents: dict[int, list[Side]] = {}  # window to the sides that consent to reopening it
    # window that an undo opened for new orders, to the windows that the undo took back
    reopened: dict[int, list[int]] = {}
    locked: Locked | None = None  # the lock of the open window
    awaited: list[str] = []  # sides whose links are awaited, as all sides were told
    reveals: dict[str, Reveal] = {}  # side to the link that it revealed after that lock
    repeats: Closed | None = None  # when a window is run again, its first closing
    sets: dict[Side, Accepted] = {}  # in force for the open window
    seen: dict[str, tuple[int, int]] = {}  # digest of a set's canonical form to record and window
    seqs: dict[Side, dict[int, str]] = {}  # per side, sequence number to digest
    receipts: dict[str, int] = {}  # side to how many receipts it got
    mails: dict[str, int] = {}  # side to how many mails it got
    closed: list[Closed] = []  # the windows that closed and were not taken back, oldest first
    closings: list[int] = []  # the numbers of their records
    lapses: list[tuple[int, Side]] = []  # missed windows, each with the side that owed orders
    substituted: list[int] = []  # the records of sets that the referee's bot wrote in their place
    over: Over | None = None  # how the game ended
    held: bool = False  # whether the clock is stopped
    rerun: bool = False  # whether the window was undone with its orders kept, and takes no new ones
    undone: int = 0  # how many windows were taken back
    exposed: bool = False  # whether an undo came after a replay had been published
    rulings: list[Ruling] = []
    renewed: str = ""  # the age key that took the place of the first
    files: dict[str, str] = {}  # SHA-256 of each report's files
    mail_state: MailState = field(default_factory=MailState)  # mail and deadlines
    n: int = 0  # how many records there are
    head: str = ""  # the hash of the last

    @property
    def sides(self) -> tuple[Side, ...]:
        """The scenario's sides in its order."""
        return tuple(self.created.sides)

    @property
    def seats(self) -> tuple[Side, ...]:
        """The sides, then their roles (`pbem.roles`)."""
        return self.created.seats

    @property
    def encrypted(self) -> bool:
        """Whether the mail of this game is encrypted."""
        return self.created.mail == "sealed"

    @property
    def protocol(self) -> int:
        """Which protocol the game was made with; see PROTOCOL."""
        return self.created.protocol

    @property
    def age(self) -> str:
        """What orders are encrypted to now, empty in plain games."""
        return self.renewed or self.created.age

    @property
    def pinned(self) -> Edition:
        """The edition that the game is played by."""
        permits = [r.permit for r in self.rulings if r.permit]
        return permits[-1] if permits else self.created.pinned

    def officers_after(self, body: Body) -> list[Officer]:
        """Return the officers after a record with this body, for the mail that the record sends."""
        if not isinstance(body, Enlisted | Replaced):
            return self.officers
        gone = body.ends if isinstance(body, Replaced) else ()
        kept = [o for o in self.officers if o.side != body.side or o.number not in gone]
        return [*kept, officer_of(body)]

    @property
    def options(self) -> dict[str, str]:
        """The options decided at `new`."""
        return dict(self.created.options)

    def keys(self) -> dict[bytes, Officer]:
        """Return wire form of every registered key to its officer."""
        from pbem.crypto.sshsig import wire_key

        return {wire_key(o.key): o for o in self.officers}

    def signers(self) -> dict[bytes, Officer]:
        """As `keys`, with former officers whose set is in force: only they can reveal its link."""
        from pbem.crypto.sshsig import wire_key

        in_force = {(side, entry.officer) for side, entry in self.sets.items()}
        former = {wire_key(o.key): o for o in self.former if (o.side, o.number) in in_force}
        return former | self.keys()

    def every_key(self) -> set[bytes]:
        """Return the wire form of every key that is or was registered, including recovery keys."""
        from pbem.crypto.sshsig import wire_key

        known = [*self.officers, *self.former]
        return {wire_key(line) for o in known for line in (o.key, o.recovery) if line}

    def next_number(self, side: str) -> int:
        """Return the number of a side's next officer; no number is used twice."""
        known = (*self.officers, *self.former)
        return 1 + max((o.number for o in known if o.side == side), default=0)

    def last_seq(self, side: Side) -> int:
        """Return the highest sequence number ever accepted from `side`, 0 without one."""
        return max(self.seqs.get(side, {0: ""}))

    def anchors_at(self, opens: int) -> list[Anchor]:
        """Return the anchors that the reports opening a window name, each with the first window in
        which it counts."""
        pending = by_side(self, self.pending, lambda a: (a.side, a.officer))
        return [*self.anchors, *(counting_from(a, self._since(a, opens)) for a in pending)]

    def _since(self, anchor: Anchor, opens: int) -> int:
        """Return the first window in which a new anchor counts.

        opens: the window whose reports name it. The anchor must be fixed before the other sides'
        links of its first window are known: whoever knows these could choose an anchor, with the
        moderator's help, that gives the dice he likes.
        """
        if self.protocol < 2:
            return opens + 1
        known = (given.reach for given in self.given.values() if given.side != anchor.side)
        return max(opens, 1 + max(known, default=0))

    def anchors_locked(self) -> list[Anchor]:
        """Return the anchors after the open window is locked.

        An anchor that a set in force announces counts at once: the lock fixes it before any link of
        the window is known. If other sides gave links ahead, it counts after these.
        """
        if self.protocol < 2:
            return self.anchors
        fixed = {
            (side, entry.officer): self.announced.get(entry.n, (side, ""))[1]
            for side, entry in self.sets.items()
        }
        named = [a for a in self.pending if fixed.get((a.side, a.officer)) == a.anchor]
        return [*self.anchors, *(counting_from(a, self._since(a, self.window)) for a in named)]

    def anchor_of(self, side: str, officer: int, window: int = 0) -> str:
        """Return the anchor of a key that counts in a window, empty without one. window: 0 for the
        open one."""
        return newest(self.anchors, side, officer, window or self.window)

    @property
    def running(self) -> bool:
        """Whether a run of agreed turns continues in the open window: it takes no orders, and its
        report was not mailed."""
        last = self.closed[-1] if self.closed and not self.over else None
        return last is not None and last.runs_on and last.opens == self.window

    @property
    def owing(self) -> tuple[Side, ...]:
        """The sides that must answer the open window, in the scenario's order; the others may."""
        return tuple(self.owed) or self.sides

    def missing(self) -> list[Side]:
        """Return the sides that must answer the open window and have no final set in force."""
        return [s for s in self.owing if s not in self.sets or not self.sets[s].final]

    def all_in(self) -> bool:
        """Whether every side that must answer has a final set in force."""
        return not self.missing()

    def apply(self, record: Record) -> None:
        """Fold in one record: what all kinds have, then what the method of its kind adds."""
        body = record.body
        self.n, self.head = record.n, record.hash
        if body.files:
            self.files |= {n: d for n, d in body.files.items() if n.startswith("reports/")}
        for side in body.mailed or ():
            self.mails[side] = self.mails.get(side, 0) + 1
        self.mail_state.apply(record)
        fold = getattr(self, f"_{body.kind}", None)
        if fold:
            fold(record, body)

    def _created(self, record: Record, body: Created) -> None:
        self.created = body

    def _enlisted(self, record: Record, body: Enlisted) -> None:
        """Add an officer. After the set-up, later reports name the key."""
        officer = officer_of(body)
        self.officers.append(officer)
        self._anchor(officer, body.anchor)
        if self.window:
            key = LaterKey(body.key, "officer", self.window, anchor=body.anchor, age=body.age)
            self.later.append((body.side, key))

    def _anchor(self, officer: Officer, anchor: str) -> None:
        """Add an officer's anchor. It counts at once in the set-up, later when reports name it."""
        if not anchor or any(a.anchor == anchor for a in self.anchors):
            return
        who = officer.side, officer.number
        self.pending = [p for p in self.pending if (p.side, p.officer) != who]
        named = Anchor(*who, officer.key, anchor, 0 if self.window else 1)
        (self.pending if self.window else self.anchors).append(named)

    def _opened(self, record: Record, body: Opened) -> None:
        self.setup = body.setup
        self._open(record.at, body, body.deadline, 1)

    def _open(self, at: str, body: Opening, deadline: str, window: int) -> None:
        """Open a window, and forget what belonged to the one before."""
        self.window, self.used = window, max(self.used, window)
        self.opened_at, self.deadline = at, deadline
        self.pace, self.owed = body.pace, body.owed
        self.position, self.sets, self.rerun = body.position, {}, False
        self.locked, self.awaited, self.reveals = None, [], {}
        self.announced, self.repeats = {}, None

    def _received(self, record: Record, body: Received) -> None:
        """Put a set in force, and keep its link for good: what was once known stays in the dice of
        its window, whatever is replaced or undone (docs/formats.md, "Links")."""
        side, new = body.side, accepted(record.n, record.at, body)
        if new.link and (new.ahead or new.links or self.protocol >= 2):
            anchor, reach = self.anchor_of(side, new.officer), body.window + new.reach
            self.given[record.n] = Given(side, new.officer, anchor, body.window, reach, new.link)
        self._withdraw(side, new.officer)
        self._consent(side, body.consent)
        if body.anchor:
            self.announced[record.n] = side, body.anchor
            for officer in self.officers:
                if (officer.side, officer.number) == (side, body.officer):
                    self._anchor(officer, body.anchor)
        self.sets[side] = new
        self.substituted += [record.n] * body.bot
        self.seen[new.digest] = record.n, body.window
        self.seqs.setdefault(side, {})[new.seq] = new.digest
        self._count_receipt(side)

    def _count_receipt(self, side: str) -> None:
        self.receipts[side] = self.receipts.get(side, 0) + 1

    def _consent(self, side: Side, consent: str) -> None:
        """Add a side's consent, `UNDO 14`. It cannot be withdrawn."""
        verb, _, window = consent.partition(" ")
        if verb == "UNDO" and window.isdigit():
            self.consents[int(window)] = [*self.consents.get(int(window), ()), side]

    def against(self, window: int) -> list[str]:
        """Return the sides that did not consent to reopening that window."""
        return [str(s) for s in self.sides if s not in self.consents.get(window, ())]

    def _withdraw(self, side: Side, officer: int) -> None:
        """End the announcement that a key is lost, because that key has signed."""
        gone = {n for n, r in self.resets.items() if r.side == side and officer in r.ends}
        self.withdrawn += [side] * len(gone)
        self.resets = {n: r for n, r in self.resets.items() if n not in gone}

    def _refused(self, record: Record, body: Refused) -> None:
        self._count_receipt(body.side)

    def _closed(self, record: Record, body: Closed) -> None:
        self.closed.append(body)
        self.closings.append(record.n)
        if not body.run:  # windows of an agreed run need no orders of their own
            none = (0, *self.substituted)
            self.lapses += [(body.window, s) for s in self.owing if body.sets[s].record in none]
        self.over = body.over
        self._name_anchors(body.opens)
        self._open(record.at, body, body.deadline, body.opens)

    @contextmanager
    def stepped_back(self, body: Undone) -> Iterator[None]:
        """Count an undo inside the block: its reports are made before its record is written."""
        before = self.undone, self.exposed, self.rulings, self.reopened
        self._step_back(body)
        try:
            yield
        finally:
            self.undone, self.exposed, self.rulings, self.reopened = before

    def _step_back(self, body: Undone) -> None:
        """Count an undo. It also takes back the changes of later rulings."""
        self.undone += len(body.windows)
        if body.reopen:
            self.reopened = {**self.reopened, body.opens: body.windows or [self.window]}
        self.exposed = self.exposed or body.published
        last = max(body.windows, default=self.window)
        self.rulings = [
            replace(r, undone=True) if r.edits and r.touched > last else r for r in self.rulings
        ]

    def _undone(self, record: Record, body: Undone) -> None:
        """Take windows back. If their orders are kept, the window is run again with the same sets,
        links and dice; otherwise a window with a new number opens for new orders."""
        self._step_back(body)
        gone = [c for c in self.closed if c.window in body.windows]
        if body.windows:
            self.mail_state.withdraw(self.closings[-1], record.n)
        self._forget({self.window, *(body.windows if body.reopen else ())})
        every = zip(self.closings, self.closed, strict=True)
        left = [(n, c) for n, c in every if c.window not in body.windows]
        self.closings, self.closed = [n for n, _ in left], [c for _, c in left]
        self.lapses = [(w, side) for w, side in self.lapses if w not in body.windows]
        self.over = None
        if body.reopen:
            self._name_anchors(body.opens)
        self._open(record.at, body, body.deadline, body.opens)
        if not body.reopen:
            self.rerun, self.repeats = True, gone[-1]
            self._keep_links(gone[-1])
            self.sets = dict(body.sets)

    def _forget(self, windows: set[int]) -> None:
        """Forget sets for these windows, whose reports are void: sent again, they are not known."""
        self.seen = {d: place for d, place in self.seen.items() if place[1] not in windows}

    def _keep_links(self, closed: Closed) -> None:
        """Keep lock and links of a strict window that is run again: its dice must be the same."""
        if closed.reveals is None:
            return
        self.locked = Locked(window=closed.window, lock=closed.lock, sets=closed.sets, deadline="")
        self.reveals = {
            side: Reveal(closed.links[side], signature)
            for side, signature in closed.reveals.items()
        }

    def _name_anchors(self, opens: int) -> None:
        self.anchors, self.pending = self.anchors_at(opens), []

    def _locked(self, record: Record, body: Locked) -> None:
        named = self.anchors_locked()
        self.pending = [p for p in self.pending if all(p.anchor != a.anchor for a in named)]
        self.anchors, self.locked = named, body

    def _revealed(self, record: Record, body: Revealed) -> None:
        self._withdraw(body.side, body.officer)
        self.reveals[body.side] = Reveal(body.link, body.signature)
        self._count_receipt(body.side)

    def _extended(self, record: Record, body: Extended) -> None:
        self.deadline = body.deadline

    def _held(self, record: Record, body: Held) -> None:
        self.held = True

    def _resumed(self, record: Record, body: Resumed) -> None:
        self.held = False
        self.deadline = self.deadline if body.deadline is None else body.deadline

    def _scheduled(self, record: Record, body: Scheduled) -> None:
        self.deadline = body.deadline

    def _noted(self, record: Record, body: Noted) -> None:
        """Keep what a note changes: the age key, a lost key, awaited links, spectators."""
        self.renewed = body.age or self.renewed
        if body.reset:
            kept = {n: r for n, r in self.resets.items() if r.side != body.reset.side}
            self.resets = {**kept, record.n: body.reset}
        self.awaited = body.awaited or self.awaited
        if body.spectator and body.gone:
            self.spectators = [n for n in self.spectators if n != body.spectator]
        elif body.spectator:
            self.spectators = [*self.spectators, body.spectator]
            self.spectated = body.spectator

    def _replaced(self, record: Record, body: Replaced) -> None:
        """End keys and register the new one. A replacement is a further officer at the end of the
        list; a changed key keeps its officer's place."""
        side, ends, why = body.side, body.ends, body.right
        gone = [o for o in self.officers if o.side == side and o.number in ends]
        self.pending = [p for p in self.pending if p.side != side or p.officer not in ends]
        self.resets = {n: r for n, r in self.resets.items() if r.side != side}
        self.former += gone
        officer = officer_of(body)
        if why in ("change", "recovery"):  # the recovery key stays
            officer = replace(officer, recovery=gone[0].recovery)
        place = len(self.officers) if why == "replacement" else self.officers.index(gone[0])
        self.officers.insert(place, officer)
        self.officers = [o for o in self.officers if o not in gone]
        if body.receipt:
            self._count_receipt(side)
        self._anchor(officer, body.anchor)
        if self.window:
            self.later.append((body.side, later_key(body, self.window)))

    def _ruled(self, record: Record, body: Ruled) -> None:
        self.rulings = [*self.rulings, Ruling.of(body, record.at, self.window)]
        if body.opens:
            self._forget({self.window})
            self._name_anchors(body.opens)
            self._open(record.at, body, body.deadline or "", body.opens)
        elif body.position:
            self.position = body.position

    def _ended(self, record: Record, body: Ended) -> None:
        self.over = Over(body.result, "moderator", body.reason)


def fold(records: Iterable[Record]) -> Register:
    """Return the register after all of `records`."""
    register = Register()
    for record in records:
        register.apply(record)
    return register
