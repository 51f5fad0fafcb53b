"""A German ship that the British look for: guesses of where she is, how she moves, what tells.

She is led as the bot leads her, by one of its plans, or as a rover, who takes a way out, convoy
zones and patience at random, or drifts from one zone of the ocean to another. Numbers: belief.toml.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from msgspec import Struct, convert

from games.bismarck import board, bot_german, calendar, chance, movement, tables
from games.bismarck.belief_told import SHIPS, Name, Told, Turn, told
from games.bismarck.board import GERMAN, Zone
from games.bismarck.bot_common import Report
from games.bismarck.bot_german import Plan
from games.bismarck.calendar import FIRST
from games.bismarck.report import OwnUnit
from games.bismarck.state import Engine
from games.bismarck.verbs import Move, Patrol
from pbem.data import table
from pbem.inference.quarry import Draws, Quarry, pick, weighted
from pbem.kit.bots import Luck
from pbem.kit.checks import Refused
from pbem.kit.grids import distances

BISMARCK, CONSORT = SHIPS
ROVER, DRIFTER = -1, -2
SALTS = 8
"""Different courses on which guesses that are alike shake off an enemy."""


class Rover(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of belief.toml, where each is explained."""

    keeps_off: int
    home: float
    home_from: int
    slow: float
    patrols: float
    near: int
    few: int
    out_by: int
    waits: float
    ways: tuple[str, ...]


class Drift(Struct, frozen=True, forbid_unknown_fields=True):
    """The same."""

    least: int
    most: int
    rests: float
    stays: float


class Numbers(Struct, frozen=True):
    """The numbers of belief.toml for raiders."""

    spared: float
    plans: int
    anew: float
    found: float
    raider: dict[str, float]
    rover: Rover
    drift: Drift


@cache
def numbers() -> Numbers:
    """Those of the program."""
    return convert(table("games.bismarck", "belief.toml"), Numbers)


@cache
def plan_of(number: int) -> Plan:
    """One of the bot's plans."""
    return bot_german.plan(Luck(f"belief {number} -"))


class Raider(NamedTuple):
    """A guess. plan: the number of the bot's plan, or `ROVER`, or `DRIFTER`; rest: zones still to
    enter by orders given; path: zones entered in the turn just played; still: a turn in which she
    stays."""

    plan: int
    zone: Zone
    rest: tuple[Zone, ...] = ()
    slow: bool = False
    patrol: bool = False
    fuel: int = 0
    two: int = 0
    still: int = 0
    path: tuple[Zone, ...] = ()


def mind(style: str, draws: Draws) -> int:
    """Who leads a guess of that style: see `Raider.plan`."""
    if style == "plan":
        return int(draws.random() * numbers().plans)
    return {"rover": ROVER, "drift": DRIFTER}[style]


Orders = tuple[tuple[Zone, ...] | None, bool, bool]
"""Zones to sail through, whether economically, and whether to patrol there; no zones: go on."""


