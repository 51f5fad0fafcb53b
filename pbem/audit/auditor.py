"""Audit a game by its ledger alone: the hash chain, signatures, dice, and a replay of every window.

`audit` trusts only the ledger and the rules. It generates positions and reports again and compares
them with the digests that were recorded when they were mailed. `CHECKS` names the check for each
kind of record; `pbem.audit.rerun` replays the windows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from orders.model import Header, OrderSet
from orders.reading import Reading
from pbem.admin import rulings
from pbem.admin.setup import setup_text
from pbem.audit import findings, key_checks
from pbem.audit.dice_checks import canonicals, check_dice, check_key, check_link, consent_of
from pbem.audit.findings import Audited, Finding, Wrong, chain_broken
from pbem.audit.rerun import Rerun, run_check
from pbem.audit.times import time_flags
from pbem.audit.verify_report import Chain, check_kept
from pbem.base.hashing import H, setup_digest
from pbem.base.report_json import Report
from pbem.crypto.sshsig import BadSignature, verify
from pbem.dice import provable
from pbem.dice.sources import LINKED
from pbem.errors import PbemError
from pbem.model import Plain, Side, System
from pbem.player.numbering import BOUNDED, latest
from pbem.player.reader import read_text
from pbem.player.run_word import ahead_of, links_of
from pbem.player.sign import NAMESPACE, header_of
from pbem.roles import role_of
from pbem.store.game_dir import Game, lost
from pbem.store.ledger import NO_HASH, BrokenChain, Ledger, Record
from pbem.store.records import (
    NMR,
    Accepted,
    Acknowledged,
    Body,
    Closed,
    Created,
    Enlisted,
    Locked,
    Noted,
    Opened,
    Opening,
    Received,
    Replaced,
    Revealed,
    Ruled,
    SetInForce,
    Undone,
)
from pbem.turns import links, strict_dice
from pbem.turns.close_window import VOID_SET, lock_of, void_of
from pbem.turns.role_sets import merged


def audit(
    game: Game,
    system: System,
    held: Sequence[Plain] = (),
    signatures: Mapping[str, bytes] | None = None,
) -> Audited:
    """Check the whole game, up to the first record that fails. Raises nothing: every error in the
    ledger becomes a finding.

    held: reports, receipts and locks that players kept, in any order; they must agree with the
    ledger. signatures: the signature files kept with them, by the `digest` field of each.
    """
    result = Audited()
    try:
        auditor = Auditor(game.ledger, Rerun(system, result))
        for record in records_of(game):
            auditor.check(record)
        if last := lost(game, result.records):
            found = f"the game's folder has the files of record {last}, which is not in the ledger"
            raise Wrong(result.records + 1, "cut-tail", found, findings.PROVES["cut-tail"])
        auditor.check_held(held, signatures or {})
    except Wrong as wrong:
        result.findings.append(wrong.finding)
    except PbemError as error:
        result.findings.append(
            Finding(
                result.records + 1, "replay", error.message, "the window did not happen like this"
            )
        )
    except FAULTS as error:
        said = f"it cannot be replayed: {type(error).__name__}: {error}"
        result.findings.append(
            Finding(result.records + 1, "altered-record", said, "the record was altered")
        )
    return result


def records_of(game: Game) -> Iterator[Record]:
    """Yield the records. Raises Wrong if the chain is broken or does not begin with `created`."""
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
        found = f"the first record is `{first}`" if first else "there is no record"
        raise Wrong(
            1,
            "dropped-record",
            f"{found}; a game begins with `created`",
            "the first record was removed",
        )


def recorded_system(game: Game) -> str:
    """Return the name of the rule system in the first record.

    Raises Wrong if that record is missing or altered.
    """
    body = next(records_of(game)).body
    assert isinstance(body, Created)
    return body.system


FAULTS = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
)
"""Errors that the rules may raise when they replay a record with altered content."""


class Auditor:
    """Checks the records of a ledger one after another."""

    def __init__(self, ledger: Ledger, rerun: Rerun) -> None:
        self.ledger = ledger
        self.rerun = rerun
        """The game, replayed up to the last checked record."""
        self.orders = OrderSet()
        """The orders of the set checked last."""
        self.sent: set[str] = set()
        """Digests of all reports and receipts that the records name."""
        self.locks: dict[int, set[str]] = {}
        """Window to the locks recorded for it."""
        self.last: Record | None = None
        """The record checked last."""

    def check(self, record: Record) -> None:
        """Check one record against everything before it, then apply it. Raises Wrong."""
        body, rerun = record.body, self.rerun
        check = CHECKS.get(type(body))
        if check:
            check(self, record, body)
        rerun.result.flags += time_flags(rerun.register, record, self.last)
        rerun.register.apply(record)
        self.last = record
        if isinstance(body, Opening):
            self.sent.update(body.reports.values(), (body.public,))
        if isinstance(body, Acknowledged):
            self.sent.add(body.receipt)
        if isinstance(body, Received):
            rerun.sets[record.n] = rerun.register.sets[body.side], self.orders
        rerun.result.records, rerun.result.head = record.n, record.hash

    def check_held(self, held: Sequence[Plain], signatures: Mapping[str, bytes]) -> None:
        """Check files that players kept: unaltered, recorded, and their heads on this chain.

        Raises Wrong for record 0, which stands for the whole game.
        """
        chain = self._chain()
        run_check(0, lambda: check_kept(held, signatures, chain))

    def _chain(self) -> Chain:
        """Return the ledger's data that kept files are compared with."""
        heads, last = {NO_HASH: 0}, ""
        for record in self.ledger.records():
            heads[record.hash], last = record.n, record.at
        register = self.rerun.register
        g0 = setup_digest(register.setup) if register.setup else ""
        return Chain(
            heads, self.locks, last, self.sent, register.window, g0, register.created.moderator
        )


