"""Check the reports, receipts, locks and notes that a player has: `pbem read`.

These are the checks of verify.py, which is an independent implementation, and one more: that the
links shown for the player's side belong to his own chain.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar

import msgspec
from msgspec import Struct

from pbem.admin import key_change
from pbem.audit.dice_checks import check_roll
from pbem.base.hashing import H, canonical_json
from pbem.base.mail_json import Note
from pbem.base.report_json import Anchor, LaterKey, Moderator, Seed, SeenRoll, SetUp, SetUpRef
from pbem.crypto import statements
from pbem.crypto.sshsig import BadSignature, key_digest, verify, wire_key
from pbem.dice import provable, sources
from pbem.dice.chains import DiceChains
from pbem.dice.provable import BadProof
from pbem.dice.sources import LINKED
from pbem.model import Plain, Roll, Side, Window
from pbem.reports.report import digest
from pbem.turns import strict_dice
from pbem.turns.links import seed as seed_made

P = ParamSpec("P")
R = TypeVar("R")
MALFORMED = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    msgspec.ValidationError,
)
KINDS: dict[str, statements.Kind] = {
    "pbem-report/1": "report",
    "pbem-report/2": "report",
    "pbem-receipt/1": "receipt",
    "pbem-lock/1": "lock",
}
"""Format of a kept file to its kind."""


class Checked(Struct, frozen=True):
    """The fields of a report that are checked here (see `Report`)."""

    game: str
    side: str
    dice_mode: str
    """The kind of dice."""
    setup: SetUpRef
    moderator: Moderator
    anchors: dict[str, list[Anchor]]
    """Side to the dice anchors announced so far."""
    seed: Seed
    """The links of the window that closed."""
    rolls: list[SeenRoll]
    keys: dict[str, list[LaterKey]] = {}
    """Side to the keys that came after the set-up."""


class SignedObject(Struct, frozen=True):
    """The common fields of reports, receipts, locks and notes; each kind has some of them."""

    format: str
    window: int
    digest: str
    side: str
    head: str = ""
    """Head of the ledger before it; empty in locks and notes."""
    received: str = ""
    """ISO time at which the mail arrived, in receipts."""
    status: str = ""
    """What became of the orders, in receipts."""
    lock: str = ""
    """The digest of the locked orders, in locks."""


def _report_malformed(check: Callable[P, R]) -> Callable[P, R]:
    """Decorate a check so that content of the wrong form raises BadProof, not some other error.

    Anybody may have encrypted the file, so its content can be anything.
    """

    @wraps(check)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return check(*args, **kwargs)
        except MALFORMED as error:
            text = f"the file is malformed: {type(error).__name__}: {error}"
            raise BadProof("malformed", text) from None

    return checked


@_report_malformed
def check_report(
    facts: Plain, signature: bytes | None = None, dice_chains: DiceChains | None = None
) -> None:
    """Check a report's digest, signature, keys and dice. Raises BadProof, BadSignature.

    signature: the file `report.seal`; None to skip that check. dice_chains: the reader's key with
    its dice chains, to check the links of his own side.
    """
    report, setup = _whole(facts)
    if signature is not None:
        statements.check(signature, "report", report.setup.digest, facts, setup.moderator.sign)
    _check_keys(report, setup)
    if setup.dice in LINKED:
        _check_dice(report, setup)
        if dice_chains is not None:
            _check_own(report, dice_chains)


class Chain(Struct, frozen=True):
    """What a ledger says, to compare kept files with."""

    heads: Mapping[str, int]
    """Hash of every record to its number."""
    locks: Mapping[int, Collection[str]]
    """Window with strict dice to its locks."""
    last: str
    """ISO time of the newest record."""
    sent: Collection[str]
    """Digests of every recorded report and receipt."""
    window: int
    """The open window."""
    g0: str
    """The set-up digest; empty before the game opens."""
    moderator: str
    """The moderator's public key line."""


@_report_malformed
def check_kept(held: Sequence[Plain], signatures: Mapping[str, bytes], chain: Chain) -> None:
    """Raise BadProof unless everything that a player kept agrees with the chain."""
    for facts in sorted(held, key=lambda kept: _place(kept, chain)):
        kind: statements.Kind = KINDS[facts["format"]]
        _check_digest(facts, kind, signatures.get(facts.get("digest", "")), chain)
        kept = msgspec.convert(facts, SignedObject)
        if kind == "lock":
            _check_lock(kept, chain)
        else:
            _check_recorded(kept, kind, chain)


