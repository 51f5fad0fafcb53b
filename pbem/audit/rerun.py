"""Replay a game from its records; positions, dice and reports must come out as recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from orders.model import OrderSet
from pbem import __version__
from pbem.admin import rulings
from pbem.admin.setup import begin
from pbem.audit import findings
from pbem.audit.findings import PROVES, Audited, Wrong
from pbem.base.hashing import setup_digest
from pbem.base.report_json import Report, Run
from pbem.dice import provable
from pbem.dice.commitment import Commitment, is_opened_by
from pbem.dice.sources import Recorded, Source
from pbem.engine.drive import Drive, encode_position
from pbem.engine.editions import former
from pbem.engine.position import Position
from pbem.engine.runner import Closing
from pbem.model import Side, System, Window
from pbem.reports import wording
from pbem.reports.report import Frame, Words, compose, with_digest
from pbem.store.ledger import Record
from pbem.store.records import Accepted, Closed, Edition, Opened, Opening, Ruled, Undone
from pbem.store.register import Register
from pbem.turns import links, run_on
from pbem.turns.close_window import source_of
from pbem.turns.open_window import Basis, NewWindow, account_of, frame_of


def run_check(record: int, check: Callable[[], object]) -> None:
    """Run one check of a record; raise Wrong instead of BadProof."""
    try:
        check()
    except provable.BadProof as error:
        raise Wrong(record, error.code, error.message, PROVES[error.code]) from None


class Rerun:
    """A game as it is after the records checked so far."""

    def __init__(self, system: System, result: Audited) -> None:
        self.register = Register()
        """What these records say."""
        self.system = system
        self.result = result
        self.drive: Drive | None = None
        """The replayed game; None before it is opened."""
        self.positions: dict[int, bytes] = {}
        """Window to the encoded position at its opening."""
        self.reports: dict[tuple[str, int], Report] = {}
        """Side and window to the report, generated again."""
        self.sets: dict[int, tuple[Accepted, OrderSet]] = {}
        """Record number of a set to the set and its orders."""
        self.foreign = False
        """Whether the present windows belong to an edition that is not installed: they cannot be
        replayed."""
        self._given = system

    def pin(self, record: Record, pinned: Edition) -> None:
        """From this record on, play the game by that edition: the present one or an archive."""
        self.system = self._edition(pinned)
        self.foreign = pinned != rulings.edition_of(self.system)
        if self.foreign:
            self.result.flags.append(
                f"from record {record.n} the game is played by {rulings.edition(pinned)}: a "
                "release that has it can play those windows again, this one cannot"
            )

    def _edition(self, pinned: Edition) -> System:
        """Return an edition of the system; the one that the audit was given if it is not found."""
        given = self._given
        if pinned == rulings.edition_of(given):
            return given
        return former(given.name, pinned.edition) or given

    def start(self, record: Record, body: Opened) -> None:
        """Start the rules and compare the first reports."""
        if self.foreign:
            return
        register, created = self.register, self.register.created
        state = begin(self.system, created.scenario, created.options, created.house)
        self.drive = Drive.start(self.system, register.sides, created.options, state)
        self.compare(
            record, body, NewWindow(self.drive, self.drive.began, record.at, body.deadline)
        )

    def close(self, record: Record, body: Closed, given: Mapping[Side, OrderSet]) -> None:
        """Resolve the window again. given: the orders in force. Raises Wrong."""
        if self.foreign:
            return
        drive = self._require_drive(record)
        self.positions[body.window] = encode_position(drive)[0]
        closing = drive.close(given, self._dice(body))
        if closing.window != body.window or closing.rolls != body.rolls:
            raise Wrong(record.n, "dice", "the replay gets other rolls", "altered rolls")
        ran = run_on.after(self.register, self.system, drive, closing, given)
        drive.opens = Window(self._opens(record, body, ran))
        said = (body.over, body.opens, body.turn, body.run)
        if said != (closing.over, drive.opens, drive.state.turn, ran):
            proves = "an altered result, or rules changed without a new edition"
            raise Wrong(record.n, "result", "the replay gets another result", proves)
        self.system.audit(drive.state)
        self.result.windows += 1
        self.result.rolls += len(closing.rolls)
        basis = self._basis(body)
        self.compare(record, body, NewWindow(drive, closing, record.at, body.deadline, basis))

    def _basis(self, body: Closed) -> Basis:
        """Return what reports say about how the window was resolved, from its record."""
        return Basis(
            lock=body.lock,
            sets={side: one.order for side, one in body.sets.items()},
            links=body.links,
            carried=body.carried,
            firsts=body.firsts,
            root=links.fixed(self.register).root,
            reveals=body.reveals or {},
            void=body.void or [],
            run=body.run,
        )

    def _opens(self, record: Record, body: Closed, ran: Run | None) -> int:
        """Return the number that the next window must have; remark on numbers used twice."""
        opens = run_on.opens(self.register, body.window, ran, body.opens)
        if opens <= self.register.used and not (ran and ran.why == "on") and not body.over:
            self.result.flags.append(
                f"record {record.n}: window {opens} was opened a second time, when its links "
                "could be known"
            )
        return opens

    def _dice(self, body: Closed) -> Source:
        """Return the source of dice: the seed, or the recorded rolls, which `check_dice` proved."""
        dice = self.register.created.dice
        if dice != "seeded":
            return Recorded(body.rolls, dice, dice == "hand")
        return source_of(self.register, None)

    def undo(self, record: Record, body: Undone, window: int) -> None:
        """Return to the position at which that window was open. Raises Wrong."""
        if self.foreign:
            return
        register = self.register
        position = msgspec.json.decode(self.positions[window], type=Position)
        position.window = Window(body.opens)
        self.drive = Drive.resume(self.system, register.sides, register.options, position)
        self.result.flags.append(findings.undo_flag(register, record.n, window, body.reopen))
        if body.reopen:
            with register.stepped_back(body):
                self.compare(record, body, NewWindow(self.drive, None, record.at, body.deadline))
        elif encode_position(self.drive)[1] != body.position:
            raise Wrong(record.n, "state", "the replay gets another state", "an altered undo")

    def rule(self, record: Record, body: Ruled) -> None:
        """Apply a ruling that changes the state. Raises Wrong."""
        if self.foreign or not body.position:
            return
        before = None if body.permit else self._require_drive(record).position()
        if before and self.register.protocol > 1:
            self._require_change(record, body, before)
        self.drive = rulings.drive_after(self.register, self.system, before, body)
        self.system.audit(self.drive.state)
        data, name = encode_position(self.drive)
        if body.opens:
            new = NewWindow(self.drive, None, record.at, body.deadline or "")
            with rulings.as_if_recorded(self.register, body):
                self.compare(record, body, new)
        elif name != body.position:
            raise Wrong(record.n, "state", "the edits lead to another state", "altered edits")
        else:
            self.positions[self.register.window] = data

    def _require_change(self, record: Record, body: Ruled, before: Position) -> None:
        """Raise Wrong for an edit without effect."""
        idle = rulings.edit_without_effect(self.system, before, body.edits or ())
        if idle is not None:
            raise Wrong(
                record.n,
                "ruling",
                f"its edit {idle + 1} changes nothing",
                "a window was reopened only to get other dice",
            )

    def compare(self, record: Record, body: Opening, new: NewWindow) -> None:
        """Raise Wrong unless position and reports, generated again, have the recorded digests."""
        drive = new.drive
        self._compare_state(record, body, drive)
        frame = frame_of(self.register, msgspec.structs.replace(new, commit=body.commit))
        words = Words(wording.events, wording.questions)
        for side in self.register.seats:
            account = account_of(self.register, new, side)
            report = compose(self.system, frame, side, drive.view(side), account, words)
            self.reports[side, report.window] = report
            self._compare_report(record, body, report, body.reports[side], f"the report of {side}")
        self._compare_public(record, body, frame, drive, new.closing)

    def _compare_state(self, record: Record, body: Opening, drive: Drive) -> None:
        """Raise Wrong unless state, sides and commitment are as recorded."""
        if encode_position(drive)[1] != body.position:
            raise Wrong(
                record.n, "state", "the replay gets another state", "altered rules or state"
            )
        if not drive.over and tuple(body.owed) != drive.pause.owed:
            raise Wrong(
                record.n,
                "state",
                "the replay asks other sides for orders than the record says",
                "a window that was closed without orders that were owed",
            )
        if sorted(body.reports) != sorted(self.register.seats):
            raise Wrong(
                record.n,
                "one-sided",
                "the window did not open for every side",
                "a window that some sides were not told of",
            )
        rolls = body.rolls if isinstance(body, Closed) else ()
        said, g0 = Commitment(body.commit, body.blind), setup_digest(self.register.setup)
        if not is_opened_by(said, g0, body.opening, body.position, rolls):
            raise Wrong(
                record.n,
                "commitment",
                "the commitment does not fit the rolls and the state",
                "a roll or the state was changed after the commitment",
            )

    def _compare_report(
        self, record: Record, body: Opening, report: Report | None, digest: str, what: str
    ) -> None:
        """Raise Wrong unless a generated report has the recorded digest.

        Reports of another release are not compared: releases may change their wording. What
        happened is compared by state and dice in any case. report: None if there should be none.
        """
        release = body.release or self.register.created.release
        made = report.digest if report else ""
        if release != __version__ and bool(digest) == bool(made):
            said = (
                f"reports were worded by release {release}: this one ({__version__}) does not "
                "compare their words"
            )
            self.result.flags += [said] if said not in self.result.flags else []
            if report:
                report.digest = digest
        elif made != digest:
            raise Wrong(
                record.n,
                "report",
                f"{what} differs from the recorded one",
                "somebody was told what did not happen",
            )

    def _compare_public(
        self, record: Record, body: Opening, frame: Frame, drive: Drive, closing: Closing | None
    ) -> None:
        """Compare the spectators' report, which exists only if there are spectators."""
        report = None
        if self.register.spectators:
            from pbem.outbound.spectators import report_of

            report = report_of(self.system, frame, drive, closing)
            with_digest(report)
        self._compare_report(record, body, report, body.public, "the report of the spectators")

    def _require_drive(self, record: Record) -> Drive:
        if self.drive is None:
            raise Wrong(record.n, "order", "the game is not open yet", "records were moved")
        return self.drive
