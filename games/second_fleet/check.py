"""Checks of orders, for referee and order page: by the report and the public board alone."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import convert

from games.second_fleet import advanced_verbs as av
from games.second_fleet import verbs as v
from games.second_fleet.board import LATTICE
from games.second_fleet.report import OwnUnit
from games.second_fleet.seen import (
    Seen,
    airfields,
    bases,
    coasts,
    least_deep,
    may_begin,
    touches,
    wet,
)
from games.second_fleet.verbs import GRAMMAR
from pbem.kit import checks
from pbem.kit.checks import Checks, Refused
from pbem.model import MenuArg, MenuItem

CHECKS = Checks(GRAMMAR, Seen)


@CHECKS.effect(v.Leave)
def left(seen: Seen, order: v.Leave) -> list[checks.Change]:
    """83 What a ship may do that has left her group: what the group might."""
    unit = seen.unit
    if unit is None or unit.group == "":
        return []
    own = [one for one in seen.offers(seen.actor) if one.verb not in ("leave", "join")]
    menu = (*seen.offers(unit.group), *own)
    return [checks.Change(seen.actor, menu, {"group": ""}), *_rest(seen, unit.group, [unit.id])]


@CHECKS.effect(v.Join)
def joined(seen: Seen, order: v.Join) -> list[checks.Change]:
    """83 What those may do whom a ship leaves, and those whom she joins: what any of them might."""
    unit, group = seen.unit, seen.own(order.group, OwnUnit)
    if unit is None or group is None:
        return []
    own = [one for one in _alone(seen, unit) if one.verb not in ("leave", "join")]
    more = {"range": max(group.range, unit.range)}
    met = checks.Change(group.id, _together(seen.offers(group.id), own), more)
    return [met, *_rest(seen, unit.group, [unit.id])]


@CHECKS.effect(v.Form)
def formed(seen: Seen, order: v.Form) -> list[checks.Change]:
    """83 What a new group may do: what its ships, or their groups, might."""
    lead = seen.own(order.ships[0], OwnUnit)
    if lead is None:
        return []
    menu, reach = _alone(seen, lead), lead.range
    groups: list[str] = []
    for name in order.ships:
        ship = seen.own(name, OwnUnit)
        if ship is None:
            continue
        menu, reach = _together(menu, _alone(seen, ship)), max(reach, ship.range)
        if ship.group != "" and ship.group not in groups:
            groups.append(ship.group)
    row = {
        "id": order.name,
        "name": order.name,
        "type": "ships",
        "place": lead.place,
        "kind": "group",
        "ma": lead.ma,
        "ssm": lead.ssm,
        "range": reach,
    }
    found = [checks.Change(order.name, menu, row)]
    for name in groups:
        found.extend(_rest(seen, name, order.ships))
    here = [str(one["id"]) for one in seen.report["units"] if one["place"] == lead.place]
    for name in here:
        ship = seen.own(name, OwnUnit)
        menu = seen.offers(name)
        if ship is not None and ship.kind == "ship" and name not in order.ships and len(menu) > 0:
            found.append(checks.Change(name, _joining(menu, order.name)))
    return found


def _joining(menu: Sequence[MenuItem], group: str) -> tuple[MenuItem, ...]:
    """83 A ship's menu, with a new group that she may join."""
    groups = [group]
    for one in menu:
        for arg in one.args:
            if one.verb == "join":
                groups = [*arg.values, group]
    others = [one for one in menu if one.verb != "join"]
    return (*others, MenuItem("join", (MenuArg("group", "unit", tuple(groups)),)))


def _alone(seen: Seen, ship: OwnUnit) -> tuple[MenuItem, ...]:
    """What a ship might do: what she may be given, or her group."""
    return seen.offers(ship.id if ship.group == "" else ship.group)


def _together(ours: Sequence[MenuItem], theirs: Sequence[MenuItem]) -> tuple[MenuItem, ...]:
    """What either may be given, of each argument all that either may take."""
    found: list[MenuItem] = []
    for one in ours:
        args = [*one.args]
        for other in theirs:
            if other.verb == one.verb:
                args = _values(args, other.args)
        found.append(MenuItem(one.verb, tuple(args)))
    verbs = [one.verb for one in ours]
    return (*found, *[one for one in theirs if one.verb not in verbs])


