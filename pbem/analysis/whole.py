"""The whole analysis of a finished game: its work in units, and what these give together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from orders.model import OrderSet
from pbem.analysis import chances, report, thought, turning, units
from pbem.analysis.believed import believed
from pbem.analysis.moments import Moment, Moments
from pbem.analysis.precision import Shares
from pbem.analysis.rounds import Aim, Rounds
from pbem.analysis.units import Load, Played
from pbem.base.analysis_json import Analysis
from pbem.bots.work import Done
from pbem.model import Side, System
from pbem.replay.frames import sorted_frames
from pbem.story.plot import heaviest

EARLY = 4
"""Short units before the long ones, so that something is seen to happen."""


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
        return units.worked(self.load, self.played, self.moments, key)


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
        thought.Page(
            frame.reports[side].plain, moment.orders.get(side, OrderSet()), not moment.until
        )
        for frame in sorted_frames(along)
        if (moment := along.moments.get(frame.window))
    ]


class Asked(Struct, frozen=True):
    """What the command was asked for."""

    aim: Aim
    thought: int
    """Playouts from what each side could think, in each turn."""


class Under(Struct):
    """An analysis under way: what is to be done, and what was found."""

    work: Work
    asked: Asked
    rounds: Rounds
    seen: dict[str, dict[int, Shares]] = {}
    """Side -> window -> results of playouts from what the side could think."""
    thoughts: int = 0
    """These playouts that are finished."""

    def key_rounds(self) -> Iterator[list[str]]:
        """The keys of each round. `add` their results before asking for the next one. What sides
        could think goes with the first round, and early, because its units are long."""
        long = thought.keys(self.work.pages, self.asked.thought)
        for round_ in self.rounds.key_rounds():
            yield [*round_[:EARLY], *long, *round_[EARLY:]]
            long = []

    def add(self, done: Done) -> None:
        """What a unit gave."""
        key, given = done
        if key.startswith(thought.WORD):
            found = msgspec.convert(given, dict[str, dict[str, int]])
            new = thought.shares(found, self.work.played.sides)
            self.seen.setdefault(key.split()[1], {}).update(new)
            self.thoughts += sum(shares.games for shares in new.values())
        else:
            self.rounds.add(key, msgspec.convert(given, dict[str, list[str]]))

    @property
    def done(self) -> int:
        """Playouts that are finished."""
        return self.rounds.done + self.thoughts

    @property
    def most(self) -> int:
        """How many there are in the end, at most."""
        turns = sum(len(thought.thinking(pages)) for pages in self.work.pages.values())
        return self.rounds.most + turns * self.asked.thought


def begun(work: Work, asked: Asked) -> Under:
    """An analysis of which nothing is done."""
    return Under(work, asked, Rounds(work.moments, work.played.sides, asked.aim))


def result(game: str, system: System, along: Moments, under: Under) -> Analysis:
    """The analysis, when all units are done."""
    sides = along.register.sides
    found = [along.moments[window] for window in sorted(along.moments)]
    seed = under.work.played.seed
    whole = report.analysis(
        game,
        system,
        along,
        chances.gathered(found, under.rounds),
        heaviest(along, system),
        believed(system, sorted_frames(along), sides, seed),
        {side: under.seen[side] for side in sides if side in under.seen},
        under.asked.aim,
        seed,
    )
    whole.turning = turning.explained(whole.turning, system, under.work.played, along)
    return whole
