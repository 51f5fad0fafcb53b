"""How much faster many workers play: measured for one and two, reckoned for more.

`python -m tests.benchmarks.workers [bismarck] [--games 400]` plays games of bots on one worker of a
real Dask cluster on this machine and on two, by turns, and measures what the reckoning needs: how
long each batch takes, what the scheduler and the client need for one (batches that do nothing), and
how long a run takes to begin. Then a run with more workers is reckoned batch by batch: the client
hands out batches one after another, each worker takes the next when it is done, and the run ends
with the last batch. It prints the efficiency (games a second a worker, as a part of those of one
worker without a cluster) and what a million games cost.
"""

from __future__ import annotations

import argparse
import heapq
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from random import Random
from statistics import mean, median
from time import perf_counter

from msgspec import Struct

from pbem.bots import work
from pbem.bots.simulate import _plain
from pbem.cli.common import system_named

WORKERS = (1, 2, 4, 8, 16, 32, 64)
EMPTY = 600
"""Batches that do nothing."""
MILLION = 1_000_000


class Constants(Struct, frozen=True):
    """What was measured, in seconds."""

    start: float
    """Until the first batch of a cluster is done, less the time of its games."""
    batches: Sequence[float]
    """How long batches took."""
    hand: float
    """What client and scheduler need for a batch, one after another."""
    games: int
    """In a batch."""


def reckoned(found: Constants, workers: int, games: int, seed: str = "x") -> float:
    """Seconds of a run: batches leave the client one by one and wait for the first free worker."""
    draws, left = Random(seed), games
    free = [found.start] * workers
    at, end = found.start, 0.0
    while left > 0:
        at += found.hand
        begin = max(at, heapq.heappop(free))
        share = min(found.games, left) / found.games
        done = begin + share * draws.choice(found.batches)
        heapq.heappush(free, done)
        end, left = max(end, done), left - found.games
    return end


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """The address of a Dask scheduler with that many workers, each a process of this machine."""
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    scheduler = subprocess.Popen(
        [*dask, "--host", "127.0.0.1", "--port", "0", "--no-dashboard"],
        stderr=subprocess.PIPE,
        text=True,
    )
    started = [scheduler]
    try:
        assert scheduler.stderr
        address = next(filter(None, (re.search(r"tcp://\S+:\d+", t) for t in scheduler.stderr)))[0]
        worker = [sys.executable, "-m", "distributed.cli.dask_worker", address]
        worker += ["--nthreads", "1", "--nworkers", str(workers), "--no-dashboard"]
        started.append(subprocess.Popen(worker, stderr=subprocess.DEVNULL, text=True))
        ready(address, workers)
        yield address
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait()


def ready(address: str, workers: int) -> None:
    """Wait for the workers."""
    from distributed import Client

    with Client(address) as client:
        client.wait_for_workers(workers, timeout=60)


def nothing(key: str) -> object:
    """A unit that does nothing."""
    return key


def timed(keys: Sequence[str], unit: work.Work, place: work.Place) -> float:
    """Seconds of a run."""
    began = perf_counter()
    assert len(list(work.carried_out(keys, unit, place))) == len(keys)
    return perf_counter() - began


def measured(system: str, games: int, rounds: int) -> tuple[Constants, float, float, float]:
    """The constants; and seconds of one process without a cluster, of one worker and of two, for
    the same games."""
    scenario = system_named(system).scenarios[0].name
    unit = partial(_plain, system_named, system, scenario, {}, None)
    keys = [f"w {i}" for i in range(games)]
    alone, one, two = list[float](), list[float](), list[float]()
    with cluster(1) as first, cluster(2) as second:
        for place in (work.Place(cluster=first), work.Place(cluster=second)):
            timed(keys[:4], unit, place)  # the rules are loaded
        for _ in range(rounds):
            alone.append(timed(keys, unit, work.Place()))
            one.append(timed(keys, unit, work.Place(cluster=first)))
            two.append(timed(keys, unit, work.Place(cluster=second)))
        start = timed(["w 0"], unit, work.Place(cluster=second)) - timed(
            ["w 0"], unit, work.Place()
        )
        hand = handed(second)
    size = max(1, round(work.BATCH * games / median(alone)))
    batches = [
        timed(keys[i : i + size], unit, work.Place()) for i in range(0, games - size + 1, size)
    ]
    return Constants(start, batches, hand, size), median(alone), median(one), median(two)


def handed(address: str) -> float:
    """Seconds that client and scheduler need for a batch."""
    from distributed import Client

    with Client(address) as client:
        workers = work._Workers(client, nothing)
        batches = [[str(i)] for i in range(EMPTY)]
        list(workers.done(batches[:20]))
        began = perf_counter()
        list(workers.done(batches))
        return (perf_counter() - began) / EMPTY


def table(found: Constants, games: int, alone: float, one: float, two: float) -> Iterator[str]:
    """What was measured and what follows, in lines."""
    batch = mean(found.batches)
    rate = found.games / batch
    yield f"start {found.start:.2f} s, a batch of {found.games} games {batch:.2f} s "
    yield f"({min(found.batches):.2f} to {max(found.batches):.2f}), handing it over "
    yield f"{1000 * found.hand:.1f} ms; one process {rate:.1f} games a second"
    yield ""
    yield "| workers | measured | 10,000 games | 1,000,000 games | hours for 1,000,000 |"
    yield "| ---: | ---: | ---: | ---: | ---: |"
    seen = {1: alone / one, 2: alone / two / 2}
    for workers in WORKERS:
        parts = [
            count / rate / workers / reckoned(found, workers, count) for count in (10_000, MILLION)
        ]
        hours = reckoned(found, workers, MILLION) / 3600
        shown = f"{seen[workers]:.2f}" if workers in seen else ""
        yield f"| {workers} | {shown} | {parts[0]:.2f} | {parts[1]:.2f} | {hours:.1f} |"


def main() -> None:
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("system", nargs="?", default="bismarck")
    asked.add_argument("--games", type=int, default=200)
    asked.add_argument("--rounds", type=int, default=3)
    given = asked.parse_args()
    found, *took = measured(given.system, given.games, given.rounds)
    print("\n".join(table(found, given.games, *took)))


if __name__ == "__main__":
    main()
