"""An office for every test of mail."""

from __future__ import annotations

import pytest

from tests.conftest import Clock
from tests.house import House
from tests.mail.office import Office


@pytest.fixture
def office(house: House, clock: Clock) -> Office:
    """A toy game, open since noon, its first reports sent."""
    office = Office(house)
    office.tick()
    office.empty()
    return office


@pytest.fixture
def later(clock: Clock) -> Clock:
    """The clock, to be moved."""
    return clock
