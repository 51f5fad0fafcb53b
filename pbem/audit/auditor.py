"""Checking a game by its ledger alone: chain, signatures, dice, and every window played again.

`audit` trusts nothing but the ledger and the rules: positions and reports are made anew and
compared with the digests that were recorded when they were sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from orders.model import Header, OrderSet
from orders.reading import Reading
from pbem import __version__
from pbem.admin import rulings
from pbem.admin.setup import begin, setup_text
from pbem.audit import findings, key_checks
from pbem.audit.dice_checks import canonicals, check_dice, check_key, check_link, consent_of
from pbem.audit.findings import PROVES, Audited, Finding, Wrong, chain_broken
from pbem.audit.verify_report import Chain, check_kept
from pbem.base.hashing import H, setup_digest
from pbem.crypto.sshsig import BadSignature, verify
from pbem.dice import provable
from pbem.dice.chains import LINKED
from pbem.dice.commitment import opens_well, pledged
from pbem.dice.sources import Recorded, Source
from pbem.engine.drive import Drive, Position, encode_position
from pbem.errors import PbemError
from pbem.model import Roll, Side, System, Window
from pbem.player.numbering import BOUNDED, latest
from pbem.player.reader import read_text
from pbem.player.run_word import ahead_of
from pbem.player.sign import NAMESPACE, header_of
from pbem.reports import render
from pbem.reports.report import Frame, Words, compose, with_digest
from pbem.store import runs
from pbem.store.game_dir import Game
from pbem.store.holders import Accepted
from pbem.store.ledger import NO_HASH, BrokenChain, Record
from pbem.store.register import Register
from pbem.turns import links, run_on, strict_dice
from pbem.turns.close_window import NMR, VOID_SET, lock_of, source_of, void_of
from pbem.turns.open_window import account_of, frame_of
from pbem.turns.run_on import after


def audit(
    game: Game,
    system: System,
    held: Sequence[dict[str, Any]] = (),
    signatures: Mapping[str, bytes] | None = None,
) -> Audited:
    """Check the whole game; the first record that fails ends it.

    held: reports and receipts that players kept, in any order; their heads must lie on the chain.
    signatures: the signatures kept with them, by the digest that each object says.
    """
    result = Audited()
    try:
        replay = Replay(game, system, result)
        for record in records_of(game):
            replay.take(record)
        replay.check_held(held, signatures or {})
    except Wrong as wrong:
        result.findings.append(wrong.finding)
    except PbemError as error:
        result.findings.append(
            Finding(result.records + 1, "replay", error.message, "the window did not happen so")
        )
    except FAULTS as error:
        result.findings.append(Finding(
            result.records + 1, "altered-record",
            f"it cannot be replayed: {type(error).__name__}: {error}", "it was altered",
        ))  # fmt: skip
    return result


def records_of(game: Game) -> Iterator[Record]:
    """The records. Raises Wrong where the chain is broken, or does not begin as a game does."""
    first = ""
    try:
        for record in game.ledger.records():
            first = first or record.kind
            if first != "created":
                break
            yield record
    except BrokenChain as error:
        broken = chain_broken(error)
        raise Wrong(broken.record, broken.code, broken.text, broken.proves) from None
    if first != "created":
        stands = f"`{first}` stands" if first else "nothing stands"
        raise Wrong(1, "dropped-record", f"{stands} where `created` belongs, which begins a game",
                    "the first record was taken out")  # fmt: skip


def system_said(game: Game) -> str:
    """The rule system that a game says it is played by. Raises Wrong where its first record is
    not there, or not as it was written."""
    name = next(records_of(game)).body.get("system")
    if not isinstance(name, str):
        raise Wrong(1, "altered-record", "it does not say by which rules the game is played",
                    "it was altered")  # fmt: skip
    return name


FAULTS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError,
          RecursionError)  # fmt: skip
"""What comes of replaying a record that holds something else than it must."""


class Replay:
    """One walk along the ledger. `register` is rebuilt record by record, `drive` replays it.
    foreign: another edition plays the game now, whose windows this one cannot play again."""

    def __init__(self, game: Game, system: System, result: Audited) -> None:
        self.ledger = game.ledger
        self.register = Register()
        self.system = system
        self.result = result
        self.drive: Drive | None = None
        self.positions: dict[int, bytes] = {}
        self.reports: dict[tuple[str, int], dict[str, Any]] = {}
        self.taken: dict[int, tuple[Accepted, OrderSet]] = {}
        self.orders = OrderSet()
        self.sent: set[str] = set()
        self.locks: dict[int, set[str]] = {}
        self.foreign = False

    def take(self, record: Record) -> None:
        """Check one record against everything before it, then fold it in."""
        check = getattr(self, f"_{record.kind}", None)
        if check:
            check(record, record.body)
        self.register.take(record)
        self.sent.update(record.body.get("reports", {}).values())
        self.sent.update(record.body.get(key, "") for key in ("receipt", "public"))
        if record.kind == "received":
            accepted = self.register.sets[Side(record.body["side"])]
            self.taken[record.n] = accepted, self.orders
        self.result.records, self.result.head = record.n, record.hash

    def check_held(self, held: Sequence[dict[str, Any]], signatures: Mapping[str, bytes]) -> None:
        """What a player holds must be as it was sent, recorded, and its head on this chain."""
        ledger = self._chain()
        self._prove(0, lambda: check_kept(held, signatures, ledger))

    def _chain(self) -> Chain:
        heads, last = {NO_HASH: 0}, ""
        for record in self.ledger.records():
            heads[record.hash], last = record.n, record.at
        register = self.register
        g0 = setup_digest(register.setup) if register.setup else ""
        return Chain(
            heads, self.locks, last, self.sent, register.window, g0, register.created["moderator"]
        )

    def _created(self, record: Record, body: dict[str, Any]) -> None:
        if record.n > 1:
            raise Wrong(record.n, "moved-record", "a game is made once",
                        "a record was moved or put in")  # fmt: skip
        self.foreign = rulings.foreign(self.system, body)
        if self.foreign and not rulings.permits(self.ledger, self.system):
            text = f"the game is pinned to {rulings.edition(body)}; this is another"
            raise Wrong(record.n, "edition", text, "nothing; use that release")
        self._flag_foreign(record, body)
        self._prove(record.n, lambda: key_checks.check_form(body["moderator"]))
        self._prove(record.n, lambda: check_key(body))

    def _flag_foreign(self, record: Record, pinned: Mapping[str, Any]) -> None:
        if self.foreign:
            self.result.flags.append(f"from record {record.n} the game is played by "
                                     f"{rulings.edition(pinned)}: a release that has it can play "
                                     "those windows again, this one cannot")  # fmt: skip

    def _enlisted(self, record: Record, body: dict[str, Any]) -> None:
        self._prove(record.n, lambda: key_checks.check_officer(self.register, record))

    def _replaced(self, record: Record, body: dict[str, Any]) -> None:
        self._prove(record.n, lambda: key_checks.check_replaced(self.register, record))
        if body.get("why", "replacement") == "replacement":
            self.result.flags.append(f"record {record.n}: the moderator replaced a key of "
                                     f"{body['side']}")  # fmt: skip

    def _noted(self, record: Record, body: dict[str, Any]) -> None:
        if "reset" in body:
            self._prove(record.n, lambda: key_checks.check_reset(self.register, record))

    def _opened(self, record: Record, body: dict[str, Any]) -> None:
        register = self.register
        if body["setup"] != setup_text(register, body["deadline"]):
            raise Wrong(record.n, "setup", "the set-up text is not what was decided",
                        "other keys, anchors or rules than those enlisted")  # fmt: skip
        register.setup = body["setup"]
        if self.foreign:
            return
        created = register.created
        state = begin(self.system, created["scenario"], created["options"], created["house"])
        self.drive = Drive.start(self.system, register.sides, created["options"], state)
        self._compare(record, body, self.drive.began, {})

    def _received(self, record: Record, body: dict[str, Any]) -> None:
        self._check_signature(record, body)
        canonical = body["canonical"].encode("ascii")
        signature = bytes.fromhex(body["signature"])
        sound = (
            body["digest"] == H("canonical", canonical).hex()
            and body["order"] == provable.order_digest(canonical, signature).hex()
        )
        if not sound:
            raise Wrong(record.n, "order", "its digest is not that of its orders", "it was altered")
        if not self.foreign:
            self._check_header(record, body)
        self._check_number(record, body)
        self.result.sets += 1

    def _check_number(self, record: Record, body: dict[str, Any]) -> None:
        """Its number may not be of a day to come, since games have been held to that."""
        register, side = self.register, Side(body["side"])
        bound = register.created.get("protocol", 1) >= BOUNDED
        if bound and body["seq"] > latest(register, side, body["arrival"]):
            raise Wrong(record.n, "future-sequence", "its seq is more than a day past its arrival",
                        "a set that had to be refused was taken")  # fmt: skip

    def _check_header(self, record: Record, body: dict[str, Any]) -> None:
        """The set must answer its side's report of the window that was open, be newer than any
        before it, and be judged as it was."""
        register, side = self.register, Side(body["side"])
        report = self.reports[side, register.window]
        reading = read_text(self.system, report, body["canonical"])
        header = reading.header
        if header is None or not self._fits(body, report, header, reading):
            raise Wrong(record.n, "header", "it does not answer the report of the open window",
                        "a set meant for another moment was put in")  # fmt: skip
        self._prove(
            record.n,
            lambda: check_link(
                register, side, body["officer"], header, body["link"], body.get("ahead", 0)
            ),
        )
        announced = body["officer"] and register.created["dice"] in LINKED
        if body.get("anchor", "") != (header.anchor if announced else ""):
            raise Wrong(record.n, "bad-link", "the record has another anchor than the orders",
                        "dice that could be chosen")  # fmt: skip
        self.orders = reading.orders

    def _prove(self, record: int, check: Callable[[], object]) -> None:
        """Run one check; what it raises is a finding."""
        try:
            check()
        except provable.BadProof as error:
            raise Wrong(record, error.code, error.message, PROVES[error.code]) from None

    def _check_signature(self, record: Record, body: dict[str, Any]) -> None:
        """The set must be signed by a key of its side, unless the moderator entered it."""
        if not body["officer"]:
            self.result.flags.append(f"record {record.n}: entered by the moderator")
            return
        message = bytes.fromhex(body["raw"]) if "raw" in body else body["canonical"].encode()
        try:
            officer = verify(
                message, bytes.fromhex(body["signature"]), NAMESPACE, self.register.keys()
            )
        except BadSignature as error:
            raise Wrong(
                record.n, "signature", error.message, "nobody enlisted signed this"
            ) from None
        if (officer.side, officer.number) != (body["side"], body["officer"]):
            raise Wrong(record.n, "signature", f"it is signed for {officer.side}", "a forged side")
        if "raw" in body and body["canonical"] not in canonicals(message):
            raise Wrong(
                record.n, "signature", "the signed file says something else", "an altered order"
            )

    def _locked(self, record: Record, body: dict[str, Any]) -> None:
        register = self.register
        digests = {s: one["order"] for s, one in body["sets"].items()}
        self._in_force(record, body)
        again = bool(register.locked) or body["window"] != register.window
        if again or lock_of(register, register.window, digests) != body["lock"]:
            raise Wrong(record.n, "two-locks" if again else "lock",
                        "the lock is not that of the orders, or a second one",
                        "two locks for one window")  # fmt: skip
        self.locks.setdefault(register.window, set()).add(body["lock"])

    def _revealed(self, record: Record, body: dict[str, Any]) -> None:
        register, side = self.register, body["side"]
        keys = {wire: o for wire, o in register.signers().items() if o.side == side}
        lock = register.locked.get("lock", "")
        said = strict_dice.message(
            setup_digest(register.setup), register.window, lock, body["link"]
        )
        try:
            officer = verify(said, bytes.fromhex(body["signature"]), strict_dice.NAMESPACE, keys)
        except BadSignature as error:
            raise Wrong(record.n, "reveal", error.message, "a link that nobody revealed") from None
        number, said_so = officer.number, (body["officer"], body["window"], body["lock"])
        if register.rerun or side in register.reveals or said_so != (number, register.window, lock):
            raise Wrong(record.n, "reveal", "it is not what was signed, or a second one",
                        "a link that nobody revealed")  # fmt: skip
        self._prove(
            record.n, lambda: strict_dice.check_reveal(register, side, number, body["link"])
        )

    def _fits(
        self, body: dict[str, Any], report: dict[str, Any], header: Header, reading: Reading
    ) -> bool:
        """Whether the set answers that report, is the newest, and was judged as it is now."""
        register, side = self.register, Side(body["side"])
        said = msgspec.structs.replace(
            header_of(report, body["seq"]),
            seq=body["seq"], link=header.link, moderator=header.moderator, anchor=header.anchor,
        )  # fmt: skip
        final = not reading.diagnostics or "FINAL" in reading.orders.words
        return (
            header == said
            and body["window"] == register.window
            and body["seq"] > max(register.seqs.get(side, {}), default=0)
            and (body["final"], body["refused_orders"]) == (final, len(reading.diagnostics))
            and not (register.over or register.rerun or register.running or register.locked)
            and body.get("ahead", 0) == ahead_of(reading.orders)
            and body.get("consent", "") == consent_of(body, reading.orders)
        )

    def _closed(self, record: Record, body: dict[str, Any]) -> None:
        void, fixed = void_of(self.register), self.register.locked
        given = self._in_force(record, body) | dict.fromkeys(void, VOID_SET)
        digests = {s: one["order"] for s, one in body["sets"].items()}
        recorded = msgspec.convert(body["rolls"], list[Roll])
        reveals = {s: one["signature"] for s, one in self.register.reveals.items()}
        same = not fixed or (fixed["lock"], fixed["sets"]) == (body["lock"], body["sets"])
        same = same and (body.get("void", []), body.get("reveals", {})) == (void, reveals)
        if not same or lock_of(self.register, body["window"], digests) != body["lock"]:
            raise Wrong(record.n, "lock", "the lock is not that of the orders", "an altered order")
        self._prove(record.n, lambda: check_dice(self.register, body, recorded))
        self.result.flags += links.doubts(self.register, links.fixed(self.register))
        if self.foreign:
            return
        drive = self._require_drive(record)
        self.positions[body["window"]] = encode_position(drive)[0]
        closing = drive.close(given, self._dice(body))
        if closing.window != body["window"] or closing.rolls != recorded:
            raise Wrong(record.n, "dice", "the replay rolls other dice", "altered rolls")
        over = msgspec.to_builtins(closing.over) if closing.over else None
        ran = after(self.register, self.system, drive, closing, given)
        drive.opens = Window(self._opens(record, body, ran))
        said = (body["over"], body["opens"], body["turn"], body.get("run", {}))
        if said != (over, drive.opens, drive.state.turn, ran):
            raise Wrong(record.n, "result", "the replay ends the window otherwise",
                        "an altered result")  # fmt: skip
        self.system.audit(drive.state)
        self.result.windows += 1
        self.result.rolls += len(recorded)
        self._compare(record, body, closing, {
            "lock": body["lock"], "links": body["links"], "sets": digests, "void": void,
            "reveals": reveals, "root": links.fixed(self.register).root,
            **{k: body[k] for k in ("carried", "firsts", "run") if k in body},
        })  # fmt: skip

    def _opens(self, record: Record, body: dict[str, Any], ran: dict[str, Any]) -> int:
        """The number that the next window must have."""
        opens = run_on.opens(self.register, body["window"], ran, body["opens"])
        if opens <= self.register.used and ran.get("why") != runs.ON and not body["over"]:
            self.result.flags.append(f"record {record.n}: window {opens} was opened a second time, "
                                     "when its links could be known")  # fmt: skip
        return opens

    def _undone(self, record: Record, body: dict[str, Any]) -> None:
        register = self.register
        kept_before = register.rerun and body["reopen"]
        last = {"window": register.window} if kept_before else register.closed[-1]
        windows = [] if kept_before else [last["window"]]
        opens = register.used + 1 if body["reopen"] else last["window"]
        kept = msgspec.convert(body["sets"], dict[str, Accepted])
        if (body["windows"], body["opens"], kept) != (
            windows, opens, {} if body["reopen"] else self._kept(last)
        ):  # fmt: skip
            raise Wrong(record.n, "undo", "it takes back something else", "an altered undo")
        if self.foreign:
            return
        position = msgspec.json.decode(self.positions[last["window"]], type=Position)
        position.window = Window(opens)
        self.drive = Drive.resume(self.system, register.sides, register.options, position)
        self.result.flags.append(
            findings.undo_flag(register, record.n, last["window"], body["reopen"])
        )
        if body["reopen"]:
            with register.stepped_back(body):
                self._compare(record, body, None, {})
        elif encode_position(self.drive)[1] != body["position"]:
            raise Wrong(record.n, "state", "the replay comes to another state", "an altered undo")

    def _ruled(self, record: Record, body: dict[str, Any]) -> None:
        self.result.flags.append(findings.ruling_flag(self.register, record.n, body))
        if not rulings.sound(self.register, body):
            raise Wrong(record.n, "ruling", "it rules on another window", "an altered ruling")
        if "permit" in body:
            self.foreign = rulings.foreign(self.system, body["permit"])
            self._flag_foreign(record, body["permit"])
        if self.foreign or "position" not in body:
            return
        before = None if "permit" in body else self._require_drive(record).position()
        if before and self.register.protocol > 1:
            idle = rulings.idle_edit(self.system, before, body["edits"])
            if idle is not None:
                raise Wrong(record.n, "ruling", f"its edit {idle + 1} changes nothing",
                            "a window opened anew for other dice")  # fmt: skip
        self.drive = rulings.again(self.register, self.system, before, body)
        self.system.audit(self.drive.state)
        data, name = encode_position(self.drive)
        if "opens" in body:
            with rulings.counted(self.register, body):
                self._compare(record, body, None, {})
        elif name != body["position"]:
            raise Wrong(record.n, "state", "the ruling comes to another state", "altered edits")
        else:
            self.positions[self.register.window] = data

    def _kept(self, last: dict[str, Any]) -> dict[str, Accepted]:
        """The sets that were in force when the window closed, as an undo has to keep them."""
        numbers = {side: one["record"] for side, one in last["sets"].items() if one["record"]}
        return {s: self.taken[n][0] for s, n in numbers.items()}

    def _dice(self, body: dict[str, Any]) -> Source:
        created = self.register.created
        if created["dice"] != "seeded":
            rolls = msgspec.convert(body["rolls"], list[Roll])
            return Recorded(rolls, created["dice"], created["dice"] == "hand")
        return source_of(self.register, None)

    def _in_force(self, record: Record, body: dict[str, Any]) -> dict[Side, OrderSet]:
        """The sets in force, which must be all that the record names and no others."""
        register = self.register
        if sorted(body["sets"]) != sorted(register.sides):
            raise Wrong(record.n, "sets", "it does not name the sets of every side",
                        "a set was withheld or replaced")  # fmt: skip
        for side, one in body["sets"].items():
            taken = register.sets.get(side)
            if one != {"order": taken.order if taken else NMR, "record": taken.n if taken else 0}:
                raise Wrong(record.n, "sets", f"the set in force of {side} is another",
                            "a set was withheld or replaced")  # fmt: skip
        return {side: self.taken[taken.n][1] for side, taken in register.sets.items()}

    def _compare(
        self, record: Record, body: dict[str, Any], closing: Any, locks: dict[str, Any]
    ) -> None:
        """Position and reports made anew must have the recorded digests."""
        drive, register = self._require_drive(record), self.register
        if encode_position(drive)[1] != body["position"]:
            raise Wrong(
                record.n, "state", "the replay comes to another state", "altered rules or state"
            )
        if sorted(body["reports"]) != sorted(drive.sides):
            raise Wrong(record.n, "one-sided", "the window did not open for every side",
                        "a window that some were not told of")  # fmt: skip
        if not opens_well(setup_digest(register.setup), body):
            raise Wrong(record.n, "commitment", "the commitment is to other rolls or another state",
                        "a roll or the state was exchanged after it")  # fmt: skip
        frame = frame_of(
            register.created["game"], register, self.system, drive, closing, body["deadline"],
            record.at, locks, pledged(body).commit,
        )  # fmt: skip
        words = Words(render.events, render.questions)
        for side in drive.sides:
            account = account_of(register, drive, side, closing, locks, record.at)
            report = compose(self.system, frame, side, drive.view(side), account, words)
            self.reports[side, report["window"]] = report
            self._same(record, report, body["reports"][side], f"the report of {side}")
        self._compare_public(record, frame, drive, closing)

    def _same(self, record: Record, report: dict[str, Any], digest: str, what: str) -> None:
        """A report made anew is the recorded one. Of another release it counts as it: what
        happened is compared by state and dice, and words may be mended from release to release."""
        release = record.body.get("release", self.register.created["release"])
        if release != __version__ and bool(digest) == bool(report["digest"]):
            said = (f"reports were worded by release {release}: this one ({__version__}) does not "
                    "compare their words")  # fmt: skip
            self.result.flags += [said] if said not in self.result.flags else []
            report["digest"] = digest
        elif report["digest"] != digest:
            raise Wrong(record.n, "report", f"{what} was another",
                        "somebody was told what did not happen")  # fmt: skip

    def _compare_public(self, record: Record, frame: Frame, drive: Drive, closing: Any) -> None:
        """The spectators' report, which there is while somebody watches."""
        report: dict[str, Any] = {"digest": ""}
        if self.register.spectators:
            from pbem.outbound.spectators import report_of

            report = report_of(self.system, frame, drive, closing)
            with_digest(report)
        self._same(record, report, record.body.get("public", ""), "the report of the spectators")

    def _require_drive(self, record: Record) -> Drive:
        if self.drive is None:
            raise Wrong(record.n, "order", "the game was not open yet", "records were moved")
        return self.drive
