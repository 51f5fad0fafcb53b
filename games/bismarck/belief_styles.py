"""How a German ship may be led that the British look for: styles of guesses, and how they sail.

No style is more than a habit: a rover takes a way out, convoy zones and patience at random, a
drifter sails from one zone of the ocean to another. Errands lead far and end in long patrols, who
hides stays in a lonely zone for days, and some turn back on their way. The bot's own plans are in
`belief_raider.py`. Numbers: belief.toml.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from heapq import heappop, heappush
from typing import NamedTuple

from msgspec import Struct, convert

from games.bismarck import board, bot_german, movement, tables
from games.bismarck.belief_told import SHIPS, Told
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.bot_common import Report
from games.bismarck.calendar import FIRST
from games.bismarck.state import Engine
from pbem.data import table
from pbem.inference.quarry import Draws, pick
from pbem.kit.checks import Refused
from pbem.kit.grids import distances

BISMARCK, CONSORT = SHIPS
ROVER, DRIFTER, ERRAND, HIDER, TURNER = -1, -2, -3, -4, -5
STYLES = {"rover": ROVER, "drift": DRIFTER, "errand": ERRAND, "hide": HIDER, "turn": TURNER}
"""Those without one of the bot's plans."""


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


class Errand(Struct, frozen=True, forbid_unknown_fields=True):
    """The same, of errands, and of who hides or turns back."""

    waits: float
    least: int
    most: int
    convoys: float
    stays: float
    slow: float
    shy: tuple[float, ...]
    sight: int
    drawn: int
    gates: tuple[str, ...]
    east: int
    hides: float
    lonely: int
    lair: int
    turns: float


class Numbers(Struct, frozen=True):
    """The numbers of belief.toml for raiders."""

    spared: float
    plans: int
    anew: float
    found: float
    raider: dict[str, float]
    rover: Rover
    drift: Drift
    errand: Errand


@cache
def numbers() -> Numbers:
    """Those of the program."""
    return convert(table("games.bismarck", "belief.toml"), Numbers)


class Raider(NamedTuple):
    """A guess. plan: the number of the bot's plan, or one of `STYLES`; rest: zones still to enter
    by orders given; path: zones entered in the turn just played; still: a turn in which she stays;
    mark: where an errand leads or who hides wants to hide, or where who turns back came from."""

    plan: int
    zone: Zone
    rest: tuple[Zone, ...] = ()
    slow: bool = False
    patrol: bool = False
    fuel: int = 0
    two: int = 0
    still: int = 0
    path: tuple[Zone, ...] = ()
    mark: str = ""


def mind(style: str, draws: Draws) -> int:
    """Who leads a guess of that style: see `Raider.plan`."""
    if style == "plan":
        return int(draws.random() * numbers().plans)
    return STYLES[style]


Orders = tuple[tuple[Zone, ...] | None, bool, bool]
"""Zones to sail through, whether economically, and whether to patrol there; no zones: go on."""
STAYS: Orders = ((), False, False)
GOES_ON: Orders = (None, False, False)


@cache
def tank() -> int:
    """5.21 Fuel factors of the Bismarck."""
    return next(s.fuel or 0 for s in tables.ships({}) if s.id == BISMARCK.id)


def led(guess: Raider, told: Told, draws: Draws) -> tuple[Raider, Orders]:
    """The guess with what she has in mind, and what is ordered, where she has no plan."""
    if guess.plan in (ROVER, DRIFTER):
        return guess, (rove if guess.plan == ROVER else drift)(guess, told, draws)
    if told.evasion < 7 or (told.turn == FIRST and draws.random() < numbers().errand.waits):
        return guess, STAYS
    close = enemy(told.knows, guess.zone, numbers().rover.keeps_off)
    if told.found or close:
        return guess, ((pick(draws, safer(guess.zone, close)),), False, False)
    return LED[guess.plan](guess, told, draws)


