"""What a report commits the referee to: every roll behind it, hidden ones too, and the state.

The blinding number stays in the ledger until that is published, so nobody can guess what the
commitment hides; afterwards anybody opens it. Bytes: docs/formats.md, "Commitments".
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.base.hashing import H, canonical_json, u32
from pbem.model import Roll

BLIND_BYTES = 32


class Pledge(Struct, frozen=True):
    """A commitment (`commit`, hex) and the number that blinds it (`blind`, hex); both are empty
    in games that began before reports carried one."""

    commit: str = ""
    blind: str = ""


def pledge(g0: str, window: int, position: str, rolls: Sequence[Roll]) -> Pledge:
    """A new commitment for the reports that open `window`.

    g0, position: in hex. rolls: every one of the window that closed before it.
    """
    blind = os.urandom(BLIND_BYTES).hex()
    return Pledge(commitment(g0, window, blind, position, rolls), blind)


def commitment(
    g0: str, window: int, blind: str, position: str, rolls: Sequence[Roll | Mapping[str, object]]
) -> str:
    """C in hex. rolls: as they fell, or as the ledger writes them."""
    secret, state = bytes.fromhex(blind), bytes.fromhex(position)
    return H(
        "commit", bytes.fromhex(g0), u32(window), secret, state, canonical_json(list(rolls))
    ).hex()


def opens_well(said: Pledge, g0: str, window: int, position: str, rolls: Sequence[Roll]) -> bool:
    """Whether what a record that issued reports committed to is what it holds. g0, window,
    position, rolls: as for `pledge`."""
    if not (said.commit or said.blind):
        return True
    try:
        made = commitment(g0, window, said.blind, position, rolls)
    except ValueError:
        return False
    return len(said.blind) == 2 * BLIND_BYTES and made == said.commit
