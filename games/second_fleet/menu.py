"""What a side may order now, and the form: own units and contacts that are held alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.second_fleet import advanced_menu, reinforcement, strategic, weather
from games.second_fleet import verbs as v
from games.second_fleet.board import SOVIET, ZONE_OF
from games.second_fleet.roster import PATROLS
from games.second_fleet.state import LAYERS, Squadron, Vessel, War
from games.second_fleet.tables import zone_order
from pbem.kit.menus import item, offer
from pbem.model import MenuItem, Side

Menu = dict[str, list[MenuItem]]


def menu(war: War, side: Side) -> Menu:
    """Every unit with its verbs; the side's own name stands for all of it."""
    found: Menu = {side.upper(): [*_side(war, side), *advanced_menu.side(war, side)]}
    if war.stage == "cap":
        found |= {unit.id: _air(war, unit, (), ()) for unit in war.flying(side)}
    elif war.stage != "segment":
        found |= _missions_of(war, side)
    else:
        found |= _actions(war, side)
    for actor, extra in advanced_menu.extras(war, side):
        found.setdefault(actor, []).extend(offer(extra))
    return {name: items for name, items in found.items() if items}


def _missions_of(war: War, side: Side) -> Menu:
    """Of the strategic window."""
    if war.stage == "set-up":
        return {}
    ready = [u for u in war.flying(side) if u.at == "base" and war.ready(u.base)]
    entering = reinforcement.squadrons(war, side)
    return {
        **{unit.id: _missions(war, [unit]) for unit in ready},
        **{name: _missions(war, units) for name, units in entering.items() if units},
    }


def _actions(war: War, side: Side) -> Menu:
    """Of a segment."""
    found: Menu = {}
    held = [k for k in war.known[side].values() if k.level]
    ships = tuple(k.id for k in held if k.kind != "SUB")
    subs = tuple(k.id for k in held if k.kind == "SUB")
    everyone = tuple(k.id for k in war.known[side].values())
    groups = _groups(war, side)
    for key in war.keys(side):
        found[key.upper()] = _ships(war, key, ships, subs, everyone, groups)
    for ship in war.afloat(side):
        if ship.group and "surf" not in war.used[side]:
            found[ship.id] = _member(groups[ship.hex], ship)
    for unit in war.flying(side):
        found[unit.id] = _air(war, unit, ships, subs)
    return found


def _groups(war: War, side: Side) -> dict[str, tuple[str, ...]]:
    """83 The groups in each hex, which ships there may join: nobody moves until groups change."""
    found: dict[str, tuple[str, ...]] = {}
    for name, owner in war.groups.items():
        members = war.members(name) if owner == side else []
        if members:
            found[members[0].hex] = (*found.get(members[0].hex, ()), name.upper())
    return found


def _side(war: War, side: Side) -> list[MenuItem]:
    if war.stage != "segment":
        forms = item(v.Form) if war.stage == "set-up" else None
        return offer(forms, item(v.Array), item(v.Losses))
    left = tuple(x for x in LAYERS if x not in war.used[side])
    hexes = [s.hex for s in war.afloat(side) if not s.sub]
    company = len(set(hexes)) < len(hexes)  # somewhere ships lie together
    forms = item(v.Form) if "surf" in left and company else None
    segment = item(v.Segment, first=(*left, "pass"), second=(*left, "pass"), third=(*left, "pass"))
    return offer(segment, forms, item(v.Array), item(v.Losses))


def _missions(war: War, units: Sequence[Squadron]) -> list[MenuItem]:
    """58 The zones in reach of a squadron. units: as it is at each base at which it may be."""
    near = {zone for unit in units for zone in strategic.in_reach(war, unit)}
    zones = tuple(zone.lower() for zone in zone_order() if zone in near)
    kinds = strategic.missions_of(units[0])
    return offer(
        item(v.Recon, zone=zones) if "recon" in kinds else None,
        item(v.Intercept, zone=zones) if "intercept" in kinds else None,
        item(v.Coordinate, zone=zones) if "tac" in kinds else None,
    )