def _check_recorded(kept: SignedObject, kind: str, chain: Chain) -> None:
    """Check that the ledger records this report or receipt and contains the head that it names.

    If the head is missing, either the end of the ledger was cut off, or the player was shown
    another ledger: the time and window of the file tell which.
    """
    at = chain.heads.get(kept.head, -1)
    if at < 0:
        raise BadProof(
            "cut-tail" if _beyond(kept, chain) else "fork",
            f"the head {kept.head[:16]} of a kept {kind} is not on this chain",
        )
    if kept.digest not in chain.sent and kept.status != "known":
        code = "dropped-record" if kind == "receipt" else "fork"
        code = "cut-tail" if at == max(chain.heads.values()) else code
        raise BadProof(code, f"the ledger has no record of a kept {kind}")


def _place(facts: Plain, chain: Chain) -> tuple[int, str]:
    """Return the sort key of a kept file: its place on the chain, files off the chain last.

    So the first finding does not depend on the order in which the files are given.
    """
    at = chain.heads.get(str(facts.get("head")), len(chain.heads))
    return at, json.dumps(facts, sort_keys=True)


def _check_lock(notice: SignedObject, chain: Chain) -> None:
    """Check that the ledger has the lock of which a player was sent a notice."""
    locks = chain.locks.get(notice.window)
    if locks is None:
        code = "cut-tail" if notice.window >= chain.window else "dropped-record"
        raise BadProof(code, f"the ledger has no lock of window {notice.window}")
    if notice.lock not in locks:
        raise BadProof("two-locks", f"a player was sent another lock of window {notice.window}")


def _check_digest(
    facts: Plain, kind: statements.Kind, signature: bytes | None, chain: Chain
) -> None:
    """Check that a kept file has the digest it names, and that the moderator signed it."""
    own = {key: value for key, value in facts.items() if key != "digest"}
    tag = "lock-notice" if kind == "lock" else kind
    if H(tag, canonical_json(own)).hex() != facts.get("digest"):
        code = "altered-report" if kind == "report" else f"forged-{kind}"
        raise BadProof(code, f"a kept {kind} does not have the digest that it names")
    if signature is None:
        return
    try:
        statements.check(signature, kind, chain.g0, facts, chain.moderator)
    except BadSignature as error:
        raise BadProof(f"forged-{kind}", error.message) from None


def _beyond(kept: SignedObject, chain: Chain) -> bool:
    """Tell whether it was sent after the last record of this ledger."""
    return kept.window > chain.window or kept.received > chain.last


TAGS: Mapping[str, tuple[statements.Kind, str]] = {
    "receipt": ("receipt", "receipt"),
    "note": ("note", "note"),
    "lock": ("lock", "lock-notice"),
}
"""Kind of a signed file other than reports: its kind in statements, and the tag of its digest."""


@_report_malformed
def check_signed(kind: str, facts: Plain, signature: bytes, report: Plain) -> None:
    """Raise BadProof or BadSignature unless the moderator of `report` signed this receipt, note or
    lock."""
    own = {key: value for key, value in facts.items() if key != "digest"}
    said, tag = TAGS[kind]
    if facts["digest"] != H(tag, canonical_json(own)).hex():
        raise BadProof(f"forged-{kind}", f"the {kind} does not have the digest that it names")
    known, setup = _whole(report)
    g0 = "" if facts.get("setup") == "" else known.setup.digest
    statements.check(signature, said, g0, facts, setup.moderator.sign)


@_report_malformed
def check_same(facts: Plain, known: Plain) -> None:
    """Raise BadProof unless a report is of the same game, set-up and moderator as a known one."""
    other, _ = _whole(known)
    if facts["setup"]["digest"] != other.setup.digest:
        raise BadProof("setup", "it is of another game than the report that it is compared with")


@_report_malformed
def check_readers(
    facts: Plain, encrypted: bool, signature: bytes | None, key: bytes, handed: Collection[str] = ()
) -> None:
    """Raise BadProof unless an encrypted file is signed and meant for this key.

    A recipient could decrypt a mail and encrypt it again for somebody else; therefore the signature
    names the keys that it is for. key: the reader's, in wire form. handed: digests of the reports
    that the moderator has forwarded to this key.
    """
    if encrypted and signature is None:
        raise BadProof(
            "unsigned",
            "it is encrypted but not signed by the moderator: anybody could have sent it",
        )
    readers = facts.get("readers", ())
    if readers and key_digest(key) not in readers and facts["digest"] not in handed:
        raise BadProof("forwarded", f"the moderator sent it to {facts['side']}, not to your key")
    if encrypted and not readers:
        raise BadProof(
            "forwarded", "it is encrypted, but its signature does not name the recipients"
        )


@_report_malformed
def forwarded_reports(note: Plain, signature: bytes, report: Plain, key: bytes) -> Collection[str]:
    """Return the digests of the reports that a signed note forwards to this key; none if the note
    is for other keys. Raises BadProof or BadSignature if the moderator did not sign it."""
    check_signed("note", note, signature, report)
    told = msgspec.convert(note, Note)
    return (told.reports or ()) if key_digest(key) in told.readers else ()


