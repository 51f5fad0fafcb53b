"""Commitments of reports: every roll of the window before, hidden ones included, and the state.

A report shows a side only its own dice and units. The commitment, the same for all sides, keeps the
moderator from choosing the others later. It hashes a random number with them (it is blinded), so
that nobody can find a hidden roll by trying all values. The number stays in the ledger; when the
ledger is published, anybody can open the commitment. Bytes: docs/formats.md, "Commitments".
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.base.hashing import H, canonical_json, u32
from pbem.model import Roll

BLIND_BYTES = 32


class Commitment(Struct, frozen=True):
    """A commitment with its opening. Both are empty in games begun before there were
    commitments."""

    commit: str = ""
    """The commitment, in hex."""
    blind: str = ""
    """The number that blinds it, in hex."""


def new_commitment(g0: str, window: int, position: str, rolls: Sequence[Roll]) -> Commitment:
    """Make the commitment for the reports that open `window`.

    g0, position: in hex. rolls: all rolls of the window that closed before it.
    """
    blind = os.urandom(BLIND_BYTES).hex()
    return Commitment(commitment(g0, window, blind, position, rolls), blind)


def commitment(
    g0: str, window: int, blind: str, position: str, rolls: Sequence[Roll | Mapping[str, object]]
) -> str:
    """Compute the commitment C, in hex. rolls: as structs, or as the ledger's JSON.

    Raises ValueError if g0, blind or position is not hex.
    """
    secret, state = bytes.fromhex(blind), bytes.fromhex(position)
    return H(
        "commit", bytes.fromhex(g0), u32(window), secret, state, canonical_json(list(rolls))
    ).hex()


def is_opened_by(
    given: Commitment, g0: str, window: int, position: str, rolls: Sequence[Roll]
) -> bool:
    """Whether a record's commitment is to the state and rolls that the ledger holds.

    g0, window, position, rolls: as for `new_commitment`. An absent commitment passes.
    """
    if not (given.commit or given.blind):
        return True
    try:
        made = commitment(g0, window, given.blind, position, rolls)
    except ValueError:
        return False
    return len(given.blind) == 2 * BLIND_BYTES and made == given.commit
