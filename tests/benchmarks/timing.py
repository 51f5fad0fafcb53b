"""How long a side's receipt takes, in two worlds of Bismarck that are alike to it: whether the
enemy has filed before, and whether he files in the same tick.

`python -m tests.benchmarks.timing --receipts 300` answers a set of the German in each world by
turns and prints the times from the tick's beginning until his receipt leaves, as a clock shows them
and as they were spent computing, each with a permutation test of the difference of the means: how
often chance alone parts two such samples as far.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import mean, quantiles
from time import perf_counter, process_time

import pytest

from games.bismarck.game import SYSTEM
from pbem.admin.setup import Choices
from pbem.outbound.transports.interface import Outgoing
from pbem.outbound.transports.maildir import Maildir
from tests.bismarck.test_mail_secrecy import GERMAN, british
from tests.mail.office import Office
from tests.referee import Referee, key_of, signed

SHUFFLES = 4000
SIDE, OTHER = "german", "british"
REFUSED = "\nBISMARCK: dance;"
"""With this a set is not all in, so that no window closes."""


Taken = tuple[float, float]
"""Seconds by the clock, and of computing."""


class World(Office):
    """One of the two. left: when the side's last mail was shown."""

    def __init__(self, home: Path) -> None:
        super().__init__(Referee.made(home, SYSTEM, Choices(seed="x", dice="seeded")))
        self.referee.open()
        self.hidden, self.sets = Random("hidden"), 0
        self.tick()

    def windows(self, enemy: bool) -> None:
        """Two windows behind the opening, and the enemy's set in the third, or without him."""
        for n in range(3):
            if enemy:
                self.referee.receive(self.referee.orders(OTHER, british(self.hidden)))
            if n < 2:
                self.referee.run(force=True)
        self.tick()

    def receipt(self, enemy: bool) -> Taken:
        """Until a set of the side is answered. enemy: he wrote before, in the same tick."""
        self.sets += 1
        report = self.referee.report(SIDE)
        if enemy:
            self.mail(OTHER, self.referee.orders(OTHER, british(self.hidden)))
        block = self.referee.block(SIDE, GERMAN[2] + REFUSED, report, seq=2_000_000_000 + self.sets)
        self.mail(SIDE, signed(block, key_of(SIDE)))
        left, real = list[Taken](), Maildir.release

        def release(way: Maildir, mail: Outgoing) -> None:
            real(way, mail)
            if f".{SIDE}-" in mail.id:
                left.append((perf_counter(), process_time()))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Maildir, "release", release)
            began, before = perf_counter(), process_time()
            self.tick()
        ((at, used),) = left
        return at - began, used - before


def chance(one: Sequence[float], other: Sequence[float]) -> float:
    """The share of shuffles that part the means at least as far."""
    both, apart, random = [*one, *other], abs(mean(one) - mean(other)), Random(1)
    far = 0
    for _ in range(SHUFFLES):
        random.shuffle(both)
        far += abs(mean(both[: len(one)]) - mean(both[len(one) :])) >= apart
    return (far + 1) / (SHUFFLES + 1)


def compared(name: str, count: int, before: bool, beside: bool) -> None:
    """Print a row. before, beside: what the enemy does in the second world."""
    with tempfile.TemporaryDirectory() as folder:
        worlds = [World(Path(folder) / "one"), World(Path(folder) / "two")]
        worlds[0].windows(False)
        worlds[1].windows(before)
        times: list[list[Taken]] = [[], []]
        order = Random(name)
        for _ in range(count):
            for which in order.sample((0, 1), 2):
                times[which].append(worlds[which].receipt(beside and which == 1))
    cells = [name, str(count)]
    for kind in range(2):
        one, other = ([1000 * taken[kind] for taken in some] for some in times)
        spread = quantiles(one, n=20)
        cells += [f"{mean(one):.1f}", f"{mean(other):.1f}", f"{spread[0]:.0f} to {spread[-1]:.0f}"]
        cells.append(f"{chance(one, other):.3f}")
    print(f"| {' | '.join(cells)} |", flush=True)


ROWS: dict[str, Callable[[int], None]] = {
    "nothing differs": lambda n: compared("nothing differs", n, before=False, beside=False),
    "filed": lambda n: compared("the enemy filed before, or never", n, before=True, beside=False),
    "files": lambda n: compared("he files in the same tick, or not", n, before=False, beside=True),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--receipts", type=int, default=300, help="in each world")
    count = parser.parse_args().receipts
    os.environ["PBEM_NOW"] = "2026-11-20T12:00:00Z"
    kinds = [
        f"ms {kind} without | with | 90 % | chance" for kind in ("by the clock,", "computing,")
    ]
    print(f"| | receipts | {' | '.join(kinds)} |")
    print("| --- |" + " ---: |" * 9)
    for row in ROWS.values():
        row(count)


if __name__ == "__main__":
    main()
