"""A German ship that the Allies look for: guesses of where she is, how she moves, what tells.

She hunts where merchants are and the enemy is weak, is on passage to somewhere, hides, drifts, or
goes the way of a squadron. Merchants that are missed tell that somebody is there: how much that
says of one ship depends on who else may be. So before any guess is made, `crowd` goes through the
turns once with chances by area of all ships together. Numbers: belief.toml.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import exp, prod
from typing import NamedTuple

from msgspec import Struct, convert
from msgspec.structs import replace

from games.far_seas import belief_told, board
from games.far_seas.belief_told import Raider, Segment, Told, Turn, segment_of, ways
from games.far_seas.board import GERMAN
from pbem.data import table
from pbem.inference.quarry import Draws, Quarry, pick, weighted


class Hopes(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of belief.toml, where each is explained."""

    merchants: float
    fear: float
    near: float
    most: float
    keeps: float


class Ways(Struct, frozen=True, forbid_unknown_fields=True):
    """The same."""

    list: tuple[str, ...]


class Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """The same."""

    quiet: float
    silent: float
    turns: float
    lucky: float
    river: float
    anew: float
    explained: float
    raider: dict[str, float]
    squadron: dict[str, float]
    hopes: Hopes
    ways: Ways


@cache
def numbers() -> Numbers:
    """Those of the program."""
    return convert(table("games.far_seas", "belief.toml"), Numbers)


class Guess(NamedTuple):
    """A guess. way: areas still to enter on a passage, or the squadron's whole way; quiet: she
    takes no merchants, not to be noticed."""

    style: str
    area: str
    way: tuple[str, ...] = ()
    quiet: bool = False


class RaiderQuarry(Quarry[Guess, Told]):
    """A German ship. areas: those in play, empty for all."""

    called = ("area", "areas")

    def __init__(self, ship: Raider, told: Sequence[Told], areas: Sequence[str]) -> None:
        self.ship, self.id, self.name, self.told = ship, ship.id, ship.name, told
        self.areas = tuple(areas)
        self.styles = numbers().squadron if ship.squadron else numbers().raider
        self._chances: dict[tuple[int, str, str], dict[str, float]] = {}

    def place(self, style: str, draws: Draws) -> Guess:
        """AC Where she enters."""
        return Guess(style, self.ship.start, quiet=draws.random() < numbers().silent)

    def move(self, guess: Guess, told: Told, draws: Draws) -> Guess:
        """M5 As her style has it; now and then she has another mind. R9 Who got away is beside the
        area where she was met."""
        if told.fix or told.fled or told.stayed:
            return self._known(guess, told, draws)
        if draws.random() < numbers().anew:
            guess = guess._replace(style=weighted(draws, self.styles), way=())
        if draws.random() < numbers().turns:
            guess = guess._replace(quiet=draws.random() < numbers().silent)
        if told.canal:
            return guess._replace(area=pick(draws, canal(guess.area)), way=())
        if guess.style in ("passage", "way"):
            guess = self._sailed(guess, draws)
            if guess.way and draws.random() < numbers().hopes.keeps:
                return guess._replace(area=ahead(guess, self.areas))
        style = guess.style if guess.style in ("hide", "drift") else "hunt"
        style = "prowl" if guess.quiet and style == "hunt" else style
        return guess._replace(area=weighted(draws, self._to(guess.area, style, told)))

    def _known(self, guess: Guess, told: Told, draws: Draws) -> Guess:
        """M4, R9 Where she is by what was told."""
        if told.fled:
            return guess._replace(area=pick(draws, beside(told, self.areas)))
        return guess._replace(area=told.fix or guess.area)

    def _sailed(self, guess: Guess, draws: Draws) -> Guess:
        """With a way that leads on from where she is."""
        if guess.style == "way":
            found = guess.way or tuple(pick(draws, numbers().ways.list).split())
            return guess._replace(way=found)
        if not guess.way or guess.way[0] == guess.area:
            guess = guess._replace(way=(pick(draws, sea(self.areas)),))
        return guess

    def _to(self, area: str, style: str, told: Told) -> dict[str, float]:
        """M5 The areas to which she may go, each with its weight."""
        key = (told.turn, area, style)
        if key not in self._chances:
            self._chances[key] = {
                to: hope(to, style, self.ship.strength, told) for to in ways(area, self.areas)
            }
        return self._chances[key]

    def stray(self, guess: Guess, told: Told, draws: Draws) -> Guess:
        """M5 To any area beside hers, or nowhere."""
        if told.fix or told.fled or told.stayed:
            return self._known(guess, told, draws)
        able = canal(guess.area) if told.canal else ways(guess.area, self.areas)
        return guess._replace(area=pick(draws, able), way=())

    def likelihood(self, guess: Guess, told: Told) -> float:
        """S8, E1 What the Allies were told, if she is there."""
        if told.fix:
            return float(guess.area == told.fix)
        if guess.area in told.shut or (told.canal and guess.area not in ENDS):
            return 0.0
        return (told.silent if guess.quiet else told.weights).get(guess.area, 1.0)

    def cell(self, guess: Guess) -> str:
        """Her area."""
        return guess.area

    def put(self, guess: Guess, cell: str) -> Guess:
        """In that area, bound for nowhere."""
        return guess._replace(area=cell, way=())

    def within(self, cells: frozenset[str], told: Told) -> frozenset[str]:
        """M5 A move on. Guesses go where she was met, so that it says nothing of them."""
        if told.fix or told.fled or told.stayed:
            return self.reach(cells, told)
        return reached(cells, replace(told, shut=frozenset()), self.areas)

    def reach(self, cells: frozenset[str], told: Told) -> frozenset[str]:
        """M5, R9 A move on, without areas that were searched out."""
        return reached(cells, told, self.areas)


