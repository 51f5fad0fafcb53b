"""Roles: officers of a side who see and order only a part of what their side does.

A *seat* is whoever gets a report of his own: a side, that is its commanders, or a role of a side,
written `british.air`. Keys, addresses, reports, receipts and sets of orders belong to seats. In a
scenario without roles the seats are the sides.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

MARK = "."
"""Stands between the side and the role in the name of a seat."""
NAME = r"[a-z][a-z0-9_]*"
S = TypeVar("S", bound=str)


class Role(Struct, frozen=True):
    """A part of a side's work that the scenario lets the moderator give to an officer of his own.

    Example: `Scenario(..., roles={BRITISH: (Role("air", "Air officer"),)})`
    """

    name: str
    """The word that `pbem enlist --role` takes: lower-case letters, digits and `_`."""
    title: str
    """The printed name, which stands behind the side's name in the role's reports."""


def seat(side: str, role: str) -> str:
    """The name of a seat; without a role that of the side."""
    return f"{side}{MARK}{role}" if role else side


def side_of(seat: str) -> str:
    """The side that a seat belongs to."""
    return seat.partition(MARK)[0]


def role_of(seat: str) -> str:
    """The name of a seat's role; empty for a side."""
    return seat.partition(MARK)[2]


def seats(sides: Sequence[S], roles: Mapping[S, Sequence[str]]) -> tuple[str, ...]:
    """All seats: the sides in the scenario's order, then the roles of each side in its order."""
    return (*sides, *(seat(side, role) for side in sides for role in roles.get(side, ())))


def require_sound(sides: Sequence[str], roles: Mapping[S, Sequence[Role]]) -> None:
    """Raise ValueError unless the roles of a scenario belong to its sides and can name seats."""
    for side, several in roles.items():
        names = [role.name for role in several]
        if side not in sides:
            raise ValueError(f"Scenario.roles names {side!r}; the sides are {', '.join(sides)}")
        if len({*names}) < len(names):
            raise ValueError(f"Scenario.roles gives {side} two roles of one name: {names}")
        for name in names:
            if not re.fullmatch(NAME, name):
                raise ValueError(f"the role {name!r} of {side}: a name has a-z, 0-9 and _")
