"""The whole analysis of a finished game: its work in units, and what these give together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from orders.model import OrderSet
from pbem.analysis import chances, report, thought
from pbem.analysis.believed import believed
from pbem.analysis.chances import Load, Played
from pbem.analysis.moments import Moment, Moments
from pbem.base.analysis_json import Analysis
from pbem.bots.work import Done
from pbem.model import Side, System
from pbem.replay.frames import sorted_frames
from pbem.story.plot import heaviest


class Counts(Struct, frozen=True):
    """How many games are played."""

    playouts: int
    """From each window."""
    apart: int
    """For each choice of orders, which tell luck and skill apart."""
    thought: int
    """From what each side could think, in each turn."""


class Work(Struct, frozen=True):
    """What units of work are made of; does one for its key, in any process."""

    load: Load
    played: Played
    moments: Mapping[int, Moment]
    pages: Mapping[Side, Sequence[thought.Page]]

    def __call__(self, key: str) -> object:
        """The results of that unit."""
        if key.startswith(thought.WORD):
            return thought.worked(self.load, self.played, self.pages, key)
        return chances.worked(self.load, self.played, self.moments, key)


def work(load: Load, system: System, along: Moments, seed: str) -> Work:
    """The work of a game. along: its re-run."""
    register = along.register
    played = Played(
        system=system.name,
        edition=system.edition,
        scenario=register.created.scenario,
        sides=register.sides,
        options=register.options,
        seed=seed,
    )
    pages = {
        side: _pages(along, side) for side in register.sides if thought.thinks(system, played, side)
    }
    return Work(load, played, along.moments, pages)


def _pages(along: Moments, side: Side) -> list[thought.Page]:
    return [
        thought.Page(frame.reports[side].plain, moment.orders.get(side, OrderSet()))
        for frame in sorted_frames(along)
        if (moment := along.moments.get(frame.window))
    ]


def keys(all_of: Work, counts: Counts) -> list[str]:
    """The keys of all units. Those of whole games are not the first: by these, short ones, it is
    reckoned how many units make a batch."""
    found = [all_of.moments[window] for window in sorted(all_of.moments)]
    units = chances.units(found, all_of.played.sides, counts.playouts, counts.apart)
    short = [unit.key for unit in units]
    sides = all_of.pages if counts.thought else ()
    return [*short[:2], *(f"{thought.WORD} {s} {counts.thought}" for s in sides), *short[2:]]


def result(
    game: str, system: System, along: Moments, all_of: Work, done: Iterable[Done]
) -> Analysis:
    """The analysis, from what all units gave."""
    sides = along.register.sides
    plain: list[Done] = []
    seen: dict[str, Mapping[int, chances.Shares]] = {}
    for key, given in done:
        if key.startswith(thought.WORD):
            counts = msgspec.convert(given, dict[str, dict[str, int]])
            seen[key.split()[1]] = thought.shares(counts, sides)
        else:
            plain.append((key, given))
    found = [along.moments[window] for window in sorted(along.moments)]
    seed = all_of.played.seed
    return report.analysis(
        game,
        system,
        along,
        chances.gathered(found, sides, plain),
        heaviest(along, system),
        believed(system, sorted_frames(along), sides, seed),
        {side: seen[side] for side in sides if side in seen},
        seed,
    )
