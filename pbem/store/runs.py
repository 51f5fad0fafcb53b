"""Windows that ran on without mail: which mail brought the reports of which windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.store.register import Register

ON, AGREED, TOLD, ASKED, OVER = "on", "agreed", "told", "asked", "over"
"""Why a run stopped after a window: not yet, number reached, news for all, questions, the end."""


def run_before(register: Register, window: int) -> list[int]:
    """The windows of the same run whose reports the mail of `window` brought; oldest first."""
    return [c["opens"] for c in register.closed
            if c["opens"] < window == mailed_in(register, c["opens"])]  # fmt: skip


def mailed_in(register: Register, window: int) -> int:
    """The window whose mail brought the report that opened `window`: its own outside a run."""
    for closed in register.closed:
        if closed["opens"] == window and closed.get("run", {}).get("why") == ON:
            window += 1
    return window
