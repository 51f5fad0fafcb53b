"""How good the beliefs are: `python -m tests.benchmarks.belief SYSTEM --games 2000 [--plot FILE]`.

Captains of several styles lead a side in games of bots. After each, the other side's beliefs are
made from its reports alone and held against the truth, in every window, or turn, in which it was
not told where the enemy is. A score is the logarithm (nats) of the probability of the true cell,
cut off below one in a million. Beside it stands even chances over the cells that are possible and
were not searched out. What a system's captains do is in `belief_SYSTEM.py` beside this file.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from math import log, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple, Protocol, cast

from msgspec import Struct, convert

from pbem.belief.filter import Belief
from pbem.bots.work import Done, Place, carried_out

LEAST = 1e-6
SEED = "belief"
EDGES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
"""Upper ends of the bins of probabilities."""


class Row(NamedTuple):
    """Who leads the enemy, and which styles the guesses have; none: all. but: one left out."""

    captain: str
    styles: tuple[str, ...]
    but: str = ""

    @property
    def text(self) -> str:
        """For the table."""
        if self.but:
            return f"all but {self.but}"
        return "all" if not self.styles else " and ".join(self.styles)

    def of(self, styles: Mapping[str, float]) -> dict[str, float]:
        """Those of a quarry's styles that the guesses have."""
        able = self.styles or tuple(styles)
        return {s: share for s, share in styles.items() if s in able and s != self.but}


class Captains(Protocol):
    """What `belief_SYSTEM.py` offers."""

    ROWS: Sequence[Row]
    """Wrong models first."""
    WRONG: int
    """How many of them there are."""

    def hidden(self, row: Row, seed: str) -> Iterator[tuple[Belief, str]]:
        """The beliefs of a game where the side was not told, each with the true cell."""


SYSTEMS = ("bismarck", "far_seas", "second_fleet")


def captains(system: str) -> Captains:
    """Those of a system."""
    return cast(Captains, import_module(f"tests.benchmarks.belief_{system}"))


class Scored(Struct, frozen=True):
    """One game under one row. scores, even: the logarithms, a window each; bins: by number, how
    often a cell had such a probability, the sum of them, and how often she was there."""

    scores: list[float] = []
    even: list[float] = []
    right: int = 0
    outside: int = 0
    effective: float = 0
    rebuilt: int = 0
    bins: dict[int, tuple[int, float, int]] = {}


def scored(system: str, row: Row, seed: str) -> Scored:
    """A game under a row."""
    found = Scored()
    bins = Counter[int](), Counter[int](), Counter[int]()
    right = outside = rebuilt = 0
    effective = 0.0
    for belief, at in captains(system).hidden(row, seed):
        found.scores.append(log(max(belief.cells.get(at, 0), LEAST)))
        found.even.append(-log(len(belief.possible)))
        right += belief.likeliest == at
        outside += at not in belief.possible
        effective += belief.effective
        rebuilt += belief.rebuilt
        for cell, share in belief.cells.items():
            into = next(i for i, edge in enumerate(EDGES) if share <= edge + 1e-9)
            for counter, more in zip(bins, (1, share, int(cell == at)), strict=True):
                counter[into] += more  # type: ignore[assignment]
    return Scored(
        found.scores,
        found.even,
        right,
        outside,
        effective,
        rebuilt,
        {i: (bins[0][i], bins[1][i], bins[2][i]) for i in bins[0]},
    )


def worked(key: str) -> object:
    """The unit of a key, `SYSTEM ROW GAME`."""
    from msgspec import to_builtins

    system, number, game = key.split()
    row = captains(system).ROWS[int(number)]
    return to_builtins(scored(system, row, f"{SEED} {game}"), str_keys=True)


class Total(NamedTuple):
    """All games of a row."""

    row: Row
    games: Sequence[Scored]

    def line(self) -> str:
        """A line of the table."""
        windows = sum(len(g.scores) for g in self.games)
        scores = [s for g in self.games for s in g.scores]
        even = [s for g in self.games for s in g.even]
        gains = [sum(g.scores) - sum(g.even) for g in self.games]
        # of a ratio of sums: games differ in length
        gain, mean = sum(gains) / windows, windows / len(self.games)
        off = [g - gain * len(one.scores) for g, one in zip(gains, self.games, strict=True)]
        error = stdev(off) / mean / sqrt(len(self.games)) if len(self.games) > 1 else 0
        lost = sum(s < -9 for s in scores) / windows
        right = sum(g.right for g in self.games) / windows
        cells = [
            self.row.captain,
            self.row.text,
            len(self.games),
            windows,
            f"{fmean(scores):.2f}",
            f"{fmean(even):.2f}",
            f"{gain:+.2f} ± {1.96 * error:.2f}",
            f"{lost:.1%}",
            f"{right:.0%}",
            f"{sum(g.effective for g in self.games) / windows:.0f}",
        ]
        return f"| {' | '.join(map(str, cells))} |"

    def reliability(self) -> list[tuple[float, float, int]]:
        """By bin: the mean probability, how often she was there, and how many cells."""
        sums = [(0, 0.0, 0) for _ in EDGES]
        for game in self.games:
            for i, (n, share, hits) in game.bins.items():
                a, b, c = sums[int(i)]
                sums[int(i)] = a + n, b + share, c + hits
        return [(b / a, c / a, a) for a, b, c in sums if a]


