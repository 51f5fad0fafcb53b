"""Fixtures for the tests in a browser: games with their order page, replays, Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from pbem.inbound.intake import Outcome
from tests.browser.replays import Replay, replayed
from tests.browser.seat import Seat
from tests.once import once, shared
from tests.referee import Referee

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(autouse=True)
def _arrival(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the referee use the time of this machine, which is the time at which a browser signs."""
    real = Referee.receive

    def receive(referee: Referee, *given: Any, **named: Any) -> list[Outcome]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PBEM_NOW", datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
            return real(referee, *given, **named)

    monkeypatch.setattr(Referee, "receive", receive)


@pytest.fixture(scope="module")
def seats(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Seat]:
    """A game of a system with its order page, made once for each module. Do not change it."""
    return once(tmp_path_factory, Seat)


@pytest.fixture(scope="session")
def replays(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Replay]:
    """A replay of a system, whose game is played once for all processes."""

    @cache
    def get(name: str) -> Replay:
        folder = shared(tmp_path_factory, f"replay-{name}", lambda place: replayed(place, name))
        return Replay(folder, name)

    return get


@pytest.fixture
def toy(replays: Callable[[str], Replay]) -> Replay:
    return replays("toy")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, started once in each process. Tests close the contexts that they open."""
    from tests.browser.surf import CHROMIUM, chromium

    if not CHROMIUM.exists():
        pytest.skip("Debian's chromium is not installed")
    with chromium() as one:
        yield one


@pytest.fixture
def toy_seat(seats: Callable[[str], Seat]) -> Seat:
    return seats("toy")


@pytest.fixture
def bismarck(seats: Callable[[str], Seat]) -> Seat:
    return seats("bismarck")
