"""An enemy unit that a side looks for: guesses of where she is, and which contact she is.

All begin where the scenario puts them. A contact has no name at first: a guess that could be there
is it as likely as every other unit that could, and moves with it until its marker goes. Numbers:
belief.toml.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import NamedTuple

from msgspec import Struct, convert
from msgspec.structs import replace

from games.second_fleet.belief_told import Told, Unit
from games.second_fleet.board import BASES, NATO, ZONE_OF, by_water, steps, wet, zone_within
from pbem.data import table
from pbem.inference.quarry import Draws, Quarry, pick, weighted


class Post(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of belief.toml, where each is explained."""

    stays: float
    rests: float


class Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """The same."""

    missed: float
    strangers: int
    anew: float
    dash: float
    submarine: dict[str, float]
    surface: dict[str, float]
    post: Post
    goals: dict[str, dict[str, str]]


@cache
def numbers() -> Numbers:
    """Those of the program."""
    return convert(table("games.second_fleet", "belief.toml"), Numbers)


class Guess(NamedTuple):
    """A guess. goal: a hex that she makes for; contact: what the side calls her; before: where she
    lay before the turn, if nothing was told of her in it; dead: it is ruled out; seen: the side was
    told in the turn where she is, if she is who the guess supposes."""

    style: str
    hex: str
    goal: str = ""
    contact: str = ""
    before: str = ""
    dead: bool = False
    seen: bool = False


