"""The admirals who search: worlds from reports, plans and ways to sail compared.

Allied ships lie open, so that a German's worlds differ from the truth in what the Allies intend
alone; an Ally's have each German ship where beliefs have her.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from math import exp

from msgspec import Struct, convert

from games.far_seas import bot_allied, bot_german, events, events_battle, victory
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.events import Captured, MerchantsTaken, ShipsArrived
from games.far_seas.knowledge import Knowledge, Sighting, learn, place
from games.far_seas.report import Enemy, OwnShip, Report
from games.far_seas.setup import begin
from games.far_seas.state import Score, Ship, War
from games.far_seas.tables import rules, scenario
from games.far_seas.verbs import Move, Raid
from pbem.data import table
from pbem.inference import mind as protocol
from pbem.inference.mind import Candidate, Line, World
from pbem.inference.quarry import Draws, pick
from pbem.kit.bots import Luck
from pbem.model import Event, Plain, Side

Plan = bot_german.Plan | bot_allied.Plan


class Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of strong.toml, where each is explained."""

    budget: dict[str, int]
    ways: int
    german: tuple[dict[str, str | int], ...]
    british: tuple[dict[str, str | int], ...]


@cache
def numbers() -> Numbers:
    """Those of the program."""
    return convert(table("games.far_seas", "strong.toml"), Numbers)


class Course(Struct, frozen=True):
    """A plan to begin with. share: of games."""

    plan: Plan
    share: int


@cache
def courses(side: Side) -> Sequence[Course]:
    """Those of a side."""
    rows: Sequence[dict[str, str | int]] = getattr(numbers(), side)
    return [Course(_plan(side, row), int(row["share"])) for row in rows]


def _plan(side: Side, row: Mapping[str, str | int]) -> Plan:
    words = {key: value for key, value in row.items() if key != "share"}
    if side == GERMAN:
        return convert(words, bot_german.Plan)
    return convert(words, bot_allied.Plan)


class Led(Struct, frozen=True):
    """A policy: the side's bot on that plan. salt: makes ships that could as well sail elsewhere
    do so."""

    plan: Plan
    salt: str = ""

    def __call__(self, report: Plain, luck: str) -> Iterator[Line]:
        """See `pbem.inference.mind.Policy`."""
        seen = convert(report, Report, from_attributes=True)
        chance = Luck(f"{self.salt} {luck}" if self.salt else luck)
        if isinstance(self.plan, bot_german.Plan):
            yield from bot_german.lines(seen, chance, self.plan)
        else:
            yield from bot_allied.lines(seen, chance, self.plan)


