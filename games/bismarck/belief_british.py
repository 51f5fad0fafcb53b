"""A British ship that the Germans have seen and look for: where she may be by now.

The Germans know that a ship of a type was in a zone. She stays at a post, hunts where the British
have found a German ship since, as the Germans were told, or cruises. Numbers: belief.toml.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from msgspec import Struct, convert

from games.bismarck import board, movement
from games.bismarck.belief_told import Fact, Turn
from games.bismarck.board import BRITISH, Zone
from games.bismarck.calendar import X
from games.bismarck.state import Engine
from pbem.data import table
from pbem.inference import quarry
from pbem.inference.quarry import Draws, Quarry, pick, weighted
from pbem.kit.grids import distances

FAST = 26
"""9.729 An evasion of a ship whose engines are whole."""


class Hunter(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of belief.toml, where each is explained."""

    steady: float
    leaves: float
    news: int
    far: int


class Numbers(Struct, frozen=True):
    """The numbers of belief.toml for British ships."""

    british: dict[str, float]
    hunter: Hunter


@cache
def numbers() -> Numbers:
    """Those of the program."""
    return convert(table("games.bismarck", "belief.toml"), Numbers)


class Told(quarry.Told, frozen=True, kw_only=True):
    """What the Germans learned of one turn. called: zones in which she was not found; prey: where
    the British last found a German ship, as they were told, if not long ago."""

    called: frozenset[Zone] = frozenset()
    prey: str = ""


class Ship(NamedTuple):
    """A guess. goal: where a cruise leads; two: the last turn in which she sailed two zones."""

    style: str
    zone: Zone
    goal: str = ""
    two: int = 0


class Contact(Struct, frozen=True):
    """A contact of a German report. turn: when it was placed."""

    id: str
    type: str
    place: Zone
    turn: int
    name: str = ""


class ShipQuarry(Quarry[Ship, Told]):
    """A British ship by the Germans' name for her."""

    called = ("zone", "zones")

    def __init__(self, contact: Contact, along: Sequence[Turn]) -> None:
        self.contact, self.id = contact, contact.id
        self.name = f"{contact.id} {contact.name or contact.type}"
        self.told, self.styles = tuple(told(contact, along)), numbers().british

    def place(self, style: str, draws: Draws) -> Ship:
        """7.23 Where she was seen."""
        return Ship(style, self.contact.place)

    def move(self, guess: Ship, told: Told, draws: Draws) -> Ship:
        """On her post, after the prey, or on a cruise."""
        has = numbers().hunter
        if draws.random() > has.steady:
            return self.stray(guess, told, draws)
        if guess.style == "post" and draws.random() < has.leaves:
            guess = guess._replace(style=weighted(draws, self.styles))
        if guess.style == "hunt" and told.prey:
            return sail(guess, told.prey, told.turn)
        if guess.style != "cruise":
            return guess
        if guess.goal in ("", guess.zone):
            guess = guess._replace(goal=pick(draws, cruises(guess.zone)))
        return sail(guess, guess.goal, told.turn)

    def stray(self, guess: Ship, told: Told, draws: Draws) -> Ship:
        """5.1 None, one or two zones in any direction."""
        for _ in range(int(draws.random() * 3)):
            steps = board.sea_steps(BRITISH, guess.zone)
            guess = guess._replace(zone=pick(draws, steps or (guess.zone,)))
        return guess

    def likelihood(self, guess: Ship, told: Told) -> float:
        """7.23 Searches would have found her, and what was found is where it was found."""
        if told.fix:
            return float(guess.zone == told.fix)
        return float(guess.zone not in told.called)

    def cell(self, guess: Ship) -> str:
        """2.2 Her zone."""
        return guess.zone

    def near(self, cell: str) -> Sequence[str]:
        """2.2 The six around it."""
        return board.around(cell)

    def put(self, guess: Ship, cell: str) -> Ship:
        """In that zone."""
        return guess._replace(zone=Zone(cell), goal="")

    def within(self, cells: frozenset[str], told: Told) -> frozenset[str]:
        """5.1 Two zones on."""
        for _ in range(2):
            cells = cells | {to for z in sorted(cells) for to in board.sea_steps(BRITISH, Zone(z))}
        return cells

    def reach(self, cells: frozenset[str], told: Told) -> frozenset[str]:
        """The same without what was searched."""
        if told.fix:
            return frozenset([told.fix])
        return self.within(cells, told) - told.called


