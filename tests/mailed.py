"""Two worlds by mail: one side's officer writes the same in both, the other player does not.

Everything that leaves the desk for the side is compared, and what its mail is answered with. The
other side's mail differs in what it says, in when and how often it comes, and in what is refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from random import Random

import pytest

from pbem.player.sign import sealed
from tests.conftest import Clock
from tests.faults.hooks import constant
from tests.house import House, key_of, seal
from tests.secrecy import Artefacts, artefacts, masked


class MailedWorld:
    """One of two worlds. hidden: lots of its own, for how the other side plays; bad: lines that
    are refused to the other side; writes: how likely it orders at all, each time."""

    bad: Sequence[str]
    writes = 0.8

    def __init__(self, house: House, side: str, hidden: Random) -> None:
        self.house, self.side, self.hidden = house, side, hidden
        self.other = next(s for s in house.register.sides if s != side)
        self.receipts: list[str] = []

    def own_orders(self, n: int) -> str:
        """What the side orders in the nth window, the same in both worlds."""
        raise NotImplementedError

    def hidden_orders(self) -> str:
        """What the other side orders, out of this side's sight."""
        raise NotImplementedError

    def window(self, n: int, clock: Clock) -> None:
        """Both sides' mail at hours of their own; the window closes at noon in both worlds."""
        own = self.own_orders(n)
        self.other_mail(n, clock, early=True)
        clock.set(f"2026-11-{n:02}T10:00:00Z")
        for content in (self.signed(own), "BEGIN ORDERS nothing END ORDERS"):
            for outcome in self.house.receive(content):
                self.receipts += [outcome.text + str(outcome.receipt)]
        self.other_mail(n, clock, early=False)
        clock.set(f"2026-11-{n:02}T12:00:00Z")
        self.house.run(force=True)

    def signed(self, lines: str) -> str:
        report = self.house.report(self.side)
        block = self.house.block(self.side, lines, report, seq=report["seq"] + 3600)
        return sealed(report, seal(block, key_of(self.side)))

    def other_mail(self, n: int, clock: Clock, early: bool) -> None:
        """What the other side does: orders, refused sets, late sets, or nothing."""
        hour, minute = self.hidden.randint(1, 8) if early else 11, self.hidden.randint(0, 59)
        clock.set(f"2026-11-{n:02}T{hour:02}:{minute:02}:00Z")
        for _ in range(self.hidden.randint(0, 2)):
            self.house.receive(self.house.orders(self.other, self.hidden.choice(self.bad)))
        if n > 1 and self.hidden.random() < 0.3:
            old = self.house.report(self.other, n - 1)
            self.house.receive(self.house.orders(self.other, "FINAL;", old))
        if self.hidden.random() < self.writes:
            self.house.receive(self.house.orders(self.other, self.hidden_orders()))


def told(world: MailedWorld) -> Artefacts:
    """All that left for the side, its receipts among them."""
    receipts = {f"receipt {i}": masked(r.encode()) for i, r in enumerate(world.receipts)}
    return artefacts(world.house, world.side) | receipts


def two_worlds(make: Callable[[str], MailedWorld], windows: int) -> tuple[Artefacts, Artefacts]:
    """The side's artefacts in the worlds `one` and `two`, which `make` makes by name."""
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "urandom", constant)
        clock = Clock(patch)
        for name in ("one", "two"):
            clock.set("2026-11-01T00:00:00Z")
            world = make(name)
            for n in range(1, windows + 1):
                if not world.house.register.over:
                    world.window(n, clock)
            found.append(told(world))
    return found[0], found[1]
