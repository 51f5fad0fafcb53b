"""Lines of a report that are for one seat alone: its notices, and its standing orders."""

from __future__ import annotations

from orders.model import OrderSet
from orders.show import show
from pbem.engine.drive import Drive
from pbem.model import Side
from pbem.roles import role_of
from pbem.store.register import Register

OFFICER = "You see and order a part of your side. What its commander orders counts before yours."
"""What every report of a role says."""


def told_flags(register: Register, opens: int, side: str) -> list[str]:
    """Return the notices for one seat: what every report of a role says, and the rulings that only
    some sides, `side` among them, are told."""
    role = [OFFICER] if role_of(side) else []
    if all(ruling.to is None for ruling in register.rulings):
        return role
    from pbem.reports import ruling_lines

    return [*role, *ruling_lines.flags(register, opens, side)]


def standing_lines(drive: Drive, side: Side) -> list[str]:
    """Return a side's standing orders and orders for later turns in force, as order lines."""
    standing = drive.books[side].standing
    orders = [o for actor in sorted(standing.always) for o in standing.always[actor]]
    return show(OrderSet((*orders, *standing.later)), drive.system.grammar).splitlines()