def _values(ours: Sequence[MenuArg], theirs: Sequence[MenuArg]) -> list[MenuArg]:
    """The arguments of both; without values one may take any."""
    found: list[MenuArg] = []
    for one in ours:
        values = [*one.values]
        for other in theirs:
            if other.name == one.name:
                more = [value for value in other.values if value not in values]
                values = [*values, *more] if len(values) > 0 and len(other.values) > 0 else []
        found.append(MenuArg(one.name, one.kind, tuple(values)))
    names = [one.name for one in ours]
    return [*found, *[one for one in theirs if one.name not in names]]


def _rest(seen: Seen, name: str, gone: Sequence[str]) -> list[checks.Change]:
    """19, 83 Who is left of a group sails as fast as the slowest of them."""
    group = seen.own(name, OwnUnit)
    if group is None:
        return []
    rest = [ship for ship in group.ships if ship not in gone]
    paces: list[int] = []
    for ship in rest:
        mate = seen.own(ship, OwnUnit)
        if mate is not None:
            paces.append(mate.ma)
    if len(paces) == 0:
        return []
    return [checks.Change(name, seen.offers(name), {"ma": min(paces), "ships": rest})]


@CHECKS.effect(v.Move, v.Go)
def accompanied(seen: Seen, order: v.Move | v.Go) -> list[checks.Change]:
    """85, 138 Who sails along attacks along, and may fire farther."""
    unit = seen.unit
    if unit is None or len(order.mates) == 0:
        return []
    more = {"range": _range(seen, unit, order.mates)}
    return [checks.Change(seen.actor, seen.offers(seen.actor), more)]


@CHECKS.effect(av.Replenish)
def fuelled(seen: Seen, order: av.Replenish) -> list[checks.Change]:
    """6.5/6 A ship that has had no fuel sails farther, and so does her group."""
    ship = seen.own(order.unit, OwnUnit)
    if ship is None or ship.dry == 0:
        return []
    if len([one for one in order.boxes if one.what == "fuel"]) == 0:
        return []
    found = [checks.Change(ship.id, seen.offers(ship.id), {"ma": ship.dry})]
    group = seen.own(ship.group, OwnUnit)
    if group is not None:
        most = ship.dry
        for name in group.ships:
            mate = seen.own(name, OwnUnit)
            if mate is not None and mate.id != ship.id:
                most = min(most, mate.ma)
        found.append(checks.Change(group.id, seen.offers(group.id), {"ma": most}))
    return found


@CHECKS.effect(av.Strategy)
def raised(seen: Seen, order: av.Strategy) -> list[checks.Change]:
    """6.3/2 A strategy that rises lets troops land at more bases on the same morning."""
    found: list[checks.Change] = []
    if not seen.now:
        return found
    for row in seen.report["board"]["raised"]:
        more = convert(row["items"], tuple[MenuItem, ...])
        verbs = [one.verb for one in more]
        before = [one for one in seen.offers(row["id"]) if one.verb not in verbs]
        found.append(checks.Change(row["id"], (*before, *more)))
    return found


@CHECKS.on(v.Move, v.Go)
def alone(seen: Seen, order: v.Move | v.Go) -> None:
    """24, 90 Full speed is for submarines, company for ships."""
    unit = seen.unit
    if unit is None or not seen.now:
        return
    if order.speed == "high" and unit.kind == "sub":
        raise Refused("no-high-speed", "6.7/6", "high speed is for ships", arg="speed")
    if order.speed == "full" and unit.kind != "sub":
        raise Refused("no-full-speed", "24", "full speed is for submarines", arg="speed")
    mates = [seen.own(name, OwnUnit) for name in order.mates]
    subs = [one for one in mates if one is not None and one.kind == "sub"]
    if len(order.mates) > 0 and (unit.kind == "sub" or len(subs) > 0):
        raise Refused("alone", "90", "submarines are activated one by one", arg="mates")


@CHECKS.on(v.Move, v.Go, v.Attack, arg="mates")
def without_decoys(seen: Seen, order: v.Move | v.Go | v.Attack) -> None:
    """6.19/1 A decoy sails with nobody."""
    if len(order.mates) == 0:
        return
    for name in [seen.actor, *order.mates]:
        one = seen.own(name, OwnUnit)
        if one is not None and one.model == "DC":
            raise Refused("alone", "6.19/1", f"{name} sails with nobody")


