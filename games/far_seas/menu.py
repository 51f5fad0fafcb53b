"""What a side may order: verbs and argument values of every own ship, and the order form.

Made of the side's own ships and the open board. A German's neighbours and an Ally's convoy areas
are listed, so that the order page can offer them.
"""

from __future__ import annotations

from functools import lru_cache

from games.far_seas import board, courses, movement
from games.far_seas import verbs as v
from games.far_seas.board import BRITISH, GERMAN, STATIONS
from games.far_seas.courses import Mover
from games.far_seas.state import Ship, War
from games.far_seas.tables import rules
from pbem.kit.menus import item, offer
from pbem.model import MenuItem, Side

Menu = dict[str, list[MenuItem]]

_DOCTRINE = [item(kind) for kind in (v.Run, v.Stand, v.Split, v.Pursue, v.Target, v.Torpedo)]
_GERMANS = [item(kind) for kind in (v.Capture, v.Surprise, v.AttackConvoy)]
_ALLIES = [item(kind) for kind in (v.Seek, v.Retire)]


def menu(war: War, side: Side) -> Menu:
    """Every own ship with its verbs; the side's own name stands for orders to all of it."""
    fleet = war.fleet(side)
    whole = _GERMANS if side == GERMAN else _ALLIES
    mates = tuple(s.id for s in fleet)
    items: Menu = {side.upper(): [*whole, *_DOCTRINE]}
    for ship in fleet:
        moves = _moves(war, ship, mates) if movement.free(war, ship) else []
        items[ship.id] = [*moves, *whole, *_DOCTRINE]
    return items


def _moves(war: War, ship: Ship, mates: tuple[str, ...]) -> list[MenuItem]:
    if ship.trapped:  # G7
        return [item(v.River)]
    mover = movement.mover_of(ship)
    near = _near(mover, war.areas)
    canal = _beyond(mover, war.areas)
    move = item(v.Move, area=(*near, *canal), by=("canal",) if canal else ())
    watches = board.RIVER in near and (ship.side == BRITISH or _fits(ship))
    return offer(
        *([move, item(v.Cruise), item(v.Part)] if near else []),
        item(v.Join) if len(mates) > 1 else None,
        item(v.River) if watches else None,
        *(_german(war, ship, near) if ship.side == GERMAN else _allied(war, ship, near)),
    )


def _fits(ship: Ship) -> bool:
    return ship.id in rules().river.ships


@lru_cache(maxsize=1024)
def _near(mover: Mover, areas: tuple[str, ...]) -> tuple[str, ...]:
    """The areas that the ship may end its move in, without the canal's far end."""
    sea = courses.Sea(1, areas)
    ways = (mover.area, *board.neighbours(mover.area, mover.side))
    return tuple(area for area in ways if courses.allowed(sea, mover, area))


@lru_cache(maxsize=256)
def _beyond(mover: Mover, areas: tuple[str, ...]) -> tuple[str, ...]:
    """G1 The far end of the canal, for a German beside it."""
    ends = board.AREAS[mover.area].canal if mover.side == GERMAN else ()
    return tuple(a for a in ends if not areas or a in areas)


def _german(war: War, ship: Ship, near: tuple[str, ...]) -> list[MenuItem | None]:
    return [
        item(v.Raid, station=_stations(near, tuple(sorted(war.raided)))),
        item(v.Intern) if ship.type == "AMC" and board.AREAS[ship.area].ports else None,
        item(v.Return) if ship.area == board.ICELAND_GAP else None,
    ]


@lru_cache(maxsize=512)
def _stations(near: tuple[str, ...], without: tuple[str, ...] = ()) -> tuple[str, ...]:
    return tuple(
        s.lower() for s, area in sorted(STATIONS.items()) if area in near and s not in without
    )


def _allied(war: War, ship: Ship, near: tuple[str, ...]) -> list[MenuItem | None]:
    mover = movement.mover_of(ship)
    covers, guards = not courses.convoyable(mover, war.options), courses.guards(mover)
    lanes = tuple(a for a in near if board.AREAS[a].density)
    return [
        item(v.Hold),
        item(v.Convoy, area=lanes) if covers and lanes else None,
        item(v.Station, station=_stations(near)) if guards else None,
        item(v.Support, landing=_landings(war, near)),
    ]


def _landings(war: War, near: tuple[str, ...]) -> tuple[str, ...]:
    if war.scenario != "war":
        return ()
    return tuple(
        name
        for name, rule in rules().landings.items()
        if rule.area in near and rule.first <= war.turn <= rule.last
    )


_NAMED = "[ your ships are named and sail as ordered; orders here are for searches and meetings ]"
_MET = "[ ships have met: orders here are for meetings; ships sail again in the next segment ]"


def form(war: War, side: Side) -> list[str]:
    """A set that is valid as it is: Germans cruise, or stay in the river; Allies search where they
    are; squadrons do so together, by the order of their leader. Empty but for a remark once ships
    have met, or Germans are named, so that answers sent with it take nothing from the orders of the
    turn."""
    if war.meeting or (war.bound and side == GERMAN):
        return [_MET if war.meeting else _NAMED]
    fleet = [s for s in war.fleet(side) if movement.free(war, s) and s.area in board.SEA]
    if side == GERMAN:
        return [_cruise(war, s) for s in fleet if not s.leader]
    free = [s for s in fleet if not s.duty and not s.leader]
    return [f"{side.upper()}: seek any;", *(_cruise(war, s) for s in free)]


def _cruise(war: War, ship: Ship) -> str:
    """M5 (S) The order of the form, with a remark on who goes along."""
    if ship.duty == "river":
        return f"{ship.id}: river; [stays in it]"
    mates = [s.id for s in war.group(ship.id) if s is not ship and movement.free(war, s)]
    with_her = f" [with her squadron: {', '.join(mates)}]" if mates else ""
    return f"{ship.id}: cruise;{with_her}"
