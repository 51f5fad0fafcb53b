"""Work in units gives the same on one core, on two and on a cluster, whatever is lost."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.bots import work
from pbem.bots.work import Place, carried_out, digest
from pbem.errors import Busy, Damaged, Usage
from tests.cli.commands import pbem

FROZEN = Path(__file__).parents[1] / "frozen" / "toy" / "seeded.jsonl.gz"
KEYS = [f"unit {i}" for i in range(60)]


def square(key: str) -> object:
    """The work of most tests."""
    number = int(key.split()[1])
    return {"square": number * number}


def test_cores_give_the_same() -> None:
    alone = dict(carried_out(KEYS, square, Place()))
    assert list(alone) == KEYS
    assert dict(carried_out(KEYS, square, Place(2))) == alone
    assert digest(carried_out(KEYS, square, Place(2))) == digest(alone.items())


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_units_are_enough(count: int) -> None:
    assert dict(carried_out(KEYS[:count], square, Place(2))).keys() == set(KEYS[:count])


@pytest.mark.parametrize("cut", [0, 1, 7])
def test_a_run_that_was_killed_goes_on(tmp_path: Path, cut: int) -> None:
    """Also if the kill cut its last line short."""
    place = Place(keep=tmp_path / "kept.jsonl")
    running = carried_out(KEYS, square, place, "a")
    for _ in range(3):
        next(running)
    running.close()  # type: ignore[attr-defined]
    kept = tmp_path / "kept.jsonl"
    kept.write_bytes(kept.read_bytes()[: -cut or None])
    asked: list[str] = []

    def counted(key: str) -> object:
        asked.append(key)
        return square(key)

    assert dict(carried_out(KEYS, counted, place, "a")) == {key: square(key) for key in KEYS}
    assert len(asked) == len(KEYS) - (2 if cut else 3)
    assert dict(carried_out(KEYS, counted, place, "a")) == {key: square(key) for key in KEYS}
    assert len(asked) == len(KEYS) - (2 if cut else 3)


def test_results_of_other_work_are_not_added(tmp_path: Path) -> None:
    place = Place(keep=tmp_path / "kept.jsonl")
    list(carried_out(KEYS, square, place, "a"))
    with pytest.raises(Usage, match="other work"):
        list(carried_out(KEYS, square, place, "b"))


@pytest.mark.parametrize("content", [b"my diary", b"my diary\nof May\n", b'{"game":"demo"}'])
def test_a_file_that_keeps_something_else_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    """Also one of a single line without an end, which is not the first line of ours cut short."""
    file = tmp_path / "diary"
    file.write_bytes(content)
    with pytest.raises(Usage, match=r"diary is no file of kept results"):
        list(carried_out(KEYS, square, Place(keep=file), "a"))
    assert file.read_bytes() == content


def test_a_first_line_that_was_cut_short_is_written_again(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    list(carried_out(KEYS, square, Place(keep=kept), "a"))
    whole = kept.read_bytes()
    for torn in (b"", whole[:5], whole.splitlines()[0]):
        kept.write_bytes(torn)
        list(carried_out(KEYS, square, Place(keep=kept), "a"))
        assert kept.read_bytes() == whole


def test_a_kept_file_is_cut_and_never_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, or a second kill, would lose it."""
    kept = tmp_path / "kept.jsonl"
    list(carried_out(KEYS, square, Place(keep=kept), "a"))
    whole = kept.read_bytes()
    monkeypatch.setattr(Path, "write_bytes", lambda path, data: path.open("wb").close())
    for torn in (b"", b'["unit 99"'):
        with kept.open("wb") as out:
            out.write(whole + torn)
        assert len(work.read_kept(kept, "a")) == len(KEYS)
        assert kept.read_bytes() == whole


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    list(carried_out(KEYS, square, Place(keep=kept), "a"))
    lines = kept.read_bytes().splitlines(keepends=True)
    for damage in (b"xx\n", b"7\n"):
        kept.write_bytes(b"".join([*lines[:4], damage, *lines[5:]]))
        with pytest.raises(Damaged, match=r"kept\.jsonl:5 is damaged"):
            list(carried_out(KEYS, square, Place(keep=kept), "a"))