class Mind(protocol.Mind):
    """What an admiral thinks."""

    def __init__(self, side: Side, name: str, options: Mapping[str, str], seed: str) -> None:
        self.side = side
        start = begin(name, options)
        self.budget = numbers().budget
        self.known = deepcopy(start.known)
        self.hunted = [s.id for s in start.ships.values() if s.side == GERMAN and side == BRITISH]
        found = courses(side)
        shares = {i: course.share for i, course in enumerate(found)}
        self.plan = found[Luck(seed).weighted("course", shares)].plan
        self.seen: Report
        self.guesses: Mapping[str, Sequence[str]] = {}

    def learn(self, report: Plain, guesses: Mapping[str, Sequence[tuple[str, str]]]) -> None:
        """See `pbem.inference.mind.Mind`."""
        self.seen = convert(report, Report, from_attributes=True)
        ends = any(e["kind"] == "TurnEnded" for e in report["events"])
        turn = self.seen.turn - ends
        for plain in report["events"]:
            turn += plain["kind"] == "TurnEnded"
            fold(self.known, turn, plain)
        # a guess of the beliefs: its style, and its area
        self.guesses = {id_: [one[1] for one in some] for id_, some in guesses.items()}
        self.report = report

    def world(self, before: War, draws: Draws) -> World:
        """See `pbem.inference.mind.Mind`."""
        war, seen = before, self.seen
        war.turn, war.segment = seen.turn, seen.board.segment - 1
        war.known, war.raided = deepcopy(self.known), list(seen.board.raided)
        shown: dict[str, OwnShip | Enemy] = {u.id: u for u in seen.units}
        shown |= {c.id: c for c in seen.contacts}
        for ship in war.ships.values():
            ship.wake = ()
            if ship.id in shown:
                self._put(ship, shown[ship.id], draws)
            elif ship.enters <= seen.turn:
                ship.gone, ship.area, ship.leader, ship.duty, ship.post = "sunk", "", "", "", ""
        for ship in war.ships.values():
            if ship.leader and not war.ships[ship.leader].afloat:
                ship.leader = ""
        war.scores = list(self._scores())
        war.committed = dict(self._committed(war))
        war.taken = {}
        for missing in self.known.missing:
            if missing.turn == seen.turn:
                war.taken[missing.area] = war.taken.get(missing.area, 0) + missing.count
        return World(war)

    def _put(self, ship: Ship, shown: OwnShip | Enemy, draws: Draws) -> None:
        hidden = ship.side == GERMAN and self.side == BRITISH
        ship.area, ship.gone = shown.place, ""
        if hidden and self.guesses.get(ship.id):
            ship.area = pick(draws, self.guesses[ship.id])
        ship.damage, ship.moved = shown.damage, shown.moved
        ship.leader = shown.leader
        ship.duty, ship.post = convert(shown.duty, Ship.__annotations__["duty"]), shown.post
        if isinstance(shown, OwnShip):
            ship.surprised, ship.trapped = shown.surprised, shown.trapped

    def _scores(self) -> Iterator[Score]:
        """The points so far, in one line for each side."""
        for side, row in zip((GERMAN, BRITISH), self._points(), strict=True):
            if row > 0:
                yield Score(side=side, points=row, rule="E4", what="so far", turn=1)

    def _points(self) -> tuple[int, int]:
        by = {p.name: p.points for p in self.seen.board.points}
        return by.get("German", 0), by.get("Allied", 0)

    def _committed(self, war: War) -> Iterator[tuple[str, dict[str, int]]]:
        """Found c: ships that landings have had; a German takes them for enough."""
        if not scenario(war.scenario).landings:
            return
        for name, rule in rules().landings.items():
            due = self.seen.board.landings.get(name)
            sent = rule.ships if self.side == GERMAN else due[2] if due else 0
            yield name, {str(min(rule.last, war.turn)): sent} if war.turn >= rule.first else {}

    def candidates(self, draws: Draws) -> Sequence[Candidate]:
        """See `pbem.inference.mind.Mind`."""
        plan = Led(self.plan)
        found = [self._candidate(plan, plan)]
        if not any(
            "move" in self._verbs(u.id) or "cruise" in self._verbs(u.id) for u in self.units
        ):
            return found
        salts = (f"{int(draws.random() * 1e6)}" for _ in range(numbers().ways))
        found += [self._candidate(Led(self.plan, salt), plan) for salt in salts]
        for course in courses(self.side):
            other = Led(course.plan)
            if course.plan != self.plan:
                found.append(self._candidate(other, other))
        unlike = {one.name: one for one in reversed(found)}
        return [one for one in found if unlike[one.name] is one]

    @property
    def units(self) -> Sequence[OwnShip]:
        """Own ships."""
        return self.seen.units

    def _verbs(self, actor: str) -> list[str]:
        return [item.verb for item in self.seen.menu.get(actor, ())]

    def _candidate(self, now: Led, later: Led) -> Candidate:
        moves = [(a, o) for a, o in now(self.report, "name 1") if isinstance(o, Move | Raid)]
        said = [f"{actor.title()} to {_goal(order)}" for actor, order in moves[:3]]
        more = f" and {len(moves) - 3} more" if len(moves) > 3 else ""
        way = f"by {now.plan.way}: " if isinstance(now.plan, bot_german.Plan) else ""
        return Candidate(f"{way}{', '.join(said)}{more}", now, later)

    def chose(self, candidate: Candidate) -> None:
        """See `pbem.inference.mind.Mind`."""
        if isinstance(candidate.later, Led):
            self.plan = candidate.later.plan

    def worth(self, state: War) -> float:
        """Levels of victory, with as many points a turn to come as a game in the balance has."""
        _, german, british, _ = state.levels
        middle = (german + british) / 2
        left = max(0, state.last - state.turn)
        first = scenario(state.scenario).first
        expected = victory.balance(state) + middle * left / max(1, state.last - first + 1)
        share = 1 / (1 + exp(-(expected - middle) / (3 + 0.8 * left)))
        return share if self.side == GERMAN else 1 - share


def _goal(order: Struct) -> str:
    return str(getattr(order, "area", "") or getattr(order, "station", ""))


@cache
def kinds() -> Mapping[str, type[Event]]:
    """Events by kind."""
    found: dict[str, type[Event]] = {}
    for module in (events, events_battle):
        made = (c for c in vars(module).values() if isinstance(c, type) and issubclass(c, Event))
        found |= {kind.__name__: kind for kind in made}
    return found


def fold(known: Knowledge, turn: int, plain: Plain) -> None:
    """What the Allies learn of an event, as far as the side was told of it."""
    kind = kinds().get(plain["kind"])
    if kind is None:
        return
    event = convert({k: v for k, v in plain.items() if k != "kind"}, kind, strict=False)
    if isinstance(event, Captured):
        event = MerchantsTaken(rule=event.rule, area=event.area, count=event.count)
    if isinstance(event, ShipsArrived):
        german = {s.id for s in _fleet() if s.side == GERMAN}
        for id_ in german.intersection(event.who):
            place(known, Sighting(id_, event.area, turn))
        return
    learn(known, turn, event)


@cache
def _fleet() -> Sequence[Ship]:
    from games.far_seas.setup import rows

    return rows()


def mind(side: Side, scenario: str, options: Mapping[str, str], seed: str) -> Mind:
    """See `pbem.model.System.mind`."""
    return Mind(side, scenario, options, seed)
