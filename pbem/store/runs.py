"""Windows that ran on without mail: which mail brought the reports of which windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.store.register import Register


def run_before(register: Register, window: int) -> list[int]:
    """The windows of the same run whose reports the mail of `window` brought; oldest first."""
    opened = [closed.opens for closed in register.closed]
    return [one for one in opened if one < window == mailed_in(register, one)]


def mailed_in(register: Register, window: int) -> int:
    """The window whose mail brought the report that opened `window`: its own outside a run."""
    for closed in register.closed:
        if closed.opens == window and closed.runs_on:
            window += 1
    return window
