"""How many mails a game played `asked` asks of a side, counted in games of the bots.

    python -m tests.far_seas.mails 200

A mail is a window that the side owes. The test of the limits plays a seeded sample.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import mean, median

from games.far_seas.game import SYSTEM
from pbem.bots.bot_orders import Match

OPTIONS = {o.name: o.values[0] for o in SYSTEM.options} | {"play": "asked"}
SCENARIOS = tuple(s.name for s in SYSTEM.scenarios)


class Counted:
    """One game. turns: mails of each side in each turn; games: those of either side in all."""

    def __init__(self, scenario: str, seed: str) -> None:
        game, counts = Match(SYSTEM, scenario, OPTIONS, seed), Counter[tuple[int, str]]()
        turns = set[int]()
        while not game.drive.over:
            turn = game.drive.state.turn
            turns.add(turn)
            for side in game.drive.pause.owed or game.drive.sides:
                counts[turn, side] += 1
            game.window()
        sides = game.drive.sides
        self.turns = [counts[turn, side] for turn in sorted(turns) for side in sides]
        self.games = [sum(n for (_, s), n in counts.items() if s == side) for side in sides]


def counted(scenario: str, games: int) -> list[Counted]:
    """So many games of a scenario."""
    return [Counted(scenario, f"mails {n}") for n in range(games)]


def line(scenario: str, played: Sequence[Counted]) -> str:
    """A row of the table in docs/far_seas.md: mails per turn and side (mean, median of the games'
    means, most), and per game and side (median, most)."""
    turns = [n for game in played for n in game.turns]
    means = median(mean(game.turns) for game in played)
    games = [n for game in played for n in game.games]
    per_turn = f"{mean(turns):.2f} | {means:.2f} | {max(turns)}"
    return f"| `{scenario}` | {per_turn} | {median(games):.0f} | {max(games)} |"


def lines(games: int) -> Iterator[str]:
    """The rows of all scenarios."""
    for scenario in SCENARIOS:
        yield line(scenario, counted(scenario, games))


if __name__ == "__main__":
    for row in lines(int(sys.argv[1])):
        print(row)
