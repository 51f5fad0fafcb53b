"""What the searching bots of both sides share: plans, and what a position is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import exp

from msgspec import Struct, convert
from msgspec.structs import replace

from games.bismarck import bot, victory, worlds
from games.bismarck import bot_common as bots
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.bot_british import Plan as BritishPlan
from games.bismarck.bot_german import Plan as GermanPlan
from games.bismarck.calendar import LAST
from games.bismarck.state import War
from games.bismarck.tables import ships
from games.bismarck.verbs import Fly, Hold, Move, Patrol, Return
from games.bismarck.worlds import Memory, Seen
from pbem.data import table
from pbem.inference import mind
from pbem.inference.mind import Candidate, Line, Report
from pbem.kit.bots import Luck
from pbem.model import Side


class Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of strong.toml, where each is explained."""

    near: int
    every: int
    zones: int
    german: tuple[Mapping[str, object], ...]
    british: tuple[Mapping[str, object], ...]


@cache
def numbers() -> Numbers:
    """Those of the program."""
    return convert(table("games.bismarck", "strong.toml"), Numbers)


class Course(Struct, frozen=True):
    """A plan to begin with."""

    name: str
    share: int
    worth: float
    plan: GermanPlan | BritishPlan


@cache
def courses(side: Side) -> Sequence[Course]:
    """Those of a side."""
    return [_course(side, row) for row in getattr(numbers(), side)]


def _course(side: Side, row: Mapping[str, object]) -> Course:
    about = {key: row[key] for key in ("name", "share", "worth")}
    rest = {key: value for key, value in row.items() if key not in about}
    if side == GERMAN:
        usual = {"company": "together", "resort": "none", "trouble": "damaged", "nerve": "careful"}
        way = str(rest["way"]).split()
        made = convert({**usual, **rest, "way": ()}, GermanPlan)
        plan: GermanPlan | BritishPlan = replace(made, way=tuple(way))
    else:
        plan = convert({"escorts": "called away", "revenge": 17, **rest}, BritishPlan)
    return Course(str(about["name"]), int(_number(row, "share")), _number(row, "worth"), plan)


def _number(row: Mapping[str, object], key: str) -> float:
    return convert(row[key], float)


MOVING = (Hold, Move, Patrol, Fly, Return)


class Led(Struct, frozen=True):
    """A policy: the side's bot on that plan, with other moves for some units."""

    side: Side
    plan: GermanPlan | BritishPlan
    moves: Mapping[str, Struct] = {}

    def __call__(self, report: Report, luck: str) -> Iterator[Line]:
        """See `pbem.inference.mind.Policy`."""
        for actor, order in bot.led(self.side, report, luck, self.plan):
            if actor in self.moves and isinstance(order, MOVING):
                yield actor, self.moves[actor]
            else:
                yield actor, order


class Mind(mind.Mind):
    """What is alike for both sides."""

    side: Side

    seen: Seen
    report: bots.Report

    def __init__(self, seed: str) -> None:
        self.memory = Memory(self.side, {s.name: s.id for s in ships({})})
        found = courses(self.side)
        shares = {i: course.share for i, course in enumerate(found)}
        self.course = found[Luck(seed).weighted("course", shares)]

    def learn(self, report: Report, guesses: Mapping[str, Sequence[object]]) -> None:
        """See `pbem.inference.mind.Mind`."""
        self.seen = worlds.remember(self.memory, report)
        self.report = convert(report, bots.Report, from_attributes=True)

    def chose(self, candidate: Candidate) -> None:
        """He keeps to the plan that goes on from the orders."""
        plan = candidate.later.plan if isinstance(candidate.later, Led) else None
        self.course = next((c for c in courses(self.side) if c.plan == plan), self.course)

    def settle(self, state: War) -> None:
        """7.12 The weather of the turn."""
        worlds.settle(state, self.seen)

    @property
    def opening(self) -> bool:
        """Is it the turn's first window?"""
        return any(item.verb == "search" for item in self.seen.menu[self.side.upper()])

    def policy(self) -> Led:
        """The plan as it is."""
        return Led(self.side, self.course.plan)

    def worth(self, state: War) -> float:
        """12 How the points would stand, and what the Bismarck's danger is worth."""
        lead = margin(state) - 30 * danger(state)
        german = 1 / (1 + exp(-lead / 5))
        return german if self.side == GERMAN else 1 - german


def margin(war: War) -> int:
    """12.3-12.5 Points by which the Germans would lead if the time were up."""
    n = victory.numbers(war)
    lead = victory.total(war, GERMAN) - victory.total(war, BRITISH)
    lead -= 0 if war.convoys else n.no_convoy
    for ship in war.fleet(GERMAN):
        if not ship.hits.midships:
            lead += n.at_sea[ship.name]
        elif ship.evasion_now <= n.slow:
            lead -= n.at_sea_slow[ship.name]
        else:
            lead += n.at_sea_hit.get(ship.name, 0)
    return lead + hurt(war, BRITISH) - hurt(war, GERMAN)


def hurt(war: War, side: Side) -> int:
    """12.5 Points for midships hits on ships of a side that are afloat."""
    n = victory.numbers(war).midships
    return sum(
        n["cruiser" if s.type in ("CA", "CL") else "capital"] * s.hits.midships
        for s in war.fleet(side)
    )


def danger(war: War) -> float:
    """How likely the Bismarck is still sunk: a rough figure."""
    ship = war.ships["BISMARCK"]
    left = max(0, LAST - war.turn) / (LAST - 4)
    hit = ship.hits.midships / ship.sections.midships
    slow = ship.evasion_now < 25
    fresh = any(
        war.turn - c.turn <= 1 and c.type == "BB" for c in war.known[BRITISH].contacts.values()
    )
    return min(0.9, (0.15 + 0.3 * fresh) * left + (0.6 * hit + 0.2 * slow) * min(1, 3 * left))
