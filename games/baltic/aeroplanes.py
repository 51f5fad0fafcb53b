"""4 Aeroplanes: the phase, groups and their flights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from games.baltic import courses, hulls, raids
from games.baltic import events as ev
from games.baltic import verbs as v
from games.baltic.dogfights import engaged, intercepted, patrol
from games.baltic.flights import enter, fly, told, unable
from games.baltic.markers import (
    BOXES,
    FIGHTER,
    LOADED,
    TORPEDO,
    apart,
    flying,
    meet,
    over,
)
from games.baltic.state import Marker, Reason, Vessel, War
from games.baltic.tables import aeroplane_radius, distances, size
from orders.book import Book, Facts
from orders.model import Value
from pbem.kit import plane
from pbem.kit.doctrine import NO, YES, Doctrine
from pbem.kit.plane import Point, Pose
from pbem.model import Side, TableLike

_KINDS: Mapping[str, type[Struct]] = {
    "fly": v.Fly,
    "attack": v.Attack,
    "escort": v.Escort,
    "cap": v.Cap,
    "break": v.Break,
    "home": v.Home,
}


_EMPTY = "it has nothing left to drop, until it has been home to be armed"


async def phase(
    table: TableLike, war: War, books: Mapping[Side, Book], facts: Mapping[Side, Facts]
) -> None:
    """111-113, 205 Groups in turn, by the order of places; who has acted with all his bombers may
    make the others do so."""
    for marker in war.markers.values():
        marker.acted, marker.intercepted, marker.flown = False, 0, 0
        _left_on_deck(table, war, marker, books[marker.side], facts[marker.side])
    forced: set[Side] = set()
    while any(_waiting(war, side, books, facts) for side in war.places):
        for side in war.places:
            waiting = _waiting(war, side, books, facts)
            if not waiting:
                continue
            bombers = _loaded(war, side, books, facts)
            await _group(table, war, waiting[0], books, facts)
            acted = any(marker.acted for marker in bombers)
            last = acted and not _loaded(war, side, books, facts)
            if last and side not in forced and await _forces(table, war, side, books, facts):
                forced.add(side)
                await _all_bombers(table, war, side, books, facts)
    _released(war)


def _left_on_deck(table: TableLike, war: War, marker: Marker, book: Book, facts: Facts) -> None:
    """106 Orders of this turn to squadrons that were not launched, or have just been taken aboard,
    are not carried out; standing ones wait."""
    kinds: Mapping[str, type[Struct]] = {**_KINDS, "group": v.Group}
    later = any(o.actor == marker.id and o.turn == war.turn for o in book.standing.later)
    given = [command.fresh or later for command in book.commands(marker.id, kinds, facts)]
    if marker.at == "deck" and any(given):
        what = "its orders are not carried out: it is on the deck of "
        unable(table, marker, "106", f"{what}{marker.base}")


def _released(war: War) -> None:
    """132 Bombers that have landed, gone home or been shot down need no escort any more."""
    for marker in war.markers.values():
        guarded = war.markers.get(marker.guards)
        if guarded is not None and guarded.at != "air":
            marker.guards = ""


class Hurry(Doctrine, frozen=True):
    """113 The last bombers of a side have acted: must the others' act now?"""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `force bombers`."""
        return YES if self.said(book, facts, v.ForceBombers) else None


async def _forces(
    table: TableLike,
    war: War,
    side: Side,
    books: Mapping[Side, Book],
    facts: Mapping[Side, Facts],
) -> bool:
    """113 Asked while others have bombers that have not acted."""
    if not any(_loaded(war, other, books, facts) for other in war.places if other != side):
        return False
    about, actors = "their bombers", (side.upper(),)
    asked = Hurry(about=about, choices=(NO, YES), default=NO, actors=actors, rule="113")
    (answer,) = await table.ask(side, [asked])
    return answer == YES


def _loaded(
    war: War, side: Side, books: Mapping[Side, Book], facts: Mapping[Side, Facts]
) -> list[Marker]:
    """Bombers and torpedo bombers of a side that are still to act."""
    return [m for m in _waiting(war, side, books, facts) if m.type in LOADED]


async def _all_bombers(
    table: TableLike,
    war: War,
    side: Side,
    books: Mapping[Side, Book],
    facts: Mapping[Side, Facts],
) -> None:
    """113, 205 The others act with all their bombers before anybody goes on."""
    for other in war.places:
        while other != side and (waiting := _loaded(war, other, books, facts)):
            await _group(table, war, waiting[0], books, facts)