def _created(audit: Auditor, record: Record, body: Created) -> None:
    """Check the first record: the edition, the moderator's key and the dice key."""
    if record.n > 1:
        raise Wrong(
            record.n,
            "moved-record",
            "only the first record may be `created`",
            "a record was moved or inserted",
        )
    given = audit.rerun.system
    audit.rerun.pin(record, body.pinned)
    if audit.rerun.foreign and not rulings.permits(audit.ledger, given):
        text = f"the game is pinned to {rulings.edition(body.pinned)}; another one is installed"
        raise Wrong(record.n, "edition", text, "nothing; use that release")
    run_check(record.n, lambda: key_checks.check_form(body.moderator))
    run_check(record.n, lambda: check_key(body))


def _enlisted(audit: Auditor, record: Record, body: Enlisted) -> None:
    """Check a new officer's number and key."""
    run_check(record.n, lambda: key_checks.check_officer(audit.rerun.register, body))


def _replaced(audit: Auditor, record: Record, body: Replaced) -> None:
    """Check a change of keys; remark on one that the moderator decided."""
    run_check(record.n, lambda: key_checks.check_replaced(audit.rerun.register, record.at, body))
    if body.right == "replacement":
        audit.rerun.result.flags.append(
            f"record {record.n}: the moderator replaced a key of {body.side}"
        )


def _noted(audit: Auditor, record: Record, body: Noted) -> None:
    """Check the announcement of a lost key; remark on another address. Other notes bind nobody."""
    if body.address:
        said = f"record {record.n}: the moderator sends mail of {', '.join(body.sides or ())}"
        audit.rerun.result.flags.append(f"{said} to another address")
    reset = body.reset
    if reset:
        run_check(record.n, lambda: key_checks.check_reset(audit.rerun.register, record.at, reset))


def _opened(audit: Auditor, record: Record, body: Opened) -> None:
    """Check the set-up text and the first reports."""
    register = audit.rerun.register
    if body.setup != setup_text(register, body.deadline):
        raise Wrong(
            record.n,
            "setup",
            "the set-up text differs from the records before it",
            "it has other keys, anchors or rules than were registered",
        )
    register.setup = body.setup
    audit.rerun.start(record, body)


def _received(audit: Auditor, record: Record, body: Received) -> None:
    """Check a set: signature, digests, header and sequence number."""
    _check_signature(audit, record, body)
    canonical, signature = body.canonical.encode("ascii"), bytes.fromhex(body.signature)
    sound = (
        body.digest == H("canonical", canonical).hex()
        and body.order == provable.order_digest(canonical, signature).hex()
    )
    if not sound:
        raise Wrong(record.n, "order", "its digest is not that of its orders", "an altered order")
    if not audit.rerun.foreign:
        _check_header(audit, record, body)
    _check_number(audit, record, body)
    audit.rerun.result.sets += 1