HEAD = """| captain | styles | games | windows | score | even | better by | lost | right | ESS |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"""


def totals(rows: Sequence[Row], done: Iterable[Done]) -> list[Total]:
    """The results by row."""
    games: dict[int, dict[int, Scored]] = {}
    for key, given in done:
        row, game = map(int, key.split()[1:])
        games.setdefault(row, {})[game] = convert(given, Scored, strict=False)
    return [Total(rows[r], [games[r][g] for g in sorted(games[r])]) for r in sorted(games)]


def table(found: Sequence[Total]) -> str:
    """Scores, then bins, as Markdown."""
    lines = [HEAD, *(total.line() for total in found), ""]
    for total in found:
        pairs = (f"{100 * p:.1f} → {100 * s:.1f}" for p, s, _ in total.reliability())
        lines.append(f"{total.row.captain}, {total.row.text}: {', '.join(pairs)}")
    return "\n".join(lines)


COLOURS = (
    *("#b3261e", "#c26a00", "#8a5a9e", "#54707c", "#173f73", "#2f7d5b"),
    *("#7a5c2e", "#d0679d", "#1f9aa8", "#22282c"),
)


def plot(found: Sequence[Total]) -> str:
    """The reliability of the rows as SVG: probability across, how often she was there up."""
    from itertools import pairwise

    size, left, top = 300, 58, 40
    high = max(520, top + size + 74 + 18 * len(found))

    def at(share: float, seen: float) -> tuple[float, float]:
        return left + size * sqrt(share), top + size * (1 - sqrt(seen))

    ticks = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 390 {high}" '
        'font-family="IBM Plex Sans Condensed,Arial,DejaVu Sans,sans-serif" font-size="12">',
        "<title>How often the enemy was in a cell of that probability</title>",
        f'<rect width="390" height="{high}" fill="#fbf7ec"/>',
        f'<text x="{left}" y="22" font-size="14" font-weight="700" fill="#22282c">'
        "Was she there as often as believed?</text>",
        f'<rect x="{left}" y="{top}" width="{size}" height="{size}" fill="#ffffff" '
        'stroke="#3b3a34"/>',
    ]
    for tick in ticks:
        x, y = at(tick, tick)
        parts += [
            f'<path d="M{x:.1f} {top}v{size}M{left} {y:.1f}h{size}" stroke="#d9d0b8"/>',
            f'<text x="{x:.1f}" y="{top + size + 16}" text-anchor="middle">{tick:.0%}</text>',
            f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:.0%}</text>',
        ]
    band = [(s / 100, min(1, s / 100 + 0.05)) for s in range(101)]
    band += [(s / 100, max(0, s / 100 - 0.05)) for s in range(100, -1, -1)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*p) for p in band))
    parts.append(f'<polygon points="{points}" fill="#2f9c86" fill-opacity=".16"/>')
    (x1, y1), (x2, y2) = at(0, 0), at(1, 1)
    parts.append(f'<path d="M{x1} {y1}L{x2} {y2}" stroke="#5b666c" stroke-dasharray="5 4"/>')
    for n, total in enumerate(found):
        colour = COLOURS[n % len(COLOURS)]
        seen = [at(p, s) for p, s, count in total.reliability() if count >= 20]
        for (xa, ya), (xb, yb) in pairwise(seen):
            parts.append(
                f'<path d="M{xa:.1f} {ya:.1f}L{xb:.1f} {yb:.1f}" stroke="{colour}" '
                'stroke-width="2"/>'
            )
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>' for x, y in seen]
        row = top + size + 62 + 18 * n
        parts += [
            f'<path d="M{left} {row - 4}h26" stroke="{colour}" stroke-width="2"/>',
            f'<circle cx="{left + 13}" cy="{row - 4}" r="4" fill="{colour}"/>',
            f'<text x="{left + 36}" y="{row}">captain {total.row.captain}, guesses '
            f"{total.row.text}</text>",
        ]
    parts.append(
        f'<text x="{left + size / 2}" y="{top + size + 36}" text-anchor="middle" fill="#5b666c">'
        "probability of a cell; shaded: within five points</text></svg>"
    )
    return "\n".join(parts) + "\n"


def main() -> None:
    """Play, score, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("system", nargs="?", default=SYSTEMS[0], choices=SYSTEMS)
    parser.add_argument("--games", type=int, default=20, help="of each row")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="keeps results, so that a stopped run goes on")
    parser.add_argument("--rows", default="", help="numbers from 0; default: all")
    parser.add_argument("--plot", type=Path, help="writes a plot of the rows with all styles")
    asked = parser.parse_args()
    all_ = captains(asked.system).ROWS
    rows = list(map(int, asked.rows.split(","))) if asked.rows else range(len(all_))
    keys = [f"{asked.system} {row} {game}" for game in range(asked.games) for row in rows]
    place = Place(jobs=asked.jobs, keep=asked.keep)
    found = totals(all_, carried_out(keys, worked, place, f"belief {asked.system} {SEED}"))
    print(table(found))
    if asked.plot:
        shown = [total for total in found if not (total.row.styles or total.row.but)]
        asked.plot.write_text(plot(shown), encoding="utf-8")


if __name__ == "__main__":
    main()