def _waiting(
    war: War, side: Side, books: Mapping[Side, Book], facts: Mapping[Side, Facts]
) -> list[Marker]:
    """Markers of a side that are still to act: those with orders first, as they are written."""
    written = [c.actor for c in books[side].script(_KINDS, facts[side])]
    ready = [
        m
        for m in war.markers.values()
        if m.side == side and not m.acted and m.planes > 0 and m.at in ("air", "edge")
    ]
    place = {name: i for i, name in reversed(list(enumerate(written)))}
    return sorted(ready, key=lambda m: (place.get(m.id, len(written)), m.guards != "", m.id))


async def _group(
    table: TableLike,
    war: War,
    lead: Marker,
    books: Mapping[Side, Book],
    facts: Mapping[Side, Facts],
) -> None:
    """120, 121 One marker, and those that it leads."""
    book, knows = books[lead.side], facts[lead.side]
    group = _joined(table, war, lead, book.find(lead.id, v.Group, knows))
    for marker in group[1:]:
        if any(book.commands(marker.id, _KINDS, knows)):
            what = f"its own order is not carried out: it flies in the group of {lead.id}"
            unable(table, marker, "120", what)
    order = next((c.order for c in book.commands(lead.id, _KINDS, knows)), None)
    for marker in group:
        marker.acted, marker.flight = True, "" if marker is lead else lead.id
        if order is not None or not _lands(war, marker):
            marker.group = ""
    if lead.guards in war.vessels and not _on_patrol(order, lead):
        unable(table, lead, "133", "it flies patrol: break off first")
        order = None
    fought = await _fight_first(table, war, group)
    group = [marker for marker in group if marker.planes > 0]
    if group:
        await _carried_out(table, war, group, order, fought)
    for marker in group:
        if not meet(marker, group[0]):
            marker.flight = ""  # left behind


async def _carried_out(
    table: TableLike, war: War, group: list[Marker], order: Struct | None, fought: bool
) -> None:
    """121 What the order says, for those that are left; fought: they have met enemies already."""
    lead = group[0]
    if isinstance(order, v.Fly | v.Attack | v.Home):
        for marker in group:
            marker.guards = ""
    match order:
        case v.Fly(points, attack, load, within):
            way = [point.thousandths for point in points]
            await _attack(table, war, group, way, _Raid(attack, load == "all", within), fought)
        case v.Attack(contact, load, within):
            raid = _Raid(contact, load == "all", within)
            await _attack(table, war, group, [], raid, fought)
        case v.Escort() | v.Cap():
            _guard(table, war, group, order)
        case v.Break():
            _break(war, group)
            told(table, group, "breaks off")
        case v.Home():
            _home(table, war, group)
        case _ if lead.at == "edge":
            _come(table, group)
        case _:
            told(table, group, "waits" if lead.group else "circles")


def _on_patrol(order: Struct | None, marker: Marker) -> bool:
    """133, 134 What a patrol may be told: to break off, or to stay with its ship."""
    stays = order is None or (isinstance(order, v.Cap) and order.ship == marker.guards)
    return stays or isinstance(order, v.Break)


def _come(table: TableLike, group: Sequence[Marker]) -> None:
    """110, 204 Without orders a squadron comes over the middle of its edge, or where it went home,
    and stays there."""
    lead, table_size = group[0], size()
    if (lead.x, lead.y) == (0, 0):
        lead.x, lead.y = table_size.width // 2, table_size.height // 2
    enter(lead, (lead.x, lead.y))
    for marker in group:
        marker.x, marker.y, marker.at = lead.x, lead.y, "air"
    told(table, group, "circles")


def _lands(war: War, marker: Marker) -> bool:
    """107 Does it stand by its carrier, to be taken aboard when she activates?"""
    carrier = war.vessels.get(marker.base)
    return marker.group == "home" and carrier is not None and over(marker, carrier)


def _joined(table: TableLike, war: War, lead: Marker, order: v.Group | None) -> list[Marker]:
    """120, 133 A marker and those that fly with it; why others do not is told to their owner."""
    found = [lead]
    for name in order.markers if order else ():
        marker = war.markers.get(name)
        if marker is None or marker.side != lead.side or marker in found:
            continue
        if reason := _apart(war, lead, marker):
            unable(table, marker, reason.rule, reason.what)
        else:
            found.append(marker)
    return found


def _apart(war: War, lead: Marker, other: Marker) -> Reason | None:
    """120, 133 Why a marker does not join: a group is in contact in the air, or comes over one
    edge, and a patrol stays with its ship; None if it joins."""
    if other.guards in war.vessels:
        return Reason("133", "it flies patrol: break off first")
    what = f"it does not join {lead.id}"
    if other.at == "lost" or other.planes <= 0:
        return Reason("120", f"{what}: it is lost")
    if other.acted:
        return Reason("120", f"{what}: it has acted before, write the order of {lead.id} first")
    if lead.at == other.at == "edge" and lead.base == other.base:
        return None
    if lead.at == other.at == "air":
        return None if meet(lead, other) else Reason("120", f"{what}: they are not in contact")
    return Reason("120", f"{what}: they are not both in the air")


