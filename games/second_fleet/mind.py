"""Commanders who search: own units as reported, the enemy from beliefs, manners compared.

Windows that begin a turn are searched: the strategic one, and that of patrols and the first
segment. In the others the plan that was chosen last is followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import exp

from msgspec import Struct, convert

from games.second_fleet import belief_told
from games.second_fleet.belief_unit import Guess
from games.second_fleet.board import NATO, SOVIET, ZONE_OF, by_water, wet
from games.second_fleet.bot_manner import Manner, Mannered
from games.second_fleet.known import Book, Chances
from games.second_fleet.options import OPTIONS
from games.second_fleet.report import Report
from games.second_fleet.state import War
from pbem.data import table
from pbem.inference import mind as protocol
from pbem.inference.mind import Candidate, Line, Said, World
from pbem.inference.quarry import Draws
from pbem.kit.bots import Luck
from pbem.model import Plain, Side


class Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of strong.toml, where each is explained."""

    budget: dict[str, dict[str, int]]
    lots: int
    spread: float
    later: float
    away: float
    alike: float
    due: float
    through: float
    manners: dict[str, tuple[Manner, ...]]


@cache
def numbers() -> Numbers:
    """Those of the program."""
    return convert(table("games.second_fleet", "strong.toml"), Numbers)


class Led(Struct, frozen=True):
    """A policy: the side's bot in that manner. salt: its luck of the game."""

    side: Side
    manner: Manner
    salt: str

    def __call__(self, report: Plain, luck: str) -> Iterator[Line]:
        """See `pbem.inference.mind.Policy`."""
        seen = convert(report, Report, from_attributes=True)
        chance = Luck(f"{self.salt} {luck.rpartition(' ')[2]}")
        return Mannered(seen, chance, self.side, self.manner).lines()


class Mind(protocol.Mind):
    """What a side thinks."""

    def __init__(self, side: Side, scenario: str, seed: str) -> None:
        self.side = side
        self.budget = numbers().budget[scenario]
        self.hunted = [unit.id for unit in belief_told.units(scenario, side)]
        self.book = Book(side, scenario, Chances(numbers().away, numbers().alike))
        self.plan = Led(side, numbers().manners[side][0], seed)
        self.guesses: Mapping[str, Sequence[Guess]] = {}

    def learn(self, report: Plain, guesses: Mapping[str, Sequence[Guess]]) -> None:
        """See `pbem.inference.mind.Mind`."""
        self.report, self.guesses = report, guesses
        self.seen = convert(report, Report, from_attributes=True)
        self.book.learn(self.seen, report["events"])

    def world(self, before: War, draws: Draws) -> World:
        """See `pbem.inference.mind.Mind`."""
        war = self.book.world(before, self.guesses, draws)
        # in the morning the strategic window comes before that of the first segment
        return World(war, closed=int(war.stage == "strategic" and self.seen.board.segment == 1))

    def settle(self, state: War) -> None:
        """14 The initiative, which was rolled before the window."""
        if self.seen.board.segment == 1:
            state.first = Side(self.seen.board.first)

    def candidates(self, draws: Draws) -> Sequence[Candidate]:
        """See `pbem.inference.mind.Mind`."""
        known = numbers()
        luck, found = f"{self.seen.turn}", dict[tuple[Line, ...], Candidate]()
        ways = [self.plan]
        if self.seen.board.segment <= 1 and not self.report["questions"]:
            others = (m for m in known.manners[self.side] if m != self.plan.manner)
            ways += [Led(self.side, manner, self.plan.salt) for manner in others]
            salts = [f"{draws.random()}" for _ in range(known.lots)]
            ways += [Led(self.side, known.manners[self.side][0], salt) for salt in salts]
        for way in ways:
            lines = tuple(way(self.report, luck))
            name = way.manner.name + ("" if way.salt == self.plan.salt else ", another lot")
            found.setdefault(lines, Candidate(name, Said(lines), way, way.manner.before))
        return list(found.values())

    def chose(self, candidate: Candidate) -> None:
        """See `pbem.inference.mind.Mind`."""
        if isinstance(candidate.later, Led):
            self.plan = candidate.later

    def worth(self, state: War) -> float:
        """6.18 The lead, beside what par has for the time that is over."""
        plan, leader = state.plan, Side(state.plan.leader)
        foe = NATO if leader == SOVIET else SOVIET
        left = max(0, plan.turns - state.turn + 1)
        through = _through(state, left) if plan.goal else 0.0
        losses = state.par - (numbers().through if plan.goal else 0)
        lead = state.total(leader) - state.total(foe) + through + losses * left / plan.turns
        lead -= state.par
        share = 1 / (1 + exp(-lead / (numbers().spread + numbers().later * left)))
        return share if self.side == leader else 1 - share


def _through(state: War, left: int) -> float:
    """6.18 Points for submarines that have broken through, or still can."""
    plan, points = state.plan, 0.0
    for sub in state.afloat(SOVIET):
        if sub.type not in ("SN", "SS"):
            continue
        far = goal(plan.goal).get(sub.hex, 99)
        value = plan.crippled if sub.damaged else plan.through
        if not far:
            points += value
        elif far <= left * sub.now.ma:
            points += value * numbers().due
    return points


@cache
def goal(zones: str) -> Mapping[str, int]:
    """Hexes by water to the nearest of these zones."""
    found: dict[str, int] = {}
    for hex_, zone in ZONE_OF.items():
        if wet(hex_) and zone in zones.split():
            for other, away in by_water(hex_).items():
                found[other] = min(away, found.get(other, 99))
    return found


def mind(side: Side, scenario: str, options: Mapping[str, str], seed: str) -> Mind | None:
    """See `pbem.model.System.mind`. None where set-ups are sealed, and with other options than the
    usual ones."""
    usual = {option.name: option.values[0] for option in OPTIONS} | {"play": "plotted"}
    if scenario not in belief_told.PRINTED:
        return None
    if any(options.get(name, value) != value for name, value in usual.items()):
        return None
    return Mind(side, scenario, seed)