def told(contact: Contact, along: Sequence[Turn]) -> Iterator[Told]:
    """What the Germans were told of her since she was placed."""
    prey, then = "", 0
    for turn in along:
        if turn.turn > contact.turn:
            fix = next((e["zone"] for e in turn.events if _names(e, contact.id)), "")
            late = turn.turn - then > numbers().hunter.news
            called = frozenset(_empty(turn, contact.type))
            yield Told(turn=turn.turn, fix=fix, called=called, prey="" if late else prey)
        for event in turn.events:
            if at := _betrayed(event):
                prey, then = at, turn.turn


def _names(event: Fact, contact: str) -> bool:
    """Does the event tell where the contact is?"""
    placed = event["kind"] in ("Located", "BattleJoined", "Recognised")
    return placed and any(s["id"] == contact for s in event["seen"])


def _betrayed(event: Fact) -> str:
    """7.23, 8.15, 10.2 Where the British found a German ship, as the Germans were told."""
    kind = event["kind"]
    if kind in ("GeneralSearchHeard", "HuffDuffHeard", "ConvoySunk"):
        return str(event["zone"])
    if kind == "CallHeard" and event["who"]:
        return str(event["zone"])
    return str(event["zone"]) if kind == "Shadowed" and event["held"] else ""


def _empty(turn: Turn, type_: str) -> Iterator[Zone]:
    """7.21, 7.29 Zones that were called, and in which no ship of her type was found; ports of hers
    apart, where only aircraft find ships."""
    if turn.level >= X:
        return
    found = {
        e["zone"]
        for e in turn.events
        if e["kind"] == "Located" and any(s["type"] == type_ for s in e["seen"])
    }
    for event in (e for e in turn.events if e["kind"] == "Searched"):
        for zone in event["zones"]:
            if zone not in found and not board.port_of(zone, BRITISH):
                yield Zone(zone)


def sail(guess: Ship, goal: str, turn: int) -> Ship:
    """5.1, 5.26 A turn's way towards a zone, where a way leads there."""
    left = off(Zone(goal))
    engine = Engine("", "BB", 2, FAST, 9, guess.two)
    at, steps = guess.zone, movement.allowance((engine,), turn)
    went = 0
    while went < steps and at != goal and at in left:
        at = min(board.sea_steps(BRITISH, at), key=lambda z: left.get(z, left[at] + 1))
        went += 1
    return guess._replace(zone=at, two=turn if went == 2 else guess.two)


@cache
def off(goal: Zone) -> Mapping[Zone, int]:
    """How far it is to a zone, from every zone from which a British ship gets there."""
    return distances(partial(board.sea_steps, BRITISH), goal) if goal in board.SEA else {}


@cache
def cruises(zone: Zone) -> Sequence[Zone]:
    """Where a cruise may lead."""
    most = numbers().hunter.far
    able = [z for z in sorted(board.SEA) if 0 < board.distance(zone, z) <= most]
    return [z for z in able if zone in off(z)] or [zone]


def contacts(reports: Sequence[Mapping[str, object]]) -> list[Contact]:
    """The contacts of the last report that were placed in a zone, the newest first; each from where
    it was placed last."""
    last = convert(reports[-1], _Report)
    placed = [c for c in last.contacts if c.source != "HUFF-DUFF"]
    found = [Contact(c.id, c.type, c.place, last.turn - c.age, c.name) for c in placed]
    return sorted(found, key=lambda c: (-c.turn, int(c.id[2:])))


class _Enemy(Struct, frozen=True):
    id: str
    type: str
    place: Zone
    age: int
    source: str
    name: str = ""


class _Report(Struct, frozen=True):
    turn: int
    contacts: tuple[_Enemy, ...] = ()
