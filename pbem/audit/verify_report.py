"""What a player can check of a report or receipt that he holds: `pbem read`.

The same checks as verify.py, which was written apart from this, and one more: that the links
shown for his side are those of his own chain.
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
from pbem.dice.chains import LINKED, Purse
from pbem.dice.provable import BadProof
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
    "pbem-receipt/1": "receipt",
    "pbem-lock/1": "lock",
}
"""What a player may hold, by its format."""


class Checked(Struct, frozen=True):
    """What of a report is checked here. The form of the rest is judged when it is read."""

    game: str
    side: str
    dice_mode: str
    setup: SetUpRef
    moderator: Moderator
    anchors: dict[str, list[Anchor]]
    seed: Seed
    rolls: list[SeenRoll]
    keys: dict[str, list[LaterKey]] = {}


class Paper(Struct, frozen=True):
    """What reports, receipts, locks and notes say of themselves; each has some of these fields."""

    format: str
    window: int
    digest: str
    side: str
    head: str = ""
    """Of the ledger before it; locks and notes do not say."""
    received: str = ""
    """Of a receipt: when the mail came."""
    status: str = ""
    """Of a receipt."""
    lock: str = ""
    """Of a lock."""


def _sound(check: Callable[P, R]) -> Callable[P, R]:
    """What was encrypted may still hold anything anywhere: that is a finding, never a crash."""

    @wraps(check)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return check(*args, **kwargs)
        except MALFORMED as error:
            text = f"it is not made as such a paper is: {type(error).__name__}: {error}"
            raise BadProof("malformed", text) from None

    return checked


@_sound
def check_report(facts: Plain, signature: bytes | None = None, purse: Purse | None = None) -> None:
    """Raise BadProof or BadSignature, whose code names what is wrong with a report.

    signature: the file that came with it. purse: the reader's key, to see his own links.
    """
    report, setup = _whole(facts)
    if signature is not None:
        statements.check(signature, "report", report.setup.digest, facts, setup.moderator.sign)
    _check_keys(report, setup)
    if setup.dice in LINKED:
        _check_dice(report, setup)
        if purse is not None:
            _check_own(report, purse)


class Chain(Struct, frozen=True):
    """A ledger that something held is compared with. heads: hash to number of every record;
    locks: of strict windows; last: when the newest record was made; sent: digests of every report
    and receipt recorded; window: the open one; moderator: his public key line."""

    heads: Mapping[str, int]
    locks: Mapping[int, Collection[str]]
    last: str
    sent: Collection[str]
    window: int
    g0: str
    moderator: str


@_sound
def check_kept(held: Sequence[Plain], signatures: Mapping[str, bytes], chain: Chain) -> None:
    """Raise BadProof unless all that a player held is on the chain."""
    for facts in sorted(held, key=lambda one: _place(one, chain)):
        kind: statements.Kind = KINDS[facts["format"]]
        _check_digest(facts, kind, signatures.get(facts.get("digest", "")), chain)
        paper = msgspec.convert(facts, Paper)
        if kind == "lock":
            _check_lock(paper, chain)
        else:
            _check_recorded(paper, kind, chain)


def _check_recorded(paper: Paper, kind: str, chain: Chain) -> None:
    """A report or receipt must be one that the ledger records, behind the head that it names."""
    at = chain.heads.get(paper.head, -1)
    if at < 0:
        raise BadProof(
            "cut-tail" if _beyond(paper, chain) else "fork",
            f"the head {paper.head[:16]} of a held {kind} is not on this chain",
        )
    if paper.digest not in chain.sent and paper.status != "known":
        code = "dropped-record" if kind == "receipt" else "fork"
        code = "cut-tail" if at == max(chain.heads.values()) else code
        raise BadProof(code, f"the ledger has no record of a held {kind}")


def _place(facts: Plain, chain: Chain) -> tuple[int, str]:
    """Where a paper stands on the chain, those that are not on it last: what is found first does
    not depend on the order in which papers are given."""
    at = chain.heads.get(str(facts.get("head")), len(chain.heads))
    return at, json.dumps(facts, sort_keys=True)


def _check_lock(notice: Paper, chain: Chain) -> None:
    """A notice that a player was sent must be of the lock that the ledger has."""
    locks = chain.locks.get(notice.window)
    if locks is None:
        code = "cut-tail" if notice.window >= chain.window else "dropped-record"
        raise BadProof(code, f"the ledger has no lock of window {notice.window}")
    if notice.lock not in locks:
        raise BadProof("two-locks", f"window {notice.window} was told to be locked otherwise")


def _check_digest(
    facts: Plain, kind: statements.Kind, signature: bytes | None, chain: Chain
) -> None:
    """A paper must be what its digest says, and its signature the moderator's."""
    own = {key: value for key, value in facts.items() if key != "digest"}
    tag = "lock-notice" if kind == "lock" else kind
    if H(tag, canonical_json(own)).hex() != facts.get("digest"):
        code = "altered-report" if kind == "report" else f"forged-{kind}"
        raise BadProof(code, f"a held {kind} is not what its digest says")
    if signature is None:
        return
    try:
        statements.check(signature, kind, chain.g0, facts, chain.moderator)
    except BadSignature as error:
        raise BadProof(f"forged-{kind}", error.message) from None


