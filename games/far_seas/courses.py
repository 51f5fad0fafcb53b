"""M3-M7, G1-G3, G9, found b, c: where a ship may be ordered to, by its own state and the board.

The referee passes the truth about the owner's ship, the checker what the owner's report says.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from games.far_seas import board
from games.far_seas import verbs as v
from games.far_seas.board import GERMAN
from games.far_seas.state import GRADES
from games.far_seas.tables import rules
from pbem.kit.checks import Refused
from pbem.model import Side


class Mover(Struct, frozen=True):
    """What the rules of movement need of one ship, from the truth or from its owner's report."""

    id: str
    side: Side
    nation: str
    type: str
    gun: str
    speed: int
    """Place in `state.GRADES`."""
    area: str
    start: str
    """The area in which it began."""
    duty: str = ""
    """As `state.Duty`."""


class Sea(Struct, frozen=True):
    """What is open to all. areas: those in play, empty for all; options: of the game; raided:
    stations raided so far; turn."""

    turn: int
    areas: Collection[str] = ()
    raided: Collection[str] = ()
    options: Mapping[str, str] = {}
    landings: bool = True


MOVES: Mapping[str, type[Struct]] = {
    "move": v.Move,
    "cruise": v.Cruise,
    "join": v.Join,
    "part": v.Part,
    "river": v.River,
    "raid": v.Raid,
    "intern": v.Intern,
    "return": v.Return,
    "hold": v.Hold,
    "convoy": v.Convoy,
    "station": v.Station,
    "support": v.Support,
}
"""Orders to move, of which one binds a ship in a segment."""


def destination(sea: Sea, ship: Mover, order: Struct) -> str:
    """Where the order takes the ship in one move. Raises Refused."""
    match order:
        case v.Move():
            return _move(sea, ship, order)
        case v.Raid():
            return _raid(sea, ship, order)
        case v.Convoy():
            return _convoy(sea, ship, order)
        case v.Station():
            return _station(sea, ship, order)
        case v.Support():
            return _support(sea, ship, order)
    return _IN_PLACE[type(order)](sea, ship)


def within(sea: Sea, ship: Mover, to: str, canal: bool = False, arg: str = "area") -> str:
    """M5, G1, 5.5 `to`, where the ship may go there or stay. Raises Refused."""
    if to == ship.area:
        return to
    place = board.name(to)
    if to not in board.neighbours(ship.area, ship.side, canal):
        _apart(ship, to, canal, arg)
    if sea.areas and to not in sea.areas:
        text = f"{place} is not in play in this scenario"
        raise Refused("not-in-play", "M5", text, _open(sea, ship), arg)
    ocean = ocean_of(ship)
    if ocean and to not in ocean:
        text = f"{ship.nation} ships do not leave their ocean for {place}"
        raise Refused("other-ocean", "5.5", text, _open(sea, ship), arg)
    return to


def _open(sea: Sea, ship: Mover) -> str:
    """Where the ship may go, as a hint."""
    ways = board.neighbours(ship.area, ship.side)
    ocean = ocean_of(ship)
    near = [a for a in ways if (not sea.areas or a in sea.areas) and (not ocean or a in ocean)]
    return f"open to it: {', '.join(near)}"


def allowed(sea: Sea, ship: Mover, to: str) -> bool:
    """M5 May the ship go there without the canal?"""
    try:
        return within(sea, ship, to) == to
    except Refused:
        return False


def _apart(ship: Mover, to: str, canal: bool, arg: str) -> None:
    """G1, M5 Raises Refused for an area that is not adjacent, or only by the canal."""
    if to in board.neighbours(ship.area, ship.side, canal=True):
        text = f"the way to {board.name(to)} is the Panama Canal"
        raise Refused("canal", "G1", text, f"{ship.id}: move {to} by canal", arg)
    near = ", ".join(board.neighbours(ship.area, ship.side, canal))
    text = f"{board.name(to)} is not adjacent to {board.name(ship.area)}"
    raise Refused("not-adjacent", "M5", text, f"adjacent: {near}", arg)


def ocean_of(ship: Mover) -> Collection[str]:
    """5.5 The areas that a ship of another Ally than Britain keeps to, empty for all others."""
    if ship.side == GERMAN or ship.nation == "UK":
        return ()
    return board.ATLANTIC if ship.start in board.ATLANTIC else board.PACIFIC


def _move(sea: Sea, ship: Mover, order: v.Move) -> str:
    """G1, M5 An adjacent area, by the canal where that is declared."""
    to = within(sea, ship, order.area, order.by == "canal")
    if order.by and to == ship.area:
        text = f"{ship.id} is in {board.name(to)}, and needs no canal to stay there"
        raise Refused("canal", "G1", text, f"{ship.id}: cruise", "by")
    return to