@CHECKS.on(v.Move, arg="path")
def legal_path(seen: Seen, order: v.Move) -> None:
    """6.13/1 From hex to hex by water, as far as she sails."""
    unit = seen.unit
    if unit is None or not seen.now:
        return
    here = unit.place
    for item, hex_ in enumerate(order.path):
        if not touches(here, hex_):
            text = f"there is no way by sea from {here} to {hex_}"
            raise Refused(
                "no-way", "6.13/1", text, "name every hex on the way, or use go", item=item
            )
        here = hex_
    most = unit.ma + (1 if order.speed != "" else 0)
    if len(order.path) > most:
        text = f"that is {len(order.path)} hexes; {seen.actor} sails {most} a turn"
        raise Refused("too-far", "19", text, item=most)


@CHECKS.note(v.Move)
def sailed(seen: Seen, order: v.Move) -> str:
    """Where a move ends."""
    count = len(order.path)
    return f"{count} hex{'' if count == 1 else 'es'}, to {order.path[count - 1]}"


@CHECKS.on(v.Go)
def one_goal(seen: Seen, order: v.Go) -> None:
    """6.13/4 A hex of the sea, or a contact."""
    if (order.hex == "") == (order.contact == ""):
        hint = "go 2820, or go EN3"
        raise Refused("one-goal", "6.13/4", "name one goal: a hex or a contact", hint)
    if order.hex != "" and not wet(order.hex):
        raise Refused("land-hex", "6.13/1", f"{order.hex} is land", arg="hex")


@CHECKS.note(v.Go)
def heading(seen: Seen, order: v.Go) -> str:
    """How far it is as the crow flies."""
    unit = seen.unit
    if unit is None:
        return ""
    goal = order.hex if order.hex != "" else seen.place_of(order.contact)
    if goal == "":
        return ""
    away = LATTICE.distance(unit.place, goal)
    return f"{away} hexes or more to {goal}, {unit.ma} a turn"


@CHECKS.on(v.Attack, v.Strike)
def one_target(seen: Seen, order: v.Attack | v.Strike) -> None:
    """6.14/1 A contact, or a hex."""
    if (order.hex == "") == (order.contact == ""):
        hint = f"{seen.verb} {order.weapon} EN3, or {seen.verb} {order.weapon} 3605"
        raise Refused("one-target", "6.14/1", "name one target: a contact or a hex", hint)
    if order.hex != "" and not wet(order.hex) and order.hex not in bases():
        raise Refused("no-target", "88", f"there is nothing to attack in {order.hex}", arg="hex")
    if len(order.aims) > 1 and any(aim.what in ("field", "port") for aim in order.aims):
        text = "an airfield or a port is attacked by itself"
        raise Refused("one-part", "175", text, "a second attack for the other", arg="aims")
    if order.weapon == "asw" and any(aim.what != "all" for aim in order.aims):
        text = "ASW is shared by all submarines of the hex that are known"
        raise Refused("no-types", "6.14/11", text, "name a contact for one of them", arg="aims")
    kind = seen.kind_of(order.contact)
    base = any(aim.what in ("field", "port") for aim in order.aims)
    if kind != "" and not base and (kind == "SUB") != (order.weapon == "asw"):
        text = "submarines alone are attacked by ASW, and by it alone"
        raise Refused("no-target", "6.14/2", text, arg="weapon")


@CHECKS.on(v.Strike, arg="load")
def loaded(seen: Seen, order: v.Strike) -> None:
    """6.12/11 Special missiles are for strikes with missiles, and for who has none of his own."""
    if order.load != "" and order.weapon != "ssm":
        raise Refused("no-load", "6.12/11", f"{order.load} is for strike ssm")
    unit = seen.unit
    if unit is None or not seen.now or order.weapon != "ssm" or order.load != "":
        return
    for name in [seen.actor, *order.mates]:
        mate = seen.own(name, OwnUnit)
        if name not in order.escort and (mate is None or mate.ssm > 0):
            return
    raise Refused("no-load", "6.12/11", f"{seen.actor} has no missiles", "name a load: harpoon")


