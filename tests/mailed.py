"""Secrecy tests by mail: one side sends the same mail in two worlds, the other sides do not.

Everything that the referee sends to the first side must be equal in both worlds, receipts included.
The mail of the others differs in content, time and number, and in whether it is refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random

import pytest

from pbem.base.clock import now, stamp
from pbem.base.report_json import Report
from pbem.player.sign import encrypted
from tests.conftest import Clock
from tests.faults.hooks import constant
from tests.referee import Referee, key_of, signed
from tests.secrecy import Artefacts, artefacts, differences, masked


class MailedWorld:
    """One of two worlds."""

    bad: Sequence[str]
    """Orders of the other side that are refused."""
    writes = 0.8
    """How likely the other side sends more orders, each time."""

    def __init__(self, referee: Referee, side: str, hidden: Random) -> None:
        """side: the one that must not see a difference; hidden: decides what the others do."""
        self.referee, self.side, self.hidden = referee, side, hidden
        self.others = [s for s in referee.register.sides if s != side]
        self.other = self.others[0]
        """The one that writes at present."""
        self.receipts: list[str] = []

    def own_orders(self, n: int) -> str:
        """The side's orders in the nth window, the same in both worlds."""
        raise NotImplementedError

    def hidden_orders(self) -> str:
        """The orders of the other side, which this side does not see."""
        raise NotImplementedError

    def window(self, n: int, clock: Clock) -> None:
        """Receive the mail of all sides, at different times; close the window at noon."""
        own = self.own_orders(n)
        self.other_mail(n, clock, early=True)
        clock.set(f"2026-11-{n:02}T10:00:00Z")
        for content in (self.signed(own), "BEGIN ORDERS nothing END ORDERS"):
            for outcome in self.referee.receive(content):
                self.receipts += [outcome.text + str(outcome.receipt)]
        self.other_mail(n, clock, early=False)
        clock.set(f"2026-11-{n:02}T12:00:00Z")
        self.referee.run(force=True)

    def misses(self, n: int) -> bool:
        """Whether the other side misses the nth window. The same in both worlds: a missed window is
        told to all once it has closed (docs/trust.md, "Missed windows")."""
        return (n + self.others.index(self.other)) % 4 == 0

    def signed(self, lines: str) -> str:
        """The side's order file, encrypted if the game's mail is."""
        report = self.referee.report(self.side)
        block = self.referee.block(self.side, lines, report, seq=report["seq"] + 3600)
        return encrypted(Report.of(report), signed(block, key_of(self.side)))

    def other_mail(self, n: int, clock: Clock, early: bool) -> None:
        """Receive mail of the other sides: valid orders, refused sets, late sets, or none."""
        for other in self.others:
            self.other = other
            self._one_mail(n, clock, early)

    def _one_mail(self, n: int, clock: Clock, early: bool) -> None:
        hour, minute = self.hidden.randint(1, 8) if early else 11, self.hidden.randint(0, 59)
        clock.set(max(f"2026-11-{n:02}T{hour:02}:{minute:02}:00Z", stamp(now())))
        misses = self.misses(n)
        for _ in range(0 if misses else self.hidden.randint(0, 2)):
            self.referee.receive(self.referee.orders(self.other, self.hidden.choice(self.bad)))
        if n > 1 and self.hidden.random() < 0.3:
            old = self.referee.report(self.other, n - 1)
            self.referee.receive(self.referee.orders(self.other, "FINAL;", old))
        if not misses and (not early or self.hidden.random() < self.writes):
            outcome = self.referee.order(self.other, self.hidden_orders())
            assert outcome.good, outcome.text


def told(world: MailedWorld) -> Artefacts:
    """Everything that the side received, its receipts included."""
    receipts = {f"receipt {i}": masked(r.encode()) for i, r in enumerate(world.receipts)}
    return artefacts(world.referee, world.side) | receipts


def two_worlds(make: Callable[[str], MailedWorld], windows: int) -> tuple[Artefacts, Artefacts]:
    """Play the worlds `make("one")` and `make("two")`; return the side's artefacts in each, at the
    end or, within `until_they_differ`, after the first window in which they differ."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "urandom", constant)
        clock, worlds, times = Clock(patch), [], []
        for name in ("one", "two"):
            clock.set("2026-11-01T00:00:00Z")
            worlds.append(make(name))
            times.append(stamp(now()))
        for n in range(1, windows + 1):
            for i, world in enumerate(worlds):
                clock.set(times[i])
                if not world.referee.register.over:
                    world.window(n, clock)
                times[i] = stamp(now())
            if _HURRIED and differences(told(worlds[0]), told(worlds[1])):
                break
        return told(worlds[0]), told(worlds[1])


_HURRIED: list[bool] = []


@contextmanager
def until_they_differ() -> Iterator[None]:
    """Worlds with a planted leak need not be played further than to where it shows."""
    _HURRIED.append(True)
    try:
        yield
    finally:
        _HURRIED.clear()
