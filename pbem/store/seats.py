"""The seats of a game: who gets mail (the sides, and the roles that have an officer), who is in."""

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


def answered(register: Register) -> bool:
    """Return whether every side that must answer has a final set of its present player.

    The set of a player who was replaced stays in force, but the window does not close early with
    it: whoever takes the seat over has the time that he was promised.
    """
    since = register.mail_state.replaced_at
    return register.all_in() and all(
        register.sets[side].n > since.get(side, 0) for side in register.owing
    )


def roles(register: Register) -> tuple[Side, ...]:
    """Return the seats of roles, in the scenario's order."""
    return tuple(seat for seat in register.seats if role_of(seat))