@CHECKS.on(v.Attack, arg="warhead")
def by_guns(seen: Seen, order: v.Attack) -> None:
    """6.6/2, 6.8 Close combat is fought without nuclear weapons, squadrons, or chosen targets."""
    if order.weapon == "close" and order.warhead:
        raise Refused("no-warhead", "6.6/2", "there are no nuclear weapons in close combat")
    if order.weapon == "close" and len(order.aims) > 0:
        text = "in close combat points go to the highest ship of the array, then the next"
        raise Refused("no-aims", "6.8/3", text, "leave out at", arg="aims")
    if order.weapon == "close" and order.tac > 0:
        text = "no squadron guides close combat"
        raise Refused("no-tac", "6.8/2", text, "leave out tac", arg="tac")


@CHECKS.on(v.Attack, arg="weapon")
def attackable(seen: Seen, order: v.Attack) -> None:
    """87, 129, 138 What she can attack, and how far."""
    unit = seen.unit
    if unit is None or not seen.now:
        return
    goal = seen.place_of(order.contact)
    if goal == "" or (unit.kind == "group" and len(unit.ships) == 0):
        return
    away = LATTICE.distance(unit.place, goal)
    reach = _range(seen, unit, order.mates) if order.weapon == "ssm" else 1
    if away > reach + unit.ma + 1:
        text = f"{goal} is {away} hexes away; {seen.actor} cannot come near enough this turn"
        near = reach + unit.ma + 1
        hint = f"should it come nearer: if range to {order.contact} under {near} then ..."
        rules = {"ssm": "138", "torpedo": "129", "asw": "158", "close": "6.8/1"}
        raise Refused("out-of-range", rules[order.weapon], text, hint, arg="contact")


def _range(seen: Seen, unit: OwnUnit, mates: Sequence[str]) -> int:
    """138 How far the missiles fly of whoever of a stack fires farthest."""
    reach = unit.range
    for name in mates:
        mate = seen.own(name, OwnUnit)
        if mate is not None:
            reach = max(reach, mate.range)
    return reach


@CHECKS.on(v.Strike)
def in_the_air(seen: Seen, order: v.Strike) -> None:
    """92, 6.12/3 Those who fly together stand together, and can come home."""
    unit = seen.unit
    if unit is None or not seen.now:
        return
    named = [*order.mates, seen.actor]
    mates = [*order.mates, *[name for name in order.escort if name not in named]]
    if len(mates) > 3:
        raise Refused("too-many", "92", "at most four squadrons fly as one stack", arg="mates")
    asw = order.weapon == "asw"
    least = _flies(unit, light=asw)
    for name in mates:
        mate = seen.own(name, OwnUnit)
        if mate is None or mate.kind != "air":
            raise Refused("no-squadron", "92", f"{name} is no squadron", arg="mates")
        apart = LATTICE.distance(mate.place, unit.place)
        if apart > _sails(seen, unit) + _sails(seen, mate):
            text = f"{name} is in {mate.place}, not in {unit.place}"
            raise Refused("not-here", "92", text, arg="mates")
        least = min(least, _flies(mate, light=asw or name in order.escort))
    goal = order.hex if order.hex != "" else seen.place_of(order.contact)
    if order.land != "" and unit.base in airfields() and order.land not in airfields():
        text = f"there is no airfield in {order.land}"
        raise Refused("no-airfield", "33", text, arg="land")
    if goal == "" or order.land != "":
        return
    reach = 0
    if order.weapon == "ssm":
        reach = unit.range if order.load == "" else 2
    away = max(0, LATTICE.distance(unit.place, goal) - reach)
    if 2 * (away - _sails(seen, unit)) > least:
        text = f"it is {away} hexes out and {away} home; they fly {least}"
        raise Refused("too-far", "6.12/3", text)


def _sails(seen: Seen, unit: OwnUnit) -> int:
    """12 Hexes that the carrier of a squadron may sail in an earlier segment."""
    carrier = seen.own(unit.base, OwnUnit)
    return 0 if carrier is None else carrier.ma + 1


