"""Audit checks of keys: who was entitled to register or change them, and from when.

Each check raises `provable.BadProof`; its code says what was forged.
"""

from __future__ import annotations

import re

from msgspec import to_builtins

from pbem.admin import key_change
from pbem.base.clock import parse
from pbem.crypto.sshsig import BadSignature, wire_key
from pbem.dice.provable import BadProof
from pbem.reports.key_notices import DELAY
from pbem.roles import role_of
from pbem.store.records import Enlisted, Loss, Replaced
from pbem.store.register import Register


def check_form(line: str) -> bytes:
    """Return the wire form of a public key line, which must be a valid key."""
    try:
        return wire_key(line)
    except BadSignature as error:
        raise BadProof("key-form", error.message) from None


def check_officer(register: Register, body: Enlisted | Replaced) -> None:
    """Check that a new officer has the next number of his side and a key never used before."""
    if body.side not in register.seats or body.number != register.next_number(body.side):
        raise BadProof("officer", "the officer's side or number is not the next one")
    if body.anchor and role_of(body.side):
        raise BadProof("officer", "a role has a dice anchor, but only a side gives dice links")
    if body.anchor and not re.fullmatch("[0-9a-f]{64}", body.anchor):
        raise BadProof("officer", "its dice anchor is not valid")
    wires = [check_form(line) for line in (body.key, body.recovery) if line]
    if len({*wires}) < len(wires) or register.every_key() & {*wires}:
        raise BadProof("officer", "the key was already registered")


def check_reset(register: Register, at: str, said: Loss) -> None:
    """Check that a lost key was announced long enough before the new one becomes valid.

    at: ISO time of the announcement's record.
    """
    ends = [(said.side, number) for number in said.ends]
    known = {(o.side, o.number) for o in register.officers}
    new = check_form(said.key)
    if len(ends) != 1 or not known.issuperset(ends) or new in register.every_key():
        raise BadProof("officer", "it does not announce the loss of one registered key")
    if parse(said.due) - parse(at) < DELAY:
        raise BadProof("early-key", "the loss was not announced long enough before")


def check_replaced(register: Register, at: str, body: Replaced) -> None:
    """Check a change of keys, for which there are three ways.

    The player signs it; or an announced loss was not contradicted in time; or the moderator decides
    it. All sides must be told in each case. at: ISO time of the record.
    """
    check_officer(register, body)
    known = {o.number for o in register.officers if o.side == body.side}
    if not body.ends or not known.issuperset(body.ends):
        raise BadProof("officer", "it ends a key that is not registered")
    if register.window and not {*map(str, register.sides)} <= {*(body.mailed or ())}:
        raise BadProof("one-sided", "a key changed and some sides were not told")
    if body.right in key_change.SIGNED:
        _check_signed(register, body)
    if body.right == "reset":
        _check_time(register, at, body)


def _check_signed(register: Register, body: Replaced) -> None:
    """Check the signatures of a change, and that the record says what was signed."""
    facts, signature = key_change.facts_of(register, body), bytes.fromhex(body.signature)
    officer, why = key_change.signer(register, facts, signature)
    made = to_builtins(key_change.body_of(register, officer, why, facts, signature))
    said = to_builtins(body)
    if any(said.get(name) != value for name, value in made.items()):
        raise BadProof(key_change.CODE, "the record differs from the change that was signed")


def _check_time(register: Register, at: str, body: Replaced) -> None:
    """Check that this loss was announced, not contradicted, and that its time has come."""
    said = register.resets.get(body.notice)
    new = (body.side, body.ends, body.key, body.anchor, body.age)
    if said is None or (said.side, said.ends, said.key, said.anchor, said.age) != new:
        raise BadProof("early-key", "no such loss was announced, or the old key has signed since")
    if parse(at) < parse(said.due):
        raise BadProof("early-key", "a lost key was replaced before the announced time")
