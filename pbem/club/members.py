"""Members' names and keys, as the club publishes them: never an address."""

from __future__ import annotations

from pbem.club.results import name_of
from pbem.club.state import State


def names_of(state: State) -> dict[str, str]:
    """Return the fingerprint of every member's key to his name."""
    found: dict[str, str] = {}
    for member in state.members.values():
        found |= {name_of(key): member.name for key in member.keys}
    return found