def test_a_process_that_is_killed_is_no_bug(tmp_path: Path) -> None:
    """What was finished is kept, and the command goes on from it."""
    keys = [f"unit {i} {tmp_path / 'dead'}" for i in range(8)]
    with pytest.raises(Busy, match="ended by the system"):
        list(carried_out(keys, deadly, Place(2)))
    assert len(dict(carried_out(keys, deadly, Place(2)))) == len(keys)


def test_a_word_that_is_no_address_is_named() -> None:
    pytest.importorskip("distributed", reason="distributed is not installed")
    said = pbem("simulate", "toy", "--games", "1", "--cluster", "foo")
    assert said.code == 2
    assert "'foo' is no address of a scheduler" in said.err


def test_simulate_gives_the_same_digest(tmp_path: Path) -> None:
    games = ["simulate", "toy", "--games", "12", "--json"]
    alone = pbem(*games).json
    kept = tmp_path / "kept.jsonl"
    assert pbem(*games, "--jobs", "2", "--keep", kept).json == alone
    assert pbem(*games, "--keep", kept).json == alone
    assert pbem(*games, "--seed", "other").json["digest"] != alone["digest"]


# A real cluster


class Cluster:
    """A scheduler and workers, as processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.processes = [self._started("scheduler", "--port", "0", "--no-dashboard")]
        self.processes += [self._worker() for _ in range(2)]

    def _started(self, *args: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli.dask_" + args[0], *args[1:]]
        command += ["--scheduler-file", str(self.file)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(command, cwd=self.folder, env=_environment(), **quiet)  # type: ignore[call-overload,no-any-return]

    def _worker(self) -> subprocess.Popen[bytes]:
        return self._started("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard")

    def address(self, workers: int) -> str:
        """Of the scheduler, once so many workers are there."""
        from distributed import Client

        with Client(scheduler_file=str(self.file), timeout=60) as client:
            client.wait_for_workers(workers, timeout=60)
            found: str = client.scheduler.address
        return found

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()


def _environment() -> dict[str, str]:
    root = str(Path(__file__).parents[2])
    return {**os.environ, "PYTHONPATH": root, "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical"}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    pytest.importorskip("distributed", reason="distributed is not installed")
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    yield found
    found.close()


def deadly(key: str) -> object:
    """Kills its worker, the first time."""
    mark = Path(key.split()[2])
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 1


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_same_and_lost_workers_cost_time_only(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = cluster.address(2)
    games = ["simulate", "toy", "--games", "12", "--json"]
    assert pbem(*games, "--cluster", address).json == pbem(*games).json
    with monkeypatch.context() as patch:
        patch.setattr(work, "__version__", "0.0.1")
        said = pbem(*games, "--cluster", address)
        assert (said.code, "this is 0.0.1" in said.err) == (2, True)
    file = tmp_path / "game.jsonl"
    file.write_bytes(gzip.decompress(FROZEN.read_bytes()))
    monkeypatch.chdir(tmp_path)  # the workers are elsewhere
    audits = ["audit", file.name, file.name, "--json"]
    assert pbem(*audits, "--cluster", address).json == pbem(*audits).json
    keys = [*(f"unit {i} {tmp_path}" for i in range(2)), f"unit 2 {tmp_path / 'killed'}"]
    assert dict(carried_out(keys, deadly, Place(cluster=address))) == dict.fromkeys(keys, 1)
    assert (tmp_path / "killed").exists()


def test_no_cluster_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="distributed is not installed")
    monkeypatch.setattr(work, "WAIT", 0.2)
    with pytest.raises(Busy, match="no Dask scheduler answers"):
        list(carried_out(KEYS, square, Place(cluster="tcp://127.0.0.1:1")))
