"""Captains who search: the table as it lies open, manners of steering compared in what follows.

A window of orders is searched; telegraphs and bids are set as the plain bot does, as is every
window of rounds and of questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import exp

from msgspec import Struct, convert
from msgspec.structs import replace

from games.baltic import victory
from games.baltic.bot import Bot
from games.baltic.bot_helm import Manner
from games.baltic.known import Known
from games.baltic.report import Report
from games.baltic.state import Vessel, War
from games.baltic.tables import plan
from pbem.data import table
from pbem.inference import mind as protocol
from pbem.inference.mind import Candidate, Line, Policy, Said, World
from pbem.inference.quarry import Draws
from pbem.kit.bots import Luck
from pbem.model import Plain, Side


class Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of strong.toml, where each is explained."""

    budget: dict[str, int]
    most: int
    spread: float
    later: float
    harm: float
    manners: tuple[Manner, ...]


@cache
def numbers() -> Numbers:
    """Those of the program."""
    return convert(table("games.baltic", "strong.toml"), Numbers)


class Led(Struct, frozen=True):
    """A policy: the side's bot in that manner. till: the last window of a playout in which it tries
    all courses, not a few."""

    side: Side
    manner: Manner
    till: int = 9999

    def __call__(self, report: Plain, luck: str) -> Iterator[Line]:
        """See `pbem.inference.mind.Policy`."""
        seen = convert(report, Report, from_attributes=True)
        manner = self.manner if report["window"] <= self.till else replace(self.manner, few=True)
        return Bot(seen, Luck(luck), self.side, manner).lines()


class Mind(protocol.Mind):
    """What a side thinks."""

    def __init__(self, side: Side, scenario: str, options: Mapping[str, str]) -> None:
        self.side, self.options = side, options
        self.budget = numbers().budget
        self.known = Known(side, scenario, options)
        self.windows = (0, 0)
        """The turn, and its windows so far."""

    def learn(self, report: Plain, guesses: Mapping[str, Sequence[object]]) -> None:
        """See `pbem.inference.mind.Mind`."""
        self.report = report
        self.seen = convert(report, Report, from_attributes=True)
        turn, count = self.windows
        self.windows = (self.seen.turn, count + 1 if turn == self.seen.turn else 1)
        self.known.learn(self.seen, report["events"])

    def world(self, before: War, draws: Draws) -> World:
        """See `pbem.inference.mind.Mind`."""
        if not self.seen.turn:
            return World(before)
        closed = self.windows[1] - 1
        plain = numbers().manners[0]
        foes: dict[str, Policy] = {
            side: Led(side, plain, closed + 1) for side in before.sides if side != self.side
        }
        return World(self.known.drawn(draws), foes=foes, closed=closed)

    def settle(self, state: War) -> None:
        """See `pbem.inference.mind.Mind`."""
        if self.seen.turn:
            self.known.settle(state, self.seen)

    def candidates(self, draws: Draws) -> Sequence[Candidate]:
        """See `pbem.inference.mind.Mind`."""
        plain = Led(self.side, numbers().manners[0])
        if not self._searched:
            return [Candidate(f"steers {plain.manner.name}", plain, plain)]
        later = Led(self.side, plain.manner, 0)
        luck, found = f"{draws.random()}", dict[tuple[Line, ...], Candidate]()
        others = sorted(numbers().manners[1:], key=lambda _: draws.random())
        for manner in (plain.manner, *others):
            if len(found) >= numbers().most:
                break
            lines = tuple(Led(self.side, manner)(self.report, luck))
            found.setdefault(lines, Candidate(f"steers {manner.name}", Said(lines), later))
        return list(found.values())

    @property
    def _searched(self) -> bool:
        """Is this a window of orders that a world can reach?"""
        stage, (turn, count) = self.seen.board.stage, self.windows
        if not turn or self.report["questions"]:
            return False
        return (stage == "all" and count == 1) or (
            stage == "orders" and count == 2 and self.options.get("windows") == "phases"
        )

    def worth(self, state: War) -> float:
        """Points, with those to come for boxes that are gone, against the best of the others."""
        points = {side: self._points(state, side) for side in state.sides}
        best = max(points[side] for side in state.sides if side != self.side)
        left = max(0, plan(state.scenario).turns - state.turn + 1)
        spread = numbers().spread + numbers().later * left
        return 1 / (1 + exp(-(points[self.side] - best) / spread))

    def _points(self, war: War, side: Side) -> float:
        hurt = sum(_harm(war, vessel) for vessel in war.listed() if vessel.side != side)
        return victory.scored(war, side) + hurt


def _harm(war: War, vessel: Vessel) -> float:
    """2.6 What the boxes that a vessel has lost may bring, besides what they bring already."""
    if not vessel.acts or not vessel.of.capital:
        return 0.0
    share = numbers().harm * (1 - vessel.hull / vessel.of.hull)
    return victory.worth(war, vessel) * (share - (0.5 if vessel.crippled else 0)) if share else 0.0


def mind(side: Side, scenario: str, options: Mapping[str, str], seed: str) -> Mind:
    """See `pbem.model.System.mind`."""
    return Mind(side, scenario, options)
