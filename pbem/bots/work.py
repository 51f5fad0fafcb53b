"""Work in units: on one core, on several, or on the machines of a Dask cluster.

What a unit gives depends on its key alone, so that the results are the same wherever they are
computed and in whatever order they come. Units go out in batches of about a second. A worker that
is lost costs only the batch that it had.

A kept file has one line of JSON for each finished unit, after a line that names the work. A run
that was killed goes on from it; a last line that the kill cut short counts as unfinished. A file of
other work is refused.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ProcessPoolExecutor, as_completed
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from pbem import __version__
from pbem.errors import Busy, Usage

if TYPE_CHECKING:
    from distributed import Client, Future

Work = Callable[[str], object]
"""Does the unit of that key; gives JSON data. Picklable, unless it stays in this process."""
Done = tuple[str, object]
"""The key of a unit and what it gave."""

BATCH = 1.0
"""Seconds that a batch should take: long against the 2 ms that handing it over takes, short enough
that all processes end at about the same time."""
MOST = 200
"""The most units of a batch."""
WAIT = 20.0
"""Seconds for a scheduler to answer."""
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
    if place.keep is None:
        yield from _worked(keys, work, place)
        return
    kept = read_kept(place.keep, name)
    yield from ((key, kept[key]) for key in keys if key in kept)
    with place.keep.open("a", encoding="utf-8") as out:
        for key, given in _worked([key for key in keys if key not in kept], work, place):
            out.write(msgspec.json.encode([key, given]).decode() + "\n")
            out.flush()
            yield key, given


def read_kept(keep: Path, name: str) -> Mapping[str, object]:
    """What a file keeps; it is begun if it does not exist, and cut behind its last whole line.

    Raises Usage if it was kept by other work.
    """
    data = keep.read_bytes() if keep.exists() else b""
    first, *lines = data[: data.rfind(b"\n") + 1].splitlines() or [b""]
    head = msgspec.json.encode({"pbem-work": name})
    if first and first != head:
        raise Usage(
            f"{keep} keeps the results of other work",
            "name another file; results of another game, seed or release cannot be added",
        )
    keep.write_bytes(b"\n".join([head, *lines, b""]))
    return dict(msgspec.json.decode(line, type=tuple[str, object]) for line in lines)


def digest(done: Iterable[Done]) -> str:
    """A digest (hex) of all results: the same wherever they were computed."""
    found = sha256()
    for key, given in sorted(done, key=lambda one: one[0]):
        found.update(msgspec.json.encode([key, given], order="sorted") + b"\n")
    return found.hexdigest()


def _worked(keys: Sequence[str], work: Work, place: Place) -> Iterator[Done]:
    if place.cluster:
        yield from _on_cluster(keys, work, place.cluster)
    elif place.jobs == 1:
        yield from ((key, work(key)) for key in keys)
    else:
        yield from _on_cores(keys, work, place.jobs)


def _on_cores(keys: Sequence[str], work: Work, jobs: int) -> Iterator[Done]:
    with ProcessPoolExecutor(jobs) as pool:
        first, rest, size = _begun(keys, lambda batch: pool.submit(_batch, work, batch).result())
        yield from first
        waiting = [pool.submit(_batch, work, batch) for batch in _cut(rest, size)]
        try:
            for future in as_completed(waiting):
                yield from future.result()
        finally:
            for future in waiting:
                future.cancel()


def _on_cluster(keys: Sequence[str], work: Work, address: str) -> Iterator[Done]:
    try:
        from distributed import Client
    except ImportError:
        raise Usage("a cluster needs Dask", "pip install 'pbem[cluster]'") from None
    try:
        client = Client(address, timeout=WAIT)
    except OSError as error:
        hint = "`dask scheduler` starts one, `dask worker ADDRESS` each worker"
        raise Busy(f"no Dask scheduler answers at {address}: {error}", hint) from None
    with client:
        _require_release(client.run(_release))
        workers = _Workers(client, work)
        first, rest, size = _begun(keys, lambda batch: next(workers.done([batch])))
        yield from first
        for done in workers.done(_cut(rest, size)):
            yield from done


class _Workers:
    """The workers of a cluster, any of which may be lost at any time.

    The work is scattered once, because it may be megabytes, and is gone when all that had it are
    lost: then every batch that waits for it is cancelled (distributed, issue 3149). A batch that
    kills worker after worker is given up by the scheduler. Either way it is sent again.
    """

    def __init__(self, client: Client, work: Work) -> None:
        self.client, self.work = client, work
        self.shared = self._scattered()

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
                    hint = "what is finished is kept with --keep FILE: give the command again"
                    raise Busy(f"workers were lost again and again: {lost}", hint) from None
                if shared is self.shared:
                    self.shared = self._scattered()
                again = self._sent(batch)
                out[again] = batch, left - 1, self.shared
                waiting.add(again)
            else:
                yield given

    def _scattered(self) -> Future[Work]:
        """The work on all workers, under a name of its own: that of lost data stays cancelled."""
        found: Future[Work] = self.client.scatter(self.work, broadcast=True, hash=False)
        return found

    def _sent(self, batch: list[str]) -> Future[list[Done]]:
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
