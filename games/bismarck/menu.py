"""What a side may order: verbs and argument values of every own unit, and the order form.

Made of the side's own units alone. Zones are not listed: the public board decides them.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from games.bismarck import menu_battle, tables, taskforce
from games.bismarck.board import GERMAN
from games.bismarck.state import AirUnit, Face, Plan, War
from pbem.model import MenuArg, MenuItem, Side

Menu = dict[str, list[MenuItem]]

_PATH = MenuArg("path", "path")
_MOVE = MenuItem("move", (_PATH, MenuArg("speed", "word", ("full", "economical"))))
_PATROL = MenuItem("patrol", (_PATH,))
_HOLD = MenuItem("hold")
_SEARCH = MenuItem(
    "search", (MenuArg("what", "word", ("all", "none", "found")), MenuArg("zones", "places"))
)
_GERMAN = [
    MenuItem("huffduff", (MenuArg("how", "word", ("exact", "random")), MenuArg("zone", "place"))),
    MenuItem("convoy", (MenuArg("what", "word", ("attack", "spare")),)),
]


def menu(war: War, side: Side) -> Menu:
    """Every own actor with its verbs; the side's own name stands for orders to all of it."""
    forces = sorted(war.forces[side].values(), key=lambda f: f.name)
    ships = [s for s in war.fleet(side) if not s.force]
    crowds = Counter(s.zone for s in ships)
    places = {f.name: war.ships[f.ships[0]].zone for f in forces}
    items: Menu = {side.upper(): whole(war, side)}
    for force in forces:
        patrols = any(war.ships[i].patrol for i in force.ships)
        items[force.name] = list(_force_items(patrols, tuple(force.ships)))
        items |= {ship: list(menu_battle.MEMBER) for ship in force.ships}
    for ship in ships:
        beside = [s.id for s in ships if s.zone == ship.zone] if crowds[ship.zone] > 1 else []
        joins = tuple(name for name, zone in places.items() if zone == ship.zone)
        others = tuple(i for i in beside if i != ship.id)
        items[ship.id] = list(_ship_items(ship.patrol is not None, others, joins))
    for unit in war.wing(side):
        items[unit.id] = list(_air_items(modes(unit), unit.flying))
    return items


def whole(war: War, side: Side) -> list[MenuItem]:
    """Orders for the side as a whole: search, and what only it may choose."""
    items = [_SEARCH, *menu_battle.SIDE]
    if side == GERMAN:
        return items + _GERMAN
    items += menu_battle.BRITISH
    escorts = tuple(s.id for s in war.fleet(side) if s.hold == "escort")
    chosen = (i for i, entry in tables.release(war.house).entry.items() if entry.chosen)
    due = tuple(i for i in chosen if war.ships[i].side == side and war.ships[i].hold == "entry")
    if escorts:
        items = [*items, MenuItem("mobilise", (MenuArg("ship", "unit", escorts),))]
    if due:
        enter = MenuItem("enter", (MenuArg("ship", "unit", due), MenuArg("turn", "number")))
        items = [*items, enter]
    return items


@lru_cache(maxsize=512)
def _ship_items(
    patrols: bool, others: tuple[str, ...], joins: tuple[str, ...]
) -> tuple[MenuItem, ...]:
    items = [_MOVE, *([_PATROL] if patrols else []), _HOLD]
    if others:
        form = MenuItem("form", (MenuArg("ships", "units", others), MenuArg("name", "name")))
        items.append(form)
    if joins:
        items.append(MenuItem("join", (MenuArg("force", "unit", joins),)))
    return (*items, *menu_battle.SHIP)


@lru_cache(maxsize=512)
def _force_items(patrols: bool, ships: tuple[str, ...]) -> tuple[MenuItem, ...]:
    detach = MenuItem("detach", (MenuArg("ships", "units", ships), MenuArg("name", "name")))
    modes = [_MOVE, _PATROL, _HOLD] if patrols else [_MOVE, _HOLD]
    return (*modes, detach, MenuItem("break"), *menu_battle.SHIP)


@lru_cache(maxsize=64)
def _air_items(modes: tuple[str, ...], flying: bool) -> tuple[MenuItem, ...]:
    back = MenuArg("back", "word", ("return",))
    items = [MenuItem("fly", (_PATH, MenuArg("mode", "word", modes), back))]
    if "patrol" in modes:
        items.append(_PATROL)
    if "attack" in modes:
        items.append(menu_battle.STRIKE)
    items.append(menu_battle.INTERCEPT)
    return (*items, _HOLD, MenuItem("return")) if flying else tuple(items)


def faces(unit: AirUnit) -> dict[str, Face]:
    """2.434 The modes of an air counter with their faces, the front first."""
    front, back = ("move", "patrol") if unit.type == "LR recon" else ("attack", "recon")
    return {front: unit.front} | ({back: unit.back} if unit.back else {})


def modes(unit: AirUnit) -> tuple[str, ...]:
    """6.31 The modes it may fly in now; a bomber in the air keeps the one it took off in."""
    return (unit.mode,) if unit.flying and unit.type != "LR recon" else tuple(faces(unit))


def form(war: War, side: Side) -> list[str]:
    """A set that is valid as it is: every counter goes on as before."""
    default = "search all" if side != GERMAN else "search none"
    lines = [f"{side.upper()}: {default};"]
    free = (c for c in taskforce.counters(war, side) if not taskforce.tied(war, c.lead))
    lines += [f"{c.id}: {going_on(c.plan, c.mode)};" for c in free]
    lines += [f"{unit.id}: return;" for unit in war.airborne(side)]
    return lines


def going_on(plan: Plan | None, mode: str) -> str:
    """What a counter does without new orders, as an order."""
    if plan and plan.rest:
        verb = "patrol" if plan.patrol else "move"
        slow = " speed economical" if plan.economical and not plan.patrol else ""
        return f"{verb} {' '.join(plan.rest)}{slow}"
    return "patrol" if mode == "patrol" else "hold"
