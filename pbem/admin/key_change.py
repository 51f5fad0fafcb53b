"""A player's change of key, signed by the new key and by the old key or the recovery key.

Both sign the same text. It names the game, the window, the side and both keys, so that neither
signature can be replayed elsewhere. Bytes: docs/formats.md, "Keys".
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Literal

from pbem.base.report_json import Report
from pbem.crypto.sshsig import BadSignature, PrivateKey, bare, public_line, sign, verify, wire_key
from pbem.dice.chains import DiceChains, first_anchor
from pbem.dice.provable import BadProof
from pbem.dice.sources import LINKED
from pbem.outbound.encrypt import require_recipient
from pbem.roles import role_of
from pbem.store.records import Replaced

if TYPE_CHECKING:
    from pbem.store.holders import Officer
    from pbem.store.register import Register

NAMESPACE = "keys@pbem"
CODE = "bad-keys"
SignedChange = Literal["change", "recovery"]
CHANGE: Final = "change"
RECOVERY: Final = "recovery"
SIGNED: tuple[SignedChange, ...] = (CHANGE, RECOVERY)
"""The reasons for a change that the player signs: CHANGE by the old key, RECOVERY by the recovery
key."""


def key_name(wire: bytes) -> str:
    """Return the name of a key in a change: the SHA-256 of its wire form, 64 hex digits."""
    return sha256(wire).hexdigest()


def statement(facts: Mapping[str, str]) -> bytes:
    """Return the signed text `keys G0 WINDOW SIDE OLD NEW ANCHOR AGE`, with `-` for empty fields.

    Raises BadSignature for a malformed key.
    """
    new = key_name(wire_key(facts["key"]))
    words = (
        "keys",
        facts["setup"],
        str(facts["window"]),
        facts["side"],
        facts["old"],
        new,
        facts["anchor"] or "-",
        facts.get("age") or "-",
    )
    return " ".join(words).encode("ascii", "replace")


def change(report: Report, old: PrivateKey, new: DiceChains, age: str = "") -> str:
    """Return the text block of a change, for the player to mail.

    old: his key or his recovery key. new: the new key with its dice chains. age: the age recipient
    for his mail, empty to use the new key.
    """
    from pbem.player.joining import KEYS, block

    anchor = ""
    if report.dice_mode in LINKED and not report.role:
        by = report.moderator.key
        anchor = first_anchor(new, report.game, report.side, by)
    facts = {
        "format": KEYS,
        "game": report.game,
        "side": report.seat,
        "setup": report.setup.digest,
        "window": str(report.window),
        "old": key_name(old.wire),
        "key": public_line(new.key.wire),
        "anchor": anchor,
        **({"age": age} if age else {}),
    }
    said = statement(facts)
    facts["proof"] = bare(sign(said, new.key, NAMESPACE)).hex()
    return block("KEYS", facts, bare(sign(said, old, NAMESPACE)))


def signer(
    register: Register, facts: Mapping[str, str], signature: bytes
) -> tuple[Officer, SignedChange]:
    """Return the officer whose key changes, and which of his keys signed: CHANGE or RECOVERY.

    facts: the fields of the block or the record. Raises BadProof unless both signatures are valid.
    """
    officer, why, old = _signer(register, facts["old"])
    require_signed(facts, signature, old)
    return officer, why


def require_signed(facts: Mapping[str, str], signature: bytes, old: bytes) -> None:
    """Raise BadProof unless both the old key (in wire form) and the new one signed the change.

    The hex of the proof and the key line must be in canonical form, or the same change could be
    recorded in several forms.
    """
    try:
        said, new = statement(facts), wire_key(facts["key"])
        proof = bytes.fromhex(facts["proof"])
        if (facts["proof"], facts["key"]) != (proof.hex(), public_line(new)):
            raise BadSignature("key-form", "the key or its proof is not in canonical form")
        verify(said, signature, NAMESPACE, {old: None})
        verify(said, proof, NAMESPACE, {new: None})
    except (BadSignature, ValueError) as error:
        raise BadProof(CODE, f"a change of keys is not signed correctly: {error}") from None


def facts_of(register: Register, body: Replaced) -> dict[str, str]:
    """Return the fields of a change's block, from its record."""
    from pbem.base.hashing import setup_digest

    return {
        "game": register.created.game,
        "setup": setup_digest(register.setup),
        "window": str(body.window),
        "side": body.side,
        "old": body.old,
        "key": body.key,
        "anchor": body.anchor,
        "age": body.age,
        "proof": body.proof,
    }


def body_of(
    register: Register,
    officer: Officer,
    why: SignedChange,
    facts: Mapping[str, str],
    signature: bytes,
) -> Replaced:
    """Return the record of a change that `signer` has accepted.

    Raises BadProof if the change is not allowed now, Usage if mail cannot be encrypted to the key.
    """
    _require_now(register, officer, facts)
    if wire_key(facts["key"]) in register.every_key():
        raise BadProof(CODE, "the new key is or was registered in this game already")
    require_recipient(register, facts["key"], facts.get("age", ""))
    return Replaced(
        side=officer.side,
        number=register.next_number(officer.side),
        why=why,
        ends=[officer.number],
        window=register.window,
        key=facts["key"],
        anchor=facts["anchor"],
        old=facts["old"],
        proof=facts["proof"],
        age=facts.get("age", ""),
        signature=signature.hex(),
    )


def _signer(register: Register, name: str) -> tuple[Officer, SignedChange, bytes]:
    """Return the officer whose key or recovery key has that name, which of them, and its wire form.

    Keys of bots cannot change in this way. Raises BadProof.
    """
    for officer in register.officers:
        lines: dict[SignedChange, str] = {CHANGE: officer.key, RECOVERY: officer.recovery}
        for why, line in lines.items():
            if line and not officer.bot and key_name(wire := wire_key(line)) == name:
                return officer, why, wire
    raise BadProof(CODE, "the key that signed it is not registered now")


def _require_now(register: Register, officer: Officer, facts: Mapping[str, str]) -> None:
    """Raise BadProof unless the change is for this game and side and for the open, unlocked window.

    In a locked window the dice chains are already fixed by the keys of the lock.
    """
    from pbem.base.hashing import setup_digest

    here = (register.created.game, setup_digest(register.setup), str(officer.side))
    if (facts["game"], facts["setup"], facts["side"]) != here:
        raise BadProof(CODE, "it is of another game or side")
    if register.over or facts["window"] != str(register.window):
        raise BadProof(
            CODE, f"it is not of the open window, {register.window}; answer your newest report"
        )
    if register.locked:
        raise BadProof(CODE, "the window is locked; keys change when it has closed")
    anchor = facts["anchor"]
    linked = register.created.dice in LINKED and not role_of(officer.side)
    fit = len(anchor) == 64 and not set(anchor) - set("0123456789abcdef")
    if not (fit and linked) and anchor:
        raise BadProof(CODE, "its dice anchor is not valid")