class UnitQuarry(Quarry[Guess, Told]):
    """A group, ship or submarine. goals: zones that the scenario is about for her side."""

    called = ("hex", "hexes")

    def __init__(self, unit: Unit, told: Sequence[Told], goals: str) -> None:
        self.unit, self.id, self.name, self.told = unit, unit.id, unit.name, told
        self.styles = numbers().submarine if unit.sub else numbers().surface
        self.goals = goals

    def place(self, style: str, draws: Draws) -> Guess:
        """6.18 Where the scenario puts her."""
        return Guess(style, self.unit.start)

    def move(self, guess: Guess, told: Told, draws: Draws) -> Guess:
        """6.13/1 With her contact, or as her style has it."""
        known = self._told(guess, told, draws)
        if known:
            return known
        guess = guess._replace(contact="", seen=False)
        if draws.random() < numbers().anew:
            guess = guess._replace(style=weighted(draws, self.styles), goal="")
        before = guess.hex
        if guess.style == "post":
            stays = draws.random() < numbers().post.stays
            to = before if stays else pick(draws, (before, *steps(before)))
            return guess._replace(hex=to, before=before)
        if guess.goal == before and draws.random() < self._rests(guess):
            return guess._replace(before=before)
        if guess.goal in ("", before):
            guess = guess._replace(goal=pick(draws, self._bound(guess)))
        most = told.ma
        if draws.random() > numbers().dash:
            most = int(draws.random() * (most + 1))
        return guess._replace(hex=sailed(before, guess.goal, most, draws), before=before)

    def _rests(self, guess: Guess) -> float:
        """How likely a guess of that style stays where it was bound for."""
        return {"port": 1.0, "cruise": numbers().post.rests}.get(guess.style, 0.0)

    def _bound(self, guess: Guess) -> tuple[str, ...]:
        """Where a guess of that style may be bound for."""
        if guess.style == "port":
            return ports(self.unit.nato) or (guess.hex,)
        return bound(self.goals if guess.style == "goal" else "")

    def stray(self, guess: Guess, told: Told, draws: Draws) -> Guess:
        """6.13/1 As many steps as she has in any direction, or fewer."""
        known = self._told(guess, told, draws)
        if known:
            return known
        to = guess.hex
        for _ in range(int(draws.random() * (told.ma + 1))):
            to = pick(draws, steps(to) or (to,))
        return guess._replace(hex=to, goal="", contact="", before=guess.hex, seen=False)

    def _told(self, guess: Guess, told: Told, draws: Draws) -> Guess | None:
        """6.16 Where she is by the contact that she is known to be, or is by this guess; None
        where she is none."""
        if told.fix:
            return guess._replace(hex=told.fix, contact=told.mine, goal="", before="", dead=False)
        called = guess.contact
        if not called:
            called = self._called(guess, told, draws)
            if not called:
                return None
        if called in told.others or called in told.sunk:
            return guess._replace(dead=True)
        if called in told.held:
            return guess._replace(hex=told.held[called], contact=called, before="", seen=True)
        if guess.contact and called not in told.lost:
            return None
        at = told.lost.get(called) or told.fresh[called][0]
        return guess._replace(hex=at, contact="", goal="", before="", seen=True)

    def _called(self, guess: Guess, told: Told, draws: Draws) -> str:
        """6.16/1 The contact of this turn that she is, by this guess, if any."""
        near = by_water(guess.hex) if told.fresh else {}
        for contact, (at, chance) in told.fresh.items():
            if near.get(at, 99) <= told.most + self.unit.sub and draws.random() < chance:
                return contact
        return ""

    def likelihood(self, guess: Guess, told: Told) -> float:
        """6.1, 107 She would have been found where own units detect."""
        if told.fix:
            return float(guess.hex == told.fix)
        if guess.dead:
            return 0.0
        return numbers().missed if guess.before in told.watched else 1.0

    def cell(self, guess: Guess) -> str:
        """Her hex."""
        return guess.hex

    def near(self, cell: str) -> Sequence[str]:
        """6.13/1 The hexes beside it, by water."""
        return steps(cell)

    def sure(self, guess: Guess) -> bool:
        """6.16 She is a contact whose marker lies, or went in the turn."""
        return guess.seen

    def put(self, guess: Guess, cell: str) -> Guess:
        """In that hex, unknown and bound for nowhere."""
        return Guess(guess.style, cell)

    def within(self, cells: frozenset[str], told: Told) -> frozenset[str]:
        """6.13/1 A turn on, and where contacts are that she may be. Guesses go where she is told
        by name, so that it says nothing of them."""
        return self.reach(cells, replace(told, watched=frozenset()))

    def reach(self, cells: frozenset[str], told: Told) -> frozenset[str]:
        """6.13/1, 6.1 The same without where she would have been found before it."""
        if told.fix:
            return frozenset([told.fix])
        found: set[str] = set()
        for cell in (cells - told.watched) | self._fled(cells, told):
            found |= zone_within(cell, told.most + (told.dark and self.unit.sub))
        found |= self._fled(found, told)
        for where in (told.held, told.lost):
            found |= {at for contact, at in where.items() if contact not in told.others}
        return frozenset(found)

    def _fled(self, cells: AbstractSet[str], told: Told) -> set[str]:
        """6.3/13 Where she may be after she has left a base that fell."""
        left = [zone_within(cell, told.most) for cell in cells & told.fallen]
        return set().union(*left)


@cache
def bound(zones: str) -> tuple[str, ...]:
    """Hexes that a unit may make for: of these zones, of the whole sea without any; one in seven
    is enough to choose from."""
    able = [h for h, zone in ZONE_OF.items() if wet(h) and (not zones or zone in zones.split())]
    return tuple(able[::7])


@cache
def ports(nato: bool) -> tuple[str, ...]:
    """Ports of a side, as printed."""
    return tuple(h for h, base in BASES.items() if base.port and (base.side == NATO) == nato)


def sailed(here: str, goal: str, most: int, draws: Draws) -> str:
    """6.13/1 As far towards a hex as she may, by any of the shortest ways."""
    left: Mapping[str, int] = by_water(goal)
    for _ in range(most if here in left else 0):
        nearer = [to for to in steps(here) if left.get(to, 99) < left[here]]
        if not nearer:
            break
        here = pick(draws, nearer)
    return here
