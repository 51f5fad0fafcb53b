"""M1-M7, G1-G3, 5.3: naming, secret German moves, open Allied moves, squadrons, duties."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, structs

from games.far_seas import board, courses
from games.far_seas import events as ev
from games.far_seas import verbs as v
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.courses import MOVES, Mover, Sea
from games.far_seas.facts import knows
from games.far_seas.state import Duty, Ship, War
from orders.book import Book
from pbem.kit.checks import Refused
from pbem.kit.views import filler
from pbem.model import Side, TableLike

Books = Mapping[Side, Book]
FIXED: tuple[Duty, ...] = ("convoy", "station", "watch")
"""5.3 Duties that a ship may be ordered off in a turn's first segment alone."""
ALONE: Mapping[type[Struct], Duty] = {
    v.Convoy: "convoy",
    v.Station: "station",
    v.Support: "expedition",
    v.River: "watch",
}
TOGETHER = (v.Move, v.Cruise, v.Raid, v.Return)
"""Orders that keep a squadron together where its leader and a mate have the same."""


class Course(Struct):
    """What a ship, or a squadron by its leader, will do. order: the one that binds it, or the
    squadron that it joins; to: where it ends; joins: `lead` is another squadron's."""

    lead: str
    ids: list[str]
    to: str
    order: Struct
    joins: bool = False


mover_of = filler(Mover, {Ship: "id side nation type gun speed area start duty"})
"""A ship as the rules of movement see it."""


def sea_of(war: War) -> Sea:
    """What is open to all, for `courses`."""
    return Sea(war.turn, war.areas, war.raided, war.options, war.scenario == "war")


def free(war: War, ship: Ship) -> bool:
    """M4, 5.3, 13 May the ship still be ordered to move in this segment? No German once their names
    were read, and nobody while it is asked how meetings go."""
    if not ship.afloat or ship.moved or war.meeting or (war.bound and ship.side == GERMAN):
        return False
    late = war.segment > 1
    return not (late and (ship.type == "AMC" or ship.duty in FIXED))


def own_order(war: War, books: Books, ship: Ship) -> Struct | None:
    """The order that binds the ship itself in this segment, None without one."""
    commands = books[ship.side].commands(ship.id, MOVES, knows(war, ship.side))
    return next((c.order for c in commands), None)


def plot(table: TableLike, war: War, books: Books, side: Side) -> list[Course]:
    """M3-M5 The orders of a side as courses, one for each squadron or ship that moves.

    Ships without an order go where their leader goes; one whose own differs from the leader's
    leaves the squadron.
    """
    given = {s.id: own_order(war, books, s) for s in war.fleet(side) if free(war, s)}
    orders = _alike(war, given)
    if side == GERMAN:
        orders = _liners(war, orders)
    found = _courses(table, war, orders)
    if side == GERMAN and not found:  # M4: one at least; who names none has named all
        found = _courses(table, war, {s.id: _unordered(s) for s in idle(war)})
    return found


def _unordered(ship: Ship) -> Struct:
    """M4, M5 What a German does who is named without an order, or whose order cannot be carried
    out: it remains where it is, in the river or at sea."""
    return v.River() if ship.duty == "river" else v.Cruise()


def _liners(war: War, orders: dict[str, Struct | None]) -> dict[str, Struct | None]:
    """13 Liners move in the first segment: one without an order of its own, and whose leader has
    none that takes it along, cruises where it is."""
    given = {i: None if isinstance(o, v.Hold) else o for i, o in orders.items()}
    for id_, order in given.items():
        ship = war.ships[id_]
        if order is None and ship.type == "AMC" and not _takes_along(given.get(ship.leader)):
            given[id_] = v.Cruise()
    return given


def _takes_along(order: Struct | None) -> bool:
    """M5 (S) Does a leader's order move the ships of its squadron that have none of their own?"""
    return order is not None and type(order) not in (*ALONE, v.Part, v.Intern)


