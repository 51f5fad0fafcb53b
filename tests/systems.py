"""The rule systems that tests of every system run over: one list, so that a new one is in each test
or is named as missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import games

T = TypeVar("T")

EVERY = games.names()
"""The names of our systems and of those that installed packages provide."""
COMING: set[str] = set()
"""Our systems whose charts, reports of their own, secrecy tests and examples are still to come."""
OPEN = {"baltic"}
"""Systems whose sea has no cells."""
OURS = [name for name in games.SYSTEMS if name not in COMING]


CELLED = [name for name in OURS if name not in OPEN]


def of_each(table: Mapping[str, T], what: str, among: Sequence[str] = OURS) -> Mapping[str, T]:
    """A table that a test keeps for our systems. Raises AssertionError if it lacks one of them.

    what: what the table says of each, for the message; among: those that it is for.
    """
    missing = [name for name in among if name not in table]
    assert not missing, f"add {', '.join(missing)} to the table of {what}"
    return table
