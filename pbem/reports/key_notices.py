"""What all sides are told of keys: those that came after the set-up, and those said to be lost.

It says that a key changed and by what right, never who holds it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec

from pbem.base.report_json import LaterKey
from pbem.store.ordering import by_side
from pbem.text.messages import Note, phrase, right, worded

if TYPE_CHECKING:
    from pbem.store.register import Register

DELAY = timedelta(hours=48)
"""How long before the new key signs all sides are told that one is lost."""


def later_keys(register: Register) -> dict[str, list[LaterKey]]:
    """The keys that came after the set-up, by side, the oldest first."""
    found: dict[str, list[LaterKey]] = {}
    for side, key in _later(register):
        found.setdefault(side, []).append(key)
    return found


def _later(register: Register) -> list[tuple[str, LaterKey]]:
    """The same keys with their sides, in the order in which they came."""
    told = (msgspec.to_builtins(one) for one in register.later)
    return [(one["side"], msgspec.convert(one, LaterKey)) for one in told]


def key_flags(register: Register) -> list[str]:
    """What every reader must know of later keys, in words."""
    from pbem.text.layout import date

    later = by_side(register, register.later, lambda one: (one.side, 0))
    lost = by_side(register, register.resets.values(), lambda one: (one.side, 0))
    found = by_side(register, register.withdrawn, lambda side: (side, 0))
    return [
        *(
            phrase(
                "key_new",
                side=one.side,
                window=one.since,
                why=right(one.why),
                key=print_of(one.key),
            )
            for one in later
        ),
        *(phrase("key_lost", side=r.side, key=print_of(r.key), due=date(r.due)) for r in lost),
        *(phrase("key_found", side=side) for side in found),
    ]


def print_of(line: str) -> str:
    """The fingerprint of a public key's line."""
    from pbem.crypto.sshsig import fingerprint, wire_key

    return fingerprint(wire_key(line))


def changed(register: Register, side: str, why: str, key: str) -> Note:
    """What every side is told of a changed key, by mail."""
    from pbem.dice.chains import LINKED

    said = worded("changed", side=side, why=right(why), key=print_of(key))
    return said.with_part("anchored") if register.created.dice in LINKED else said
