"""What all sides are told about keys: keys that came after the set-up, and keys reported lost.

A notice says which side's key changed and by what right, never whose key it is.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.base.report_json import LaterKey
from pbem.store.ordering import by_side
from pbem.text.messages import Note, fill_note, phrase, right

if TYPE_CHECKING:
    from pbem.store.register import Register

DELAY = timedelta(hours=48)
"""The time between the notice that a key is lost and the first use of the new key, in which the
holder of the old key can object."""


def later_keys(register: Register) -> dict[str, list[LaterKey]]:
    """Side -> its keys that came after the set-up, oldest first."""
    found: dict[str, list[LaterKey]] = {}
    for side, key in register.later:
        found.setdefault(side, []).append(key)
    return found


def key_flags(register: Register) -> list[str]:
    """The notices about keys for every report: new keys, lost keys, keys that were found again.

    Each group is in the scenario's order of sides, so that the order does not tell who came first.
    """
    from pbem.text.layout import date

    later = by_side(register, register.later, lambda one: (one[0], 0))
    lost = by_side(register, register.resets.values(), lambda one: (one.side, 0))
    found = by_side(register, register.withdrawn, lambda side: (side, 0))
    return [
        *(
            phrase(
                "key_new",
                side=side,
                window=one.since,
                why=right(one.why),
                key=print_of(one.key),
            )
            for side, one in later
        ),
        *(phrase("key_lost", side=r.side, key=print_of(r.key), due=date(r.due)) for r in lost),
        *(phrase("key_found", side=side) for side in found),
    ]


def print_of(line: str) -> str:
    """The fingerprint of the key in a public key line."""
    from pbem.crypto.sshsig import fingerprint, wire_key

    return fingerprint(wire_key(line))


def changed(register: Register, side: str, why: str, key: str) -> Note:
    """The note to every side that a key of `side` changed. why: by what right. key: the new line.

    In a game whose dice use links it also says what becomes of the side's dice anchor.
    """
    from pbem.dice.sources import LINKED

    said = fill_note("changed", side=side, why=right(why), key=print_of(key))
    return said.with_part("anchored") if register.created.dice in LINKED else said
