"""Bots: captains who try courses (bot_helm.py), gunners who fire where most dice fall, airmen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import convert

from games.baltic import courses
from games.baltic import verbs as v
from games.baltic.berths import Berth, barred
from games.baltic.bot_gunnery import Hull, bearing, in_lane, of_own
from games.baltic.bot_helm import BOTS, PLAIN, Helm, Manner
from games.baltic.check import berths_of
from games.baltic.courses import Step
from games.baltic.report import Enemy, OwnVessel, Report
from games.baltic.tables import SETTINGS, Setting, distances, footprint, seas, sheets, weapons
from games.baltic.verbs import GRAMMAR
from orders.rows import Point as Spot
from pbem.kit import bots, plane
from pbem.kit.plane import Pose
from pbem.model import Side

_TORPEDO_RUN = 24000
"""From how far torpedo bombers attack: their flight, and most of their torpedoes' run."""
PLACES: Sequence[Literal["first", "last"]] = ("first", "first", "last")


def orders(side: Side, report: Mapping[str, object], luck: str) -> str:
    """The orders of a side, from its report alone."""
    return bots.written(lines(side, report, luck), GRAMMAR)


def lines(
    side: Side, report: Mapping[str, object], luck: str, manner: Manner = PLAIN
) -> bots.Lines:
    """The same as lines."""
    seen = convert(report, Report, from_attributes=True)
    return Bot(seen, bots.Luck(luck), side, manner).lines()