def reached(cells: frozenset[str], told: Told, areas: Sequence[str]) -> frozenset[str]:
    """M5, G1, R9, S8 Where she may be after a turn that she began in one of these areas."""
    if told.fix:
        return frozenset([told.fix])
    if told.fled:
        return frozenset(beside(told, areas))
    if told.stayed:
        return cells
    if told.canal:
        return frozenset(canal(area)[0] for area in cells & ENDS)
    if told.dark:  # M5, R9 a move, perhaps through the canal, and perhaps away from a meeting
        cells |= frozenset(canal(area)[0] for area in cells)
        cells |= frozenset(to for area in cells for to in ways(area, areas))
    return frozenset(to for area in cells for to in ways(area, areas)) - told.shut


@cache
def sea(areas: tuple[str, ...]) -> tuple[str, ...]:
    """M5 The areas that Germans may be bound for."""
    return areas or board.SEA


@cache
def refuges(area: str, areas: tuple[str, ...]) -> tuple[str, ...]:
    """R9 Where a ship that got away may be: beside the area, or in it if there is no way out."""
    return tuple(a for a in ways(area, areas) if a != area) or (area,)


def beside(told: Told, areas: Sequence[str]) -> tuple[str, ...]:
    """R9 Where a ship that was met may be, if she got away or may have."""
    near = refuges(told.fled, tuple(areas))
    return (told.fled, *near) if told.dark else near


ENDS = frozenset(area for area in board.SEA if board.AREAS[area].canal)
"""G1 The areas at both ends of the Panama Canal."""


def canal(area: str) -> tuple[str, ...]:
    """G1 The areas beyond the Panama Canal; hers if she is at neither end of it."""
    return board.AREAS[area].canal or (area,)


def ahead(guess: Guess, areas: tuple[str, ...]) -> str:
    """M5 The next area of her way, by a shortest one: that of a passage, or of a squadron, which
    begins with the nearest area of its way."""
    way, here = guess.way, guess.area
    if here in way:
        goal = way[min(way.index(here) + 1, len(way) - 1)]
    else:
        goal = min(way, key=lambda a: off(a).get(here, 99))
    able = ways(here, areas)
    return min(able, key=lambda a: off(goal).get(a, 99)) if here != goal else here


@cache
def off(goal: str) -> Mapping[str, int]:
    """M5 Moves to an area without the canal: ways lead back."""
    return board.distances(goal, GERMAN)


def hope(area: str, style: str, own: int, told: Told) -> float:
    """The weight of an area for a style."""
    has = numbers().hopes
    near = sum(told.foes.get(a, 0) for a in board.neighbours(area, GERMAN))
    fear = has.fear * (told.foes.get(area, 0) + has.near * near) / own
    if style == "drift":
        return 1.0
    if style == "hide":
        return exp(-min(2 * fear, has.most) - told.left.get(area, 0))
    if style == "prowl":
        return exp(-min(fear, has.most))
    return exp(has.merchants * max(0, min(2, told.left.get(area, 0))) - min(fear, has.most))


# What is told of all ships together


Chances = dict[str, float]
"""By area; they add up to 1."""


