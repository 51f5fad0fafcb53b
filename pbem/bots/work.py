"""Work in units: on one core, on several, or on the machines of a Dask cluster.

What a unit gives depends on its key alone, so that the results are the same wherever they are
computed and in whatever order they come. Units go out in batches of about a second. A worker that
is lost costs only the batch that it had. What is worth doing may depend on what was found: then the
keys come in rounds, each asked for when all units of the one before are done.

A kept file has one line of JSON for each finished unit, after a line that names the work. A run
that was killed goes on from it; a last line that the kill cut short counts as unfinished. A file of
other work is refused.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from os import truncate
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from pbem import __version__
from pbem.errors import Busy, Damaged, Usage

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as Promise

Work = Callable[[str], object]
"""Does the unit of that key; gives JSON data. Picklable, unless it stays in this process."""
Done = tuple[str, object]
"""The key of a unit and what it gave."""

BATCH = 1.0
"""Seconds that a batch should take: long against the 2 ms that handing it over takes, short enough
that all processes end at about the same time."""
MOST = 200
"""The most units of a batch."""
MARK = b'{"pbem-work":'
"""How a kept file begins."""
WAIT = 20.0
"""Seconds for a scheduler to answer."""
KEPT = "what is finished is kept with --keep FILE: give the command again"
"""The hint of work that broke off."""
RETRIES = 10
"""How many times a batch is sent again after it was lost."""


class Place(Struct, frozen=True):
    """Where work is done, and where its results are kept."""

    jobs: int = 1
    cluster: str = ""
    """The address of a Dask scheduler, `tcp://10.0.0.1:8786`; empty: this machine."""
    keep: Path | None = None


def carried_out(keys: Sequence[str], work: Work, place: Place, name: str = "") -> Iterator[Done]:
    """Every unit once, in any order.

    name: of the work, with all that its results depend on besides the keys. Raises Usage if the
    kept file is of other work or the cluster cannot do it, Busy if it cannot be reached.
    """
    return in_rounds([keys], work, place, name)


def in_rounds(
    rounds: Iterable[Sequence[str]], work: Work, place: Place, name: str = ""
) -> Iterator[Done]:
    """The units of round after round, each round in any order.

    rounds: the next one is asked for when all results of the last were taken, so that it may depend
    on them. The rest as for `carried_out`.
    """
    kept = {} if place.keep is None else read_kept(place.keep, name)
    with _opened(place.keep) as keep, _workplace(work, place) as do:
        for keys in rounds:
            yield from ((key, kept[key]) for key in keys if key in kept)
            for key, given in do([key for key in keys if key not in kept]):
                keep(key, given)
                yield key, given


@contextmanager
def _opened(path: Path | None) -> Iterator[Callable[[str, object], None]]:
    """Adds a finished unit to a kept file, if there is one."""
    if path is None:
        yield lambda key, given: None
        return
    with path.open("a", encoding="utf-8") as out:

        def keep(key: str, given: object) -> None:
            out.write(msgspec.json.encode([key, given]).decode() + "\n")
            out.flush()

        yield keep


def read_kept(keep: Path, name: str) -> Mapping[str, object]:
    """What a file keeps; it is begun if it does not exist, and cut behind its last whole line.

    Raises Usage if it was kept by other work or is no such file, Damaged if a line is no unit.
    """
    data = keep.read_bytes() if keep.exists() else b""
    whole, _, torn = data.rpartition(b"\n")
    first, *lines = whole.splitlines() or [torn]
    head = msgspec.json.encode({"pbem-work": name})
    if first != head and not (first == torn and head.startswith(torn)):
        if first.startswith(MARK):
            raise Usage(
                f"{keep} keeps the results of other work",
                "name another file; results of another game, seed or release cannot be added",
            )
        raise Usage(f"{keep} is no file of kept results", "name another; this one stays as it is")
    found = dict(_unit(keep, number, line) for number, line in enumerate(lines, 2))
    if not whole:
        keep.write_bytes(head + b"\n")
    elif torn:  # never written again as a whole: a second kill, or a full disk, would lose it
        truncate(keep, len(whole) + 1)
    return found


def _unit(keep: Path, number: int, line: bytes) -> Done:
    """A finished unit from its line. Raises Damaged."""
    try:
        return msgspec.json.decode(line, type=tuple[str, object])
    except msgspec.MsgspecError as error:
        raise Damaged(
            f"{keep}:{number} is damaged: {error}",
            "delete this line, and its unit is done again",
        ) from None


def digest(done: Iterable[Done]) -> str:
    """A digest (hex) of all results: the same wherever they were computed."""
    found = sha256()
    for key, given in sorted(done, key=lambda one: one[0]):
        found.update(msgspec.json.encode([key, given], order="sorted") + b"\n")
    return found.hexdigest()


Do = Callable[[Sequence[str]], Iterator[Done]]
"""Does the units of a round."""


@contextmanager
def _workplace(work: Work, place: Place) -> Iterator[Do]:
    if place.cluster:
        with _on_cluster(work, place.cluster) as do:
            yield do
    elif place.jobs == 1:
        yield lambda keys: ((key, work(key)) for key in keys)
    else:
        # Workers get the work once, when they begin: it may be megabytes.
        with ProcessPoolExecutor(place.jobs, initializer=_begin, initargs=(work,)) as pool:
            yield partial(_on_cores, pool, Pace(), 2 * place.jobs)


class Pace:
    """How many units make a batch, from the time that the last ones took."""

    def __init__(self) -> None:
        self.size = 1

    def see(self, units: int, seconds: float) -> None:
        """So many units took so long."""
        self.size = max(1, min(MOST, round(BATCH * units / max(seconds, BATCH / MOST))))


def _on_cores(
    pool: ProcessPoolExecutor, pace: Pace, most: int, keys: Sequence[str]
) -> Iterator[Done]:
    """most: batches that are out at a time, so that none of the processes waits."""
    left, out = deque(keys), set[Future[tuple[list[Done], float]]]()
    try:
        while left or out:
            while left and len(out) < most:
                size = min(pace.size, -(-len(left) // most))
                out.add(pool.submit(_timed, [left.popleft() for _ in range(size)]))
            done, out = wait(out, return_when=FIRST_COMPLETED)
            for future in done:
                found, seconds = future.result()
                pace.see(len(found), seconds)
                yield from found
    except BrokenProcessPool:
        raise Busy(
            "one of the processes was ended by the system, perhaps for want of memory",
            f"try fewer --jobs; {KEPT}",
        ) from None
    finally:
        for future in out:
            future.cancel()


_mine: list[Work] = []
"""The work of this process."""


def _begin(work: Work) -> None:
    _mine[:] = [work]


def _timed(keys: list[str]) -> tuple[list[Done], float]:
    began = time.perf_counter()
    found = _batch(_mine[0], keys)
    return found, time.perf_counter() - began


@contextmanager
def _on_cluster(work: Work, address: str) -> Iterator[Do]:
    try:
        from distributed import Client
    except ImportError:
        raise Usage("a cluster needs Dask", "pip install 'pbem[cluster]'") from None
    try:
        client = Client(address, timeout=WAIT)
    except ValueError as error:
        hint = "the scheduler prints it when it starts: tcp://10.0.0.1:8786"
        raise Usage(f"{address!r} is no address of a scheduler: {error}", hint) from None
    except OSError as error:
        hint = "`dask scheduler` starts one, `dask worker ADDRESS` each worker"
        raise Busy(f"no Dask scheduler answers at {address}: {error}", hint) from None
    with client:
        _require_release(client.run(_release))
        yield _Workers(client, work).units


class _Workers:
    """The workers of a cluster, any of which may be lost at any time.

    The work is scattered once, because it may be megabytes, and is gone when all that had it are
    lost: then every batch that waits for it is cancelled (distributed, issue 3149). A batch that
    kills worker after worker is given up by the scheduler. Either way it is sent again.
    """

    def __init__(self, client: Client, work: Work) -> None:
        self.client, self.work = client, work
        self.shared = self._scattered()

    def units(self, keys: Sequence[str]) -> Iterator[Done]:
        """Those of a round. Raises Busy as `done`."""
        first, rest, size = _begun(keys, lambda batch: next(self.done([batch])))
        yield from first
        for done in self.done(_cut(rest, size)):
            yield from done

    def done(self, batches: Sequence[list[str]]) -> Iterator[list[Done]]:
        """Each batch's results, in any order. Raises Busy if it was lost too often."""
        from distributed import KilledWorker, as_completed

        out = {self._sent(batch): (batch, RETRIES, self.shared) for batch in batches}
        waiting = as_completed(list(out))
        for future in waiting:
            batch, left, shared = out.pop(future)
            try:
                given: list[Done] = future.result()
            except (KilledWorker, CancelledError) as lost:
                if not left:
                    raise Busy(f"workers were lost again and again: {lost}", KEPT) from None
                if shared is self.shared:
                    self.shared = self._scattered()
                again = self._sent(batch)
                out[again] = batch, left - 1, self.shared
                waiting.add(again)
            else:
                yield given

    def _scattered(self) -> Promise[Work]:
        """The work on all workers, under a name of its own: that of lost data stays cancelled."""
        found: Promise[Work] = self.client.scatter(self.work, broadcast=True, hash=False)
        return found

    def _sent(self, batch: list[str]) -> Promise[list[Done]]:
        return self.client.submit(_batch, self.shared, batch, pure=False)


