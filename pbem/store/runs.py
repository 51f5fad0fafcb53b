"""Runs of agreed turns: which mail brought the reports of which windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.store.register import Register


def run_before(register: Register, window: int) -> list[int]:
    """List the earlier windows whose reports the mail of `window` brought, oldest first."""
    opened = [closed.opens for closed in register.closed]
    return [earlier for earlier in opened if earlier < window == mailed_in(register, earlier)]


def mailed_in(register: Register, window: int) -> int:
    """Return the window whose mail brought the report of `window`; outside a run, its own."""
    for closed in register.closed:
        if closed.opens == window and closed.runs_on:
            window += 1
    return window
