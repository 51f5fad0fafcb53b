"""Sandboxed mail readers shared by many tests; starting one takes longer than most tests."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pbem.inbound import pool
from pbem.inbound.sandbox import Sandbox

if TYPE_CHECKING:
    import pytest

MADE: list[Lasting] = []
"""All readers started in this process, so that they can be ended."""
IDLE: list[Lasting] = []
"""Readers that no test uses at the moment."""


class Lasting(Sandbox):
    """A reader that waits for the next test instead of ending. A forked process starts its own."""

    def __init__(self) -> None:
        super().__init__()
        self.process = os.getpid()
        MADE.append(self)

    def __exit__(self, *raised: object) -> None:
        if self.process == os.getpid():
            IDLE.append(self)
        else:
            super().__exit__(*raised)


def lasting() -> Sandbox:
    """An idle reader of this process if there is one, else a new one."""
    while IDLE:
        one = IDLE.pop()
        if one.process == os.getpid():
            return one
    return Lasting()


def lasting_readers(patch: pytest.MonkeyPatch) -> None:
    """Read mail with shared readers. Not for tests that kill or fork processes or measure time."""
    patch.setattr(pool, "Sandbox", lasting)


def end_readers() -> None:
    """End all readers of this process."""
    for sandbox in MADE:
        if sandbox.process == os.getpid():
            Sandbox.__exit__(sandbox)
    MADE.clear()
    IDLE.clear()
