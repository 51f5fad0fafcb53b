"""Who gets mail of a game: the sides, and the roles that have an officer."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.model import Side
from pbem.roles import role_of
from pbem.store.holders import Officer
from pbem.store.register import Register


def mailed_seats(register: Register, officers: Iterable[Officer] = ()) -> tuple[Side, ...]:
    """Return the seats that get mail: every side, then each role that has an officer.

    officers: as they will be, if a record changes them; else those of the register.
    """
    having = {o.side for o in officers or register.officers}
    return tuple(seat for seat in register.seats if seat in having or not role_of(seat))


def roles(register: Register) -> tuple[Side, ...]:
    """Return the seats of roles, in the scenario's order."""
    return tuple(seat for seat in register.seats if role_of(seat))
