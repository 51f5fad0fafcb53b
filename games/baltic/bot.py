"""Bots: they manoeuvre by trying courses, and fire where most dice fall."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct, convert

from games.baltic import courses, hulls
from games.baltic import verbs as v
from games.baltic.check import sailing_of
from games.baltic.courses import Sailing, Step
from games.baltic.report import Enemy, OwnVessel, Report
from games.baltic.tables import SETTINGS, Setting, Terrain, plan, sheets, size, terrain, weapons
from games.baltic.verbs import GRAMMAR
from orders.rows import Point as Spot
from pbem.kit import bots, plane
from pbem.kit.plane import Point, Pose
from pbem.model import Side

WISHED = {"B": 14000, "C": 11000, "D": 7000}
"""The range at which a bot fights, by class."""
_EDGE = 2500
PLACES: Sequence[Literal["first", "last"]] = ("first", "first", "last")
PICKS: Sequence[Literal["best", "weakest"]] = ("best", "best", "weakest")


class Course(Struct, frozen=True):
    """A course that a bot thinks of."""

    steps: list[Step]
    end: Pose
    score: int


def orders(side: Side, report: Mapping[str, object], luck: str) -> str:
    """The orders of a side, from its report alone."""
    seen = convert(report, Report)
    return bots.written(Bot(seen, bots.Luck(luck), side).lines(), GRAMMAR)


class Bot:
    """One side in one window."""

    def __init__(self, seen: Report, luck: bots.Luck, side: Side) -> None:
        self.seen, self.luck, self.side = seen, luck, side
        self.foes = [c for c in seen.contacts if c.kind == "vessel" and c.state != "wreck"]
        self.map = terrain(seen.board.map)

    def lines(self) -> bots.Lines:
        """By the stage of the window."""
        stage = self.seen.board.stage
        if stage == "deploy":
            yield from self.deploying()
        if stage in ("planning", "all"):
            yield from self.planning()
        if stage in ("orders", "all"):
            yield from self.acting()

    # Set-up and planning

    def deploying(self) -> bots.Lines:
        """A little north or south of the usual place, and a bid where one is asked for."""
        _, south, _, north = self.seen.board.zone
        for ship in self.actors():
            if not bots.may(self.seen.menu, ship.id, "deploy"):
                continue
            shift = (self.luck.of(f"deploy {ship.id}", 7) - 3) * 1000
            y = ship.y + shift
            if shift and south + 2000 <= y <= north - 2000:
                heading = courses.degrees(ship.heading)
                yield ship.id, v.Deploy(Spot(_inches(ship.x), _inches(y)), heading)
        if bots.may(self.seen.menu, self.side.upper(), "bid"):
            yield self.side.upper(), v.Bid(1, where="last")

    def planning(self) -> bots.Lines:
        """Telegraph, hull, bid."""
        pool, left = self.seen.board.pool, self.seen.turns - self.seen.turn + 1
        if pool:
            most = max(1, min(pool, pool // max(1, left) + 1))
            bid = 1 + self.luck.of(f"bid {self.seen.turn}", most)
            where = self.luck.choice(f"where {self.seen.turn}", PLACES)
            yield self.side.upper(), v.Bid(min(bid, pool), where=where)
        for ship in self.actors():
            choices = bots.values(self.seen.menu, ship.id, "speed", "setting")
            if choices:
                yield ship.id, v.Speed(self.setting(ship, list(choices)))
            near, coin = self.nearest(ship), self.luck.of(f"trim {ship.id} {self.seen.turn}", 2)
            if bots.may(self.seen.menu, ship.id, "down") and near < 24000 and coin:
                yield ship.id, v.Down()
            if bots.may(self.seen.menu, ship.id, "up") and (near > 20000 or coin):
                yield ship.id, v.Up()

    def setting(self, ship: OwnVessel, choices: list[str]) -> Setting:
        """Fast while far, slower in the fight; off the shoals in Reverse."""
        if ship.state == "aground":
            return "reverse" if "reverse" in choices else _setting(choices[0])
        cls = sheets()[ship.sheet].cls
        wished = "full" if self.nearest(ship) > WISHED[cls] + 6000 or cls == "D" else "half"
        if self.runs(ship) or sheets()[ship.sheet].trait == "carrier":
            wished = "flank"
        want = _place(wished)
        ahead = [c for c in choices if _place(c) >= _place("crawl")] or choices
        return _setting(min(ahead, key=lambda c: abs(_place(c) - want)))

    def runs(self, ship: OwnVessel) -> bool:
        """Must she break through over an edge?"""
        way = plan(self.seen.scenario).exit
        return way is not None and way.side == self.side

    def actors(self) -> Iterator[OwnVessel]:
        """Ships of the line and squadrons."""
        for unit in self.seen.units:
            single = unit.kind == "vessel" and unit.id == unit.card
            if (unit.kind == "squadron" or single) and unit.state != "wreck":
                yield unit

    def nearest(self, ship: OwnVessel) -> int:
        """Mils to the nearest enemy."""
        return min((_apart(ship, foe) for foe in self.foes), default=99000)

    # Activations

    def acting(self) -> bots.Lines:
        """Stack, courses, fire, aeroplanes."""
        ships = list(self.actors())
        order = sorted(ships, key=self.nearest)
        if order:
            yield self.side.upper(), v.Stack(tuple(s.id for s in order))
        yield from self.cards(order)
        taken: list[Point] = []
        for ship in order:
            yield from self.sail(ship, taken)
            yield from self.fight(ship)
        for marker in self.seen.units:
            if marker.kind == "marker":
                yield from self.fly(marker)

    def cards(self, order: list[OwnVessel]) -> bots.Lines:
        """A big ship in reserve, and a squadron that may dash."""
        seat = self.side.upper()
        held = bots.values(self.seen.menu, seat, "reserve", "card")
        if held and self.luck.of(f"reserve {self.seen.turn}", 2):
            yield seat, v.Reserve(order[-1].id)
            yield seat, "if enemy cards left under 2 then play reserve"
        small = bots.values(self.seen.menu, seat, "dash", "card")
        if small and self.luck.of(f"dash {self.seen.turn}", 2):
            yield seat, f"if round at least 2 then dash {small[-1]}"
        for ship in order:
            sheet = sheets()[ship.sheet]
            if sheet.cls == "B" and bots.may(self.seen.menu, ship.id, "choose"):
                yield ship.id, v.Choose("marines", "bridge", "rudder")
            if ship.damage and bots.may(self.seen.menu, ship.id, "repair"):
                spend = 3 if self.seen.board.pool > 8 else 0
                yield ship.id, v.Repair("fire", "engine", "rudder", "weapon", spend=spend)

    def sail(self, ship: OwnVessel, taken: list[Point]) -> bots.Lines:
        """The best of many courses."""
        if bots.may(self.seen.menu, ship.id, "glide"):
            yield from self.glide(ship)
            return
        if not bots.may(self.seen.menu, ship.id, "move"):
            return
        how = sailing_of(ship)
        if how.high == 0:
            return
        courses_found = [self.judged(ship, how, steps, taken) for steps in _candidates(how)]
        best = max(courses_found, key=lambda c: c.score)
        taken.append((best.end.x, best.end.y))
        goal = self.rammed(ship)
        if goal:
            yield ship.id, v.Force(goal)
        if best.steps:
            yield ship.id, v.Move(tuple(_leg(step) for step in best.steps))

    def rammed(self, ship: OwnVessel) -> str:
        """Destroyers ram cripples that are near."""
        if not bots.may(self.seen.menu, ship.id, "force") or sheets()[ship.sheet].cls != "D":
            return ""
        prey = [f for f in self.foes if f.state == "crippled" and _apart(ship, f) < 9000]
        return (
            prey[0].id if prey and self.luck.of(f"ram {ship.id} {self.seen.turn}", 4) == 0 else ""
        )

    def judged(
        self, ship: OwnVessel, how: Sailing, steps: list[Step], taken: list[Point]
    ) -> Course:
        """A course and its worth: no ground, no edge, the wished range, guns that bear."""
        start = Pose(ship.x, ship.y, ship.heading)
        end = courses.end(start, steps, how)
        score = 0
        for mils in range(0, courses.total(steps, how.eighth) + 1, 1500):
            score -= self.danger(ship, courses.at(start, steps, how, mils))
        score -= self.danger(ship, end) * 3
        ahead = plane.ahead(end, 6000)
        score -= self.danger(ship, ahead) // 2
        for x, y in taken:
            gap = plane.root(plane.square((x, y), (end.x, end.y)))
            score -= max(0, 5000 - gap) // 2
        score += self.wishes(ship, end) + self.bombed(ship, steps, how)
        return Course(steps, end, score)

    def danger(self, ship: OwnVessel, pose: Pose) -> int:
        """What lies in the way of a hull there."""
        table, sheet = size(), sheets()[ship.sheet]
        found = 0
        free = self.runs(ship)
        if not _EDGE <= pose.y <= table.height - _EDGE or pose.x < _EDGE:
            found += 20000
        if pose.x > table.width - _EDGE and not free:
            found += 20000
        shape = plane.corners(pose, *(3 * n // 2 for n in hulls.footprint_of(sheet)))
        for thing in self.map:
            if _bad(sheet.cls, sheet.trait, ship.down, thing) and hulls.on(shape, thing):
                found += 30000 if thing.solid else 12000
        return found

    def wishes(self, ship: OwnVessel, end: Pose) -> int:
        """Towards the goal of the scenario, and the wished range to the nearest enemy, broadside
        on."""
        scenario, sheet = plan(self.seen.scenario), sheets()[ship.sheet]
        score = 0
        if self.runs(ship):
            score += end.x * 2
        if scenario.hold and sheet.capital:
            spot = (scenario.hold.x * 1000, scenario.hold.y * 1000)
            away = plane.root(plane.square(spot, (end.x, end.y)))
            late = self.seen.turn * 2 > self.seen.turns
            score -= max(0, away - 5000) * (2 if late else 1) // 2
        if self.foes:
            foe = min(self.foes, key=lambda f: plane.square((f.x, f.y), (end.x, end.y)))
            away = plane.root(plane.square((foe.x, foe.y), (end.x, end.y)))
            if sheet.trait == "carrier":
                return score + 2 * min(away, 60000)
            score -= abs(away - self.wished(ship)) * (1 if not self.runs(ship) else 0)
            bearing = plane.relative(plane.bearing((end.x, end.y), (foe.x, foe.y)), end.heading)
            tubes = any(w.kind in ("torp", "beam", "rocket") for w in weapons(ship.sheet))
            wished = 0 if sheet.cls == "D" or (tubes and away < 18000) else 1200
            score -= abs(abs(bearing) - wished)
        return score + self.luck.of(f"{ship.id} {end.x} {end.y}", 400)

    def wished(self, ship: OwnVessel) -> int:
        """The range at which she fights: torpedo craft near, cripples far off."""
        sheet = sheets()[ship.sheet]
        return 24000 if ship.state == "crippled" else WISHED[sheet.cls]

    def bombed(self, ship: OwnVessel, steps: list[Step], how: Sailing) -> int:
        """Enemies on the water that a flying ship with bombs passes over."""
        if not sheets()[ship.sheet].flies or all(w.kind != "bomb" for w in weapons(ship.sheet)):
            return 0
        start = Pose(ship.x, ship.y, ship.heading)
        prey = [f for f in self.foes if not sheets()[f.sheet].flies and f.state != "wreck"]
        crossed: set[str] = set()
        for mils in range(0, courses.total(steps, how.eighth) + 1, 700):
            spot = courses.at(start, steps, how, mils)
            for foe in prey:
                if plane.square((spot.x, spot.y), (foe.x, foe.y)) < 1200 * 1200:
                    crossed.add(foe.id)
        return sum(9000 if sheets()[name_sheet(prey, name)].capital else 3000 for name in crossed)

    def glide(self, ship: OwnVessel) -> bots.Lines:
        """Over an enemy on the water, ten inches away and more."""
        here = (ship.x, ship.y)
        ends: list[tuple[int, Pose]] = []
        for angle in range(0, plane.CIRCLE, 240):
            for length in (10100, 13000, 16000, 19900):
                spot = plane.ahead(Pose(ship.x, ship.y, angle), length)
                score = -self.danger(ship, spot)
                for foe in self.foes:
                    crossed = plane.range_to((foe.x, foe.y), here, (spot.x, spot.y)) < 1200
                    if crossed and not sheets()[foe.sheet].flies:
                        score += 4000
                if self.runs(ship):
                    score += spot.x // 4
                near = min((_away(spot, foe) for foe in self.foes), default=0)
                ends.append((score - near // 8, spot))
        _, best = max(ends, key=lambda e: (e[0], e[1].x, e[1].y))
        x, y = max(0, best.x), max(0, best.y)
        heading = best.heading // 8 * 8
        yield ship.id, v.Glide(Spot(_inches(x), _inches(y)), courses.degrees(heading))

    def fight(self, ship: OwnVessel) -> bots.Lines:
        """Torpedoes and beams where they bear, troopers when near, then every gun."""
        menu = self.seen.menu
        for weapon in bots.values(menu, ship.id, "torpedo", "weapon"):
            if self.nearest(ship) < 18000:
                yield ship.id, v.Torpedo(weapon)
        for weapon in bots.values(menu, ship.id, "beam", "weapon"):
            foe = self.closest(ship)
            if foe:
                yield ship.id, v.Beam(weapon, at=foe.id)
        for markers in [bots.values(menu, ship.id, "launch", "markers")]:
            if markers:
                first = self.luck.choice(f"launch {ship.id}", ["KF", "KB", "KT"])
                order = sorted(markers, key=lambda m: (not m.startswith(first), m))
                yield ship.id, v.Launch(tuple(order[:4]))
                return
        for name in bots.values(menu, ship.id, "board", "contact"):
            near = next((f for f in self.foes if f.id == name), None)
            if near and _apart(ship, near) < 9000 and ship.ram:
                yield ship.id, v.Board(name, ship.ram)
                break
        if bots.may(menu, ship.id, "fire"):
            pick = self.luck.choice(f"pick {self.seen.turn} {ship.id}", PICKS)
            yield ship.id, v.Fire("ALL", pick=pick)

    def closest(self, ship: OwnVessel) -> Enemy | None:
        """The nearest enemy."""
        return min(self.foes, key=lambda f: _apart(ship, f), default=None)

    def fly(self, marker: OwnVessel) -> bots.Lines:
        """Fighters guard or hunt, bombers attack and come home for more."""
        menu = self.seen.menu
        if marker.type != "fighter squadron" and marker.loads == 0:
            if bots.may(menu, marker.id, "home"):
                yield marker.id, v.Home()
            return
        targets = bots.values(menu, marker.id, "attack", "contact")
        if not targets:
            return
        known = {c.id: c for c in self.seen.contacts}
        big = sorted(
            (known[t] for t in targets if t in known),
            key=lambda c: (c.kind != "vessel" or sheets()[c.sheet].cls == "D", _apart(marker, c)),
        )
        guards = bots.values(menu, marker.id, "escort", "marker")
        if marker.type == "fighter squadron":
            planes = [c for c in big if c.kind == "marker"]
            flying = [c for c in big if c.kind == "vessel" and sheets()[c.sheet].flies]
            if bots.may(menu, marker.id, "break") and planes:
                yield marker.id, v.Break()
            elif planes or flying:
                yield marker.id, v.Attack((planes or flying)[0].id)
            elif guards and marker.at == "air" and self.luck.of(f"guard {marker.id}", 2):
                yield marker.id, v.Escort(guards[0])
            elif bots.may(menu, marker.id, "cap") and marker.at == "air":
                ships = bots.values(menu, marker.id, "cap", "ship")
                if ships and not bots.may(menu, marker.id, "break"):
                    yield marker.id, v.Cap(ships[0])
            return
        if big:
            yield marker.id, v.Attack(big[0].id)


def _place(setting: str) -> int:
    return [str(one) for one in SETTINGS].index(setting)


def _setting(word: str) -> Setting:
    return SETTINGS[_place(word)]


def name_sheet(foes: list[Enemy], name: str) -> str:
    """The sheet of an enemy."""
    return next(foe.sheet for foe in foes if foe.id == name)


def _candidates(how: Sailing) -> Iterator[list[Step]]:
    """Turns of up to 90 degrees either way, at the least and the most of the setting."""
    if how.astern:
        yield [Step(0, how.high)]
        return
    for length in dict.fromkeys((how.high, (how.low + how.high) // 2, how.low)):
        if length:
            yield [Step(0, length)]
        for angle in (240, 480, 720, 1080, 1440):
            arc = plane.arc_length(angle, how.eighth) if how.eighth else 99999
            if arc <= length:
                rest = [Step(0, (length - arc) // 10 * 10)] if length - arc >= 10 else []
                if arc + sum(s.length for s in rest) >= how.low:
                    for side in (1, -1):
                        yield [Step(side * angle, 0), *rest]
                        if rest:
                            yield [*rest, Step(side * angle, 0)]


def _leg(step: Step) -> v.Leg:
    """A step as it is written."""
    if step.turn:
        return v.Leg("starboard" if step.turn > 0 else "port", courses.degrees(abs(step.turn)))
    return v.Leg("ahead", _inches(step.length))


def _inches(mils: int) -> str:
    """Canonical inches: no zeros at the end."""
    text = courses.inches(mils // 10 * 10)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _bad(cls: str, trait: str, down: bool, thing: Terrain) -> bool:
    """What can stop a vessel of that kind."""
    if thing.solid:
        return thing.high or trait not in ("flying", "aerial")
    if trait in ("flying", "aerial", "skimmer"):
        return False
    deep = {"D": 0, "C": 1, "B": 2}[cls] + down
    return deep >= 1 if thing.kind == "shallow" else deep >= 2


def _apart(one: OwnVessel, other: Enemy) -> int:
    return plane.root(plane.square((one.x, one.y), (other.x, other.y)))


def _away(spot: Pose, foe: Enemy) -> int:
    return plane.root(plane.square((spot.x, spot.y), (foe.x, foe.y)))
