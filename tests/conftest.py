"""Fixtures and hooks for all tests: the clock, sampling, parallel runs, and hypothesis settings."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

from pbem.data import TEMPLATES
from pbem.reports.render import FILTERS
from pbem.text.jinja_env import compile_all, key, source
from tests import slow
from tests.counts import NIGHTLY, few
from tests.luck import spared
from tests.reading import end_readers
from tests.referee import Referee
from tests.trust.corpus import verify

Item = TypeVar("Item")

collect_ignore = ["convoy"]  # a project of its own: test_convoy.py runs its tests


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nightly", action="store_true", help="run all cases, not samples")


def register_profile() -> None:
    """What hypothesis does in all tests."""
    settings.register_profile(
        "project",
        deadline=None,
        max_examples=few(100),
        derandomize="CI" in os.environ,
        database=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
    settings.load_profile("project")


MEMORY = Path("/dev/shm")
ROOM = 2 << 30
"""Bytes that must be free in MEMORY. A run needs about a tenth of that."""


def pytest_configure(config: pytest.Config) -> None:
    """Keep the games of tests in memory if there is room: the referee calls fsync thousands of
    times, which is slow on a disk. `--basetemp` overrides this."""
    if config.option.basetemp is None and MEMORY.is_dir():
        found = os.statvfs(MEMORY)
        if found.f_bavail * found.f_frsize > ROOM and not found.f_flag & os.ST_NOEXEC:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    share_bytecode(config)
    if config.getoption("--nightly"):
        os.environ[NIGHTLY] = "1"
    register_profile()
    os.environ["TZ"] = "UTC"  # pages for moderators show the machine's time
    time.tzset()


BYTECODE = "PBEM_TESTS_BYTECODE"
"""Names the folder that `share_bytecode` makes to the processes that run tests."""


def share_bytecode(config: pytest.Config) -> None:
    """Where Python may not write bytecode beside the sources, the programs that tests start would
    compile the whole of pbem, each by itself, which takes longer than what they do. They and the
    workers share a folder for their bytecode, which lasts as long as the run."""
    if not sys.dont_write_bytecode:
        return
    if BYTECODE not in os.environ:
        folder = TemporaryDirectory(prefix="pbem-bytecode-", ignore_cleanup_errors=True)
        config.add_cleanup(folder.cleanup)
        os.environ[BYTECODE] = folder.name
        if config.getoption("numprocesses", None):
            return  # the workers that run the tests begin with the bytecode of installed packages
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = os.environ[BYTECODE]
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def compile_templates(root: Path) -> None:
    """Compile our templates beside their sources, as a wheel has them, unless they are there. Else
    each worker, and each program that tests start, compiles those that it uses, which takes half
    of the time of a `pbem run`."""
    names = [path.relative_to(root).as_posix() for path in root.rglob("*.j2")]
    wanted = {f"{key(name, source(name))}.py" for name in names}
    if wanted <= {path.name for path in root.glob("compiled/*.py")}:
        return
    with suppress(OSError):  # where nothing may be written they are compiled when used
        compile_all(root, FILTERS)


def is_whole(config: pytest.Config) -> bool:
    """Whether the whole suite was asked for."""
    return [Path(arg).absolute() for arg in config.args] == [Path(__file__).parent]


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Let each worker that collects the whole suite compile other tests first: it finds the
    bytecode of the rest."""
    if not is_whole(session.config) or "PYTEST_XDIST_WORKER" not in os.environ:
        return
    number = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw"))
    names = [
        ".".join(path.relative_to(session.config.rootpath).with_suffix("").parts)
        for path in sorted(Path(__file__).parent.rglob("test_*.py"))
        if path.parent.parent.name not in collect_ignore
    ]
    begin = number * len(names) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for name in names[begin:] + names[:begin]:
        with suppress(Exception, pytest.skip.Exception):  # reported when the test is collected
            import_module(name)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Run the whole suite on all cores, and a selection in this process; `-n` overrides this.

    There are half as many workers again as cores, because tests also wait: for browsers, mail
    servers and other programs.
    `worksteal` gives each core consecutive tests, which share the fixtures of their module, and
    later the tests that other cores have not begun.
    """
    if (
        config.args_source is not pytest.Config.ArgsSource.TESTPATHS
        or "PYTEST_XDIST_WORKER" in os.environ
    ):
        return
    compile_templates(config.rootpath / TEMPLATES)
    option = config.option
    if (
        config.pluginmanager.hasplugin("xdist")
        and option.numprocesses is None
        and not option.usepdb
    ):
        cores = os.cpu_count() or 1
        option.numprocesses, option.dist = cores + (cores + 1) // 2, "worksteal"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the tests marked `long`, so that at the end no core is idle while another still
    has one to run. Deselect tests marked `nightly` unless --nightly is given."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    if config.getoption("--nightly"):
        return
    left_out = [item for item in items if item.get_closest_marker("nightly")]
    seed = config.getoption("randomly_seed", 0) or 0
    if not is_named(config):
        left_out += unpicked(items, seed)
    if is_whole(config):
        left = {item.nodeid for item in left_out}
        left_out += slow.waiting([item for item in items if item.nodeid not in left], seed)
    config.hook.pytest_deselected(items=left_out)
    left = {item.nodeid for item in left_out}
    items[:] = [item for item in items if item.nodeid not in left]


def is_named(config: pytest.Config) -> bool:
    """Whether the run was asked for tests by their names: then all that bear them run."""
    return bool(config.option.keyword) or any("::" in arg for arg in config.args)


def unpicked(items: Sequence[pytest.Item], seed: int) -> Iterator[pytest.Item]:
    """Of each test marked `some(n)` all cases but n that this run draws."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("some"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for name, each in cases.items():
        mark = each[0].get_closest_marker("some")
        assert mark
        each.sort(key=lambda item: item.nodeid)
        number = min(mark.args[0], len(each))
        picked = set(Random(f"{seed} {name}").sample(range(len(each)), number))
        yield from (item for i, item in enumerate(each) if i not in picked)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what stays to the end, such as modules and tests, and
    look for garbage less often: else it takes up to a sixth of the run."""
    gc.freeze()
    gc.set_threshold(500_000, 20, 20)
    if BYTECODE in os.environ:  # bytecode would outlive sources that tests change at once
        sys.dont_write_bytecode = True


@pytest.fixture
def nightly(request: pytest.FixtureRequest) -> bool:
    """Whether --nightly is given: tests then run all their cases, not samples."""
    return bool(request.config.getoption("--nightly"))


@pytest.fixture
def sample(nightly: bool) -> Callable[[Sequence[Item], int], Sequence[Item]]:
    """`sample(items, n)`: n items at equal distances, the first and last included; all items with
    --nightly."""

    def some(items: Sequence[Item], n: int) -> Sequence[Item]:
        if nightly or len(items) <= n:
            return items
        return [items[i * (len(items) - 1) // (n - 1)] for i in range(n)]

    return some


@pytest.fixture
def run_seed(request: pytest.FixtureRequest) -> int:
    """The seed of this run's random order, with which the run can be repeated."""
    return int(request.config.getoption("randomly_seed", 0) or 0)


