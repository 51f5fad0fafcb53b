"""Games with their desks, made once a module, and the browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.once import once
from tests.browser.replays import Replay
from tests.browser.seat import Seat

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def seats(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Seat]:
    """A game of a system with its desk, made once; its windows stay as they are."""
    return once(tmp_path_factory, Seat)


@pytest.fixture(scope="session")
def replays(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Replay]:
    """A replay of a system, made once."""
    return once(tmp_path_factory, Replay)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from tests.browser.surf import chromium

    with chromium() as one:
        yield one


@pytest.fixture
def toy_seat(seats: Callable[[str], Seat]) -> Seat:
    return seats("toy")


@pytest.fixture
def bismarck(seats: Callable[[str], Seat]) -> Seat:
    return seats("bismarck")