@cache
def safer(here: Zone, close: str) -> Sequence[Zone]:
    """The half of the zones two off that lies farther from an enemy and from British coasts."""
    able = bot_german.two_off(here) or (here,)
    danger = [*([close] if close else []), *board.HOME_COAST]
    far = sorted(able, key=lambda z: -min(4, *(board.distance(z, at) for at in danger)))
    return far[: (len(far) + 1) // 2]


def errand(guess: Raider, told: Told, draws: Draws) -> tuple[Raider, Orders]:
    """To a far zone, there on patrol for long, and on to another."""
    if guess.mark == guess.zone and draws.random() < numbers().errand.stays:
        return guess, ((), False, True)
    if guess.mark in ("", guess.zone):
        guess = guess._replace(mark=aim(guess.zone, draws), rest=())
    return bound(guess, told, draws)


def hide(guess: Raider, told: Told, draws: Draws) -> tuple[Raider, Orders]:
    """To a lonely zone, there at rest for days, and then on an errand."""
    if not guess.mark:
        guess = guess._replace(mark=pick(draws, lairs(guess.zone)))
    if guess.mark != guess.zone:
        return bound(guess, told, draws)
    if draws.random() < numbers().errand.hides:
        return guess, STAYS
    return errand(guess._replace(plan=ERRAND, mark=""), told, draws)


def turn(guess: Raider, told: Told, draws: Draws) -> tuple[Raider, Orders]:
    """To a far zone, but now and then she turns and goes back to where she came from."""
    if guess.rest and draws.random() > numbers().errand.turns:
        return guess, GOES_ON
    back = guess.mark if guess.rest and guess.zone in off(Zone(guess.mark)) else ""
    to = Zone(back) or aim(guess.zone, draws)
    return guess._replace(mark=guess.zone), begun(guess, to, told, draws)


LED: Mapping[int, Callable[[Raider, Told, Draws], tuple[Raider, Orders]]]
LED = {ERRAND: errand, HIDER: hide, TURNER: turn}


def bound(guess: Raider, told: Told, draws: Draws) -> tuple[Raider, Orders]:
    """On the way to her mark, or beginning it."""
    on = guess.rest[-1:] == (guess.mark,)
    return guess, GOES_ON if on else begun(guess, Zone(guess.mark), told, draws)


def begun(guess: Raider, to: Zone, told: Told, draws: Draws) -> Orders:
    """A leg to a zone: from the seas east of Iceland to the south through any of the gates."""
    has, here = numbers().errand, guess.zone
    shy = pick(draws, has.shy)
    slow = draws.random() < has.slow and told.turn > FIRST
    if not within(here) or to[0] < bot_german.SEAWARD:
        return course(here, to, shy), slow, False
    gate = beside(Zone(pick(draws, has.gates)), draws)
    return course(here, gate, shy) + course(gate, to, shy), slow, False


@cache
def within(zone: Zone) -> bool:
    """Is it in the seas from which gates lead into the Atlantic?"""
    return zone[0] < bot_german.SEAWARD and int(zone[1:]) >= numbers().errand.east


def aim(zone: Zone, draws: Draws) -> Zone:
    """Where an errand leads: often to a convoy route, and rather near than far."""
    has = numbers().errand
    able = errands(zone)[draws.random() > has.convoys]
    return min((pick(draws, able) for _ in range(has.drawn)), key=lambda z: board.distance(zone, z))


@cache
def errands(zone: Zone) -> tuple[Sequence[Zone], Sequence[Zone]]:
    """Where an errand may lead: to zones of convoys, and to any."""
    has = numbers().errand
    able = [z for z in sorted(board.SEA) if has.least <= board.distance(zone, z) <= has.most]
    able = [z for z in able if zone in off(z)] or [zone]
    return [z for z in able if z in board.CONVOY_ROUTES] or able, able


@cache
def lairs(zone: Zone) -> Sequence[Zone]:
    """Zones within reach that lie far from British watchers and from convoys."""
    most = numbers().errand.lair
    return [z for z in lonely() if board.distance(zone, z) <= most and zone in off(z)] or [zone]


@cache
def lonely() -> Sequence[Zone]:
    """Where nobody is likely to come by."""
    busy, least = (*board.COASTS[BRITISH], *board.CONVOY_ROUTES), numbers().errand.lonely
    return [z for z in sorted(board.SEA) if min(board.distance(z, b) for b in busy) > least]


@cache
def course(start: Zone, end: Zone, shy: float) -> tuple[Zone, ...]:
    """The zones of a way that keeps off British watchers, however long; the farther, the shyer."""
    left, at, found = costs(end, shy), start, list[Zone]()
    while at != end and at in left:
        able = [z for z in board.sea_steps(GERMAN, at) if z in left]
        at = min(able, key=lambda z: left[z] + cost(z, shy))
        found.append(at)
    return tuple(found)


@cache
def costs(end: Zone, shy: float) -> Mapping[Zone, float]:
    """What the way to `end` costs, from each zone from which one leads there. On the way it falls
    from zone to zone."""
    found = dict[Zone, float]()
    edge = [(0.0, end)]
    while edge:
        so_far, at = heappop(edge)
        if at in found:
            continue
        found[at] = so_far
        onward = so_far + cost(at, shy)
        for to in entries(at):
            if to not in found:
                heappush(edge, (onward, to))
    return found


@cache
def entries(zone: Zone) -> Sequence[Zone]:
    """The zones from which a German ship may enter a zone."""
    able = (z for z in board.around(zone) if z in board.SEA)
    return [z for z in able if zone in board.sea_steps(GERMAN, z)]


@cache
def cost(zone: Zone, shy: float) -> float:
    """What it costs to enter a zone: more near British watchers."""
    near = min(board.distance(zone, coast) for coast in board.COASTS[BRITISH])
    return 1 + shy * max(0, 1 - near / numbers().errand.sight)


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
    return Raider(
        *(guess.plan, step[-1], rest[zones:], slow, False),
        *(left, after.two, still, step, guess.mark),
    )


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
        if goal in board.sea_steps(GERMAN, at):
            found.append(goal)
            at = goal
            continue
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