def _check_signature(audit: Auditor, record: Record, body: Received) -> None:
    """Raise Wrong unless a key of its side signed the set, or the moderator entered it.

    A set without an officer was entered by the moderator; the audit reports that.
    """
    if not body.officer:
        by = f"record {record.n}: orders of {body.side} entered by the moderator"
        audit.rerun.result.flags.append(by)
        return
    message = body.canonical.encode() if body.raw is None else bytes.fromhex(body.raw)
    try:
        keys = audit.rerun.register.keys()
        officer = verify(message, bytes.fromhex(body.signature), NAMESPACE, keys)
    except BadSignature as error:
        raise Wrong(record.n, "signature", error.message, "no registered key signed this") from None
    if (officer.side, officer.number) != (body.side, body.officer):
        raise Wrong(record.n, "signature", f"it is signed for {officer.side}", "a forged side")
    if body.raw is not None and body.canonical not in canonicals(message):
        raise Wrong(
            record.n, "signature", "the signed file says something else", "an altered order"
        )


def _check_header(audit: Auditor, record: Record, body: Received) -> None:
    """Raise Wrong unless the set answers its side's report of the open window, is newer than all
    before it, and is judged now as it was then."""
    register, side = audit.rerun.register, body.side
    report = audit.rerun.reports[side, register.window]
    reading = read_text(audit.rerun.system, report, body.canonical)
    header = reading.header
    if header is None or not _fits(audit, body, report, header, reading):
        raise Wrong(
            record.n,
            "header",
            "it does not answer the report of the open window",
            "a set meant for another time was inserted",
        )
    run_check(
        record.n,
        lambda: check_link(register, side, body.officer, header, body.link, body.ahead, body.links),
    )
    signed = body.officer and not role_of(side)  # a role has no dice chain
    announced = signed and register.created.dice in LINKED
    if body.anchor != (header.anchor if announced else ""):
        raise Wrong(
            record.n,
            "bad-link",
            "the record has another anchor than the orders",
            "dice that could be chosen",
        )
    audit.orders = reading.orders


def _fits(audit: Auditor, body: Received, report: Report, header: Header, reading: Reading) -> bool:
    """Tell whether the set answers that report, is the newest, and was judged as it is now."""
    register, orders = audit.rerun.register, reading.orders
    said = msgspec.structs.replace(
        header_of(report, body.seq),
        seq=body.seq,
        link=header.link,
        moderator=header.moderator,
        anchor=header.anchor,
    )
    final = not reading.diagnostics or "FINAL" in orders.words
    return (
        header == said
        and body.window == register.window
        and body.seq > max(register.seqs.get(body.side, {}), default=0)
        and (body.final, body.refused_orders) == (final, len(reading.diagnostics))
        and body.edited == reading.edited
        and not (register.over or register.rerun or register.running or register.locked)
        and body.ahead == ahead_of(orders)
        and body.links == (links_of(orders) if body.link else 0)
        and body.consent == consent_of(body, orders)
    )


def _check_number(audit: Auditor, record: Record, body: Received) -> None:
    """Raise Wrong if the set's sequence number lies more than a day in the future.

    Games of early protocols had no such bound, so they are not checked. Without the bound one set
    with a very high number would make all later sets of its key look old.
    """
    register = audit.rerun.register
    bound = register.protocol >= BOUNDED
    if bound and body.seq > latest(register, body.side, body.arrival):
        raise Wrong(
            record.n,
            "future-sequence",
            "its seq is more than a day past its arrival",
            "a set was accepted that should have been refused",
        )


def _locked(audit: Auditor, record: Record, body: Locked) -> None:
    """Check that a lock fits the sets in force and is the only one of its window."""
    register = audit.rerun.register
    digests = {side: one.order for side, one in body.sets.items()}
    _in_force(audit, record, body.sets)
    again = bool(register.locked) or body.window != register.window
    if again or lock_of(register, register.window, digests) != body.lock:
        raise Wrong(
            record.n,
            "two-locks" if again else "lock",
            "the lock does not fit the orders, or there is a second one",
            "two locks for one window",
        )
    audit.locks.setdefault(register.window, set()).add(body.lock)


