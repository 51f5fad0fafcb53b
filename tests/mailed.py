"""Two worlds by mail: one side's officer writes the same in both, the other player does not.

Everything that leaves the workspace for the side is compared, and what its mail is answered with.
The other side's mail differs in what it says, in when and how often it comes, and in what is
refused."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from random import Random

import pytest

from pbem.base.report_json import Report
from pbem.player.sign import encrypted
from tests.conftest import Clock
from tests.faults.hooks import constant
from tests.referee import Referee, key_of, signed
from tests.secrecy import Artefacts, artefacts, masked


class MailedWorld:
    """One of two worlds. hidden: lots of its own, for how the other side plays; bad: lines that
    are refused to the other side; writes: how likely it orders at all, each time."""

    bad: Sequence[str]
    writes = 0.8

    def __init__(self, referee: Referee, side: str, hidden: Random) -> None:
        self.referee, self.side, self.hidden = referee, side, hidden
        self.other = next(s for s in referee.register.sides if s != side)
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
            for outcome in self.referee.receive(content):
                self.receipts += [outcome.text + str(outcome.receipt)]
        self.other_mail(n, clock, early=False)
        clock.set(f"2026-11-{n:02}T12:00:00Z")
        self.referee.run(force=True)

    def signed(self, lines: str) -> str:
        report = self.referee.report(self.side)
        block = self.referee.block(self.side, lines, report, seq=report["seq"] + 3600)
        return encrypted(Report.of(report), signed(block, key_of(self.side)))

    def other_mail(self, n: int, clock: Clock, early: bool) -> None:
        """What the other side does: orders, refused sets, late sets, or nothing."""
        hour, minute = self.hidden.randint(1, 8) if early else 11, self.hidden.randint(0, 59)
        clock.set(f"2026-11-{n:02}T{hour:02}:{minute:02}:00Z")
        for _ in range(self.hidden.randint(0, 2)):
            self.referee.receive(self.referee.orders(self.other, self.hidden.choice(self.bad)))
        if n > 1 and self.hidden.random() < 0.3:
            old = self.referee.report(self.other, n - 1)
            self.referee.receive(self.referee.orders(self.other, "FINAL;", old))
        if self.hidden.random() < self.writes:
            self.referee.receive(self.referee.orders(self.other, self.hidden_orders()))


def told(world: MailedWorld) -> Artefacts:
    """All that left for the side, its receipts among them."""
    receipts = {f"receipt {i}": masked(r.encode()) for i, r in enumerate(world.receipts)}
    return artefacts(world.referee, world.side) | receipts


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
                if not world.referee.register.over:
                    world.window(n, clock)
            found.append(told(world))
    return found[0], found[1]