@pytest.fixture
def drawn(
    request: pytest.FixtureRequest, nightly: bool, run_seed: int
) -> Callable[[Sequence[Item], int], Sequence[Item]]:
    """`drawn(items, n)`: n random items, different in every run and test; all items with
    --nightly."""
    luck = Random(f"{run_seed} {request.node.nodeid}")

    def some(items: Sequence[Item], n: int) -> Sequence[Item]:
        if nightly or len(items) <= n:
            return items
        return [items[i] for i in sorted(luck.sample(range(len(items)), n))]

    return some


@pytest.fixture(scope="session", autouse=True)
def _spared() -> Iterator[None]:
    """Reuse one dice key, and end the mail readers that tests shared when all have run."""
    with pytest.MonkeyPatch.context() as patch:
        spared(patch, verify)
        yield
    end_readers()


class Clock:
    """Sets the time of the program, which it reads from PBEM_NOW."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self.set("2026-11-20T12:00:00Z")

    def set(self, iso: str) -> None:
        """Set the time, for example to `2026-11-20T12:00:00Z`."""
        self._patch.setenv("PBEM_NOW", iso)

    def advance(self, **by: float) -> None:
        """Advance the time by arguments of timedelta: `advance(hours=2)`."""
        now = datetime.fromisoformat(os.environ["PBEM_NOW"]) + timedelta(**by)
        self.set(now.strftime("%Y-%m-%dT%H:%M:%SZ"))


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A clock that begins at 2026-11-20T12:00:00Z."""
    with pytest.MonkeyPatch.context() as patch:
        yield Clock(patch)


@pytest.fixture
def referee(tmp_path: Path, clock: Clock) -> Referee:
    """An open toy game with keys for both sides; the clock shows 2026-11-20T12:00:00Z."""
    return Referee.toy(tmp_path / "home")
