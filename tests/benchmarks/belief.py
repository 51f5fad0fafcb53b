"""How good the beliefs are: `python -m tests.benchmarks.belief --games 2000 [--plot FILE.svg]`.

Captains of several styles lead the Bismarck in games of bots. After each, the British beliefs are
made from the British reports alone and held against the truth, in every window in which the British
were not told where she is. A score is the logarithm (nats) of the probability of the true zone, cut
off below one in a million. Beside it stands even chances over the zones that were not searched out.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import log, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from msgspec import Struct, convert

from games.bismarck.board import GERMAN
from games.bismarck.game import SYSTEM
from pbem.analysis.belief import Belief, beliefs, latest
from pbem.bots.work import Done, Place, carried_out
from pbem.model import Plain
from tests.bismarck.captains import hunt

LEAST = 1e-6
SEED = "belief"
EDGES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
"""Upper ends of the bins of probabilities."""


class Row(NamedTuple):
    """Who leads the ship, and which styles the guesses have; none: all."""

    captain: str
    styles: tuple[str, ...]

    @property
    def text(self) -> str:
        """For the table."""
        return "all" if not self.styles else " and ".join(self.styles)


FLEET = "British fleet"
"""The bot's ships, which the Germans look for."""
ROWS = (
    Row("circler", ()),
    Row("lurker", ()),
    Row("doubler", ()),
    Row("bot", ("rover", "drift")),
    Row("rover", ("plan", "drift")),
    Row("bot", ()),
    Row("rover", ()),
    Row("bot", ("plan",)),
    Row("rover", ("rover",)),
    Row(FLEET, ()),
)
"""Wrong models first."""
WRONG = 5


class Scored(Struct, frozen=True):
    """One game under one row. scores, even: the logarithms, a window each; bins: by number, how
    often a zone had such a probability, the sum of them, and how often she was there."""

    scores: list[float] = []
    even: list[float] = []
    right: int = 0
    outside: int = 0
    effective: float = 0
    rebuilt: int = 0
    bins: dict[int, tuple[int, float, int]] = {}


Played = tuple[list[Plain], dict[int, str]]


@lru_cache(maxsize=4)
def played(captain: str, seed: str) -> Played:
    """The British reports of a game, and where she was after each turn."""
    game, reports, truth = hunt(captain, seed), list[Plain](), dict[int, str]()
    while not game.drive.over:
        reports.append(game.report())
        war = game.drive.state
        truth[war.turn - 1] = war.ships["BISMARCK"].zone
        game.window()
    return reports, truth


def hidden(row: Row, seed: str) -> Iterator[tuple[Belief, str]]:
    """The beliefs of a game under a row where the side was not told, each with the true zone."""
    if row.captain == FLEET:
        yield from lost_contacts(seed)
        return
    reports, truth = played(row.captain, seed)
    quarry = next(q for q in SYSTEM.quarries(reports) if q.id == "BISMARCK")
    if row.styles:
        quarry.styles = {style: quarry.styles[style] for style in row.styles}
    for belief in beliefs(quarry, seed):
        if not belief.fix:
            yield belief, truth[belief.turn]


def lost_contacts(seed: str) -> Iterator[tuple[Belief, str]]:
    """German beliefs about British ships that were not seen for one, three and five turns."""
    game, reports = hunt("bot", seed), list[Plain]()
    while not game.drive.over:
        reports.append(game.report(GERMAN))
        ages = {c["id"]: c["age"] for c in reports[-1]["contacts"]}
        war = game.drive.state
        for quarry in SYSTEM.quarries(reports) if {*ages.values()} & {2, 4, 6} else ():
            ship = war.ships[war.tracks[GERMAN][quarry.id]]
            if ages[quarry.id] in (2, 4, 6) and ship.zone and not ship.sunk:
                yield latest(quarry, seed), ship.zone
        game.window()


def scored(row: Row, seed: str) -> Scored:
    """A game under a row."""
    found = Scored()
    bins = Counter[int](), Counter[int](), Counter[int]()
    right = outside = rebuilt = 0
    effective = 0.0
    for belief, at in hidden(row, seed):
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
    """The unit of a key, `ROW GAME`."""
    from msgspec import to_builtins

    number, game = key.split()
    return to_builtins(scored(ROWS[int(number)], f"{SEED} {game}"), str_keys=True)


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
        """By bin: the mean probability, how often she was there, and how many zones."""
        sums = [(0, 0.0, 0) for _ in EDGES]
        for game in self.games:
            for i, (n, share, hits) in game.bins.items():
                a, b, c = sums[int(i)]
                sums[int(i)] = a + n, b + share, c + hits
        return [(b / a, c / a, a) for a, b, c in sums if a]


HEAD = """| captain | styles | games | windows | score | even | better by | lost | right | ESS |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"""


def totals(done: Iterable[Done]) -> list[Total]:
    """The results by row."""
    games: dict[int, dict[int, Scored]] = {}
    for key, given in done:
        row, game = map(int, key.split())
        games.setdefault(row, {})[game] = convert(given, Scored, strict=False)
    return [Total(ROWS[r], [games[r][g] for g in sorted(games[r])]) for r in sorted(games)]


def table(found: Sequence[Total]) -> str:
    """Scores, then bins, as Markdown."""
    lines = [HEAD, *(total.line() for total in found), ""]
    for total in found:
        pairs = (f"{100 * p:.1f} → {100 * s:.1f}" for p, s, _ in total.reliability())
        lines.append(f"{total.row.captain}, {total.row.text}: {', '.join(pairs)}")
    return "\n".join(lines)


COLOURS = ("#b3261e", "#c26a00", "#8a5a9e", "#54707c", "#173f73", "#2f7d5b")


def plot(found: Sequence[Total]) -> str:
    """The reliability of the rows as SVG: probability across, how often she was there up."""
    from itertools import pairwise

    size, left, top = 300, 58, 40

    def at(share: float, seen: float) -> tuple[float, float]:
        return left + size * sqrt(share), top + size * (1 - sqrt(seen))

    ticks = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0)
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 390 520" '
        'font-family="IBM Plex Sans Condensed,Arial,DejaVu Sans,sans-serif" font-size="12">',
        "<title>How often the Bismarck was in a zone of that probability</title>",
        '<rect width="390" height="520" fill="#fbf7ec"/>',
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
        "probability of a zone; shaded: within five points</text></svg>"
    )
    return "\n".join(parts) + "\n"


def main() -> None:
    """Play, score, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="of each row")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="keeps results, so that a stopped run goes on")
    parser.add_argument("--rows", default="", help="numbers from 0; default: all")
    parser.add_argument("--plot", type=Path, help="writes a plot of the rows with all styles")
    asked = parser.parse_args()
    rows = list(map(int, asked.rows.split(","))) if asked.rows else range(len(ROWS))
    keys = [f"{row} {game}" for game in range(asked.games) for row in rows]
    done = carried_out(keys, worked, Place(jobs=asked.jobs, keep=asked.keep), f"belief {SEED}")
    found = totals(done)
    print(table(found))
    if asked.plot:
        shown = [total for total in found if not total.row.styles]
        asked.plot.write_text(plot(shown), encoding="utf-8")


if __name__ == "__main__":
    main()
