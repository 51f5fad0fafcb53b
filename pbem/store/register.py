"""What the ledger says now: a pure fold over its records.

Every command starts from this. Nothing in it comes from anywhere but the ledger, so that a
lost index, a killed process or a second machine sees the same game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.model import Pace, Side
from pbem.store.holders import Accepted, Anchor, Given, Officer, Reset, newest
from pbem.store.ledger import Record
from pbem.store.mail_state import Affairs
from pbem.store.ordering import by_side

TOLD = ("side", "key", "why", "old", "anchor", "age", "window", "signature", "proof")
"""What reports tell of a key that came after the set-up, besides the window it came in."""


PROTOCOL = 2
"""What a new game is made with: the rules by which dice, windows and sequence numbers are fixed
(docs/formats.md, "Protocols"). Games of release 0.1.0 have protocol 1, and go on with it."""


RULED = ("rule", "text", "reason", "timely", "to", "edits", "permit", "opens")
"""What is kept of a ruling's record."""


class Register(Struct):
    """A game as its ledger has it.

    window: the open one, 0 before `open`; pace: its own. position: hash of the stored position.
    sets: in force for the open window. seen: digest of canonical bytes to the record that took
    it, and its window.
    seqs: per side, sequence to digest. rerun: the window was undone with its orders kept and
    takes no new ones. used: the highest window number ever opened. anchors: of the dice, in the
    order in which they were named to all sides; pending: not yet named. given: the record of a
    set to the dice link that it brought (in games of protocol 1 only of sets that reach beyond
    their windows); what became known stays known, whatever is undone. announced: the record of a
    set for the open window to its side and the anchor that it announces.
    repeats: in a re-run, the record of the window as it was first closed.
    spectators: numbers of those who watch; spectated: how many ever did. exposed: an undo came
    after a replay had been published.
    former: officers whose keys have ended; later: keys that came after the set-up, as reports tell
    of them; resets: announced and not yet carried out; withdrawn: sides of those taken back.
    consents: window to the sides that signed it may be reopened. reopened: window that an undo
    opened for new orders to those that it took back.
    renewed: the age key that took the place of the first. files: SHA-256 of each report's files.
    """

    created: dict[str, Any] = {}
    setup: str = ""
    window: int = 0
    used: int = 0
    opened_at: str = ""
    deadline: str = ""
    pace: Pace = "turn"
    position: str = ""
    officers: list[Officer] = []
    spectators: list[int] = []
    spectated: int = 0
    anchors: list[Anchor] = []
    pending: list[Anchor] = []
    given: dict[int, Given] = {}
    announced: dict[int, tuple[Side, str]] = {}
    former: list[Officer] = []
    later: list[dict[str, Any]] = []
    resets: list[Reset] = []
    withdrawn: list[str] = []
    consents: dict[int, list[str]] = {}
    reopened: dict[int, list[int]] = {}
    locked: dict[str, Any] = {}
    reveals: dict[str, dict[str, str]] = {}
    repeats: dict[str, Any] = {}
    sets: dict[Side, Accepted] = {}
    seen: dict[str, tuple[int, int]] = {}
    seqs: dict[Side, dict[int, str]] = {}
    receipts: dict[str, int] = {}
    mails: dict[str, int] = {}
    closed: list[dict[str, Any]] = []
    over: dict[str, str] | None = None
    held: bool = False
    rerun: bool = False
    undone: int = 0
    exposed: bool = False
    notes: list[str] = []
    rulings: list[dict[str, Any]] = []
    renewed: str = ""
    files: dict[str, str] = {}
    affairs: Affairs = field(default_factory=Affairs)
    n: int = 0
    head: str = ""

    @property
    def sides(self) -> tuple[Side, ...]:
        """The scenario's sides in its order."""
        return tuple(Side(s) for s in self.created["sides"])

    @property
    def encrypted(self) -> bool:
        """Whether the mail of this game is encrypted."""
        return bool(self.created.get("mail") == "sealed")

    @property
    def protocol(self) -> int:
        """Which protocol the game was made with; see PROTOCOL."""
        return int(self.created.get("protocol", 1))

    @property
    def age(self) -> str:
        """What orders are encrypted to now, empty in plain games."""
        return self.renewed or str(self.created.get("age", ""))

    @property
    def pinned(self) -> tuple[str, str]:
        """The edition that the game is played by, and the digest of its data files."""
        permits = [r["permit"] for r in self.rulings if "permit" in r]
        said = permits[-1] if permits else self.created
        return said["edition"], said["data"]

    def officers_after(self, kind: str, body: Mapping[str, Any]) -> list[Officer]:
        """The officers once a record of that kind stands: its own mail is for them."""
        if kind not in ("enlisted", "replaced"):
            return self.officers
        gone, side = body.get("ends", ()), body["side"]
        kept = [o for o in self.officers if o.side != side or o.number not in gone]
        return [*kept, _officer(body)]

    @property
    def options(self) -> dict[str, str]:
        """The options decided at `new`."""
        return dict(self.created["options"])

    def keys(self) -> dict[bytes, Officer]:
        """Wire form of every registered key to its officer."""
        from pbem.crypto.sshsig import wire_key

        return {wire_key(o.key): o for o in self.officers}

    def signers(self) -> dict[bytes, Officer]:
        """As `keys`, and of former officers whose set is in force: they may open its link."""
        from pbem.crypto.sshsig import wire_key

        held = {(side, taken.officer) for side, taken in self.sets.items()}
        former = {wire_key(o.key): o for o in self.former if (o.side, o.number) in held}
        return former | self.keys()

    def every_key(self) -> set[bytes]:
        """Wire form of every key that is or was registered, recovery keys too."""
        from pbem.crypto.sshsig import wire_key

        known = [*self.officers, *self.former]
        return {wire_key(line) for o in known for line in (o.key, o.recovery) if line}

    def next_number(self, side: str) -> int:
        """The number of a side's next officer; none is used twice."""
        return 1 + max((o.number for o in (*self.officers, *self.former) if o.side == side),
                       default=0)  # fmt: skip

    def last_seq(self, side: Side) -> int:
        """The highest sequence ever accepted of `side`, 0 without one."""
        return max(self.seqs.get(side, {0: ""}))

    def anchors_at(self, opens: int) -> list[Anchor]:
        """The anchors that the reports opening a window name, with when new ones begin to count."""
        pending = by_side(self, self.pending, lambda a: (a.side, a.officer))
        return [*self.anchors, *(_counting(a, self._since(a, opens)) for a in pending)]

    def _since(self, anchor: Anchor, opens: int) -> int:
        """When an anchor counts that the reports opening a window name for the first time: once
        it is fixed while no link of the others is known, for else it could be chosen to suit."""
        if self.protocol < 2:
            return opens + 1
        known = (one.reach for one in self.given.values() if one.side != anchor.side)
        return max(opens, 1 + max(known, default=0))

    def anchors_locked(self) -> list[Anchor]:
        """The anchors once the open window is locked: an anchor that a set in force announces is
        fixed by the lock, before any link of the window is known, and counts at once."""
        if self.protocol < 2:
            return self.anchors
        fixed = {(side, taken.officer): self.announced.get(taken.n, (side, ""))[1]
                 for side, taken in self.sets.items()}  # fmt: skip
        return [
            *self.anchors,
            *(_counting(a, self.window) for a in self.pending
              if fixed.get((a.side, a.officer)) == a.anchor),
        ]  # fmt: skip

    def anchor_of(self, side: str, officer: int, window: int = 0) -> str:
        """The anchor of that key that counts in a window (the open one), empty without one."""
        return newest(self.anchors, side, officer, window or self.window)

    @property
    def running(self) -> bool:
        """Whether the open window belongs to a run of turns that all sides agreed on: it takes
        no orders, its report was not mailed."""
        last = self.closed[-1] if self.closed and not self.over else {}
        on = last.get("run", {}).get("why") == "on"
        return bool(on and last["opens"] == self.window)

    def all_in(self) -> bool:
        """Whether every side has a set that is final."""
        return all(side in self.sets and self.sets[side].final for side in self.sides)

    def take(self, record: Record) -> None:
        """Fold one record in."""
        body = record.body
        self.n, self.head = record.n, record.hash
        if "files" in body:
            self.files |= {n: d for n, d in body["files"].items() if n.startswith("reports/")}
        for side in body.get("mailed", ()):
            self.mails[side] = self.mails.get(side, 0) + 1
        self.affairs.take(record)
        fold = getattr(self, f"_{record.kind}", None)
        if fold:
            fold(record, body)

    def _created(self, record: Record, body: dict[str, Any]) -> None:
        self.created = body

    def _enlisted(self, record: Record, body: dict[str, Any]) -> None:
        officer = _officer(body)
        self.officers.append(officer)
        self._anchor(officer, body.get("anchor", ""))
        self._tell_later(body)

    def _tell_later(self, body: dict[str, Any]) -> None:
        """Keys that came after the set-up are named in every later report."""
        if self.window:
            told = {k: body[k] for k in TOLD if body.get(k)}
            self.later.append({"why": "officer", **told, "from": self.window})

    def _anchor(self, officer: Officer, anchor: str) -> None:
        """An anchor of the set-up counts at once, a later one after all were told."""
        if not anchor or any(a.anchor == anchor for a in self.anchors):
            return
        who = officer.side, officer.number
        self.pending = [p for p in self.pending if (p.side, p.officer) != who]
        named = Anchor(*who, officer.key, anchor, 0 if self.window else 1)
        (self.pending if self.window else self.anchors).append(named)

    def _opened(self, record: Record, body: dict[str, Any]) -> None:
        self.setup = body["setup"]
        self._open(record, body, 1)

    def _open(self, record: Record, body: dict[str, Any], window: int) -> None:
        self.window, self.used = window, max(self.used, window)
        self.opened_at, self.deadline = record.at, body["deadline"]
        self.pace = body.get("pace", "turn")
        self.position, self.sets, self.rerun = body["position"], {}, False
        self.locked, self.reveals = {}, {}
        self.announced, self.repeats = {}, {}

    def _received(self, record: Record, body: dict[str, Any]) -> None:
        side = Side(body["side"])
        taken = Accepted(
            n=record.n,
            seq=body["seq"],
            digest=body["digest"],
            order=body["order"],
            canonical=body["canonical"],
            final=body["final"],
            clean=not body["refused_orders"],
            at=record.at,
            raw=body.get("raw", ""),
            link=body.get("link", ""),
            officer=body["officer"],
            ahead=body.get("ahead", 0),
        )
        if taken.link and (taken.ahead or self.protocol >= 2):
            anchor, window = self.anchor_of(side, taken.officer), body["window"]
            self.given[record.n] = Given(
                side, taken.officer, anchor, window, window + taken.ahead, taken.link
            )
        if body.get("anchor"):
            self.announced[record.n] = side, body["anchor"]
        self._withdraw(side, taken.officer)
        self._consent(side, body.get("consent", ""))
        for officer in self.officers if body.get("anchor") else ():
            if (officer.side, officer.number) == (side, body["officer"]):
                self._anchor(officer, body["anchor"])
        self.sets[side] = taken
        self.seen[taken.digest] = record.n, body["window"]
        self.seqs.setdefault(side, {})[taken.seq] = taken.digest
        self.receipts[side] = self.receipts.get(side, 0) + 1

    def _consent(self, side: str, said: str) -> None:
        """`CONSENT UNDO 14;`: what was once consented to stays so."""
        verb, _, window = said.partition(" ")
        if verb == "UNDO" and window.isdigit():
            self.consents[int(window)] = [*self.consents.get(int(window), ()), side]

    def against(self, window: int) -> list[str]:
        """The sides that did not consent to that window being reopened."""
        return [str(s) for s in self.sides if s not in self.consents.get(window, ())]

    def _withdraw(self, side: str, officer: int) -> None:
        """A key that signs is not lost."""
        gone = [r for r in self.resets if r.side == side and officer in r.ends]
        self.resets = [r for r in self.resets if r not in gone]
        self.withdrawn += [r.side for r in gone]

    def _refused(self, record: Record, body: dict[str, Any]) -> None:
        side = body.get("side", "")
        self.receipts[side] = self.receipts.get(side, 0) + 1

    def _closed(self, record: Record, body: dict[str, Any]) -> None:
        self.closed.append({**body, "n": record.n, "at": record.at})
        self.over = body["over"]
        self._name_anchors(body["opens"])
        self._open(record, body, body["opens"])

    @contextmanager
    def stepped_back(self, body: Mapping[str, Any]) -> Iterator[None]:
        """The register as it will count an undo, for the reports of its own record."""
        before = self.undone, self.exposed, self.rulings, self.reopened
        self._step_back(body)
        try:
            yield
        finally:
            self.undone, self.exposed, self.rulings, self.reopened = before

    def _step_back(self, body: Mapping[str, Any]) -> None:
        """Count an undo; what rulings changed since the window that is taken back is undone."""
        self.undone += len(body["windows"])
        if body["reopen"]:
            self.reopened = {**self.reopened, body["opens"]: body["windows"] or [self.window]}
        self.exposed = self.exposed or body.get("published", False)
        last = max(body["windows"], default=self.window)
        self.rulings = [
            {**r, "undone": True} if r.get("edits") and _touched(r) > last else r
            for r in self.rulings
        ]

    def _undone(self, record: Record, body: dict[str, Any]) -> None:
        self._step_back(body)
        gone = [c for c in self.closed if c["window"] in body["windows"]]
        if body["windows"]:
            self.affairs.withdraw(self.closed[-1]["n"], record.n)
        self._forget({self.window, *(body["windows"] if body["reopen"] else ())})
        self.closed = [c for c in self.closed if c["window"] not in body["windows"]]
        self.over = None
        if body["reopen"]:
            self._name_anchors(body["opens"])
        self._open(record, body, body["opens"])
        if not body["reopen"]:
            self.rerun, self.repeats = True, gone[-1]
            self._keep_links(gone[-1])
            self.sets = {Side(s): _accepted(a) for s, a in body["sets"].items()}

    def _forget(self, windows: set[int]) -> None:
        """Sets for these windows answer reports that are void: sent again they are not known."""
        self.seen = {d: place for d, place in self.seen.items() if place[1] not in windows}

    def _keep_links(self, closed: dict[str, Any]) -> None:
        """What a strict window was rolled with, it is rolled with again."""
        signed = closed.get("reveals", {})
        strict = "reveals" in closed
        self.locked = {k: closed[k] for k in ("window", "lock", "sets")} if strict else {}
        self.reveals = {s: {"link": closed["links"][s], "signature": x} for s, x in signed.items()}

    def _name_anchors(self, opens: int) -> None:
        self.anchors, self.pending = self.anchors_at(opens), []

    def _locked(self, record: Record, body: dict[str, Any]) -> None:
        named = self.anchors_locked()
        self.pending = [p for p in self.pending if all(p.anchor != a.anchor for a in named)]
        self.anchors, self.locked = named, body

    def _revealed(self, record: Record, body: dict[str, Any]) -> None:
        self._withdraw(body["side"], body["officer"])
        self.reveals[body["side"]] = {"link": body["link"], "signature": body["signature"]}
        self.receipts[body["side"]] = self.receipts.get(body["side"], 0) + 1

    def _extended(self, record: Record, body: dict[str, Any]) -> None:
        self.deadline = body["deadline"]

    def _held(self, record: Record, body: dict[str, Any]) -> None:
        self.held = True

    def _resumed(self, record: Record, body: dict[str, Any]) -> None:
        self.held = False
        self.deadline = body.get("deadline", self.deadline)

    def _scheduled(self, record: Record, body: dict[str, Any]) -> None:
        self.deadline = body["deadline"]

    def _noted(self, record: Record, body: dict[str, Any]) -> None:
        self.renewed = body.get("age", self.renewed)
        if "reset" in body:
            said = Reset(record.n, **body["reset"])
            self.resets = [*(r for r in self.resets if r.side != said.side), said]
        if "awaited" in body:
            self.locked = {**self.locked, "awaited": body["awaited"]}
        number = body.get("spectator", 0)
        if number and body.get("gone"):
            self.spectators = [n for n in self.spectators if n != number]
        elif number:
            self.spectators, self.spectated = [*self.spectators, number], number

    def _replaced(self, record: Record, body: dict[str, Any]) -> None:
        side, ends = body["side"], body.get("ends", ())
        gone = [o for o in self.officers if o.side == side and o.number in ends]
        self.pending = [p for p in self.pending if p.side != side or p.officer not in ends]
        self.resets = [r for r in self.resets if r.side != side]
        self.former += gone
        officer, why = _officer(body), body.get("why", "replacement")
        if why in ("change", "recovery"):
            officer = _with_recovery(officer, gone[0].recovery)
        place = len(self.officers) if why == "replacement" else self.officers.index(gone[0])
        self.officers.insert(place, officer)
        self.officers = [o for o in self.officers if o not in gone]
        self.receipts[side] = self.receipts.get(side, 0) + ("receipt" in body)
        self._anchor(officer, body.get("anchor", ""))
        self._tell_later({"why": "replacement", **body})

    def _ruled(self, record: Record, body: dict[str, Any]) -> None:
        said = {key: body[key] for key in RULED if key in body}
        self.rulings = [*self.rulings, {**said, "at": record.at, "window": self.window}]
        if "opens" in body:
            self._forget({self.window})
            self._name_anchors(body["opens"])
            self._open(record, body, body["opens"])
        elif "position" in body:
            self.position = body["position"]

    def _ended(self, record: Record, body: dict[str, Any]) -> None:
        self.over = {"result": body["result"], "rule": "moderator", "why": body["reason"]}


def _touched(ruling: Mapping[str, Any]) -> int:
    """The first window that was played as a ruling changed it."""
    return int(ruling.get("opens", ruling["window"]))


def _counting(anchor: Anchor, since: int) -> Anchor:
    return Anchor(anchor.side, anchor.officer, anchor.key, anchor.anchor, since)


def _officer(body: Mapping[str, Any]) -> Officer:
    return Officer(
        Side(body["side"]), body["number"], body["key"], body.get("bot", False),
        body.get("recovery", ""), body.get("age", ""),
    )  # fmt: skip


def _with_recovery(officer: Officer, recovery: str) -> Officer:
    """An officer whose recovery key is that of the one before him."""
    return replace(officer, recovery=recovery)


def _accepted(body: dict[str, Any]) -> Accepted:
    return Accepted(**body)


def fold(records: Iterable[Record]) -> Register:
    """The register after all of `records`."""
    register = Register()
    for record in records:
        register.take(record)
    return register
