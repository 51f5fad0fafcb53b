"""What could make the chances of an analysis surer with fewer playouts.

    python -m tests.benchmarks.variance [--seed TEXT] [--games N] [--jobs N]

Plays a demo of Bismarck and N playouts from each of five windows along it. Prints how much of the
variance of their results is explained by what is known about a playout: the admirals' plans
(stratified sampling), the faces of its dice summed by kind of roll (control variates), and its
points, hits and sinkings after a half and three quarters of its windows (playouts cut short). The
part explained is of playouts that a regression has not seen (10 folds, ridge); what explains a part
R of the variance spares that part of the playouts.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from games.bismarck import bot_british, bot_german
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.state import War
from pbem.analysis import whole
from pbem.analysis.chances import part
from pbem.analysis.units import begun
from pbem.bots.work import Place, carried_out
from pbem.dice.sources import Rolled, Source
from pbem.kit.bots import Luck
from pbem.model import Dice, State, Window
from tests.benchmarks.analysis import along

ALONG = (0.0, 0.15, 0.3, 0.5, 0.7)
"""Where the windows are in the game."""
CUTS = {"at a half": 0.5, "at three quarters": 0.75}
FOLDS = 10
RIDGE = 3.0


class Seen(Struct, frozen=True):
    """What is known of one playout. result: the Germans' part."""

    result: float
    plans: Mapping[str, str]
    faces: Mapping[str, int]
    cut: Mapping[str, Sequence[int]]


class Noted:
    """A source of dice that adds up the faces it gives, by kind of roll, less their average."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.name, self.flagged = source.name, source.flagged
        self.faces = Counter[str]()

    def roll(self, window: Window, label: str, dice: Dice) -> Rolled:
        """See Source.roll."""
        faces, proof = self.source.roll(window, label, dice)
        self.faces[label.partition("/")[0]] += 2 * sum(faces) - len(faces) * (dice.sides + 1)
        return faces, proof


class Work(Struct, frozen=True):
    """The playouts along a game, each with a key, `WINDOW NUMBER`."""

    along: whole.Work

    def __call__(self, key: str) -> object:
        """What is known of that playout."""
        window, number = map(int, key.split())
        work = self.along
        system = work.load(work.played.system, work.played.edition)
        game, drive = begun(system, work.played, work.moments[window], number)
        game.dice = noted = Noted(game.dice)
        trail = list[Sequence[int]]()
        while not drive.over:
            game.window()
            trail.append(known(drive.state))
        cut = {name: trail[int(share * (len(trail) - 1))] for name, share in CUTS.items()}
        result = part(drive.over.result, (GERMAN, BRITISH))
        return msgspec.to_builtins(Seen(result, plans(game.luck), noted.faces, cut))


def known(war: State) -> Sequence[int]:
    """What tells who will win: points of both sides, hits, and what is sunk."""
    assert isinstance(war, War)
    bismarck = war.ships["BISMARCK"]
    points = [sum(s.points for s in war.scores if s.side == side) for side in (GERMAN, BRITISH)]
    ahead = points[0] - points[1]
    marks = [ahead > 0, ahead >= 5, ahead < -5, bismarck.sunk]
    return [*points, bismarck.hits.midships, *map(int, marks)]


def plans(luck: str) -> dict[str, str]:
    """What the admirals of a playout have decided beforehand."""
    window = Luck(f"{luck} 1")  # the same in every window
    both = {GERMAN: bot_german.plan(window), BRITISH: bot_british.plan(window)}
    return {
        f"{side} {name}": str(value)
        for side, plan in both.items()
        for name, value in msgspec.to_builtins(plan).items()
    }


Columns = list[list[float]]


def indicators(rows: Iterable[Mapping[str, str]]) -> Columns:
    """A column for each value that a name may have."""
    seen = [set(row.items()) for row in rows]
    return [[float(pair in row) for row in seen] for pair in sorted(set().union(*seen))]


def sums(rows: Sequence[Mapping[str, int]]) -> Columns:
    """A column for each name."""
    return [[float(row.get(name, 0)) for row in rows] for name in sorted(set().union(*rows))]


def explained(columns: Columns, results: Sequence[float]) -> float:
    """The part of the variance that a linear regression explains in playouts it has not seen."""
    y, x = np.array(results), np.array(columns).T
    x = (x - x.mean(0)) / (x.std(0) + 1e-9)
    x, guess = np.c_[np.ones(len(y)), x], np.zeros(len(y))
    penalty = RIDGE * np.eye(x.shape[1])
    penalty[0, 0] = 0
    order = np.random.default_rng(0).permutation(len(y))
    for fold in range(FOLDS):
        out, rest = order[fold::FOLDS], np.delete(order, np.s_[fold::FOLDS])
        own, found = x[rest], y[rest]
        guess[out] = x[out] @ np.linalg.solve(own.T @ own + penalty, own.T @ found)
    return float(1 - ((y - guess) ** 2).mean() / y.var())


def row(window: int, seen: Sequence[Seen]) -> str:
    """A line of the table."""
    results = [s.result for s in seen]
    by_plan, by_dice = indicators(s.plans for s in seen), sums([s.faces for s in seen])
    cuts = [
        [[float(v) for v in c] for c in zip(*(s.cut[n] for s in seen), strict=True)] for n in CUTS
    ]
    found = [explained(c, results) for c in (by_plan, by_dice, by_plan + by_dice, *cuts)]
    cells = [f"{window}", f"{np.mean(results):.0%}", *(f"{max(0.0, f):.0%}" for f in found)]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seed", default="a")
    asked.add_argument("--games", type=int, default=500)
    asked.add_argument("--jobs", type=int, default=1)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as home:
        work, _ = along(Path(home), "bismarck", given.seed)
    windows = sorted(work.moments)
    chosen = [windows[int(len(windows) * share)] for share in ALONG]
    keys = [f"{window} {number + 1}" for window in chosen for number in range(given.games)]
    done = dict(carried_out(keys, Work(work), Place(jobs=given.jobs)))
    print(f"| window | Germans win | plans | dice | both | {' | '.join(CUTS)} |")
    print("| ---: |" + " ---: |" * (4 + len(CUTS)))
    for window in chosen:
        own: list[Any] = [done[key] for key in keys if key.split()[0] == str(window)]
        print(row(window, msgspec.convert(own, list[Seen])))


if __name__ == "__main__":
    main()