def _beyond(paper: Paper, chain: Chain) -> bool:
    """Whether it was sent after all that this ledger holds."""
    return paper.window > chain.window or paper.received > chain.last


TAGS: Mapping[str, tuple[statements.Kind, str]] = {
    "receipt": ("receipt", "receipt"),
    "note": ("note", "note"),
    "lock": ("lock", "lock-notice"),
}
"""What is signed besides reports: its kind in signatures, and the tag of its digest."""


@_sound
def check_signed(kind: str, facts: Plain, signature: bytes, report: Plain) -> None:
    """Raise BadProof or BadSignature unless the moderator of the report signed this receipt, note
    or lock."""
    own = {key: value for key, value in facts.items() if key != "digest"}
    said, tag = TAGS[kind]
    if facts["digest"] != H(tag, canonical_json(own)).hex():
        raise BadProof(f"forged-{kind}", f"the {kind} is not what its digest says")
    known, setup = _whole(report)
    g0 = "" if facts.get("setup") == "" else known.setup.digest
    statements.check(signature, said, g0, facts, setup.moderator.sign)


@_sound
def check_same(facts: Plain, known: Plain) -> None:
    """Raise BadProof unless a report is of the same game, set-up and moderator as a known one."""
    other, _ = _whole(known)
    if facts["setup"]["digest"] != other.setup.digest:
        raise BadProof("setup", "it is of another game than the report it was compared with")


@_sound
def check_readers(
    facts: Plain, encrypted: bool, signature: bytes | None, key: bytes, handed: Collection[str] = ()
) -> None:
    """Raise BadProof unless what came encrypted is signed, and meant for this key. Who signed says
    for whom; whoever got it may have encrypted it again for another. handed: digests of the reports
    that the moderator has handed on to this key."""
    if encrypted and signature is None:
        raise BadProof(
            "unsigned",
            "it came encrypted, and without a signature of the moderator: anybody can have sent it",
        )
    readers = facts.get("readers", ())
    if readers and key_digest(key) not in readers and facts["digest"] not in handed:
        raise BadProof("forwarded", f"the moderator sent it to {facts['side']}, not to your key")
    if encrypted and not readers:
        raise BadProof("forwarded", "it came encrypted, and the moderator did not sign for whom")


@_sound
def handed_on(note: Plain, signature: bytes, report: Plain, key: bytes) -> Collection[str]:
    """The digests of the reports that a signed note hands on to this key, which came after them;
    none if it is for others. Raises BadProof or BadSignature when it is not the moderator's."""
    check_signed("note", note, signature, report)
    told = msgspec.convert(note, Note)
    return (told.reports or ()) if key_digest(key) in told.readers else ()


def _whole(facts: Plain) -> tuple[Checked, SetUp]:
    """A report whose own digests hold, and its set-up text."""
    if digest(facts) != facts["digest"]:
        raise BadProof("altered-report", "the report is not what its digest says")
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
    """Where a player changed his own key after the set-up, he signed that."""
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
    """A link of a strict game must be signed with the lock, by a key that its side had then."""
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
    """Key, links and the proof of every roll that the report shows."""
    modulus = int(setup.modulus, 16)
    provable.check_key(modulus, setup.game, [int(root, 16) for root in setup.roots])
    said = report.seed
    if not said.window:
        if report.rolls:
            raise BadProof("no-seed", "the report shows dice before any window was closed")
        return
    if sorted(said.links) != sorted(setup.sides):
        raise BadProof("no-seed", "the report does not give a link of every side")
    for side, link in said.links.items():
        _check_link(report, setup, side, link)
        if link and setup.dice == sources.STRICT:
            _check_reveal(report, setup, side)
    g0 = bytes.fromhex(report.setup.digest)
    seed = seed_made(g0, said.window, said.links, said.firsts, said.root)
    for one in report.rolls:
        if one.window != said.window or not one.proof:
            raise BadProof("no-proof", f"{one.label}: a roll of that window has no proof")
        to, window = (Side(report.side),), Window(one.window)
        check_roll(modulus, g0, seed, Roll(one.label, tuple(one.dice), to, window, one.proof))


def _check_link(report: Checked, setup: SetUp, side: str, link: str) -> None:
    """A link must lead back to an anchor of the set-up, or to one that all were told of."""
    if not link:
        return
    window = report.seed.window
    anchors = {a for a in setup.anchors[side] if a}
    anchors |= {a.anchor for a in report.anchors[side] if a.since <= window}
    raw = bytes.fromhex(link)
    if len(raw) != 32 or window > provable.CHAIN_LENGTH:
        raise BadProof("link-form", f"no dice link of {side} for window {window}")
    if provable.walk_back(report.game, side, window, raw).hex() not in anchors:
        raise BadProof("bad-link", f"the link of {side} for window {window} is not of its chain")


def _check_own(report: Checked, purse: Purse) -> None:
    """The link of the reader's side must be of his chain, if his anchors are its only ones."""
    side, window = report.side, report.seed.window
    link = report.seed.links.get(side, "")
    named = report.anchors[side]
    if not link or any(a.key != key_digest(purse.key.wire) for a in named):
        return
    for one in named:
        links = purse.find(report.game, side, one.anchor, report.moderator.key)
        if links and links[window].hex() == link:
            return
    raise BadProof("not-your-link", f"the link of {side} for window {window} is not of your chain")
