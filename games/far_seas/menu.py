"""What a side may order: verbs and argument values of every own ship, and the order form.

Made of the side's own ships and the open board. A German's neighbours and an Ally's convoy areas
are listed, so that the order page can offer them.
"""

from __future__ import annotations

from functools import lru_cache

from games.far_seas import board, courses, movement
from games.far_seas.board import BRITISH, GERMAN, STATIONS
from games.far_seas.courses import Mover
from games.far_seas.state import Ship, War
from games.far_seas.tables import rules
from pbem.model import MenuArg, MenuItem, Side

Menu = dict[str, list[MenuItem]]

_RUN = MenuItem("run", (MenuArg("area", "place"),))
_SPLIT = MenuItem("split", (MenuArg("what", "word", ("together", "apart")),))
_PURSUE = MenuItem("pursue", (MenuArg("what", "word", ("all", "best", "none")),))
_TARGET = MenuItem(
    "target",
    (
        MenuArg("what", "word", ("best", "weakest", "damaged")),
        MenuArg("ship", "contact"),
        MenuArg("how", "word", ("concentrate", "split")),
    ),
)
_TORPEDO = MenuItem("torpedo", (MenuArg("what", "word", ("fire", "hold")),))
_DOCTRINE = (_RUN, MenuItem("stand"), _SPLIT, _PURSUE, _TARGET, _TORPEDO)
_CAPTURE = MenuItem("capture", (MenuArg("what", "word", ("all", "none")),))
_SURPRISE = MenuItem(
    "surprise",
    (
        MenuArg("what", "word", ("any", "none")),
        MenuArg("prey", "contact"),
        MenuArg("odds", "number"),
    ),
)
_SEEK = MenuItem("seek", (MenuArg("what", "word", ("any", "none")), MenuArg("ship", "contact")))
_RETIRE = MenuItem("retire", (MenuArg("what", "word", ("must", "damaged")),))
OF_GERMANS = (_CAPTURE, _SURPRISE, MenuItem("attack convoy"))
OF_ALLIES = (_SEEK, _RETIRE)


def menu(war: War, side: Side) -> Menu:
    """Every own ship with its verbs; the side's own name stands for orders to all of it."""
    fleet = war.fleet(side)
    whole = OF_GERMANS if side == GERMAN else OF_ALLIES
    mates = tuple(s.id for s in fleet)
    items: Menu = {side.upper(): [*whole, *_DOCTRINE]}
    for ship in fleet:
        moves = _moves(war, ship, mates) if movement.free(war, ship) else []
        items[ship.id] = [*moves, *whole, *_DOCTRINE]
    return items


def _moves(war: War, ship: Ship, mates: tuple[str, ...]) -> list[MenuItem]:
    mover = movement.mover_of(ship)
    near = _near(mover, war.areas)
    items = (
        [_where(near, _beyond(mover, war.areas)), MenuItem("cruise"), MenuItem("part")]
        if near
        else []
    )
    if len(mates) > 1:
        items.append(MenuItem("join", (MenuArg("ship", "unit"),)))
    if board.RIVER in near and (ship.side == BRITISH or _fits(ship)):
        items.append(MenuItem("river"))
    return items + (_german(war, ship, near) if ship.side == GERMAN else _allied(war, ship, near))


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


@lru_cache(maxsize=512)
def _where(near: tuple[str, ...], canal: tuple[str, ...]) -> MenuItem:
    by = (MenuArg("by", "word", ("canal",)),) if canal else ()
    return MenuItem("move", (MenuArg("area", "place", (*near, *canal)), *by))


def _german(war: War, ship: Ship, near: tuple[str, ...]) -> list[MenuItem]:
    stations = _stations(near, tuple(sorted(war.raided)))
    items = [MenuItem("raid", (MenuArg("station", "word", stations),))] if stations else []
    if ship.type == "AMC" and board.AREAS[ship.area].ports:
        items.append(MenuItem("intern"))
    if ship.area == board.ICELAND_GAP:
        items.append(MenuItem("return"))
    return items


@lru_cache(maxsize=512)
def _stations(near: tuple[str, ...], without: tuple[str, ...] = ()) -> tuple[str, ...]:
    return tuple(
        s.lower() for s, area in sorted(STATIONS.items()) if area in near and s not in without
    )


def _allied(war: War, ship: Ship, near: tuple[str, ...]) -> list[MenuItem]:
    items = [MenuItem("hold")]
    if not courses.convoyable(movement.mover_of(ship), war.options):
        lanes = tuple(a for a in near if board.AREAS[a].density)
        items += [MenuItem("convoy", (MenuArg("area", "place", lanes),))] if lanes else []
    if stations := _stations(near):
        items.append(MenuItem("station", (MenuArg("station", "word", stations),)))
    if landings := _landings(war, near):
        items.append(MenuItem("support", (MenuArg("landing", "word", landings),)))
    return items


def _landings(war: War, near: tuple[str, ...]) -> tuple[str, ...]:
    if war.scenario != "war":
        return ()
    return tuple(
        name
        for name, rule in rules().landings.items()
        if rule.area in near and rule.first <= war.turn <= rule.last
    )


def form(war: War, side: Side) -> list[str]:
    """A set that is valid as it is: Germans cruise, Allies search where they are."""
    fleet = [s for s in war.fleet(side) if movement.free(war, s) and s.area in board.SEA]
    if side == GERMAN:
        return [f"{s.id}: cruise;" for s in fleet if not s.leader and s.duty != "river"]
    free = [s for s in fleet if not s.duty and not s.leader]
    return [f"{side.upper()}: seek any;", *(f"{s.id}: cruise;" for s in free)]
