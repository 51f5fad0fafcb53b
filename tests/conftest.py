"""What every test shares: the clock, how much to run, and the profile of hypothesis."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

from tests.referee import Referee

Item = TypeVar("Item")

settings.register_profile(
    "project",
    deadline=None,
    derandomize="CI" in os.environ,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("project")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nightly", action="store_true", help="whole counts instead of samples")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests marked `nightly` run under --nightly alone; the others take samples without it."""
    if config.getoption("--nightly"):
        return
    left_out = [item for item in items if item.get_closest_marker("nightly")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture
def nightly(request: pytest.FixtureRequest) -> bool:
    """Whether whole counts were asked for."""
    return bool(request.config.getoption("--nightly"))


@pytest.fixture
def sample(nightly: bool) -> Callable[[Sequence[Item], int], Sequence[Item]]:
    """`sample(items, n)`: n of them spread from first to last; all of them nightly."""

    def some(items: Sequence[Item], n: int) -> Sequence[Item]:
        if nightly or len(items) <= n:
            return items
        return [items[i * (len(items) - 1) // (n - 1)] for i in range(n)]

    return some


class Clock:
    """The time that PBEM_NOW tells."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self.set("2026-11-20T12:00:00Z")

    def set(self, iso: str) -> None:
        self._patch.setenv("PBEM_NOW", iso)

    def advance(self, **by: float) -> None:
        """advance(hours=2)"""
        now = datetime.fromisoformat(os.environ["PBEM_NOW"]) + timedelta(**by)
        self.set(now.strftime("%Y-%m-%dT%H:%M:%SZ"))


@pytest.fixture
def clock() -> Iterator[Clock]:
    """PBEM_NOW, from 2026-11-20T12:00:00Z on."""
    with pytest.MonkeyPatch.context() as patch:
        yield Clock(patch)


@pytest.fixture
def referee(tmp_path: Path, clock: Clock) -> Referee:
    """A toy game with keys for both sides, opened at noon."""
    return Referee.toy(tmp_path / "home")