def _flies(unit: OwnUnit, *, light: bool) -> int:
    """6.7/7 Hexes that a squadron flies: more without bombs and missiles, or if it has none."""
    return max(unit.ma, unit.light) if light or not (unit.bomb or unit.ssm) else unit.ma


@CHECKS.note(v.Strike)
def flown(seen: Seen, order: v.Strike) -> str:
    """`5 hexes out and home, of 16`."""
    unit = seen.unit
    goal = order.hex if order.hex != "" else seen.place_of(order.contact)
    if unit is None or goal == "":
        return ""
    return f"{LATTICE.distance(unit.place, goal)} hexes to {goal}, of {unit.ma} out and home"


@CHECKS.on(v.Transfer, arg="hex")
def airfield(seen: Seen, order: v.Transfer) -> None:
    """33, 251 An airfield in reach, of carriers' aircraft the hex of a carrier."""
    unit = seen.unit
    if unit is None or not seen.now:
        return
    if unit.base in airfields() and order.hex not in airfields():
        raise Refused("no-airfield", "33", f"there is no airfield in {order.hex}")
    away = LATTICE.distance(unit.place, order.hex)
    if away > max(unit.ma, unit.light) + _sails(seen, unit):
        raise Refused("too-far", "6.12/3", f"{order.hex} is {away} hexes away")


@CHECKS.on(v.Cap, arg="mates")
def patrol(seen: Seen, order: v.Cap) -> None:
    """62 No more than three of a base; 63 of carriers of one hex three each."""
    names = [seen.actor, *order.mates]
    units = [one for one in [seen.own(name, OwnUnit) for name in names] if one is not None]
    bases = [one.base for one in units]
    for base in bases:
        if bases.count(base) > 3:
            raise Refused("full-cap", "62", "no more than three squadrons of a base are on patrol")


@CHECKS.on(av.Station, arg="hex")
def stationed(seen: Seen, order: av.Station) -> None:
    """6.18 Waters, ports and airfields in which she may begin the campaign."""
    unit = seen.unit
    if unit is None or not seen.now:
        return
    if not may_begin(unit.nation, unit.kind, order.hex):
        raise Refused("no-station", "6.18", f"{seen.actor} does not begin in {order.hex}")


@CHECKS.on(av.Deep)
def deep_water(seen: Seen, order: av.Deep) -> None:
    """198-199 Two hexes a turn, and no coast."""
    unit = seen.unit
    if unit is None or not seen.now or "deep" in unit.notes:
        return
    if unit.kind != "sub" or unit.ma < least_deep():
        text = "submarines of two hexes a turn and more go deep"
        raise Refused("too-slow", "198", text)
    if unit.place in coasts():
        raise Refused("shallow", "199", f"{unit.place} is coastal: nobody goes deep there")


@CHECKS.on(av.Mine, arg="hex")
def mined(seen: Seen, order: av.Mine) -> None:
    """207 Mines lie off a coast, in a zone that the aircraft reaches."""
    if order.hex not in coasts():
        raise Refused("no-coast", "207", f"{order.hex} is no coastal hex")


@CHECKS.on(av.Withdraw, arg="hex")
def exit_by_sea(seen: Seen, order: av.Withdraw) -> None:
    """6.3/13 Water that they reach in a turn."""
    if not wet(order.hex):
        raise Refused("land-hex", "6.13/1", f"{order.hex} is land")
    unit = seen.unit
    if unit is None or not seen.now:
        return
    away = LATTICE.distance(unit.place, order.hex)
    if away > unit.ma:
        text = f"{order.hex} is {away} hexes away; {seen.actor} sails {unit.ma} a turn"
        raise Refused("too-far", "6.3/13", text)


@CHECKS.on(av.Cruise, arg="hex")
def in_cruise_range(seen: Seen, order: av.Cruise) -> None:
    """6.7/1 A base."""
    if order.hex not in bases():
        raise Refused("no-target", "6.7/1", f"there is no base in {order.hex}")


@CHECKS.on(v.Segment)
def each_once(seen: Seen, order: v.Segment) -> None:
    """13 A type is chosen once a turn."""
    words = [order.first, order.second, order.third]
    for layer in ("air", "sub", "surf"):
        if words.count(layer) > 1:
            raise Refused("twice", "13", f"{layer} is activated once a turn")
