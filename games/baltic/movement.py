"""3.1 Movement: a card's vessels sail their legs, and meet what lies in the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from msgspec import Struct

from games.baltic import collisions, courses, hulls
from games.baltic import events as ev
from games.baltic import verbs as v
from games.baltic.courses import Sailing, Step
from games.baltic.state import Card, Vessel, War
from games.baltic.tables import Terrain, distances, plan, size
from orders.book import Book, Facts
from pbem.kit import plane
from pbem.kit.plane import Point, Pose
from pbem.model import TableLike

ROUNDING = 1
"""Mils by which a point so far ahead may lie nearer or further off, as products are rounded."""
ABEAM = 2200
"""166 Mils between the middles of aerial corvettes that fly side by side."""
HUNDREDTH = 10
"""Mils in a hundredth of an inch, the least that is told."""


class Track(Struct):
    """A move under way."""

    start: Pose
    steps: list[Step]
    how: Sailing
    way: tuple[Point, ...] = ()
    """Aerial corvettes glide from point to point instead of sailing legs (44)."""
    heading: int = 0
    """Where their bows point then."""
    halted: bool = False
    """65 It ended on something solid."""

    @property
    def length(self) -> int:
        """Mils of the whole move."""
        if not self.way:
            return courses.total(self.steps, self.how.eighth)
        return courses.way_length((self.start.x, self.start.y), self.way)

    def at(self, mils: int) -> Pose:
        """Where she is after so much of it."""
        if not self.way:
            return courses.at(self.start, self.steps, self.how, mils)
        here, left = (self.start.x, self.start.y), mils
        for there in self.way:
            whole = plane.root(plane.square(here, there))
            if left < whole:
                x = here[0] + (there[0] - here[0]) * left // whole
                y = here[1] + (there[1] - here[1]) * left // whole
                return Pose(x, y, self.heading)
            here, left = there, left - whole
        return Pose(*here, self.heading)


def sailing(war: War, vessel: Vessel, setting: str = "") -> Sailing:
    """39-43, 150 What she can do this turn, or would at another setting."""
    setting = setting or war.cards[vessel.card].setting
    wider = 1 if vessel.of.trait == "flying" and vessel.crippled else 0
    base = vessel.of.template or "S"  # aerial corvettes turn freely and have none (44)
    return courses.sailing(hulls.column(vessel.of), setting, base, wider, vessel.hit_by("rudder"))


async def activate(
    table: TableLike, war: War, card: Card, book: Book, facts: Facts
) -> dict[str, list[str]]:
    """165-167 A card's vessels move, the flagship first; enemies that each passed over (99)."""
    members = war.members(card)
    over: dict[str, list[str]] = {}
    halted = False
    flagship = members[0]
    steps = legs(table, war, flagship, book, facts)
    glide = _glide(table, war, flagship, book, facts)
    for vessel in members:
        vessel.may_fire = True
        track = _track(war, vessel, flagship, steps, glide)
        over[vessel.id] = await _sail(table, war, vessel, track)
        halted = halted or (track.halted and vessel.acts)
    if halted:
        card.setting = "stop"  # 65, B45: of a squadron when all of it have moved
    cohere(war, card)
    return over


def legs(table: TableLike, war: War, vessel: Vessel, book: Book, facts: Facts) -> list[Step]:
    """165 The legs that are ordered; without an order straight on at the least of her setting."""
    how = sailing(war, vessel)
    if vessel.aground and not how.astern:
        return []
    order = _ordered(vessel, book, facts)
    if isinstance(order, v.Move):
        return _fitted(table, vessel, [courses.leg(leg.way, leg.by) for leg in order.legs], how)
    if isinstance(order, v.Steer) and not _lost_sight(table, war, vessel, order):
        return _steered(war, vessel, order, how)
    return [Step(0, how.low)] if how.low else []


def _ordered(vessel: Vessel, book: Book, facts: Facts) -> v.Move | v.Steer | None:
    kinds: Mapping[str, type[v.Move] | type[v.Steer]] = {"move": v.Move, "steer": v.Steer}
    for actor in (vessel.id, vessel.card):
        for command in book.commands(actor, kinds, facts):
            return command.order
    return None


def _fitted(table: TableLike, vessel: Vessel, steps: list[Step], how: Sailing) -> list[Step]:
    """39, 165 Legs within what the setting allows; the rest is cut off, or added straight on."""
    found: list[Step] = []
    left, turned = how.high, 0
    for step in steps:
        turned += abs(step.turn)
        jammed = step.turn and (not how.eighth or (how.astern and turned > courses.MOST_ASTERN))
        cost = 0 if jammed else courses.cost(step, how.eighth)
        if jammed or cost > left:
            what = "her rudder allows no such turn" if jammed else "her move ended at its most"
            told = ev.Unable(rule="150" if jammed else "39", actor=vessel.id, what=what)
            table.tell([vessel.side], told)
            if not jammed and not step.turn:
                found.append(Step(0, left))
                left = 0
            break
        found.append(step)
        left -= cost
    short = how.low - (how.high - left)
    return [*found, Step(0, short)] if short > 0 else found


