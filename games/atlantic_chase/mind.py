"""Admirals who search: the board as all see it, programmes compared in what follows.

The side with Initiative searches; the other has its standing orders, which are the plain bot's, as
are orders of the first mail, of questions, of single Battles and of the campaign.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import exp

from msgspec import Struct, convert

from games.atlantic_chase import verbs as v
from games.atlantic_chase.board import GERMAN, SIDES
from games.atlantic_chase.bot import orders_of
from games.atlantic_chase.bot_sea import PLAIN, Temper
from games.atlantic_chase.known import Known
from games.atlantic_chase.report import Report
from games.atlantic_chase.state import War
from games.atlantic_chase.tables import scenario as operation
from games.atlantic_chase.victory import levels
from pbem.data import table
from pbem.inference import mind as protocol
from pbem.inference.mind import Candidate, Line, Policy, Said, World
from pbem.inference.quarry import Draws
from pbem.model import Plain, Side

DEEDS = (v.Engage, v.Search, v.Strike, v.Signals, v.Recon)


class Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of strong.toml, where each is explained."""

    budget: dict[str, int]
    plans: int
    doubt: float
    spread: float
    later: float
    tempers: tuple[Temper, ...]


@cache
def numbers() -> Numbers:
    """Those of the program."""
    return convert(table("games.atlantic_chase", "strong.toml"), Numbers)


class Led(Struct, frozen=True):
    """A policy: the side's bot, with that temper. In a world's first window nobody has standing
    orders yet, and no run of spells is agreed any more."""

    side: Side
    plan: str = ""
    """The luck of its game, by which it has its plan: when to go home, whom to fight, which chances
    to take; empty: that of the world."""
    temper: Temper = PLAIN

    def __call__(self, report: Plain, luck: str) -> Iterator[Line]:
        """See `pbem.inference.mind.Policy`."""
        first = {"window": 2, "owed": []} if report["window"] == 1 else {}
        if self.plan:
            luck = f"{self.plan} {luck.rpartition(' ')[2]}"
        yield from orders_of(self.side, {**report, **first}, luck, self.temper)


class Mind(protocol.Mind):
    """What a side thinks."""

    def __init__(self, side: Side, scenario: str, options: Mapping[str, str], seed: str) -> None:
        self.side, self.plan = side, seed
        self.budget = numbers().budget
        self.known = Known(side, scenario, options)

    def learn(self, report: Plain, guesses: Mapping[str, Sequence[object]]) -> None:
        """See `pbem.inference.mind.Mind`."""
        self.report = report
        self.seen = convert(report, Report, from_attributes=True)
        self.known.learn(self.seen, report["events"])

    def world(self, before: War, draws: Draws) -> World:
        """See `pbem.inference.mind.Mind`."""
        foes: dict[str, Policy] = {side: Led(side) for side in SIDES}
        return World(self.known.drawn(), foes=foes)

    def candidates(self, draws: Draws) -> Sequence[Candidate]:
        """See `pbem.inference.mind.Mind`."""
        window, table = self.report["window"], numbers()
        plain = self._candidate(self.plan, PLAIN, 0.5)
        if window == 1 or self.seen.board.active != self.side or self.report["questions"]:
            return [plain]
        found = {_lines(plain): plain}
        ways = [(f"{self.plan} {draws.random()}", PLAIN) for _ in range(table.plans)]
        ways += [(self.plan, temper) for temper in table.tempers]
        for plan, temper in ways:
            one = self._candidate(plan, temper, 0.5 - table.doubt)
            found.setdefault(_lines(one), one)
        return list(found.values())

    def _candidate(self, plan: str, temper: Temper, before: float) -> Candidate:
        luck = f"{plan} {self.report['window']}"
        lines = tuple(orders_of(self.side, self.report, luck, temper))
        return Candidate(_name(lines), Said(lines), Led(self.side, plan), before)

    def chose(self, candidate: Candidate) -> None:
        """See `pbem.inference.mind.Mind`."""
        if isinstance(candidate.later, Led):
            self.plan = candidate.later.plan

    def worth(self, state: War) -> float:
        """The difference of points, against the middle of those that are a draw."""
        _, german, british, _ = levels(state)
        lead = state.total(SIDES[0]) - state.total(SIDES[1]) - (german + british) / 2
        left = max(0, operation(state.scenario).length - state.spell + 1)
        share = 1 / (1 + exp(-lead / (numbers().spread + numbers().later * left)))
        return share if self.side == GERMAN else 1 - share


def _lines(one: Candidate) -> tuple[Line, ...]:
    """The orders that a candidate says."""
    assert isinstance(one.now, Said)
    return one.now.lines


def _name(lines: Sequence[Line]) -> str:
    """The actions of a programme in a few words: `KG1 searches TF3, 2 more`."""
    said = []
    for actor, order in lines:
        if isinstance(order, DEEDS):
            target = getattr(order, "target", "") or getattr(order, "at", "")
            said.append(f"{actor} {type(order).__name__.lower()} {target}".strip())
        elif " then " in str(order) and not actor.startswith("@"):
            said.append(f"{actor} {str(order).partition(' then ')[2]}")
    if not said:
        return "no attack"
    return said[0] + (f" and {len(said) - 1} more" if len(said) > 1 else "")


def mind(side: Side, scenario: str, options: Mapping[str, str], seed: str) -> Mind | None:
    """See `pbem.model.System.mind`. None in the campaign and in single Battles."""
    if scenario == "campaign" or operation(scenario).length == 1:
        return None
    return Mind(side, scenario, options, seed)