def returned(war: War) -> None:
    """110, 204 Squadrons that went home over their edge two turns ago may come back in this one."""
    for marker in war.markers.values():
        if marker.at == "away" and marker.ready <= war.turn:
            marker.at = "edge"


async def _fight_first(table: TableLike, war: War, group: Sequence[Marker]) -> bool:
    """123 Fighters in contact at the start fight all whom they touch, then move, and fight no
    more."""
    fighters = [m for m in group if m.type == FIGHTER and m.at == "air"]
    enemies = [
        e for e in flying(war, group[0].side, enemy=True) if any(meet(f, e) for f in fighters)
    ]
    for side in dict.fromkeys(enemy.side for enemy in enemies):
        theirs = [enemy for enemy in enemies if enemy.side == side]
        await engaged(table, war, [m for m in fighters if m.planes > 0], theirs)
    return bool(enemies)


class _Raid(Struct, frozen=True):
    """An attack as it is ordered."""

    target: str
    load: bool
    """129 All bombs at once."""
    within: str
    """130, B44 Inches from which torpedoes are launched; empty: as far as they run."""

    @property
    def launch(self) -> int:
        """The same in mils."""
        return courses.mils(self.within) if self.within else distances().torpedo


async def _attack(
    table: TableLike,
    war: War,
    group: list[Marker],
    way: list[Point],
    raid: _Raid,
    fought: bool,
) -> None:
    """124-130, 200, B52 Fly there, then each marker makes its run; where none has anything left to
    drop they fly to no ship."""
    vessel, enemy = _meant(war, group[0], raid.target, way), war.markers.get(raid.target)
    if vessel is not None and all(_spent(marker) for marker in group):
        fly(table, war, group, way)
        told(table, group, "" if way else "circles")
        for marker in group:
            unable(table, marker, "129", _EMPTY)
        return
    if vessel is not None:
        way = [*way, raids.run_in(group[0], vessel, way)]
    elif enemy is not None and enemy.at == "air":
        way = [*way, (enemy.x, enemy.y)]
    arrived = fly(table, war, group, way)
    there = _reached(war, arrived, vessel, enemy, raid.launch)
    _attacked(table, arrived, raid, vessel, there, fought)
    foes = flying(war, group[0].side, enemy=True)
    fighters = [m for m in group if m.type == FIGHTER and any(meet(m, foe) for foe in foes)]
    if fighters and not fought:
        contacts = [foe for foe in foes if any(meet(m, foe) for m in fighters)]
        if contacts:
            near = enemy is not None and any(c is enemy or meet(c, enemy) for c in contacts)
            met = min(contacts, key=lambda marker: marker.type == FIGHTER)
            await intercepted(table, war, fighters, enemy if enemy and near else met)
    if vessel is None:
        return
    await patrol(table, war, group, vessel)
    for marker in group:
        idle = _spent(marker) or (fought and marker.type == FIGHTER)
        near = marker.type != TORPEDO or apart(marker, vessel) <= raid.launch
        if marker.planes > 0 and near and not idle:
            raids.run(table, war, marker, vessel, raid.load)


def _attacked(
    table: TableLike,
    arrived: Sequence[Marker],
    raid: _Raid,
    vessel: Vessel | None,
    there: Sequence[Marker],
    fought: bool,
) -> None:
    """122 What those that have flown do there is told to all, and to their owner alone why they do
    nothing."""
    for marker in arrived:
        reason = _idle(marker, raid, vessel, marker in there, fought)
        told(table, [marker], f"attacks {raid.target}" if raid.target and not reason else "")
        if raid.target and reason:
            unable(table, marker, reason.rule, reason.what)


def _idle(
    marker: Marker, raid: _Raid, vessel: Vessel | None, near: bool, fought: bool
) -> Reason | None:
    """122, 123, 129, 130, B52 Why a marker that has flown to its target does nothing to it; None if
    it does."""
    if fought and (vessel is None or (vessel.aloft and marker.type == FIGHTER)):
        what = "it has fought as its flight began, and fights no more in this phase"
        return Reason("123", what)
    if vessel is not None and _spent(marker):
        return Reason("129", _EMPTY)
    if near:
        return None
    if vessel is None or marker.type != TORPEDO:
        return Reason("122", f"has not reached {raid.target}")
    inches = courses.inches(apart(marker, vessel))
    what = f"it keeps its torpedoes: {vessel.id} is {inches} inches away, over "
    return Reason("130", what + f"{courses.inches(raid.launch)}; fly nearer, or say `within`")


def _spent(marker: Marker) -> bool:
    """129 Bombers and torpedo bombers that have nothing left to drop."""
    return marker.type in LOADED and not marker.boxes