def _ships(
    war: War,
    key: str,
    ships: tuple[str, ...],
    subs: tuple[str, ...],
    everyone: tuple[str, ...],
    groups: Mapping[str, tuple[str, ...]],
) -> list[MenuItem]:
    members = war.members(key)
    first = members[0]
    layer = "sub" if first.sub else "surf"
    if layer in war.used[first.side] or all(s.acted for s in members):
        return []
    speed = advanced_menu.speeds(war, members)
    kinds = [
        ("asw", any(s.now.asw for s in members), subs),
        ("ssm", any(s.now.ssm for s in members), ships),
        ("torpedo", any(s.now.torpedo for s in members), ships),
        ("close", any(advanced_menu.weapons(war, s) for s in members), ships),
    ]
    ways = tuple(kind for kind, able, _ in kinds if able)
    prey = tuple(dict.fromkeys(c for _, able, found in kinds if able for c in found))
    mates = () if first.sub else None
    moves = [_with(v.Move, mates, speed=speed), _with(v.Go, mates, speed=speed, contact=everyone)]
    heads = advanced_menu.warheads(war, first.side, members)
    fire = _with(v.Attack, mates, weapon=ways, contact=prey, warhead=heads) if ways else None
    if first.decoy:
        return offer(*moves)
    if first.sub:
        return offer(*moves, fire)
    join = None if first.group else item(v.Join, group=groups.get(first.hex, ()))
    return offer(*moves, fire, join, item(v.Array))


def _with(
    verb: type, mates: tuple[str, ...] | None, /, **values: tuple[str, ...]
) -> MenuItem | None:
    """A verb, without `with` for those who act alone."""
    return item(verb, **values) if mates is None else item(verb, mates=mates, **values)


def _member(groups: tuple[str, ...], ship: Vessel) -> list[MenuItem]:
    """83 A ship of a group."""
    others = tuple(g for g in groups if g != ship.group.upper())
    return offer(item(v.Leave), item(v.Join, group=others))


def _air(war: War, unit: Squadron, ships: tuple[str, ...], subs: tuple[str, ...]) -> list[MenuItem]:
    """61, 92 Patrols in the turn's first segment; strikes as long as aircraft may be activated."""
    if unit.at != "base" or unit.acted or not war.ready(unit.base):
        return []
    patrol = item(v.Cap) if unit.role in PATROLS and may_patrol(war, unit.side) else None
    if "air" in war.used[unit.side] or war.stage == "cap":
        return offer(patrol)
    load = tuple(name for name, left in war.loads.get(unit.base, {}).items() if left)
    load = load if unit.sheet.special else ()
    kinds = [
        ("bomb", unit.now.bomb > 0, ships),
        ("ssm", unit.now.ssm > 0 or bool(load), ships),
        ("asw", unit.now.asw > 0, subs),
    ]
    ways = tuple(kind for kind, able, _ in kinds if able)
    prey = tuple(dict.fromkeys(c for _, able, found in kinds if able for c in found))
    heads = advanced_menu.warheads(war, unit.side)
    strike = item(v.Strike, weapon=ways, contact=prey, load=load, warhead=heads) if ways else None
    return offer(patrol, strike, item(v.Transfer))


def may_patrol(war: War, side: Side) -> bool:
    """64 Does the side assign patrols now? Where they have a window of their own the Soviets do."""
    if side in war.capped or war.segment > 1:
        return False
    return war.stage != "cap" or side == SOVIET


def form(war: War, side: Side) -> list[str]:
    """A set that is valid as it is: recon over the own zone, patrols, all types in turn."""
    if war.stage == "set-up":
        return []
    if war.stage == "strategic":
        return [
            f"{unit.id}: recon {ZONE_OF[war.spot(unit.base)].lower()};"
            for unit in war.flying(side)
            if unit.at == "base" and unit.role == "RCN" and _open(war, unit)
        ]
    if war.asked and war.stage == "segment" and not may_patrol(war, side):
        return ["[ what you ordered for this turn stands, but for units that you name again ]"]
    found = [f"{side.upper()}: segment air surf sub;"] if war.stage == "segment" else []
    if not may_patrol(war, side):
        return found
    fighters = [u for u in war.flying(side) if u.role == "INT" and u.at == "base"]
    bases: dict[str, str] = {}
    for unit in fighters:
        if _open(war, unit) and unit.base not in bases:
            bases[unit.base] = unit.id
    return [*found, *(f"{unit}: cap;" for unit in bases.values())]


def _open(war: War, unit: Squadron) -> bool:
    """176, 6.2/5-6 May a squadron take off by what becomes of its base, and by the weather?"""
    return war.ready(unit.base) and not weather.storm(war, war.spot(unit.base))