class RaiderQuarry(Quarry[Raider, Told]):
    """The Bismarck or the Prinz Eugen."""

    def __init__(self, ship: Name, along: Sequence[Turn]) -> None:
        self.ship, self.id, self.name = ship, ship.id, ship.name
        self.told, self.styles = told(ship, along), numbers().raider
        self._planned: dict[tuple[object, ...], Orders] = {}

    def place(self, style: str, draws: Draws) -> Raider:
        """9.2, 12.33 In Bergen, with a plan."""
        return Raider(mind(style, draws), board.BERGEN, fuel=tank())

    def move(self, guess: Raider, told: Told, draws: Draws) -> Raider:
        """As the bot, the rover or the drifter would; now and then she has another mind."""
        if draws.random() < (numbers().found if told.found else numbers().anew):
            style = weighted(draws, self.styles)
            guess = guess._replace(plan=mind(style, draws), rest=())
        if guess.plan == ROVER:
            orders = rove(guess, told, draws)
        elif guess.plan == DRIFTER:
            orders = drift(guess, told, draws)
        else:
            orders = self._by_plan(guess, told, int(draws.random() * SALTS))
        return sail(guess, told, *orders)

    def _by_plan(self, guess: Raider, told: Told, salt: int) -> Orders:
        """What the bot orders; guesses that are alike share the answer."""
        if not (told.knows.contacts or told.knows.events):
            salt = 0  # nobody to shake off
        key = (told.turn, guess.plan, guess.zone, guess.rest[-1:], guess.fuel, salt)
        if key not in self._planned:
            self._planned[key] = self._bot(guess, told, Luck(f"belief {salt}"))
        return self._planned[key]

    def _bot(self, guess: Raider, told: Told, luck: Luck) -> Orders:
        plan = plan_of(guess.plan)
        parted = plan.company == "apart" and guess.zone[0] >= bot_german.SEAWARD
        alone = self.ship == BISMARCK or parted or plan.company == "sent off"
        unit = OwnUnit(
            id=self.ship.id if alone else bot_german.FORCE,
            name=self.ship.name,
            type=self.ship.type,
            place=guess.zone,
            fuel=str(guess.fuel),
            evasion=told.evasion,
            path=guess.rest,
            ships=() if alone else (BISMARCK.id, CONSORT.id),
        )
        order = bot_german.raid(told.knows, plan, unit, luck)
        if isinstance(order, Patrol):
            return order.path, False, True
        return (order.path, False, False) if isinstance(order, Move) else ((), False, False)

    def stray(self, guess: Raider, told: Told, draws: Draws) -> Raider:
        """5.1 None, one or two zones in any direction; 12.33 out of Bergen."""
        if told.turn == FIRST:
            return self.move(guess, told, draws)
        one = pick(draws, board.sea_steps(GERMAN, guess.zone) or (guess.zone,))
        two = pick(draws, board.sea_steps(GERMAN, one) or (one,))
        path = pick(draws, ((), (one,), (one, two), (one, two)))
        return sail(guess, told, path, False, not path)

    def likelihood(self, guess: Raider, told: Told) -> float:
        """7.23, 8.15, 10.2 What the British were told, if she is there."""
        if told.fix:
            return float(guess.zone == told.fix)
        if not self._unseen(guess, told):
            return 0.0
        return likely_heard(guess.zone, told) * likely_rolled(guess, told)

    def _unseen(self, guess: Raider, told: Told) -> bool:
        """7.23, 8.18, 8.21 Do the calls, and what a shadow told, agree with her way?"""
        if hides(guess.zone, told, self.ship):
            return False
        if told.two is not None and told.two != (len(guess.path) == 2):
            return False
        through = guess.path[0] if len(guess.path) == 2 and told.turn != FIRST else ""
        return through == told.passed if told.passed else through not in told.called

    def cell(self, guess: Raider) -> str:
        """2.2 Her zone."""
        return guess.zone

    def near(self, cell: str) -> Sequence[str]:
        """2.2 The six around it."""
        return board.around(cell)

    def put(self, guess: Raider, cell: str) -> Raider:
        """In that zone, without orders."""
        return guess._replace(zone=Zone(cell), rest=(), path=(), patrol=False)

    def reach(self, cells: frozenset[str], told: Told) -> frozenset[str]:
        """5.1, 5.28 As far as she can sail, without what was searched."""
        if told.fix:
            return frozenset([told.fix])
        bonus = tables.breakout({})
        for _ in range(bonus.free + len(bonus.cost) if told.turn == FIRST else 2):
            cells = cells | {to for z in sorted(cells) for to in board.sea_steps(GERMAN, Zone(z))}
        found = (z for z in cells if not hides(Zone(z), told, self.ship) and likely_heard(z, told))
        return frozenset(z for z in found if not searched(z, told))


@cache
def tank() -> int:
    """5.21 Fuel factors of the Bismarck."""
    return next(s.fuel or 0 for s in tables.ships({}) if s.id == BISMARCK.id)