def _revealed(audit: Auditor, record: Record, body: Revealed) -> None:
    """Check that a dice link was signed with the lock and belongs to its chain."""
    register, side = audit.rerun.register, body.side
    keys = {wire: o for wire, o in register.signers().items() if o.side == side}
    lock = register.locked.lock if register.locked else ""
    said = strict_dice.message(setup_digest(register.setup), register.window, lock, body.link)
    try:
        officer = verify(said, bytes.fromhex(body.signature), strict_dice.NAMESPACE, keys)
    except BadSignature as error:
        raise Wrong(record.n, "reveal", error.message, "a link that nobody revealed") from None
    number, said_so = officer.number, (body.officer, body.window, body.lock)
    if register.rerun or side in register.reveals or said_so != (number, register.window, lock):
        raise Wrong(
            record.n,
            "reveal",
            "it is not what was signed, or there is a second one",
            "a link that nobody revealed",
        )
    run_check(record.n, lambda: strict_dice.check_reveal(register, side, number, body.link))


def _closed(audit: Auditor, record: Record, body: Closed) -> None:
    """Check sets, lock, links and dice of a window, then resolve it again."""
    register, void = audit.rerun.register, void_of(audit.rerun.register)
    given = _in_force(audit, record, body.sets) | dict.fromkeys(void, VOID_SET)
    _check_lock(audit, record, body, void)
    run_check(record.n, lambda: check_dice(register, body))
    audit.rerun.result.flags += links.doubts(register, links.fixed(register))
    audit.rerun.close(record, body, merged(register, given))


def _check_lock(audit: Auditor, record: Record, body: Closed, void: list[Side]) -> None:
    """Raise Wrong unless lock, sets, void sets and reveals agree with the records before."""
    register, fixed = audit.rerun.register, audit.rerun.register.locked
    digests = {side: one.order for side, one in body.sets.items()}
    reveals = {side: one.signature for side, one in register.reveals.items()}
    same = fixed is None or (fixed.lock, fixed.sets) == (body.lock, body.sets)
    same = same and (body.void or [], body.reveals or {}) == (void, reveals)
    if not same or lock_of(register, body.window, digests) != body.lock:
        raise Wrong(record.n, "lock", "the lock does not fit the orders", "an altered order")


def _in_force(
    audit: Auditor, record: Record, said: Mapping[Side, SetInForce]
) -> dict[Side, OrderSet]:
    """Return the sets in force. Raises Wrong unless the record names exactly these."""
    register = audit.rerun.register
    if sorted(said) != sorted(register.seats):
        raise Wrong(
            record.n,
            "sets",
            "it does not name the sets of every side",
            "a set was withheld or replaced",
        )
    for side, one in said.items():
        taken = register.sets.get(side)
        if one != SetInForce(taken.order if taken else NMR, taken.n if taken else 0):
            raise Wrong(
                record.n,
                "sets",
                f"it names another set of {side} than the one in force",
                "a set was withheld or replaced",
            )
    return {side: audit.rerun.sets[taken.n][1] for side, taken in register.sets.items()}


def _undone(audit: Auditor, record: Record, body: Undone) -> None:
    """Check that an undo takes back the last closed window with the right sets."""
    register = audit.rerun.register
    kept_before = register.rerun and body.reopen
    window = register.window if kept_before else register.closed[-1].window
    right = (
        [] if kept_before else [window],
        register.used + 1 if body.reopen else window,
        {} if body.reopen else _kept(audit, register.closed[-1]),
    )
    if (body.windows, body.opens, body.sets) != right:
        raise Wrong(
            record.n, "undo", "it does not take back the last closed window", "an altered undo"
        )
    audit.rerun.undo(record, body, window)


def _kept(audit: Auditor, last: Closed) -> dict[Side, Accepted]:
    """Return the sets that were in force when the window closed, which an undo has to keep."""
    numbers = {side: one.record for side, one in last.sets.items() if one.record}
    return {side: audit.rerun.sets[n][0] for side, n in numbers.items()}


def _ruled(audit: Auditor, record: Record, body: Ruled) -> None:
    """Check a ruling and apply what it changes; every ruling gets a remark."""
    register, result = audit.rerun.register, audit.rerun.result
    result.flags.append(findings.ruling_flag(register, record.n, body))
    if not rulings.is_consistent(register, body):
        raise Wrong(record.n, "ruling", "it is not for the open window", "an altered ruling")
    if body.permit:
        audit.rerun.pin(record, body.permit)
    audit.rerun.rule(record, body)


CHECKS: dict[type[Body], Callable[..., None]] = {
    Created: _created,
    Enlisted: _enlisted,
    Replaced: _replaced,
    Noted: _noted,
    Opened: _opened,
    Received: _received,
    Locked: _locked,
    Revealed: _revealed,
    Closed: _closed,
    Undone: _undone,
    Ruled: _ruled,
}
"""Kind of record to its check, which raises Wrong. Other kinds do not change the game."""