def _guard(table: TableLike, war: War, group: Sequence[Marker], order: v.Escort | v.Cap) -> None:
    """132, 133 Fly to a bomber squadron or a ship of the line, and guard it from then on."""
    name = order.ship if isinstance(order, v.Cap) else order.marker
    if reason := _unguarded(war, group, order):
        unable(table, group[0], reason.rule, reason.what)
        return
    ship, other = war.vessels.get(name), war.markers.get(name)
    at = (ship.x, ship.y) if ship else (other.x, other.y) if other else (0, 0)
    fly(table, war, group, [at])
    near = _reached(war, group, ship, other)
    for marker in group:
        marker.guards = name if marker in near else ""
    _arrived(table, group, f"guards {name}", near)


def _unguarded(war: War, group: Sequence[Marker], order: v.Escort | v.Cap) -> Reason | None:
    """132, 133 Why a group can guard nothing so; None if it can."""
    side, rule = group[0].side, "133" if isinstance(order, v.Cap) else "132"
    if any(marker.type != FIGHTER for marker in group):
        return Reason(rule, "only fighters guard")
    if isinstance(order, v.Cap):
        ship = war.vessels.get(order.ship)
        if ship is None or ship.side != side or not ship.of.capital:
            return Reason(rule, f"{order.ship} is no ship of the line of yours")
        return None if ship.acts else Reason(rule, f"{ship.id} is lost")
    other = war.markers.get(order.marker)
    if other is None or other.side != side or other.type not in LOADED:
        return Reason(rule, f"{order.marker} is no bomber squadron of yours")
    if other.at != "air":
        return Reason(rule, f"{other.id} is not in the air: give its order before")
    return None


def _break(war: War, group: Sequence[Marker]) -> None:
    """134 Half an inch away from the ship, to starboard of her, and that is all for this phase."""
    for marker in group:
        ship = war.vessels.get(marker.guards)
        if ship is not None:
            _, beam = hulls.footprint_of(ship.of)
            abeam = Pose(ship.x, ship.y, (ship.heading + 1440) % plane.CIRCLE)
            away = beam // 2 + distances().broken_cap + aeroplane_radius()
            spot = plane.ahead(abeam, away)
            marker.guards, marker.x, marker.y = "", spot.x, spot.y


def _home(table: TableLike, war: War, group: Sequence[Marker]) -> None:
    """107, 110 To the carrier, where the squadron waits to be taken aboard, or over the edge."""
    lead = group[0]
    carrier = war.vessels.get(lead.base)
    if carrier is not None:
        arrived = fly(table, war, group, [(carrier.x, carrier.y)])
        for marker in group:
            marker.group = "home"
        there = [marker for marker in arrived if over(marker, carrier)]
        _arrived(table, arrived, f"returns to {carrier.id}", there)
        return
    if lead.type == FIGHTER:
        unable(table, lead, "110", "fighters without a carrier stay until they are shot down")
        return
    table_size = size()
    x = {"west": 0, "east": table_size.width}.get(lead.base, lead.x)
    y = {"south": 0, "north": table_size.height}.get(lead.base, lead.y)
    fly(table, war, group, [(x, y)])
    for marker in group:
        if (marker.x, marker.y) == (x, y) and marker.type != FIGHTER:
            marker.at, marker.ready, marker.boxes = "away", war.turn + 2, BOXES[marker.type]
            table.tell(table.sides, ev.Landed(rule="110", marker=marker.id, where=marker.base))
    if lead.at != "away":
        told(table, group, "")


def _meant(war: War, lead: Marker, name: str, way: Sequence[Point]) -> Vessel | None:
    """The vessel that an order names; of a squadron the one nearest to where the flight begins its
    attack."""
    here = way[-1] if way else (lead.x, lead.y)
    return min(war.named(name), key=lambda one: plane.square(here, (one.x, one.y)), default=None)


def _reached(
    war: War, group: Sequence[Marker], vessel: Vessel | None, other: Marker | None, launch: int = 0
) -> list[Marker]:
    """Those that are in contact with a vessel or a marker, or with one that flies beside it; with a
    load of torpedoes those from which she is within so many mils (130)."""
    if vessel is not None:
        return [m for m in group if over(m, vessel) or raids.near(m, vessel, launch)]
    if other is None:
        return []
    beside = [m for m in flying(war, other.side) if meet(m, other)]
    return [m for m in group if any(meet(m, one) for one in beside)]


def _arrived(
    table: TableLike, group: Sequence[Marker], doing: str, there: Sequence[Marker]
) -> None:
    """Where markers have flown is open, but what for only if they got there: else it is told to
    their owner alone."""
    for marker in group:
        told(table, [marker], doing if marker in there else "")
        if doing and marker not in there:
            unable(table, marker, "122", f"has not reached {doing.rsplit(maxsplit=1)[-1]}")