# How likely is what was told?


def hides(zone: Zone, told: Told, ship: Name = BISMARCK) -> bool:
    """Is it ruled out that she is there? 7.21, 7.29 The calls would have found her, except in a
    port of hers, where only aircraft do. 12.12, 12.33 While the game goes on, the Bismarck is in no
    port but Bergen, and has left that in time."""
    if not board.port_of(zone, GERMAN):
        return zone in told.called
    return ship == BISMARCK and (zone != board.BERGEN or told.turn >= left_by())


@cache
def left_by() -> int:
    """12.33 The turn at whose end the Bismarck must have left Bergen."""
    return tables.schedule({}).port.leave_bergen_by


def likely_heard(zone: str, told: Told) -> float:
    """10.22 HUFF-DUFF names her zone or one beside it."""
    if not told.heard:
        return 1.0
    seven = [z for z in (zone, *board.around(zone)) if z in board.SEA]
    return 1 / len(seven) if told.heard in seven else 0.0


def searched(zone: str, told: Told) -> bool:
    """10.21 Would a general search have found her there?"""
    entry = told.entry
    if entry is None or entry.kind != "GENERAL SEARCH" or calendar.night(told.turn, zone):
        return False
    found = chance.general_search(entry, zone, told.level)
    return found and not (told.fog and zone in board.FOG)


def likely_rolled(guess: Raider, told: Told) -> float:
    """10.2 The chance roll did nothing: no general search, and no convoy sunk, if none was."""
    entry = told.entry
    if entry is None or calendar.night(told.turn, guess.zone):
        return 1.0
    if entry.kind == "CONVOY" and told.prize:
        return numbers().spared if chance.finds_convoy(entry, guess.zone, guess.patrol) else 1.0
    return 0.0 if searched(guess.zone, told) else 1.0


# How she moves


def rove(guess: Raider, told: Told, draws: Draws) -> Orders:
    """What a rover orders: a way out, convoy zones and patience at random."""
    has = numbers().rover
    if told.turn == FIRST:
        return (() if draws.random() < has.waits else out(draws)), False, False
    if told.evasion < 7:  # 9.729
        return (), False, False
    flight = flee(guess, told, draws)
    if flight:
        return flight, False, False
    return (None, False, False) if guess.rest else seek(guess, told, draws)


def flee(guess: Raider, told: Told, draws: Draws) -> tuple[Zone, ...]:
    """Away from an enemy close by, or to France when she is hunted late."""
    has = numbers().rover
    close = enemy(told.knows, guess.zone, has.keeps_off)
    if close:
        return (pick(draws, away(guess.zone, close)),)
    hunted = bot_german.hunted(told.knows) and told.turn >= has.home_from
    return bot_german.FRANCE[:1] if hunted and draws.random() < has.home else ()


def seek(guess: Raider, told: Told, draws: Draws) -> Orders:
    """10.24 Out into the Atlantic; there on patrol, or to another convoy zone."""
    has = numbers().rover
    slow = draws.random() < has.slow
    if guess.zone[0] < bot_german.SEAWARD and told.turn < has.out_by:
        return out(draws), slow, False
    if guess.zone in board.CONVOY_ROUTES and draws.random() < has.patrols:
        return (), False, True
    return (pick(draws, goals(guess.zone)),), slow, False


def out(draws: Draws) -> tuple[Zone, ...]:
    """A way into the Atlantic and on to a convoy zone, hardly twice the same."""
    marks = (Zone(mark) for mark in pick(draws, numbers().rover.ways).split())
    way = tuple(beside(mark, draws) for mark in marks)
    return (*way, pick(draws, goals(way[-1])))


def beside(zone: Zone, draws: Draws) -> Zone:
    """The zone, or more often one beside it."""
    near = [z for z in board.around(zone) if bot_german.may_enter(z)]
    return pick(draws, (zone, *near))


