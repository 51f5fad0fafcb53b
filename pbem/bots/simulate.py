"""Many bot games in memory, over several processes: who wins, how long it takes, what breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from statistics import median

from msgspec import Struct

from pbem.bots.bot_orders import Match
from pbem.model import Plain, System

Load = Callable[[str], System]

PORTIONS = 32
"""So many times a process comes for more games: at the end it waits for one portion at most."""


class Played(Struct, frozen=True):
    """One game. fault: what went wrong, empty for a sound game."""

    seed: str
    result: str
    rule: str
    turns: int
    windows: int
    fault: str = ""


def simulate(
    load: Load,
    name: str,
    scenario: str,
    options: Mapping[str, str],
    seeds: Sequence[str],
    jobs: int,
) -> Iterable[Played]:
    """Play one game a seed, in order of seeds. load: finds a system by name, in any process."""
    one = partial(play, load, name, scenario, dict(options))
    if jobs == 1:
        yield from map(one, seeds)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(one, seeds, chunksize=max(1, len(seeds) // (jobs * PORTIONS)))


def play(load: Load, name: str, scenario: str, options: dict[str, str], seed: str) -> Played:
    """One bot game to its end; whatever it raises is its fault, by the seed to repeat it."""
    windows = turn = 0
    try:
        match = Match(load(name), scenario, options, seed)
        first = match.drive.state.turn
        for _ in match.play():
            windows += 1
        turn = match.drive.state.turn - first + 1
        over = match.drive.over
        assert over is not None
        return Played(seed, over.result, over.rule, turn, windows)
    except Exception as error:
        return Played(seed, "", "", turn, windows, f"{type(error).__name__}: {error}")


def summary(games: Sequence[Played]) -> Plain:
    """Counts over all games, as `pbem simulate --json` prints them."""
    sound = [g for g in games if not g.fault]
    return {
        "games": len(games),
        "wins": dict(sorted(Counter(g.result for g in sound).items())),
        "ends": dict(sorted(Counter(g.rule for g in sound).items())),
        "turns": _spread([g.turns for g in sound]),
        "windows": _spread([g.windows for g in sound]),
        "faults": [{"seed": g.seed, "fault": g.fault} for g in games if g.fault],
    }


def _spread(values: Sequence[int]) -> dict[str, float]:
    if not values:
        return {}
    return {"least": min(values), "median": median(values), "most": max(values)}