def _lost_sight(table: TableLike, war: War, vessel: Vessel, order: v.Steer) -> bool:
    """2.7 Is the enemy for whom she steers no longer there? Then she goes straight on."""
    if not order.contact or war.named(order.contact):
        return False
    what = f"{war.gone(order.contact)}: she goes straight on"
    table.tell([vessel.side], ev.Unable(rule="2.7", actor=vessel.id, what=what))
    return True


def _steered(war: War, vessel: Vessel, order: v.Steer, how: Sailing) -> list[Step]:
    """2.7 The helmsman's legs."""
    target: Point | None = None
    if order.contact and (meant := war.named(order.contact)):
        target = (meant[0].x, meant[0].y)
    elif order.to is not None:
        target = order.to.thousandths
    bearing = courses.units(order.course) if order.course else vessel.heading
    budget = courses.mils(order.speed) if order.speed else how.high
    return courses.steer(vessel.pose, how, target, bearing, courses.mils(order.keep or "0"), budget)


def _glide(table: TableLike, war: War, vessel: Vessel, book: Book, facts: Facts) -> Track | None:
    """44 The way of an aerial corvette, which turns as it likes: 20 inches at most, to a place 10
    inches and more from where it began."""
    if vessel.of.trait != "aerial":
        return None
    how, least, most = sailing(war, vessel), distances().aerial_least, distances().aerial_most
    here = (vessel.x, vessel.y)
    for actor in (vessel.id, vessel.card):
        if order := book.find(actor, v.Glide, facts):
            way = (*(point.thousandths for point in order.by), order.to.thousandths)
            away, length = plane.square(here, way[-1]), courses.way_length(here, way)
            if away >= least * least and length <= most:
                return Track(vessel.pose, [], how, way, courses.units(order.heading))
            what = "the point is not 10 to 20 inches away"
            table.tell([vessel.side], ev.Unable(rule="44", actor=vessel.id, what=what))
    on = plane.ahead(vessel.pose, least + ROUNDING)
    return Track(vessel.pose, [], how, ((on.x, on.y),), on.heading)


def _track(
    war: War, vessel: Vessel, flagship: Vessel, steps: list[Step], glide: Track | None
) -> Track:
    """166 Each member makes the flagship's legs from its own place; one that is out of coherency
    makes for its flagship."""
    how = sailing(war, vessel)
    if glide is not None:
        return glide if vessel is flagship else _beside(war, vessel, flagship, glide)
    if vessel is not flagship and not vessel.coherent:
        there = (flagship.x, flagship.y)
        return Track(
            vessel.pose,
            courses.steer(vessel.pose, how, there, 0, distances().coherency, how.high),
            how,
        )
    return Track(vessel.pose, steps, how)


def _beside(war: War, vessel: Vessel, flagship: Vessel, glide: Track) -> Track:
    """166 An aerial corvette keeps its place on its flagship, which has moved already. Nobody
    follows it over the edge while it is on the table itself: where that place is beyond the edge,
    or the way there, another one beside the flagship will do."""
    ways = (_towards(vessel, flagship, glide, spot) for spot in _berths(vessel, flagship))
    first = next(ways)
    if not flagship.here or _on_table(first):
        return first
    safe = [track for track in ways if _on_table(track)]
    for track in safe:
        if not any(_overlapping(war, vessel, track.at(track.length))):
            return track
    return safe[0] if safe else _inland(vessel, flagship, glide)


