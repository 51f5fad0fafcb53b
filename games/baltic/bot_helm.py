"""How bots steer: many courses are tried, and each is worth what its guns may do at its end, less
what the enemy's may, by the weights of data/bots.toml.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import inf
from typing import Literal

from msgspec import Struct, structs

from games.baltic import courses, hulls
from games.baltic.bot_gunnery import Hull, distance, hopes, in_lane, of_enemy, torpedoes
from games.baltic.check import sailing_at
from games.baltic.courses import Sailing, Step
from games.baltic.report import Enemy, OwnVessel, Report, Span
from games.baltic.tables import (
    PACKAGE,
    SETTINGS,
    Plan,
    Terrain,
    footprint,
    plan,
    sheets,
    size,
    telegraph,
    terrain,
    weapons,
)
from pbem.kit import plane
from pbem.kit.plane import Point, Pose
from pbem.kit.tables import Sheet
from pbem.model import Side

BOTS = Sheet(PACKAGE, "bots.toml")
INCH = 1000
_TURNS = (240, 480, 720, 1080, 1440)
_FEW_TURNS = (360, 720, 1440)


class Captain(Struct, frozen=True):
    """Weights of a captain: points."""

    risk: float
    later: float
    pull: float
    solid: float
    shoal: float
    edge: float
    crowd: float
    salvo: float
    bomb: float
    luck: int


class Goal(Struct, frozen=True):
    """Weights of what a scenario wants: points an inch."""

    hold: float
    exit: float
    block: float
    flee: float
    hunt: float
    leisure: float


class Manner(Struct, frozen=True, forbid_unknown_fields=True):
    """How a captain differs from the plain bot: factors of its weights, and a few ways of its own.

    No two of them are better or worse by themselves; bots that search choose among them.
    """

    name: str = ""
    risk: float = 1.0
    later: float = 1.0
    pull: float = 1.0
    goal: float = 1.0
    aim: Literal["", "best", "weakest"] = ""
    """Of the targets, which; empty: by lot."""
    last: bool = False
    """Do the ships that are nearest to the enemy activate last?"""
    few: bool = False
    """Are fewer courses tried? For playouts, where time counts."""


PLAIN = Manner()


@cache
def captain(manner: Manner = PLAIN) -> Captain:
    """The weights of courses."""
    own = BOTS.record(Captain, "captain")
    return structs.replace(
        own,
        risk=own.risk * manner.risk,
        later=own.later * manner.later,
        pull=own.pull * manner.pull,
    )


@cache
def goals(manner: Manner = PLAIN) -> Goal:
    """The weights of goals."""
    own = BOTS.record(Goal, "goal")
    scaled = {
        name: getattr(own, name) * manner.goal for name in ("hold", "exit", "block", "flee", "hunt")
    }
    return structs.replace(own, **scaled)


@cache
def wished(word: str) -> int:
    """The range, in mils, at which a class, a `carrier` or a `cripple` fights."""
    return int(BOTS.value(f"range.{word}")) * INCH


class Course(Struct, frozen=True):
    """A course that a bot thinks of."""

    setting: str
    steps: list[Step]
    end: Pose
    score: float


class Helm:
    """What a side knows when it steers."""

    def __init__(self, seen: Report, side: Side, manner: Manner = PLAIN) -> None:
        self.seen, self.side, self.few = seen, side, manner.few
        self.captain, self.goals = captain(manner), goals(manner)
        self.plan: Plan = plan(seen.scenario)
        self.foes = _grouped(seen)
        self.soon = [(foe, _run(foe, 2)) for foe in self.foes]
        self.late = [(foe, _run(foe, 1)) for foe in self.foes]
        self.next = [(foe, plane.ahead(end, 4 * INCH)) for foe, end in self.late]
        self.map = terrain(seen.board.map)
        self.taken: list[Point] = []
        """Where friends will be."""
        self.hulls = _lying(seen)
        self.salvoes = [(s.id, Pose(s.x, s.y, s.heading), s.fp) for s in seen.board.salvoes]

    @property
    def runs(self) -> bool:
        """Must this side break through over an edge?"""
        return self.plan.exit is not None and self.plan.exit.side == self.side

    # Courses

    def best(self, ship: OwnVessel, hull: Hull, spans: Sequence[Span], few: bool = False) -> Course:
        """The best course at one of these settings. few: fewer are tried, to choose a setting."""
        things = self.near(ship, max((span.high for span in spans), default=0))
        best = None
        for span in spans:
            for steps in candidates(sailing_at(span), few or self.few):
                course = self.judged(hull, span, steps, things, best.score if best else -inf)
                if course and (best is None or course.score > best.score):
                    best = course
        return best or Course(ship.setting, [], hull.pose, 0.0)

    def near(self, ship: OwnVessel, most: int) -> list[Terrain]:
        """What may stop her, of all that she can reach this turn and a little later."""
        sheet, far = sheets()[ship.sheet], most + 11 * INCH
        box = (ship.x - far, ship.y - far, ship.x + far, ship.y + far)
        bad = [t for t in self.map if _bad(sheet.cls, sheet.trait, ship.down, t)]
        return [thing for thing in bad if not hulls.apart(box, thing.box)]

    def judged(
        self, hull: Hull, span: Span, steps: list[Step], things: Sequence[Terrain], least: float
    ) -> Course | None:
        """A course and its worth; None if that is not above `least`, as soon as it is plain:
        dangers only take away."""
        how = sailing_at(span)
        end = courses.end(hull.pose, steps, how)
        length = courses.total(steps, how.eighth)
        hull.setting = span.setting if length else "stop"
        hope = self.prospects(hull, end) + self.sought(hull, end)
        hope += self.bombed(hull, steps, how)
        if hope <= least:
            return None
        score = hope - self.hazards(hull, end, things)
        for mils in range(1500, length if things else 0, 1500):
            if score <= least:
                return None
            score -= self.stopped(hull, courses.at(hull.pose, steps, how, mils), things)
        return Course(span.setting, steps, end, score)

    # What a place is worth

    def prospects(self, hull: Hull, end: Pose) -> float:
        """What the guns may do there and a little further on, less what the enemy's may."""
        weights = self.captain
        on = plane.ahead(end, 5 * INCH)
        now = self.offence(hull, end, self.soon) - weights.risk * self.threat(hull, end, self.soon)
        then = self.offence(hull, on, self.next) - weights.risk * self.threat(hull, on, self.next)
        lanes = [torpedoes(hull, end, foe, there) * foe.worth for foe, there in self.late]
        return now + weights.later * then + max(lanes, default=0.0)

    def offence(self, hull: Hull, end: Pose, foes: Iterable[tuple[Hull, Pose]]) -> float:
        """Points that her guns may shoot away, each at the target that promises most."""
        best: dict[str, float] = {}
        for foe, there in foes:
            for weapon, hits in hopes(hull, end, foe, there).items():
                best[weapon] = max(best.get(weapon, 0.0), hits * foe.worth)
        return sum(best.values())

    def chances(self, hull: Hull, end: Pose) -> dict[str, str]:
        """By weapon that may hit from there: the target that promises most."""
        best: dict[str, tuple[float, str]] = {}
        for foe, there in self.soon:
            for weapon, hits in hopes(hull, end, foe, there).items():
                best[weapon] = max(best.get(weapon, (0.0, "")), (hits * foe.worth, foe.id))
        return {weapon: name for weapon, (worth, name) in best.items() if worth > 0}

    def threat(self, hull: Hull, end: Pose, foes: Iterable[tuple[Hull, Pose]]) -> float:
        """Points that all the enemy's guns together may shoot away."""
        hits = sum(sum(hopes(foe, there, hull, end).values()) for foe, there in foes)
        return hits * hull.worth

    def hazards(self, hull: Hull, end: Pose, things: Sequence[Terrain]) -> float:
        """Ground, the edge, friends and torpedoes at the end of a course and ahead of it."""
        weights = self.captain
        found = self.stopped(hull, end, things) + self.edged(end)
        for inches in (5, 10):
            ahead = plane.ahead(end, inches * INCH)
            found += (self.stopped(hull, ahead, things) + self.edged(ahead)) / 4
        for x, y in self.taken:
            gap = plane.root(plane.square((x, y), (end.x, end.y)))
            found += weights.crowd * max(0.0, 1 - gap / (4.5 * INCH))
        sheet = sheets()[hull.sheet]
        found += weights.crowd * self.blocked(hull, end)
        if not sheet.flies and sheet.trait != "skimmer":
            wide = footprint("torpedo")[0] // 2 + INCH
            found += sum(
                weights.salvo * (fp or 4) for _, at, fp in self.salvoes if in_lane(at, end, wide)
            )
        return found

    def blocked(self, hull: Hull, end: Pose) -> int:
        """173 Hulls in which she would end, and short of which she would be stopped."""
        flies, found = sheets()[hull.sheet].flies, 0
        for name, sheet, there in self.hulls:
            if name != hull.id and hulls.near(end, there, 4500) and sheets()[sheet].flies == flies:
                found += plane.overlap(hulls.outline(hull.sheet, end), hulls.outline(sheet, there))
        return found

    def edged(self, spot: Pose) -> float:
        """The edge of the table, unless it is the way home."""
        table, rim = size(), 2500
        if spot.x > table.width - rim and self.runs:
            return 0.0
        if hulls.off(spot):
            return self.captain.edge * 3
        inside = rim <= spot.x <= table.width - rim and rim <= spot.y <= table.height - rim
        return 0.0 if inside else self.captain.edge

    def stopped(self, hull: Hull, spot: Pose, things: Sequence[Terrain]) -> float:
        """What lies in the way of a hull there."""
        if not things:
            return 0.0
        weights = self.captain
        length, beam = hulls.footprint_of(sheets()[hull.sheet])
        found = 0.0
        for x, y in hull.mates or ((0, 0),):
            place = Pose(spot.x + x, spot.y + y, spot.heading)
            box = (place.x - length, place.y - length, place.x + length, place.y + length)
            close = [thing for thing in things if not hulls.apart(box, thing.box)]
            if close:
                shape = plane.corners(place, 3 * length // 2, 3 * beam // 2)
                hit = hulls.touched(shape, close)
                found += sum(weights.solid if t.solid else weights.shoal for t in hit)
        return found

    def sought(self, hull: Hull, end: Pose) -> float:
        """How far the goals of the scenario are from there, and the range at which she fights."""
        sheet, score = sheets()[hull.sheet], 0.0
        weights, far = self.goals, size().width - end.x
        if self.runs:
            score -= self.hurry(hull, far) * weights.exit * far / INCH
        hold = self.plan.hold
        if hold and sheet.capital and not hull.crippled:
            away = _apart(end, (hold.x * INCH, hold.y * INCH)) - (hold.within - 1) * INCH
            share = max(0.4, self.seen.turn / max(1, self.seen.turns))
            score -= weights.hold * share * max(0, away) / INCH
        for foe, there in self.soon:
            if foe.id == self.plan.double:
                score -= weights.hunt * _apart(end, (there.x, there.y)) / INCH
            if self.plan.exit and foe.id == self.plan.exit.flagship:
                score -= weights.block * _apart(end, (there.x, there.y)) / INCH
        return score - self.spaced(hull, end)

    def hurry(self, hull: Hull, far: int) -> float:
        """How much of the pull of an edge counts: all of it when the turns are few."""
        fastest = telegraph(hulls.column(sheets()[hull.sheet]))[-1][1]
        slack = self.seen.turns + 1 - self.seen.turn - far / fastest
        return 1.0 if slack < 2 else self.goals.leisure

    def spaced(self, hull: Hull, end: Pose) -> float:
        """How much the range to the nearest ship of the line is not as wished."""
        big = [p for foe, p in self.soon if foe.capital] or [p for _, p in self.soon]
        near = min((distance(end, there) for there in big), default=0)
        sheet = sheets()[hull.sheet]
        if not big or (self.runs and sheet.capital):
            return 0.0
        if hull.id == self.plan.double:
            return -self.goals.flee * min(near, 45 * INCH) / INCH
        if sheet.trait == "carrier" or (hull.crippled and sheet.capital):
            word = "carrier" if sheet.trait == "carrier" else "cripple"
            return self.captain.pull * max(0, wished(word) - near) / INCH
        return self.captain.pull * max(0, near - wished(sheet.cls)) / INCH

    def bombed(self, hull: Hull, steps: list[Step], how: Sailing) -> float:
        """What a flying ship with bombs passes over."""
        bombs = [w.fp for w in weapons(hull.sheet) if w.kind == "bomb"]
        if not bombs:
            return 0.0
        way = [
            courses.at(hull.pose, steps, how, mils)
            for mils in range(0, courses.total(steps, how.eighth) + 1, 700)
        ]
        return self.crossed(hull, bombs[0], way)

    def crossed(self, hull: Hull, bombs: int, way: Sequence[Pose]) -> float:
        """The points that bombs may take from all that lies below a way."""
        prey = [(f, f.pose) for f in self.foes if not sheets()[f.sheet].flies]
        hit = [
            foe
            for foe, there in prey
            if any(abs(p.x - there.x) + abs(p.y - there.y) < 1600 for p in way)
        ]
        return sum(self.captain.bomb * bombs * hull.many * foe.worth for foe in hit)


def _grouped(seen: Report) -> list[Hull]:
    """The enemy's vessels; of a squadron the first, for all of it."""
    cards: dict[str, list[Enemy]] = {}
    for foe in seen.contacts:
        if foe.kind == "vessel" and foe.state != "wreck":
            cards.setdefault(foe.card, []).append(foe)
    return [of_enemy(mates[0], len(mates)) for mates in cards.values()]


def _lying(seen: Report) -> list[tuple[str, str, Pose]]:
    """Enemies where they lie now, and all wrecks: name, sheet and place."""
    rows: list[Enemy | OwnVessel] = [c for c in seen.contacts if c.kind == "vessel"]
    rows += [u for u in seen.units if u.kind == "vessel" and u.state == "wreck"]
    return [(row.id, row.sheet, Pose(row.x, row.y, row.heading)) for row in rows]


def _run(foe: Hull, part: int) -> Pose:
    """Where an enemy will be after his move, or after so much of it, if he goes straight on."""
    spans: Mapping[str, tuple[int, int]] = dict(
        zip(SETTINGS, telegraph(hulls.column(sheets()[foe.sheet])), strict=False)
    )
    low, high = spans.get(foe.setting, (0, 0))
    astern = -1 if foe.setting == "reverse" else 1
    return plane.ahead(foe.pose, astern * (low + high) // 2 // part)


def _apart(spot: Pose, goal: Point) -> int:
    return plane.root(plane.square((spot.x, spot.y), goal))


def candidates(how: Sailing, few: bool) -> Iterator[list[Step]]:
    """Straight on and turns of up to 90 degrees either way, at the most of the setting; fewer at
    the middle and the least of it. few: only at the most, turning first."""
    if how.high == 0:
        yield []
        return
    if how.astern:
        yield [Step(0, how.high)]
        return
    lengths = (how.high,) if few else (how.high, (how.low + how.high) // 2, how.low)
    for length in dict.fromkeys(lengths):
        if length:
            yield [Step(0, length)]
        for angle in _TURNS if length == how.high and not few else _FEW_TURNS:
            arc = plane.arc_length(angle, how.eighth) if how.eighth else 99999
            if arc > length:
                continue
            rest = [Step(0, (length - arc) // 10 * 10)] if length - arc >= 10 else []
            if arc + sum(s.length for s in rest) >= how.low:
                for side in (1, -1):
                    yield [Step(side * angle, 0), *rest]
                    if rest and length == how.high and not few:
                        yield [*rest, Step(side * angle, 0)]


def _bad(cls: str, trait: str, down: bool, thing: Terrain) -> bool:
    """What can stop a vessel of that kind."""
    if thing.solid:
        return thing.high or trait not in ("flying", "aerial")
    if trait in ("flying", "aerial", "skimmer"):
        return False
    deep = {"D": 0, "C": 1, "B": 2}[cls] + down
    return deep >= 1 if thing.kind == "shallow" else deep >= 2