def _batch(work: Work, keys: list[str]) -> list[Done]:
    return [(key, work(key)) for key in keys]


def _begun(
    keys: Sequence[str], done: Callable[[list[str]], list[Done]]
) -> tuple[list[Done], Sequence[str], int]:
    """The first two units done, the keys of the rest, and how many of these make a batch. The first
    unit tells nothing of the time, because it loads the rules."""
    if not keys:
        return [], keys, 1
    found = done([keys[0]])
    began = time.perf_counter()
    found += done([*keys[1:2]])
    took = max(time.perf_counter() - began, BATCH / MOST)
    return found, keys[2:], max(1, round(BATCH / took))


def _cut(keys: Sequence[str], size: int) -> list[list[str]]:
    return [list(keys[i : i + size]) for i in range(0, len(keys), size)]


def _release() -> str:
    return __version__


def _require_release(workers: Mapping[str, str]) -> None:
    """Raise Usage unless there are workers, all of this release."""
    if not workers:
        raise Usage("the cluster has no workers", "`dask worker ADDRESS` starts one")
    others = {where: had for where, had in workers.items() if had != __version__}
    if others:
        where, had = next(iter(others.items()))
        raise Usage(
            f"the worker at {where} has pbem {had}, this is {__version__}",
            "results would not be comparable; install the same release on every machine",
        )
