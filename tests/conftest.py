"""What every test shares: the clock, how much to run, and the profile of hypothesis."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

from tests.luck import spared
from tests.reading import end_readers
from tests.referee import Referee
from tests.trust.corpus import verify

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


MEMORY = Path("/dev/shm")
ROOM = 2 << 30
"""Bytes that must be free there. A run needs a tenth of it."""


def pytest_configure(config: pytest.Config) -> None:
    """Games lie in memory where there is room: they are synced thousands of times, for which a
    disk makes every test wait. `--basetemp` says otherwise."""
    if config.option.basetemp is None and MEMORY.is_dir():
        found = os.statvfs(MEMORY)
        if found.f_bavail * found.f_frsize > ROOM and not found.f_flag & os.ST_NOEXEC:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """The whole suite runs on all cores; a part that is named, in this process. `-n` says
    otherwise. Each core gets neighbours, which share what their module made, then what others
    have left."""
    if (
        config.args_source is not pytest.Config.ArgsSource.TESTPATHS
        or "PYTEST_XDIST_WORKER" in os.environ
    ):
        return
    option = config.option
    if (
        config.pluginmanager.hasplugin("xdist")
        and option.numprocesses is None
        and not option.usepdb
    ):
        option.numprocesses, option.dist = "logical", "worksteal"


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


@pytest.fixture
def run_seed(request: pytest.FixtureRequest) -> int:
    """The seed of this run's random order: the same seed, the same run."""
    return int(request.config.getoption("randomly_seed", 0) or 0)


@pytest.fixture
def drawn(
    request: pytest.FixtureRequest, nightly: bool, run_seed: int
) -> Callable[[Sequence[Item], int], Sequence[Item]]:
    """`drawn(items, n)`: n of them, others in every run and test; all of them nightly."""
    luck = Random(f"{run_seed} {request.node.nodeid}")

    def some(items: Sequence[Item], n: int) -> Sequence[Item]:
        if nightly or len(items) <= n:
            return items
        return [items[i] for i in sorted(luck.sample(range(len(items)), n))]

    return some


@pytest.fixture(scope="session", autouse=True)
def _spared() -> Iterator[None]:
    """No dice key is made or checked anew for a game whose test is of something else."""
    with pytest.MonkeyPatch.context() as patch:
        spared(patch, verify)
        yield
    end_readers()


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