def crowd(ships: Sequence[Raider], along: Sequence[Turn], areas: Sequence[str]) -> list[list[Told]]:
    """What was told of each ship, in the order of `ships`."""
    chances = {ship.id: {ship.start: 1.0} for ship in ships}
    found: dict[str, list[Told]] = {ship.id: [] for ship in ships}
    for turn in along:
        sailing = [ship for ship in ships if ship.enters <= turn.turn]
        plain = {ship.id: _plain(ship, turn) for ship in sailing}
        moved = {
            ship.id: _moved(chances[ship.id], ship, told, areas)
            for ship in sailing
            if (told := plain[ship.id])
        }
        for ship in sailing:
            told, segment = plain[ship.id], segment_of(turn, ship.id)
            if told is None:
                continue
            if segment and turn.heard and not (told.fix or told.fled):
                others = [
                    at for id_, at in moved.items() if id_ != ship.id and _there(segment, id_)
                ]
                told = _weighed(told, ship, segment, others)
            chances[ship.id] = _learnt(moved[ship.id], told)
            found[ship.id].append(told)
    return [found[ship.id] for ship in ships]


def _there(segment: Segment, ship: str) -> bool:
    """E1 May the ship have taken merchants in the segment?"""
    return ship in segment.named and ship not in segment.fled


def _plain(ship: Raider, turn: Turn) -> Told | None:
    """What was told of one ship, without what depends on others; None if she may still move in a
    turn that is not over."""
    segment = segment_of(turn, ship.id)
    if segment is None:
        if turn.over and turn.heard:
            return Told(turn=turn.turn, stayed=True)
        return Told(turn=turn.turn, dark=not turn.heard) if turn.over or not turn.heard else None
    if not turn.heard:  # R9 she may have got away since
        at = segment.fled.get(ship.id) or segment.placed.get(ship.id, "")
        return Told(turn=turn.turn, fled=at, dark=True, foes=segment.foes, left=segment.left)
    fled = segment.fled.get(ship.id, "")
    return Told(
        turn=turn.turn,
        fix="" if fled else segment.placed.get(ship.id, ""),
        fled=fled,
        canal=ship.id in segment.canal,
        foes=segment.foes,
        left=segment.left,
    )


def _moved(before: Chances, ship: Raider, told: Told, areas: Sequence[str]) -> Chances:
    """M5 Chances after a turn in which all ships hunt, or drift."""
    if told.fix or told.fled or told.stayed:
        cells = reached(frozenset(before), told, areas)
        return before if told.stayed and not told.fix else dict.fromkeys(cells, 1 / len(cells))
    found: Chances = {}
    for area, chance in before.items():
        able = canal(area) if told.canal else ways(area, areas)
        hopes = {to: 0.2 + hope(to, "hunt", ship.strength, told) for to in able}
        total = sum(hopes.values())
        for to, weight in hopes.items():
            found[to] = found.get(to, 0.0) + chance * weight / total
    return found


def _learnt(moved: Chances, told: Told) -> Chances:
    """The chances after what was told."""
    found = {a: p * told.weights.get(a, 1.0) for a, p in moved.items() if a not in told.shut}
    total = sum(found.values())
    return {a: p / total for a, p in found.items()} if total > 0 else moved


def _weighed(told: Told, ship: Raider, segment: Segment, others: Sequence[Chances]) -> Told:
    """S8, E1 With what the searches and the merchants of her segment tell."""
    has = numbers()
    seen = {*segment.missed, *segment.paid}
    alone = {
        area: max(has.explained, 1 - prod(1 - at.get(area, 0.0) for at in others)) for area in seen
    }
    least = min(alone.values(), default=1.0)
    weights: dict[str, float] = {}
    silent: dict[str, float] = {}
    for area in board.SEA:
        escapes = belief_told.searched(segment, ship.id, area, has.lucky)
        hidden = has.river if ship.river and area == board.RIVER else 0.0  # G2, G4
        silent[area] = least * (hidden + (1 - hidden) * escapes)
        if area in seen:
            takes = least / alone[area]
        else:
            takes = least * (has.quiet if told.left.get(area, 0) > 0 else 1.0)
        weights[area] = hidden * least + (1 - hidden) * escapes * takes
    shut = belief_told.shut(segment) - ({board.RIVER} if ship.river else set())
    return Told(
        turn=told.turn,
        canal=told.canal,
        weights=weights,
        silent=silent,
        shut=shut,
        foes=told.foes,
        left=told.left,
    )
