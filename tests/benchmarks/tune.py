"""Tune numbers of a bot by CMA-ES: `python -m tests.benchmarks.tune baltic --keep tuned.jsonl`.

The covariance matrix adaptation evolution strategy (Hansen, "The CMA Evolution Strategy: A
Tutorial", 2016) draws candidates from a normal distribution and moves it to those that won most.
Every candidate of a generation plays the same seeds on every side against the plain bot, and each
generation has seeds of its own, because a candidate that won by luck must not stay the best. What
is tuned, and between which bounds, is in `strong_SYSTEM.py`; factors are tuned by their logarithms.
At the end the middle of the distribution plays under seeds that none of them has seen.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from math import exp, log
from pathlib import Path
from typing import Protocol, cast

import games
from pbem.admin.setup import options_of
from pbem.bots.bot_orders import Match, Player
from pbem.bots.work import Place, carried_out
from pbem.model import Side
from tests.benchmarks.strong import wilson

SYSTEMS = ("baltic",)
SEED = "tune"


class Tuned(Protocol):
    """What `strong_SYSTEM.py` offers."""

    SCENARIO: str
    FACTORS: Mapping[str, tuple[float, float]]
    """Name of a factor -> its bounds; 1 is the plain bot."""

    def led(self, side: Side, factors: Mapping[str, float], seed: str) -> Player:
        """The bot of a side with these factors."""


def tuned(system: str) -> Tuned:
    """That of a system."""
    return cast(Tuned, import_module(f"tests.benchmarks.strong_{system}"))


def worked(key: str) -> object:
    """The unit of a key, `SYSTEM SIDE SEED FACTOR...`: 1 if the bot with these factors won, 0.5 for
    a draw."""
    system, side, seed, *numbers = key.split()
    found, rules = tuned(system), games.load(system)
    factors = dict(zip(found.FACTORS, map(float, numbers), strict=True))
    player = found.led(Side(side), factors, f"{SEED} {seed}")
    match = Match(
        rules,
        found.SCENARIO,
        options_of(rules, {}),
        f"{SEED} {seed}",
        players={Side(side): player},
    )
    for _ in match.play():
        pass
    assert match.drive.over
    result = match.drive.over.result
    return 1.0 if result == side else 0.5 * (result == "draw")


def keys(system: str, seeds: Sequence[str], factors: Sequence[float]) -> list[str]:
    """The units of a candidate: each side under each seed."""
    rules, found = games.load(system), tuned(system)
    sides = next(s.sides for s in rules.scenarios if s.name == found.SCENARIO)
    numbers = " ".join(f"{factor:.6g}" for factor in factors)
    return [f"{system} {side} {seed} {numbers}" for seed in seeds for side in sides]


def judge(
    system: str, seeds: Sequence[str], candidates: Sequence[Sequence[float]], place: Place
) -> list[float]:
    """What part of its games each candidate won."""
    units = [keys(system, seeds, factors) for factors in candidates]
    every = list(dict.fromkeys(key for unit in units for key in unit))
    won = dict(carried_out(every, worked, place, f"tune {system} {SEED}"))
    return [sum(cast(float, won[key]) for key in unit) / len(unit) for unit in units]


def generations(
    system: str, count: int, size: int, pairs: int, place: Place
) -> Iterator[tuple[Sequence[float], float]]:
    """After each generation the middle of the distribution, as factors, and what its candidates won
    on average."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # cma looks for modules that it can do without
        import cma
    bounds = list(tuned(system).FACTORS.values())
    lows, highs = ([log(bound[i]) for bound in bounds] for i in (0, 1))
    options = {"popsize": size, "seed": 1, "bounds": [lows, highs], "verbose": -9}
    search = cma.CMAEvolutionStrategy([0.0] * len(bounds), 0.5, options)
    for number in range(count):
        asked = search.ask()
        factors = [[exp(x) for x in one] for one in asked]
        shares = judge(system, [f"{number}.{i}" for i in range(pairs)], factors, place)
        search.tell(asked, [-share for share in shares])
        yield [exp(x) for x in search.result.xfavorite], sum(shares) / len(shares)


def main() -> None:
    """Tune and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("system", nargs="?", default=SYSTEMS[0], choices=SYSTEMS)
    parser.add_argument("--generations", type=int, default=12)
    parser.add_argument("--candidates", type=int, default=8, help="of a generation")
    parser.add_argument("--pairs", type=int, default=8, help="games of a candidate on each side")
    parser.add_argument("--proof", type=int, default=100, help="games on each side at the end")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cluster", default="", help="address of a Dask scheduler")
    parser.add_argument("--keep", type=Path, help="keeps results, so that a stopped run goes on")
    asked = parser.parse_args()
    place, found = Place(asked.jobs, asked.cluster, asked.keep), tuned(asked.system)
    middle: Sequence[float] = [1.0] * len(found.FACTORS)
    print(f"generation, share of games won on average, {', '.join(found.FACTORS)}")
    for number, (middle, share) in enumerate(
        generations(asked.system, asked.generations, asked.candidates, asked.pairs, place), 1
    ):
        print(number, f"{share:.3f}", *(f"{factor:.3g}" for factor in middle), flush=True)
    proof = [f"proof.{i}" for i in range(asked.proof)]
    plain = [1.0] * len(middle)
    for name, share in zip(
        ("plain", "tuned"), judge(asked.system, proof, [plain, middle], place), strict=True
    ):
        low, high = wilson(round(share * 2 * len(proof)), 2 * len(proof))
        print(f"{name}: {share:.1%} of {2 * len(proof)} new games ({low:.0%} to {high:.0%})")


if __name__ == "__main__":
    main()
