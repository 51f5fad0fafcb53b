"""How strong the searching bots are: `python -m tests.benchmarks.strong SYSTEM --games 400`.

Paired games: under each seed an opponent plays once against the plain bot of a side and once
against the searching one. Shares are of decided games, with Wilson's interval of 95 %. Cost is
processor time of the searching bot for each window in which it gave orders. Who the opponents are
is in `strong_SYSTEM.py` beside this file.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from importlib import import_module
from math import sqrt
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from msgspec import Struct, convert, to_builtins

import games
from orders.model import OrderSet
from pbem.admin.setup import options_of
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match, Player
from pbem.bots.strong import Strong, only
from pbem.bots.work import Place, carried_out
from pbem.model import Side

SEED = "judge"
USUAL = "usual"


class Row(NamedTuple):
    """Which side searches, and against whom."""

    side: Side
    opponent: str
    scenario: str = ""
    """Empty: the usual one of the system."""


class Opponents(Protocol):
    """What `strong_SYSTEM.py` offers."""

    SCENARIO: str
    """The usual one."""

    def rows(self) -> Sequence[Row]:
        """The rows of the table."""

    def opponent(self, row: Row, seed: str) -> Player:
        """Who plays against the bot of a row."""


SYSTEMS = ("bismarck", "far_seas", "baltic", "atlantic_chase", "second_fleet")


def opponents(system: str) -> Opponents:
    """Those of a system."""
    return cast(Opponents, import_module(f"tests.benchmarks.strong_{system}"))


class Pair(Struct, frozen=True):
    """The results of a seed: of the plain and the searching bot. windows, seconds, most: what the
    search took."""

    plain: str
    strong: str
    windows: int
    seconds: float
    most: float


class Timed:
    """A searching bot under a clock."""

    def __init__(self, player: Strong) -> None:
        self.player, self.explained = player, ""
        self.windows, self.seconds, self.most = 0, 0.0, 0.0

    def orders(self, report: Report) -> OrderSet:
        """See Player."""
        begun = time.process_time()
        found = self.player.orders(report)
        took = time.process_time() - begun
        self.windows, self.seconds = self.windows + 1, self.seconds + took
        self.most = max(self.most, took)
        return found


def worked(key: str) -> object:
    """The unit of a key, `SYSTEM ROW GAME PLAYOUTS`."""
    system, number, game, playouts = key.split()
    found = opponents(system)
    row, seed = found.rows()[int(number)], f"{SEED} {game}"
    rules = games.load(system)
    options = options_of(rules, {})
    scenario = row.scenario or found.SCENARIO
    sides = next(s.sides for s in rules.scenarios if s.name == scenario)
    other = next(side for side in sides if side != row.side)
    changes = {} if playouts == USUAL else only(int(playouts))
    strong = Timed(Strong(rules, scenario, options, row.side, seed, changes))
    results = list[str]()
    for player in (None, strong):
        players: dict[Side, Player] = {other: found.opponent(row, seed)}
        if player is not None:
            players[row.side] = player
        match = Match(rules, scenario, options, seed, players=players)
        for _ in match.play():
            pass
        assert match.drive.over
        results.append(match.drive.over.result)
    took = round(strong.seconds, 2), round(strong.most, 2)
    return to_builtins(Pair(results[0], results[1], strong.windows, *took))


def wilson(won: int, games: int) -> tuple[float, float]:
    """The interval of 95 % of a share."""
    if not games:
        return 0.0, 1.0
    z, p = 1.96, won / games
    middle = (p + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(p * (1 - p) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return middle - half, middle + half


COLUMNS = (
    *("side", "opponent", "games", "plain wins", "strong wins", "interval"),
    *("better, worse", "s a window", "most"),
)
HEAD = f"| {' | '.join(COLUMNS)} |\n| --- | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: |"


def line(row: Row, pairs: Sequence[Pair]) -> str:
    """A line of the table."""

    def share(results: Sequence[str]) -> tuple[int, int]:
        return results.count(row.side), sum(r != "draw" for r in results)

    plain, strong = share([p.plain for p in pairs]), share([p.strong for p in pairs])
    low, high = wilson(*strong)
    better = sum(p.strong == row.side != p.plain for p in pairs)
    worse = sum(p.plain == row.side != p.strong for p in pairs)
    cost = sum(p.seconds for p in pairs) / max(1, sum(p.windows for p in pairs))
    cells = [
        f"{row.side}, {row.scenario}" if row.scenario else row.side,
        row.opponent,
        len(pairs),
        f"{plain[0] / max(1, plain[1]):.0%}",
        f"{strong[0] / max(1, strong[1]):.0%}",
        f"{low:.0%} to {high:.0%}",
        f"{better}, {worse}",
        f"{cost:.2f}",
        f"{max(p.most for p in pairs):.1f}",
    ]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("system", nargs="?", default=SYSTEMS[0], choices=SYSTEMS)
    parser.add_argument("--games", type=int, default=20, help="pairs of each row")
    parser.add_argument("--playouts", default=USUAL, help="in a window; default: the system's")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="keeps results, so that a stopped run goes on")
    parser.add_argument("--rows", default="", help="numbers from 0; default: all")
    asked = parser.parse_args()
    all_ = opponents(asked.system).rows()
    chosen = list(map(int, asked.rows.split(","))) if asked.rows else list(range(len(all_)))
    keys = [f"{asked.system} {r} {g} {asked.playouts}" for g in range(asked.games) for r in chosen]
    place = Place(jobs=asked.jobs, keep=asked.keep)
    found: dict[int, list[Pair]] = {}
    for key, given in carried_out(keys, worked, place, f"strong {asked.system} {SEED}"):
        found.setdefault(int(key.split()[1]), []).append(convert(given, Pair))
    print(HEAD)
    for number in sorted(found):
        print(line(all_[number], found[number]))


if __name__ == "__main__":
    main()