def idle(war: War) -> list[Ship]:
    """Germans who may still be named, leaders and lone ships alone; others follow them."""
    return [s for s in waiting(war) if not s.leader or war.ships[s.leader].moved]


def _courses(table: TableLike, war: War, orders: Mapping[str, Struct | None]) -> list[Course]:
    found: list[Course | None] = []
    for id_, order in orders.items():
        bound = any(c and isinstance(c.order, v.River) for c in found)
        if order is not None:
            found.append(_course(table, war, war.ships[id_], order, bound))
    plain = [c for c in found if c and not isinstance(c.order, v.Join)]
    for course in plain:
        _follow(table, war, course, orders)
    joins = [c for c in found if c and isinstance(c.order, v.Join)]
    return plain + _joining(table, war, joins, plain, orders)


def _course(table: TableLike, war: War, ship: Ship, order: Struct, bound: bool) -> Course | None:
    """One order judged; what cannot be done is told, and a German remains where it is (M4). bound:
    another ship of its side is bound for the river in this segment."""
    if isinstance(order, v.Hold):
        return None
    try:
        _river_free(war, ship, order, bound)
        to = courses.destination(sea_of(war), mover_of(ship), order)
        return Course(ship.id, [ship.id], to, order)
    except Refused as no:
        verb = next(name for name, kind in MOVES.items() if kind is type(order))
        stays = _unordered(ship) if ship.side == GERMAN else None
        instead = "" if stays is None else "river" if isinstance(stays, v.River) else "cruise"
        failed = ev.OrderFailed(rule=no.rule, why=str(no), who=ship.id, verb=verb, instead=instead)
        table.tell([ship.side], failed)
        return Course(ship.id, [ship.id], ship.area, stays) if stays else None


def _river_free(war: War, ship: Ship, order: Struct, bound: bool) -> None:
    """G2, G7 One German at a time in the Rufiji; one that was found stays while it is watched."""
    if _inside(ship, order):
        return
    inside = [s for s in war.fleet(GERMAN) if s.duty == "river" and s.id != ship.id]
    if isinstance(order, v.River) and ship.side == GERMAN and (inside or bound):
        raise Refused("river-taken", "G2", "another ship lies in the Rufiji, or is bound for it")
    if ship.duty == "river" and ship.trapped:
        raise Refused("trapped", "G7", "found in the river, it must remain there")


def _follow(
    table: TableLike, war: War, course: Course, orders: Mapping[str, Struct | None]
) -> None:
    """M5 (S), 5.5 Ships of the squadron without an order of their own, or with the same, go with
    their leader, each as far as it may; who may not is told."""
    if not _takes_along(course.order) or war.ships[course.lead].leader:
        return
    for mate in war.group(course.lead):
        if mate.id != course.lead and orders.get(mate.id) is None and free(war, mate):
            try:
                _within(war, mate, course)
                course.ids.append(mate.id)
            except Refused as no:
                table.tell([mate.side], _left_behind(mate, no))


def _within(war: War, ship: Ship, course: Course) -> None:
    """M5, G1, 5.5 May the ship go where a squadron goes? Raises Refused."""
    canal = isinstance(course.order, v.Move) and course.order.by == "canal"
    courses.within(sea_of(war), mover_of(ship), course.to, canal)


def _left_behind(ship: Ship, no: Refused) -> ev.OrderFailed:
    return ev.OrderFailed(rule=no.rule, why=str(no), who=ship.id, verb="follow")


def _alike(war: War, orders: Mapping[str, Struct | None]) -> dict[str, Struct | None]:
    """M5 (S) Ships of a squadron that are ordered the same as their leader stay in it (ruling)."""
    found = dict(orders)
    for id_, order in orders.items():
        lead = war.ships[id_].leader
        if lead and order is not None and order == orders.get(lead):
            found[id_] = None if type(order) in TOGETHER else order
    return found