def _stay(sea: Sea, ship: Mover) -> str:
    if ship.area not in board.SEA:
        text = f"{board.name(ship.area)} is no area of the sea"
        raise Refused("in-box", "M5", text, _open(sea, ship))
    return ship.area


def _hold(sea: Sea, ship: Mover) -> str:
    return ship.area


def _raid(sea: Sea, ship: Mover, order: v.Raid) -> str:
    """E3 A station that was not raided before."""
    station = station_of(order.station)
    if station in sea.raided:
        text = f"{station} was raided before; a station counts once in a game"
        raise Refused("raided-before", "E3", text, "raid another, or none", "station")
    return within(sea, ship, board.STATIONS[station], arg="station")


def station_of(word: str) -> str:
    """A station as printed, from the word of an order."""
    return next(station for station in board.STATIONS if station.lower() == word.lower())


def _river(sea: Sea, ship: Mover) -> str:
    """G2 Only some Germans fit into the Rufiji."""
    fits = rules().river.ships
    if ship.side == GERMAN and ship.id not in fits:
        text = f"only {', '.join(fits)} can enter the Rufiji"
        raise Refused("too-deep", "G2", text, f"{ship.id}: cruise")
    return within(sea, ship, board.RIVER, arg="")


def _intern(sea: Sea, ship: Mover) -> str:
    """Found b: liners alone, in an area with a neutral port."""
    if ship.type != "AMC":
        raise Refused("no-liner", "found b", "only liners are interned", f"{ship.id}: cruise")
    if not board.AREAS[ship.area].ports:
        areas = ", ".join(a for a in board.SEA if board.AREAS[a].ports)
        text = f"there is no neutral port in {board.name(ship.area)}"
        raise Refused("no-port", "found b", text, f"neutral ports are in {areas}")
    return ship.area


def _return(sea: Sea, ship: Mover) -> str:
    """G9 The way home begins in one area."""
    if ship.area != board.ICELAND_GAP:
        text = f"the way home begins in {board.name(board.ICELAND_GAP)}"
        raise Refused("no-way-home", "G9", text, f"go to area {board.ICELAND_GAP} first")
    return ship.area


def convoyable(ship: Mover, options: Mapping[str, str]) -> str:
    """M6 Why a ship may not cover merchants, empty when it may."""
    table = rules().convoy
    if ship.speed > GRADES.index(table.grade) or ship.gun not in table.guns:
        return "only ships with A or B guns and speed 3+ or less cover merchants"
    if ship.nation != "UK" and options.get("convoy", "uk") == "uk":
        return "only British ships cover merchants"
    return ""


def _convoy(sea: Sea, ship: Mover, order: v.Convoy) -> str:
    """M6 A ship that may cover merchants, where there are any."""
    if why := convoyable(ship, sea.options):
        hint = f"{ship.id}: cruise searches, {ship.id}: station covers a station"
        raise Refused("no-convoy-ship", "M6", why, hint)
    to = within(sea, ship, order.area or ship.area)
    if not board.AREAS[to].density:
        text = f"no merchants sail in {board.name(to)}"
        near = (ship.area, *board.neighbours(ship.area, ship.side))
        hint = f"merchants sail in {', '.join(a for a in near if board.AREAS[a].density)}"
        raise Refused("no-merchants", "M6", text, hint, "area")
    return to


def guards(ship: Mover) -> bool:
    """M7 May a ship cover a station?"""
    return ship.nation == "UK"


def _station(sea: Sea, ship: Mover, order: v.Station) -> str:
    """M7 The area of a station, for British ships."""
    if not guards(ship):
        text = "only British ships cover stations"
        raise Refused("no-guard-ship", "M7", text, f"{ship.id}: cruise searches her area")
    return within(sea, ship, board.STATIONS[station_of(order.station)], arg="station")


def _support(sea: Sea, ship: Mover, order: v.Support) -> str:
    """Found c: a landing of this scenario that needs ships now."""
    if not sea.landings:
        text = "this scenario has no landings"
        raise Refused("no-landings", "found c", text, f"{ship.id}: cruise", "landing")
    table = rules().landings[order.landing]
    if not table.first <= sea.turn <= table.last:
        text = f"{table.name} needs ships in turns {table.first} to {table.last}"
        raise Refused("no-landing-now", "found c", text, f"this is turn {sea.turn}", "landing")
    return within(sea, ship, table.area, arg="landing")


_IN_PLACE = {
    v.Cruise: _stay,
    v.Part: _stay,
    v.Hold: _hold,
    v.Join: _hold,
    v.River: _river,
    v.Intern: _intern,
    v.Return: _return,
}
"""Orders without an argument that says where."""
