"""What the times of mails tell: two worlds of Bismarck in which the enemy wrote or kept silent.

No wall clock is measured here. What a provider can see of a tick (its mails, their bytes, dates and
order) is compared while each look at the clock takes a second, and the work that is done before
mail leaves is counted call by call. `python -m tests.benchmarks.timing` measures real times.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.bismarck.game import SYSTEM
from pbem.admin.setup import Choices
from pbem.base import clock
from pbem.crypto import sshsig
from pbem.inbound.pool import Letters, Mail, Readers
from pbem.outbound.transports.smtp import Smtp
from tests.bismarck.test_mail_secrecy import GERMAN, british
from tests.conftest import Clock
from tests.faults.hooks import CALLS, constant
from tests.mail.office import Office
from tests.mail.smtpd import Server, Start, by_smtp
from tests.referee import Referee, key_of, signed
from tests.secrecy import opened

SIDE, OTHER = "german", "british"
Seen = list[dict[str, bytes]]


class World(Office):
    """One of two worlds, whose mail goes to a server."""

    def __init__(self, home: Path, server: Server) -> None:
        super().__init__(Referee.made(home, SYSTEM, Choices(seed="x", dice="seeded")))
        self.referee.open("2026-11-20T18:00:00Z")
        self.server, self.hidden = server, Random(home.name)
        by_smtp(self, server)
        self.mail(SIDE, "help", subject="g1")  # the first mail of all makes folders
        self.seen()

    def seen(self) -> Seen:
        """What a tick sends the side, in order: headers and parts, what hides masked."""
        self.server.mails.clear()
        self.server.to.clear()
        assert not self.one().waiting
        mails = zip(self.server.mails, self.server.to, strict=True)
        return [opened("a.eml", mail) for mail, to in mails if f"{SIDE}@example.org" in to]

    def asks(self) -> None:
        """The side's own mail, the same in both worlds: a question, and orders nobody signed."""
        self.mail(SIDE, "status", subject="g1")
        self.mail(SIDE, self.referee.block(SIDE, "BISMARCK: dance;", seq=1_795_200_000))

    def orders(self, side: str, lines: str = "") -> Path:
        report = self.referee.report(side)
        block = self.referee.block(side, lines, report, seq=1_795_200_000 + report["window"])
        return self.mail(side, signed(block, key_of(side)))

    def enemy(self, mails: int) -> None:
        """The other side writes so often: sets, refused ones, questions."""
        for n in range(mails):
            if n % 3 == 2:
                self.mail(OTHER, self.hidden.choice(("status", "help")), subject="g1")
            else:
                self.mail(OTHER, self.referee.orders(OTHER, british(self.hidden)))


@pytest.fixture
def worlds(
    tmp_path: Path, smtpd: Start, clock: object, monkeypatch: pytest.MonkeyPatch
) -> list[World]:
    monkeypatch.setattr(os, "urandom", constant)
    return [World(tmp_path / name, smtpd()) for name in ("one", "two")]


class Slow(datetime):
    """A clock that takes a second to look at."""

    looks = 0

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Slow:
        cls.looks += 1
        return cls(2026, 11, 20, 13, tzinfo=UTC) + timedelta(seconds=cls.looks)


@pytest.fixture
def slowly(worlds: list[World], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """From now on work takes time, and each mail a second to be read."""
    real = Readers.begin

    def begin(self: Readers, mails: Sequence[Mail]) -> Letters:
        Slow.looks += len(mails)
        return real(self, mails)

    monkeypatch.setattr(Readers, "begin", begin)
    monkeypatch.delenv("PBEM_NOW")
    monkeypatch.setattr(clock, "datetime", Slow)
    yield


def dates(seen: Seen) -> set[bytes]:
    lines = [line for one in seen for line in one["a.eml headers 0"].splitlines()]
    return {line for line in lines if line.startswith(b"Date:")}


@pytest.mark.usefixtures("slowly")
def test_a_date_does_not_tell_what_else_came_in_a_tick(worlds: list[World]) -> None:
    """In one world a dozen mails of the enemy are dealt with before this side's."""
    found = []
    for world, mails in zip(worlds, (0, 12), strict=True):
        Slow.looks = 0
        world.enemy(mails)
        world.asks()
        found.append(world.seen())
        assert Slow.looks > 3
    assert len(found[0]) == 2
    assert len(dates(found[0])) == 1
    assert found[0] == found[1]


@pytest.mark.usefixtures("slowly")
def test_a_report_s_date_does_not_tell_how_much_came_before_the_window_closed(
    worlds: list[World],
) -> None:
    """Both have filed, and the window closes at once; the enemy had much more to say."""
    found = []
    for world, mails in zip(worlds, (0, 12), strict=True):
        Slow.looks = 0
        world.enemy(mails)
        world.orders(OTHER, "BRITISH: search none;")
        world.orders(SIDE, GERMAN[0])
        found.append(world.seen())
    assert world.referee.register.window == 2
    assert len(dates(found[0])) == 1
    assert found[0] == found[1]


def calls(world: World) -> tuple[list[str], Seen]:
    """What a tick does, call by call: writes, syncs, signatures made and checked, mails sent."""
    done: list[str] = []

    def hooked(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            done.append(name)
            return real(*args, **more)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, hooked(name, getattr(os, name)))
        patch.setattr("pbem.crypto.statements.sign", hooked("sign", sshsig.sign))
        patch.setattr("pbem.inbound.authenticate.verify", hooked("verify", sshsig.verify))
        patch.setattr(Smtp, "deliver", hooked("deliver", Smtp.deliver))
        return done, world.seen()


@pytest.mark.some(1)
@pytest.mark.parametrize("mails", [1, 7])
def test_what_the_enemy_did_before_changes_no_call_of_a_tick(
    mails: int, worlds: list[World]
) -> None:
    """He has filed, often or once, in this window and the one before, or not at all: a tick that
    answers this side, or has nothing for it, does the same work."""
    found = []
    for world, count in zip(worlds, (0, mails), strict=True):
        world.enemy(count)
        world.seen()
        world.referee.run(force=True)
        world.seen()
        world.enemy(count)
        world.seen()
        nothing, _ = calls(world)
        world.asks()
        found.append((nothing, *calls(world)))
    assert [len(seen) for *_, seen in found] == [2, 2]
    assert {"write", "fsync", "sign", "deliver"} <= set(found[0][1])
    assert found[0] == found[1]


def test_a_window_that_closes_by_its_deadline_takes_the_same_calls(
    worlds: list[World], later: Clock
) -> None:
    """The work of a closing tick does not depend on how often the enemy had filed. That he missed
    the window would be told now: he has sent orders in both worlds."""
    found = []
    for world, count in zip(worlds, (1, 7), strict=True):
        later.set("2026-11-20T12:00:00Z")
        world.enemy(count)
        world.orders(SIDE, GERMAN[0] + "\nBISMARCK: dance;")  # refused: it is not all in
        world.seen()
        later.set("2026-11-20T18:05:00Z")
        found.append(calls(world))
        assert world.referee.register.window == 2
    assert len(found[0][1]) == 1
    assert found[0] == found[1]