def _joining(
    table: TableLike,
    war: War,
    joins: list[Course],
    plain: list[Course],
    orders: Mapping[str, Struct | None],
) -> list[Course]:
    """M5 (S) A ship that joins a squadron goes where the squadron goes, if it can; so do those that
    it leads, and those that join it."""
    by_ship = {id_: c for c in plain for id_ in c.ids}
    left = joins
    while found := [(c, host) for c in left if (host := _host(war, by_ship, c))]:
        for course, host in found:
            course.to, course.order = host.to, host.order
            _follow(table, war, course, orders)
            course.lead = host.lead
            course.joins = True
            by_ship |= dict.fromkeys(course.ids, course)
        left = [c for c in left if not c.joins]
    for course in left:
        ship = war.ships[course.lead]
        stays = "cruise" if ship.area in board.SEA else ""
        assert isinstance(course.order, v.Join)
        why = _no_host(war.ships[course.order.ship], ship)
        told = ev.OrderFailed(rule="M5", why=why, who=ship.id, verb="join", instead=stays)
        table.tell([ship.side], told)
        course.order = v.Cruise()
        _follow(table, war, course, orders)
    return [c for c in joins if c.joins or war.ships[c.lead].area in board.SEA]


def _no_host(host: Ship, ship: Ship) -> str:
    """M5 (S) Why a ship cannot join another of her side."""
    gone = {"sunk": "is sunk", "interned": "is interned", "retired": "has retired from the war"}
    if host.gone:
        return f"{host.id} {gone.get(host.gone, 'has left the war')}"
    return f"{host.id} ends no move where {ship.id} could join it"


def _host(war: War, by_ship: Mapping[str, Course], course: Course) -> Course | None:
    """The course that a joining ship shares: of a squadron that moves and may be joined."""
    order, ship = course.order, war.ships[course.lead]
    assert isinstance(order, v.Join)
    host = by_ship.get(order.ship)
    if host is None or type(host.order) in ALONE or isinstance(host.order, v.Intern):
        return None
    try:
        _within(war, ship, host)
    except Refused:
        return None
    return host


def announce(table: TableLike, war: War, plotted: list[Course]) -> None:
    """M4, G1 The Germans name the ships that move, and those bound for the canal, to both sides."""
    war.bound = {move.who: move for course in plotted for move in _moves(war, course)}
    who = sorted(war.bound)
    canal = [i for i in who if war.bound[i].to in board.AREAS[war.ships[i].area].canal]
    if who:
        table.tell(table.sides, ev.MoversNamed(rule="M4", who=tuple(who), canal=tuple(canal)))


def _moves(war: War, course: Course) -> list[ev.Sailed]:
    """What each ship of a course does."""
    return [
        ev.Sailed(id_, war.ships[id_].area, course.to, *_errand(war.ships[id_], course))
        for id_ in course.ids
    ]


def _inside(ship: Ship, order: Struct) -> bool:
    """G4 Does the ship lie in the river, and stay there? It has not moved into it."""
    return ship.duty == "river" and isinstance(order, v.River)


def _errand(ship: Ship, course: Course) -> tuple[str, str]:
    """How a ship of a course sails, and the station, landing or leader, as `events.Sailed`."""
    match course.order:
        case _ if course.joins:
            return "join", course.lead
        case _ if _inside(ship, course.order):
            return "stay", ""
        case v.Raid(station=station) | v.Station(station=station):
            how = "raid" if isinstance(course.order, v.Raid) else "station"
            return how, courses.station_of(station)
        case v.Support(landing=landing):
            return "expedition", landing
        case v.River() if ship.side == GERMAN:
            return "river", ""
    return _HOW.get(type(course.order), "move"), ""


_HOW = {
    v.Cruise: "cruise",
    v.Part: "cruise",
    v.Intern: "intern",
    v.Return: "return",
    v.Convoy: "convoy",
    v.River: "watch",
}


