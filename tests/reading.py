"""A guarded reader of mail that serves many tests: to start one takes longer than most of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pbem.inbound import pool
from pbem.inbound.sandbox import Guard

if TYPE_CHECKING:
    import pytest

MADE: list[Lasting] = []
"""Those that were made in this process, so that each can be ended."""
IDLE: list[Lasting] = []
"""Those of them that nobody uses."""


class Lasting(Guard):
    """A guard that waits for the next test instead of ending. It belongs to one process: a fork
    makes its own."""

    def __init__(self) -> None:
        super().__init__()
        self.process = os.getpid()
        MADE.append(self)

    def __exit__(self, *raised: object) -> None:
        if self.process == os.getpid():
            IDLE.append(self)
        else:
            super().__exit__(*raised)


def lasting() -> Guard:
    """A guard, started before if there is one."""
    while IDLE:
        one = IDLE.pop()
        if one.process == os.getpid():
            return one
    return Lasting()


def lasting_readers(patch: pytest.MonkeyPatch) -> None:
    """Mail is read by guards that last. Not for tests that kill, fork or time."""
    patch.setattr(pool, "Guard", lasting)


def end_readers() -> None:
    """End all of them."""
    for guard in MADE:
        if guard.process == os.getpid():
            Guard.__exit__(guard)
    MADE.clear()
    IDLE.clear()
