"""What a side may order: verbs and argument values of every own unit, and the order form.

Made of the side's own units alone. Zones are not listed: the public board decides them.
"""

from __future__ import annotations

from collections import Counter

from games.bismarck import tables, taskforce
from games.bismarck import verbs as v
from games.bismarck import verbs_battle as b
from games.bismarck.board import GERMAN
from games.bismarck.state import AirUnit, Face, Plan, War
from pbem.kit.menus import item, offer
from pbem.model import MenuItem, Side

Menu = dict[str, list[MenuItem]]

_HOLD, _MOVE, _PATROL = item(v.Hold), item(v.Move), item(v.Patrol)
_STRIKE, _INTERCEPT, _AVOID = item(b.Strike), item(b.Intercept), item(b.Avoid)
_BATTLE = [
    item(kind)
    for kind in (
        *(b.Attack, b.Accept, b.SetUp, b.Course, b.Range, b.Aspect, b.Target, b.Designate),
        *(b.Reinforce, b.Withdraw),
    )
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
        items[force.name] = _force_items(patrols, tuple(force.ships))
        items |= {ship: [_AVOID, *_BATTLE] for ship in force.ships}
    for ship in ships:
        beside = [s.id for s in ships if s.zone == ship.zone] if crowds[ship.zone] > 1 else []
        joins = tuple(name for name, zone in places.items() if zone == ship.zone)
        others = tuple(i for i in beside if i != ship.id)
        items[ship.id] = _ship_items(ship.patrol is not None, others, joins)
    for unit in war.wing(side):
        items[unit.id] = _air_items(modes(unit), unit.flying)
    return items


def whole(war: War, side: Side) -> list[MenuItem]:
    """Orders for the side as a whole: search, and what only it may choose."""
    items = [item(v.Search), _STRIKE, *_BATTLE, _AVOID, item(b.BreakOff)]
    if side == GERMAN:
        return [*items, item(v.HuffDuff), item(v.Convoy)]
    escorts = tuple(s.id for s in war.fleet(side) if s.hold == "escort")
    chosen = (i for i, entry in tables.release(war.house).entry.items() if entry.chosen)
    due = tuple(i for i in chosen if war.ships[i].side == side and war.ships[i].hold == "entry")
    items += [item(b.Shadow), item(b.HighSpeed)]
    return offer(*items, item(v.Mobilise, ship=escorts), item(v.Enter, ship=due))


def _ship_items(patrols: bool, others: tuple[str, ...], joins: tuple[str, ...]) -> list[MenuItem]:
    form, join = item(v.Form, ships=others), item(v.Join, force=joins)
    return offer(_MOVE, _PATROL if patrols else None, _HOLD, form, join, _INTERCEPT, *_BATTLE)


def _force_items(patrols: bool, ships: tuple[str, ...]) -> list[MenuItem]:
    modes = [_MOVE, _PATROL, _HOLD] if patrols else [_MOVE, _HOLD]
    return offer(*modes, item(v.Detach, ships=ships), item(v.Break), _INTERCEPT, *_BATTLE)


def _air_items(modes: tuple[str, ...], flying: bool) -> list[MenuItem]:
    return offer(
        item(v.Fly, mode=modes),
        _PATROL if "patrol" in modes else None,
        _STRIKE if "attack" in modes else None,
        _INTERCEPT,
        *([_HOLD, item(v.Return)] if flying else []),
    )


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