def sail(table: TableLike, war: War, plotted: list[Course], side: Side) -> None:
    """M3 Carry out the courses of a side, those that join a squadron after it; told to whoever may
    see it."""
    ordered = sorted(plotted, key=lambda c: (c.joins, not _liner(war, c), c.ids))
    moves = tuple(move for course in ordered for move in _sail(war, course))
    if moves and side == BRITISH:
        table.tell(table.sides, ev.AlliesMoved(rule="M3", moves=moves))
    elif moves:
        table.tell([GERMAN], ev.GermansMoved(rule="M5", moves=moves))


def _liner(war: War, course: Course) -> bool:
    return all(war.ships[i].type == "AMC" for i in course.ids)


def liners(war: War, plotted: list[Course]) -> list[Course]:
    """13 Courses of liners alone, which sail before all others; one that joins a cruiser sails
    with it."""
    return [c for c in plotted if _liner(war, c) and not c.joins]


def _sail(war: War, course: Course) -> list[ev.Sailed]:
    moves = _moves(war, course)
    for id_ in course.ids:
        ship = war.ships[id_]
        if _inside(ship, course.order):
            ship.moved, ship.segment = True, war.segment
            continue
        _rank(war, ship, course)
        ship.area, ship.moved, ship.segment = course.to, True, war.segment
        ship.duty, ship.post, ship.trapped = "", "", False
        _begin_duty(ship, course.order)
    return moves


def _rank(war: War, ship: Ship, course: Course) -> None:
    """M5 (S) In or out of a squadron by its order. A leader leaves hers, and takes those along who
    go with her: who cannot is left behind."""
    if ship.leader != course.lead:
        war.leave(ship.id)
    if ship.id != course.lead:
        ship.leader = course.lead


def _begin_duty(ship: Ship, order: Struct) -> None:
    """M6, M7, G2, G3, R, found c: what the ship does where it arrived."""
    if isinstance(order, v.Raid):
        ship.raids = courses.station_of(order.station)
        return
    if isinstance(order, v.River) and ship.side == GERMAN:
        ship.duty = "river"
        return
    ship.quits = "home" if isinstance(order, v.Return) else ""
    ship.quits = "intern" if isinstance(order, v.Intern) else ship.quits
    ship.duty = ALONE.get(type(order), "")
    if isinstance(order, v.Station):
        ship.post = courses.station_of(order.station)
    elif isinstance(order, v.Support):
        ship.post = order.landing


def waiting(war: War) -> list[Ship]:
    """E4 Germans who have still to move this turn, those in the river too (ruling): who was named
    and when a turn ends would tell the Allies else who lies there."""
    return [s for s in war.fleet(GERMAN) if not s.moved]


def next_turn(war: War) -> None:
    """M3, 5.3 A new turn: Moved boxes are emptied; convoys, stations and watches go on."""
    for ship in war.ships.values():
        keeps: Duty = "" if ship.duty == "expedition" else ship.duty
        fresh = structs.replace(
            ship,
            moved=False,
            segment=0,
            busy=False,
            found=False,
            ran=False,
            raids="",
            prey=False,
            quits="",
            duty=keeps,
            post=ship.post if keeps else "",
        )
        war.mark(fresh)
        war.ships[ship.id] = fresh
    war.turn += 1
    war.segment, war.surprised, war.planned, war.taken = 0, False, False, {}


def density(war: War, area: str) -> int:
    """M2, E2 Merchants that can be taken in an area: what it has, less one for each escort."""
    return max(0, board.AREAS[area].density - len(escorts(war, area)))


def escorts(war: War, area: str) -> list[Ship]:
    """M6 The ships that cover the merchants of an area."""
    found = (s for s in war.ships.values() if s.duty == "convoy" and s.area == area)
    return sorted((s for s in found if s.side == BRITISH and s.afloat), key=lambda ship: ship.id)