class Bot:
    """One side in one window."""

    def __init__(self, seen: Report, luck: bots.Luck, side: Side, manner: Manner = PLAIN) -> None:
        self.seen, self.luck, self.side, self.manner = seen, luck, side, manner
        self.foes = [c for c in seen.contacts if c.kind == "vessel" and c.state != "wreck"]
        self.helm = Helm(seen, side, manner)
        self.set: dict[str, str] = {}
        """Settings ordered in this set."""
        self.ends: dict[str, Pose] = {}
        """Where own ships will end their moves, as far as they have been thought of."""

    def lines(self) -> bots.Lines:
        """Those orders of the window's stage that its menu offers."""
        for actor, order in self.wishes():
            if isinstance(order, str) or not bots.unoffered(
                [(actor, order)], self.seen.menu, GRAMMAR
            ):
                yield actor, order

    def wishes(self) -> bots.Lines:
        """By the stage of the window."""
        stage = self.seen.board.stage
        if stage == "buy":
            yield from self.buying()
        if stage in ("deploy", "bid"):
            yield from self.deploying()
        if stage in ("planning", "all"):
            yield from self.planning()
        if stage in ("stack", "orders", "air", "all"):
            yield from self.acting()

    # Set-up and planning

    def buying(self) -> bots.Lines:
        """A ship of the line, and what chance adds to her, for all the points."""
        board = self.seen.board
        goods = sorted(board.market, key=lambda price: self.luck.of(f"buy {price.id}", 1000))
        cheap = min(price.points for price in goods)
        left, bought = board.purse, list[str]()
        for price in sorted(goods, key=lambda price: not price.capital):
            most = left - cheap * max(0, board.least - len(bought) - 1)
            if price.points <= most and (price.capital <= (len(bought) < board.least // 2)):
                bought.append(price.id)
                left -= price.points
        for price in goods:
            if price.id not in bought and price.points <= left:
                bought.append(price.id)
                left -= price.points
        if len(bought) >= board.least:
            yield self.side.upper(), v.Buy(tuple(bought))

    def deploying(self) -> bots.Lines:
        """Closer together than the usual places, a little north or south of them, and a bid where
        one is asked for."""
        south, north = self.seen.board.zone[1], self.seen.board.zone[3]
        middle, taken = (south + north) // 2, list[Berth]()
        for unit in self.seen.units:
            if unit.placed:
                taken += berths_of(unit, Pose(unit.x, unit.y, unit.heading))
        for ship in self.actors():
            shift = (self.luck.of(f"deploy {ship.id}", 5) - 2) * 500
            for close in (BOTS.value("fleet.close"), 0.75, 1.0):
                y = middle + int((ship.y - middle) * close) // 10 * 10 + shift
                there = berths_of(ship, Pose(ship.x, y, ship.heading))
                if south <= y <= north and not self.barred(ship, there, taken):
                    taken += there
                    heading = courses.degrees(ship.heading)
                    yield ship.id, v.Deploy(Spot(_inches(ship.x), _inches(y)), heading)
                    break
        yield self.side.upper(), v.Bid(1, where="last")

    def barred(self, ship: OwnVessel, there: list[Berth], taken: list[Berth]) -> str:
        """215 Why she cannot begin there; empty if she can."""
        board = self.seen.board
        return barred(there, board.zone, seas()[board.map], ship.shuns, taken)

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
            yield from self.trim(ship)

    def trim(self, ship: OwnVessel) -> bots.Lines:
        """Hull down where that saves more than it costs."""
        ways = [w for w in ("down", "up") if bots.may(self.seen.menu, ship.id, w)]
        if not ways:
            return
        worth = {}
        for down in (False, True):
            hull = self.hull(ship)
            hull.down, hull.setting = down, "half"
            worth[down] = self.helm.prospects(hull, plane.ahead(hull.pose, 4000))
        wished = worth[True] > worth[False]
        if wished != ship.down:
            yield ship.id, v.Down() if wished else v.Up()

    def setting(self, ship: OwnVessel, choices: list[str]) -> Setting:
        """That of the best course; off the shoals in Reverse, and slower where a hull ahead stops
        her, until she backs away from it."""
        if ship.state == "aground" and "reverse" in choices:
            return "reverse"
        hull = self.hull(ship)
        if self.helm.blocked(hull, plane.ahead(hull.pose, 1000)):
            self.set[ship.id] = choices[0]
            return _setting(choices[0])
        ahead = [c for c in choices if _place(c) >= _place("stop")] or choices
        spans = [span for span in ship.spans if span.setting in ahead]
        found = self.helm.best(ship, hull, spans, few=True).setting
        self.set[ship.id] = found if found in choices else choices[0]
        return _setting(self.set[ship.id])

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
        sign = -1 if self.manner.last else 1
        order = sorted(ships, key=lambda ship: (not _bombs(ship), sign * self.nearest(ship)))
        if order:
            yield self.side.upper(), v.Stack(tuple(s.id for s in order))
        yield from self.cards(order)
        told = {ship.id: list(self.sail(ship)) for ship in order}
        for ship in order:
            yield from told[ship.id]
            yield from self.fight(ship)
        for marker in self.seen.units:
            if marker.kind == "marker":
                yield from self.fly(marker)

    def cards(self, order: list[OwnVessel]) -> bots.Lines:
        """A big ship in reserve, and a squadron that may dash."""
        seat = self.side.upper()
        held, aside = bots.values(self.seen.menu, seat, "reserve", "card"), ""
        if held and self.luck.of(f"reserve {self.seen.turn}", 2):
            aside = order[-1].id
            yield seat, v.Reserve(aside)
            yield seat, "if enemy cards left under 2 then play reserve"
        dashing = bots.values(self.seen.menu, seat, "dash", "card")
        small = [name for name in dashing if name != aside]
        if small and self.luck.of(f"dash {self.seen.turn}", 2):
            yield seat, f"if round at least 2 then dash {small[-1]}"
        for ship in order:
            sheet = sheets()[ship.sheet]
            if sheet.cls == "B" and bots.may(self.seen.menu, ship.id, "choose"):
                yield ship.id, v.Choose("marines", "bridge", "rudder")
            if ship.damage and bots.may(self.seen.menu, ship.id, "repair"):
                spend = 3 if self.seen.board.pool > 8 else 0
                yield ship.id, v.Repair("fire", "engine", "rudder", "weapon", spend=spend)

    def sail(self, ship: OwnVessel) -> bots.Lines:
        """The best of many courses."""
        if bots.may(self.seen.menu, ship.id, "glide"):
            yield from self.glide(ship)
            return
        if not bots.may(self.seen.menu, ship.id, "move"):
            return
        setting = self.set.get(ship.id, ship.setting)
        spans = [span for span in ship.spans if span.setting == setting]
        best = self.helm.best(ship, self.hull(ship), spans)
        self.helm.taken.append((best.end.x, best.end.y))
        self.ends[ship.id] = best.end
        goal = self.rammed(ship)
        if goal:
            yield ship.id, v.Force(goal)
        if best.steps:
            yield ship.id, v.Move(tuple(_leg(step) for step in best.steps))

    def hull(self, ship: OwnVessel) -> Hull:
        """A ship, or the flagship of a squadron for all its vessels."""
        mates = [u for u in self.seen.units if u.card == ship.id and u.kind == "vessel"]
        afloat = [u for u in mates if u.state != "wreck"]
        hull = of_own(ship, max(1, len(afloat)))
        hull.mates = tuple((u.x - ship.x, u.y - ship.y) for u in afloat)
        return hull

    def rammed(self, ship: OwnVessel) -> str:
        """Destroyers ram cripples that are near."""
        if not bots.may(self.seen.menu, ship.id, "force") or sheets()[ship.sheet].cls != "D":
            return ""
        prey = [f for f in self.foes if f.state == "crippled" and _apart(ship, f) < 9000]
        return (
            prey[0].id if prey and self.luck.of(f"ram {ship.id} {self.seen.turn}", 4) == 0 else ""
        )

    def glide(self, ship: OwnVessel) -> bots.Lines:
        """Over an enemy on the water, ten inches away and more, the bow at the best target."""
        hull, ends = self.hull(ship), []
        things = self.helm.near(ship, 20000)
        bombs = sum(w.fp for w in weapons(ship.sheet) if w.kind == "bomb")
        for angle in range(0, plane.CIRCLE, 240):
            for length in (10100, 14500, 19900):
                spot = plane.ahead(Pose(ship.x, ship.y, angle), length)
                way = [
                    plane.ahead(Pose(ship.x, ship.y, angle), mils)
                    for mils in range(700, length, 700)
                ]
                helm = self.helm
                score = helm.prospects(hull, spot) + helm.sought(hull, spot)
                score += helm.crossed(hull, bombs, way) - helm.hazards(hull, spot, things)
                ends.append((score, spot))
        _, best = max(ends, key=lambda e: (e[0], e[1].x, e[1].y))
        x, y = max(0, best.x), max(0, best.y)
        heading = best.heading // 8 * 8
        self.helm.taken.append((x, y))
        yield ship.id, v.Glide(Spot(_inches(x), _inches(y)), courses.degrees(heading))

    def fight(self, ship: OwnVessel) -> bots.Lines:
        """Torpedoes where no friend lies in their way, beams, troopers when near, every gun."""
        menu = self.seen.menu
        for weapon in bots.values(menu, ship.id, "torpedo", "weapon"):
            if self.nearest(ship) < 24000 and not self.fouled(ship):
                yield ship.id, v.Torpedo(weapon)
        bow = self.ends.get(ship.id, Pose(ship.x, ship.y, ship.heading))
        chances = self.helm.chances(self.hull(ship), bow)
        for weapon in bots.values(menu, ship.id, "beam", "weapon"):
            if weapon in chances:
                yield ship.id, v.Beam(weapon, at=chances[weapon])
        markers = bots.values(menu, ship.id, "launch", "markers")
        if markers:
            order = sorted(markers, key=lambda m: ("TBF".index(m[1]), m))
            yield ship.id, v.Launch(tuple(order[:4]))
            return
        for name in bots.values(menu, ship.id, "board", "contact"):
            near = next((f for f in self.foes if f.id == name), None)
            if near and _apart(ship, near) < 9000 and ship.ram:
                yield ship.id, v.Board(name, ship.ram)
                break
        if bots.may(menu, ship.id, "fire") and self.nearest(ship) < 40000:
            aims: Mapping[str, int] = {k: BOTS.value(f"aim.{k}") for k in ("best", "weakest")}
            drawn = self.luck.weighted(f"pick {self.seen.turn} {ship.id}", aims)
            pick = self.manner.aim or drawn
            yield ship.id, v.Fire("ALL", pick="weakest" if pick == "weakest" else "best")

    def fouled(self, ship: OwnVessel) -> bool:
        """Does a friend lie where her torpedoes would run?"""
        wide = footprint("torpedo")[0] // 2 + 2000
        mates = [u for u in self.actors() if u.id != ship.id and not sheets()[u.sheet].flies]
        bow = self.ends.get(ship.id, Pose(ship.x, ship.y, ship.heading))
        ends = [self.ends.get(u.id, Pose(u.x, u.y, u.heading)) for u in mates]
        return any(in_lane(bow, end, wide) for end in ends)

    def fly(self, marker: OwnVessel) -> bots.Lines:
        """Fighters guard or hunt, bombers attack and come home for more."""
        menu = self.seen.menu
        if marker.type != "fighter squadron" and marker.loads == 0:
            if bots.may(menu, marker.id, "home"):
                yield marker.id, v.Home()
            return
        targets = bots.values(menu, marker.id, "attack", "contact")
        known = {c.id: c for c in self.seen.contacts}
        big = sorted(
            (known[t] for t in targets if t in known and known[t].kind != "squadron"),
            key=lambda c: (c.kind != "vessel" or sheets()[c.sheet].cls == "D", _apart(marker, c)),
        )
        if marker.type == "fighter squadron":
            yield from self.hunt(marker, big)
            return
        if not big:
            return
        far = _apart(marker, big[0])
        if marker.type == "torpedo bombers" and marker.at == "air" and far > _TORPEDO_RUN:
            here = Pose(marker.x, marker.y, 0)
            way = bearing(here, Pose(big[0].x, big[0].y, 0))
            spot = plane.ahead(Pose(marker.x, marker.y, way), far - _TORPEDO_RUN // 2)
            yield marker.id, v.Fly((Spot(_inches(max(0, spot.x)), _inches(max(0, spot.y))),))
        else:
            yield marker.id, v.Attack(big[0].id, load="all" if marker.loads > 1 else "")

    def hunt(self, marker: OwnVessel, big: list[Enemy]) -> bots.Lines:
        """Fighters meet what flies near, else guard bombers or a ship; a patrol that nothing comes
        to is broken off."""
        menu, lot = self.seen.menu, self.luck.of(f"hunt {marker.id} {self.seen.turn}", 3)
        planes = [c for c in big if c.kind == "marker"]
        flying = [c for c in big if c.kind == "vessel" and sheets()[c.sheet].flies]
        guards = bots.values(menu, marker.id, "escort", "marker")
        ships = bots.values(menu, marker.id, "cap", "ship")
        if bots.may(menu, marker.id, "break"):
            if lot == 0:
                yield marker.id, v.Break()
        elif planes and _apart(marker, planes[0]) < distances().fighter:
            yield marker.id, v.Attack(planes[0].id)
        elif guards and marker.at == "air" and lot == 1:
            yield marker.id, v.Escort(guards[0])
        elif ships and marker.at == "air" and lot == 2:
            yield marker.id, v.Cap(ships[0])
        elif planes or flying:
            yield marker.id, v.Attack((planes or flying)[0].id)


def _bombs(ship: OwnVessel) -> bool:
    """Does she carry bombs, which fall best before the enemy has moved?"""
    return any(weapon.kind == "bomb" for weapon in weapons(ship.sheet))


def _place(setting: str) -> int:
    return [str(one) for one in SETTINGS].index(setting)


def _setting(word: str) -> Setting:
    return SETTINGS[_place(word)]


def _leg(step: Step) -> v.Leg:
    """A step as it is written."""
    if step.turn:
        return v.Leg("starboard" if step.turn > 0 else "port", courses.degrees(abs(step.turn)))
    return v.Leg("ahead", _inches(step.length))


def _inches(mils: int) -> str:
    """Canonical inches: no zeros at the end."""
    text = courses.inches(mils // 10 * 10)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _apart(one: OwnVessel, other: Enemy) -> int:
    return plane.root(plane.square((one.x, one.y), (other.x, other.y)))
