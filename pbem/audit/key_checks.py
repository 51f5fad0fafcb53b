"""What an audit checks of keys that came later: by whose right, and whether it was time.

Each function raises `provable.BadProof`, whose code names what was done.
"""

from __future__ import annotations

import re

from msgspec import to_builtins

from pbem.admin import key_change
from pbem.base.clock import parse
from pbem.crypto.sshsig import BadSignature, wire_key
from pbem.dice.provable import BadProof
from pbem.reports.key_notices import DELAY
from pbem.store.records import Enlisted, Loss, Replaced
from pbem.store.register import Register


def check_form(line: str) -> bytes:
    """The wire form of a public key line, which must be a sound key."""
    try:
        return wire_key(line)
    except BadSignature as error:
        raise BadProof("key-form", error.message) from None


def check_officer(register: Register, body: Enlisted | Replaced) -> None:
    """A new officer has the next number of his side, and a key that was never used before."""
    if body.side not in register.sides or body.number != register.next_number(body.side):
        raise BadProof("officer", "an officer stands twice, or nowhere")
    if body.anchor and not re.fullmatch("[0-9a-f]{64}", body.anchor):
        raise BadProof("officer", "its dice anchor is none")
    wires = [check_form(line) for line in (body.key, body.recovery) if line]
    if len({*wires}) < len(wires) or register.every_key() & {*wires}:
        raise BadProof("officer", "a key was registered before")


def check_reset(register: Register, at: str, said: Loss) -> None:
    """A loss must be announced long enough before the new key signs. at: when it was recorded."""
    ends = [(said.side, number) for number in said.ends]
    known = {(o.side, o.number) for o in register.officers}
    new = check_form(said.key)
    if len(ends) != 1 or not known.issuperset(ends) or new in register.every_key():
        raise BadProof("officer", "it announces the loss of a key that is not registered")
    if parse(said.due) - parse(at) < DELAY:
        raise BadProof("early-key", "a loss was not announced long enough before")


def check_replaced(register: Register, at: str, body: Replaced) -> None:
    """A key may change by its player's signatures, by a loss that nobody denied, or by decision
    of the moderator, which all sides are told. at: when it was recorded."""
    check_officer(register, body)
    known = {o.number for o in register.officers if o.side == body.side}
    if not body.ends or not known.issuperset(body.ends):
        raise BadProof("officer", "it ends a key that is not registered")
    if register.window and not {*map(str, register.sides)} <= {*(body.mailed or ())}:
        raise BadProof("one-sided", "a key changed, and some were not told of it")
    if body.right in key_change.SIGNED:
        _check_signed(register, body)
    if body.right == "reset":
        _check_time(register, at, body)


def _check_signed(register: Register, body: Replaced) -> None:
    facts, signature = key_change.facts_of(register, body), bytes.fromhex(body.signature)
    officer, why = key_change.signer(register, facts, signature)
    made = to_builtins(key_change.body_of(register, officer, why, facts, signature))
    said = to_builtins(body)
    if any(said.get(name) != value for name, value in made.items()):
        raise BadProof(key_change.CODE, "the record says another change of keys than was signed")


def _check_time(register: Register, at: str, body: Replaced) -> None:
    said = register.resets.get(body.notice)
    new = (body.side, body.ends, body.key, body.anchor, body.age)
    if said is None or (said.side, said.ends, said.key, said.anchor, said.age) != new:
        raise BadProof("early-key", "no such loss was announced, or the old key has signed since")
    if parse(at) < parse(said.due):
        raise BadProof("early-key", "a lost key was replaced before the time that all were told")