def _whole(facts: Plain) -> tuple[Checked, SetUp]:
    """Return a report and its set-up, after checking its digests, its set-up text and all keys."""
    if digest(facts) != facts["digest"]:
        raise BadProof("altered-report", "the report does not have the digest that it names")
    report = msgspec.convert(facts, Checked)
    text = report.setup.text.encode("ascii")
    setup = msgspec.json.decode(text, type=SetUp)
    fits = (
        H("setup", text).hex() == report.setup.digest
        and (setup.game, setup.dice) == (report.game, report.dice_mode)
        and setup.moderator.sign == report.moderator.sign
    )
    if not fits:
        raise BadProof("setup", "the report does not fit its own set-up text")
    lines = [setup.moderator.sign]
    lines += [x for known in (setup.keys, setup.recovery) for s in known.values() for x in s]
    for line in filter(None, lines):
        wire_key(line)
    return report, setup


def _check_keys(report: Checked, setup: SetUp) -> None:
    """Check the signatures of every change of keys that players made after the set-up."""
    for side, later in report.keys.items():
        lines = [*setup.keys[side], *setup.recovery.get(side, ())]
        wires = {key_change.key_name(wire_key(line)): wire_key(line) for line in lines if line}
        for one in later:
            new = wire_key(one.key)  # first, so that a key that proves nothing is named as one
            if one.why in key_change.SIGNED:
                if one.old not in wires:
                    raise BadProof(key_change.CODE, f"no key of {side} signed its change of keys")
                said = {"anchor": "", **msgspec.to_builtins(one), "side": side}
                facts = said | {"setup": report.setup.digest}
                key_change.require_signed(facts, bytes.fromhex(one.signature), wires[one.old])
            wires[key_change.key_name(new)] = new


def _check_reveal(report: Checked, setup: SetUp, side: str) -> None:
    """Check that a link of strict dice is signed together with the lock, by a key of its side."""
    said, later = report.seed, report.keys.get(side, ())
    lines = [*setup.keys[side], *(x.key for x in later if x.since <= said.window)]
    g0, signature = report.setup.digest, bytes.fromhex(said.reveals.get(side, ""))
    text = strict_dice.message(g0, said.window, said.lock, said.links[side])
    try:
        verify(text, signature, strict_dice.NAMESPACE, {wire_key(line): side for line in lines})
    except BadSignature as error:
        raise BadProof(
            "bad-reveal", f"the link of {side} is not signed with the lock: {error.message}"
        ) from None


def _check_dice(report: Checked, setup: SetUp) -> None:
    """Check the dice key, the links, and the proof of every roll that the report shows."""
    modulus = int(setup.modulus, 16)
    provable.check_key(modulus, setup.game, [int(root, 16) for root in setup.roots])
    said = report.seed
    if not said.window:
        if report.rolls:
            raise BadProof("no-seed", "the report shows rolls before any window was closed")
        return
    if sorted(said.links) != sorted(setup.sides):
        raise BadProof("no-seed", "the report does not have a link for every side")
    for side, link in said.links.items():
        _check_link(report, setup, side, link)
        if link and setup.dice == sources.STRICT and side not in said.carried:
            _check_reveal(report, setup, side)
    g0 = bytes.fromhex(report.setup.digest)
    seed = seed_made(g0, said.window, said.links, said.firsts, said.root)
    for seen in report.rolls:
        if seen.window != said.window or not seen.proof:
            raise BadProof("no-proof", f"{seen.label}: a roll of that window has no proof")
        to, window = (Side(report.side),), Window(seen.window)
        check_roll(modulus, g0, seed, Roll(seen.label, tuple(seen.dice), to, window, seen.proof))


def _check_link(report: Checked, setup: SetUp, side: str, link: str) -> None:
    """Check that a link leads back to an anchor of the set-up, or to one announced later."""
    if not link:
        return
    window = report.seed.window
    anchors = {a for a in setup.anchors[side] if a}
    anchors |= {a.anchor for a in report.anchors[side] if a.since <= window}
    raw = bytes.fromhex(link)
    if len(raw) != 32 or window > provable.CHAIN_LENGTH:
        raise BadProof("link-form", f"not a valid dice link of {side} for window {window}")
    if provable.walk_back(report.game, side, window, raw).hex() not in anchors:
        raise BadProof("bad-link", f"the link of {side} for window {window} is not of its chain")


def _check_own(report: Checked, dice_chains: DiceChains) -> None:
    """Check that the link of the reader's side belongs to his chain.

    Nothing is checked if other keys of the side have anchors too: the link may be another
    officer's.
    """
    side, window = report.side, report.seed.window
    link = report.seed.links.get(side, "")
    named = report.anchors[side]
    if not link or any(a.key != key_digest(dice_chains.key.wire) for a in named):
        return
    for one in named:
        links = dice_chains.find(report.game, side, one.anchor, report.moderator.key)
        if links and links[window].hex() == link:
            return
    raise BadProof("not-your-link", f"the link of {side} for window {window} is not of your chain")