def _berths(vessel: Vessel, flagship: Vessel) -> Iterator[Point]:
    """166 Places beside a flagship: her own, then as near on the other side, astern and ahead, then
    further off in each of these ways."""
    number = int("".join(c for c in vessel.id if c.isdigit()) or "1")
    side, gap = 1440 if number % 2 else -1440, ABEAM * (number // 2)
    for away in (gap, gap + ABEAM):
        for turn in (side, -side, 2880, 0):
            towards = (flagship.heading + turn) % plane.CIRCLE
            spot = plane.ahead(Pose(flagship.x, flagship.y, towards), away)
            yield spot.x, spot.y


def _towards(vessel: Vessel, flagship: Vessel, glide: Track, end: Point) -> Track:
    """44 To a place, as far as the least and the most of a move allow; where there is the room by
    the same turns as the flagship."""
    least, most = distances().aerial_least, distances().aerial_most
    here = (vessel.x, vessel.y)
    east, north = vessel.x - glide.start.x, vessel.y - glide.start.y
    way = (*((x + east, y + north) for x, y in glide.way[:-1]), end)
    away = plane.square(here, end)
    if away < least * least or courses.way_length(here, way) > most:
        way = (end,)
    if not least * least <= away <= most * most:
        length = least + ROUNDING if away < least * least else most - ROUNDING
        on = plane.ahead(Pose(*here, plane.bearing(here, end)), length)
        way = ((on.x, on.y),)
    return Track(vessel.pose, [], glide.how, way, flagship.heading)


def _inland(vessel: Vessel, flagship: Vessel, glide: Track) -> Track:
    """44 The least of a move, towards the middle of the table."""
    middle = (size().width // 2, size().height // 2)
    bearing = plane.bearing((vessel.x, vessel.y), middle)
    on = plane.ahead(Pose(vessel.x, vessel.y, bearing), distances().aerial_least + ROUNDING)
    return Track(vessel.pose, [], glide.how, ((on.x, on.y),), flagship.heading)


def _on_table(track: Track) -> bool:
    """14 of 2.1 Does a glide keep within the edges?"""
    return not any(hulls.off(Pose(x, y, 0)) for x, y in track.way)


class Around(Struct):
    """What lies so near that a vessel may meet it on her move."""

    hulls: list[Vessel]
    """Hostile, at her level, and not touched before; friends never collide (173)."""
    below: list[Vessel]
    """99 Enemies on the water, if she flies."""
    solids: list[Terrain]


def _around(war: War, vessel: Vessel, length: int) -> Around:
    """49, 65, 99, 170 For a move of so many mils."""
    near = [
        other
        for other in war.enemies(vessel.side)
        if hulls.near(vessel.pose, other.pose, length + hulls.reach(vessel) + hulls.reach(other))
    ]
    far = length + hulls.reach(vessel)
    box = (vessel.x - far, vessel.y - far, vessel.x + far, vessel.y + far)
    return Around(
        [o for o in near if o.aloft == vessel.aloft and not hulls.touching(vessel, o)],
        [o for o in near if vessel.aloft and not o.aloft],
        [t for t in war.map if hulls.solid_for(vessel, t) and not hulls.apart(box, t.box)],
    )


async def _sail(table: TableLike, war: War, vessel: Vessel, track: Track) -> list[str]:
    """8 of 2.1 Along the track, looking for contact, depth and edge as she goes; enemies below her
    path, if she flies (99)."""
    length, gone = track.length, 0
    around = _around(war, vessel, length)
    over: list[str] = []
    if length:
        vessel.aground = ""  # 175 only Reverse has led her here
    while gone < length:
        before = gone
        gone, met = _next(war, vessel, track, around, before)
        stopped = bool(met) and await _meets(table, war, vessel, track, met)
        around.hulls = [other for other in around.hulls if other.id != met]
        over += [o.id for o in around.below if o.id not in over and hulls.touching(vessel, o)]
        if not vessel.acts:
            break
        if collisions.ground(table, war, vessel, gone - before, track.how.astern) or stopped:
            break
    vessel.moved = gone
    if vessel.here:
        if gone >= length:
            vessel.moved = _cleared(table, war, vessel, track, length)
        _tell(table, vessel, vessel.moved)
        _carry(war, vessel)
    return over


_EDGE, _SHOAL = "edge", "shoal"


def _next(war: War, vessel: Vessel, track: Track, around: Around, gone: int) -> tuple[int, str]:
    """8 of 2.1 Up to the next sample, or to what she meets before: so many mils, and its name;
    nothing: no name. She is put there."""
    step = min(distances().sampling, collisions.until_test(war, vessel))
    end = min(gone + step, track.length)
    vessel.put(track.at(end))
    found: dict[str, Callable[[], bool]] = {}
    for solid in around.solids:
        if _upon(vessel, solid):
            found[solid.name] = partial(_upon, vessel, solid)
    for other in around.hulls:
        if hulls.touching(vessel, other):
            found[other.id] = partial(hulls.touching, vessel, other)
    if hulls.off(vessel.pose):
        found[_EDGE] = lambda: hulls.off(vessel.pose)
    if collisions.shoal(war, vessel):
        found[_SHOAL] = lambda: bool(collisions.shoal(war, vessel))
    where = {name: _first(vessel, track, gone, end, there) for name, there in found.items()}
    nearest = min(where, key=lambda name: where[name], default="")
    end = where.get(nearest, end)
    vessel.put(track.at(end))
    return end, nearest


def _upon(vessel: Vessel, terrain: Terrain) -> bool:
    return hulls.on(hulls.hull(vessel), terrain)


def ashore(war: War, vessel: Vessel) -> bool:
    """B47 Does she touch land, a reef or a rig?"""
    return any(_upon(vessel, solid) for solid in war.map if hulls.solid_for(vessel, solid))


async def _meets(table: TableLike, war: War, vessel: Vessel, track: Track, met: str) -> bool:
    """49, 65, 14 of 2.1 What comes of it; does it end her move?"""
    if met in war.vessels:
        return await collisions.meet(table, war, vessel, war.vessels[met])
    if met == _EDGE:
        leave(table, war, vessel)
    elif met != _SHOAL:
        track.halted = True  # 65 a full halt
        collisions.run_onto(table, war, vessel, met)
    return met != _SHOAL


def _first(vessel: Vessel, track: Track, low: int, high: int, found: Callable[[], bool]) -> int:
    """8 of 2.1 The first place between two samples at which something is found, to the mil; she is
    put there."""
    while high - low > 1:
        middle = (low + high) // 2
        vessel.put(track.at(middle))
        low, high = (low, middle) if found() else (middle, high)
    vessel.put(track.at(high))
    return high


def _cleared(table: TableLike, war: War, vessel: Vessel, track: Track, length: int) -> int:
    """173 The end of a move, or short of it where another hull lies: her captain is told."""
    there = next(_overlapping(war, vessel), None)
    moved = clear_end(war, vessel, track, length)
    if there is not None and length - moved >= HUNDREDTH:
        short = courses.inches(length - moved)
        what = f"she stops {short} inches short of where her move ends, clear of {there.id}"
        table.tell([vessel.side], ev.Unable(rule="173", actor=vessel.id, what=what))
    return moved


def clear_end(war: War, vessel: Vessel, track: Track, length: int) -> int:
    """173 She stops short where the end of her move would overlap another hull at her level."""
    step, gone = distances().sampling, length
    while gone > 0 and any(_overlapping(war, vessel)):
        gone = max(0, gone - step)
        vessel.put(track.at(gone))
    if gone in (0, length):
        return gone
    low, high = gone, min(gone + step, length)
    while high - low > 1:
        middle = (low + high) // 2
        vessel.put(track.at(middle))
        low, high = (low, middle) if any(_overlapping(war, vessel)) else (middle, high)
    vessel.put(track.at(low))
    return low


def _overlapping(war: War, vessel: Vessel, pose: Pose | None = None) -> Iterator[Vessel]:
    """Hulls at her level that hers overlaps, or would if she were there."""
    for other in war.listed():
        level = other.here and other.aloft == vessel.aloft
        if level and other is not vessel and hulls.touching(vessel, other, pose):
            yield other


def drifted(table: TableLike, war: War, vessel: Vessel, way: Pose) -> int:
    """88, 161 A wreck glides there, or as far as nothing solid and no hull is in its way, and no
    shoal holds it (58-61); how many mils."""
    track = Track(vessel.pose, [], Sailing(0, 0, 0, 0, False), ((way.x, way.y),), way.heading)
    gone, length = 0, track.length
    around = Around([], [], _around(war, vessel, length).solids)
    while gone < length and not vessel.aground:
        before = gone
        gone, met = _next(war, vessel, track, around, before)
        collisions.ground(table, war, vessel, gone - before, False)
        if met not in ("", _EDGE, _SHOAL):
            break
    return clear_end(war, vessel, track, gone)


def leave(table: TableLike, war: War, vessel: Vessel) -> None:
    """14 of 2.1 Over the edge; a scenario may make one an exit."""
    edge = hulls.edge_of(vessel.pose)
    way = plan(war.scenario).exit
    home = way is not None and way.side == vessel.side and way.edge == edge and not vessel.wreck
    vessel.out = "exit" if home else "edge"
    for marker in war.markers.values():
        if marker.guards == vessel.id:
            marker.guards = ""
    told = ev.LeftTable(rule="2.6" if home else "2.1", vessel=vessel.id, edge=edge, exit=home)
    table.tell(table.sides, told)


def _tell(table: TableLike, vessel: Vessel, mils: int) -> None:
    place = f"{courses.inches(vessel.x)} {courses.inches(vessel.y)}"
    told = ev.Sailed(
        rule="165",
        vessel=vessel.id,
        at=place,
        heading=courses.degrees(vessel.heading),
        inches=courses.inches(mils),
    )
    table.tell(table.sides, told)


def _carry(war: War, vessel: Vessel) -> None:
    """133 Markers on patrol move with their ship."""
    for marker in war.markers.values():
        if marker.guards == vessel.id:
            marker.x, marker.y = vessel.x, vessel.y


def cohere(war: War, card: Card) -> None:
    """3, 167, 185 Who is within reach of the flagship, edge to edge."""
    members = war.members(card)
    for vessel in members:
        vessel.coherent = (
            vessel is members[0] or hulls.between(vessel, members[0]) <= distances().coherency
        )