def drift(guess: Raider, told: Told, draws: Draws) -> Orders:
    """What a drifter orders: far zones at random, and now and then a rest."""
    has = numbers().drift
    if told.evasion < 7:
        return (), False, False
    at_rest = not guess.path and told.turn > FIRST
    if guess.rest or (at_rest and draws.random() < has.stays):
        return None, False, False
    if draws.random() < has.rests and told.turn > FIRST:
        return (), False, True
    slow = draws.random() < numbers().rover.slow
    return (pick(draws, far(guess.zone)),), slow and told.turn > FIRST, False


@cache
def far(zone: Zone) -> Sequence[Zone]:
    """The zones that a drifter may make for."""
    has = numbers().drift
    able = (z for z in sorted(board.SEA) if has.least <= board.distance(zone, z) <= has.most)
    return [z for z in able if zone in off(z)]


def enemy(report: Report, here: str, within: int) -> str:
    """The zone of an enemy close by, empty without one."""
    return next((c.place for c in report.contacts if board.distance(here, c.place) <= within), "")


@cache
def away(here: Zone, enemy: str) -> Sequence[Zone]:
    """The zones a turn away that lie farthest from an enemy."""
    able = bot_german.two_off(here) or (here,)
    most = max(board.distance(z, enemy) for z in able)
    return [z for z in able if board.distance(z, enemy) == most]


@cache
def goals(zone: Zone) -> Sequence[Zone]:
    """10.24 The convoy zones near by, else those that are nearest."""
    has = numbers().rover
    able = [z for z in board.CONVOY_ROUTES if zone in off(z)]
    close = [z for z in able if 0 < board.distance(zone, z) <= has.near]
    return close or sorted(able, key=lambda z: board.distance(zone, z))[: has.few]


def sail(
    guess: Raider, told: Told, path: tuple[Zone, ...] | None, slow: bool, patrol: bool
) -> Raider:
    """5.1, 5.2 The ship after her turn, by the rules of movement. path: None to go on as before;
    empty to stay."""
    turn = told.turn
    rest = guess.rest
    if path is not None:
        rest = (way if guess.plan >= 0 else legs)(guess.zone, path)
    else:
        slow, patrol = guess.slow, guess.patrol
    still = turn + 1 if told.sank else guess.still
    if guess.still == turn or not rest:
        return guess._replace(rest=rest, path=(), slow=slow, patrol=patrol, still=still)
    ship = Engine(BISMARCK.name, BISMARCK.type, 2, told.evasion, guess.fuel, guess.two)
    bonus = movement.bonus_of(GERMAN, turn, {})
    zones = movement.allowance((ship,), turn, slow, bonus)
    step = rest[:zones]
    if not step:
        return guess._replace(rest=rest, path=(), slow=slow, patrol=False, still=still)
    after = movement.after(ship, len(step), turn, bonus)
    left = after.fuel or 0
    return Raider(guess.plan, step[-1], rest[zones:], slow, False, left, after.two, still, step)


@cache
def way(start: Zone, path: tuple[Zone, ...]) -> tuple[Zone, ...]:
    """5.17 The zones entered on the way through `path`, none where there is no way."""
    try:
        return movement.route(GERMAN, start, path)
    except Refused:
        return ()


def legs(start: Zone, path: tuple[Zone, ...]) -> tuple[Zone, ...]:
    """The same for guesses without a plan: a short way, found faster, which need not be that of the
    rules, for a captain may order any."""
    found, at = list[Zone](), start
    for goal in path:
        left = off(goal)
        while at != goal and at in left:
            nearer = [z for z in board.sea_steps(GERMAN, at) if left.get(z, left[at]) < left[at]]
            at = nearer[len(found) % len(nearer)]
            found.append(at)
    return tuple(found)


@cache
def off(goal: Zone) -> Mapping[Zone, int]:
    """How far it is to a zone, from every zone from which a German ship gets there."""
    if not bot_german.may_enter(goal):
        return {}
    return distances(partial(board.sea_steps, GERMAN), goal)
