"""What a side may order: verbs and argument values of every own unit, and the order form.

Made of the side's own units alone. Zones are not listed: the public board decides them.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.bismarck import air, availability, groups, tables, taskforce
from games.bismarck import verbs as v
from games.bismarck import verbs_battle as b
from games.bismarck.board import GERMAN, OTHER
from games.bismarck.state import AirUnit, Face, Plan, War
from pbem.kit.menus import item, offer
from pbem.model import MenuItem, Side

Menu = dict[str, list[MenuItem]]

_HOLD, _PATROL = item(v.Hold), item(v.Patrol)
_STRIKE, _INTERCEPT, _AVOID = item(b.Strike), item(b.Intercept), item(b.Avoid)


def menu(war: War, side: Side) -> Menu:
    """Every own actor with its verbs; the side's own name stands for orders to all of it."""
    hulls = [
        groups.Hull(s.id, s.zone, s.type, s.force, s.hold, taskforce.tied(war, s))
        for s in war.fleet(side)
    ]
    items: Menu = {side.upper(): whole(war, side)}
    raid = side == GERMAN
    items |= _in_battle(hulls, raid) if war.sailing else groups.offered(hulls, raid)
    for unit in war.wing(side):
        found = _strikes(unit) if war.sailing else _air_items(modes(unit), unit.flying)
        items |= {unit.id: found} if found else {}
    return items


def _in_battle(hulls: Sequence[groups.Hull], raid: bool) -> Menu:
    """4.2, 4.5, 4.8 Once ships have moved, only a battle is left to give orders for, and a convoy
    that Germans may meet."""
    alone = groups.fighting(raid)
    forces: Menu = {name: [*alone] for name in groups.grouped(hulls)}
    return forces | {h.id: [*(groups.LED if h.force else alone)] for h in hulls}


def whole(war: War, side: Side) -> list[MenuItem]:
    """Orders for the side as a whole: search, and what only it may choose; once ships have moved,
    what is still to come in the turn."""
    fight = [_STRIKE, *groups.BATTLE, _AVOID, item(b.BreakOff)]
    items = fight if war.sailing else [item(v.Search), *fight]
    if side == GERMAN:
        return [*items, item(v.HuffDuff), item(v.Convoy)]
    if war.sailing:
        return items
    called = availability.may_mobilise(war)
    escorts = tuple(s.id for s in war.fleet(side) if called and s.hold == "escort")
    chosen = (i for i, entry in tables.release(war.house).entry.items() if entry.chosen)
    due = tuple(i for i in chosen if war.ships[i].side == side and war.ships[i].hold == "entry")
    items += [item(b.Shadow), item(b.HighSpeed)]
    return offer(*items, item(v.Mobilise, ship=escorts), item(v.Enter, ship=due))


def _air_items(modes: tuple[str, ...], flying: bool) -> list[MenuItem]:
    return offer(
        item(v.Fly, mode=modes),
        _PATROL if "patrol" in modes else None,
        _STRIKE if "attack" in modes else None,
        _INTERCEPT,
        *([_HOLD, item(v.Return)] if flying else []),
    )


def _strikes(unit: AirUnit) -> list[MenuItem]:
    """9.16 A bomber over the enemy may still be told what to strike."""
    return [_STRIKE] if unit.flying and unit.mode == "attack" else []


def faces(unit: AirUnit) -> dict[str, Face]:
    """2.434 The modes of an air counter with their faces, the front first."""
    front, back = ("move", "patrol") if unit.type == "LR recon" else ("attack", "recon")
    return {front: unit.front} | ({back: unit.back} if unit.back else {})


def modes(unit: AirUnit) -> tuple[str, ...]:
    """6.31 The modes it may fly in now; a bomber in the air keeps the one it took off in."""
    return (unit.mode,) if unit.flying and unit.type != "LR recon" else tuple(faces(unit))


_FORMED = "[ one set may form a force and sail it: form ... as TF9; TF9: move ...; ]"
_QUIET = "[ all quiet: RUN 2; here is two turns in one mail, if both write it ]"
_MOVED = "[ all have moved; orders here are for battle; for later: turn {turn} {ship}: move ...; ]"
_SPLIT = "[ one set may break a force and order its ships: TF1: break; then each ]"


def form(war: War, side: Side) -> list[str]:
    """A set that is valid as it is: every counter goes on as before. Empty but for a remark once
    they have moved, so that answers sent with it take nothing from the orders of the turn."""
    if war.sailing:
        return [_MOVED.format(turn=war.turn + 1, ship="BISMARCK" if side == GERMAN else "HOOD")]
    default = "search all" if side != GERMAN else "search none"
    lines = [_QUIET] if quiet(war, side) else []
    lines.append(f"{side.upper()}: {default};")
    own = [c for c in taskforce.counters(war, side) if not c.lead.hold]
    if any(c.force for c in own):
        lines.append(_SPLIT)
    elif len({c.zone for c in own}) < len(own):
        lines.append(_FORMED)
    free = (c for c in taskforce.counters(war, side) if not taskforce.tied(war, c.lead))
    lines += [f"{c.id}: {going_on(c.plan, c.mode)};" for c in free]
    lines += [f"{unit.id}: {flying_on(war, unit)};" for unit in war.airborne(side)]
    return lines


def quiet(war: War, side: Side) -> bool:
    """Has nobody been in sight since last turn, of either side, and is no ship to be got out of
    Bergen in time (12.33)? Who was located has heard of it (7.23)."""
    waits = side == GERMAN and war.ships["BISMARCK"].in_port
    seen = any(war.turn - c.turn <= 1 for c in war.known[side].contacts.values())
    return not (waits or seen or war.located_last[OTHER[side]])


def flying_on(war: War, unit: AirUnit) -> str:
    """What an air unit in flight does without new orders, as an order."""
    verb = "patrol" if unit.mode == "patrol" else "fly"
    plan = air.onward(war, unit)
    if plan is None:
        return "return"
    if plan.rest:
        return f"{verb} {' '.join(plan.rest)}"
    return "patrol" if verb == "patrol" else "hold"


def going_on(plan: Plan | None, mode: str) -> str:
    """What a counter does without new orders, as an order."""
    if plan and plan.rest:
        verb = "patrol" if plan.patrol else "move"
        slow = " speed economical" if plan.economical and not plan.patrol else ""
        return f"{verb} {' '.join(plan.rest)}{slow}"
    return "patrol" if mode == "patrol" else "hold"
