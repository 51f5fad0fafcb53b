"""Checks of orders, for referee and order page: by the report and the public board alone."""

from __future__ import annotations

from games.second_fleet import (
    able,
    beside,
    changes,
    check_air,
    check_sea,
    check_storm,
    never,
    notes,
)
from games.second_fleet import advanced_verbs as av
from games.second_fleet import verbs as v
from games.second_fleet.board import LATTICE
from games.second_fleet.changes import reach_of
from games.second_fleet.check_air import sails
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
from pbem.kit.checks import Checks, Refused

CHECKS = Checks(GRAMMAR, Seen)
CHECKS.on()(able.in_force)
CHECKS.on(v.Move, v.Go, v.Attack, v.Strike)(able.in_force_too)
CHECKS.on()(able.by_sort)
CHECKS.on(v.Recon, v.Intercept, v.Coordinate, av.Mine, v.Cap)(able.by_type)
CHECKS.on(v.Leave, v.Join)(never.one_by_one)
CHECKS.on(av.Cruise, av.Replenish, v.Strike, av.Deep, av.Land, av.Commando, av.Mine)(
    never.by_counter
)
CHECKS.on()(able.in_time)
CHECKS.on()(able.free)
CHECKS.on(v.Move, v.Go, v.Attack, v.Strike, v.Transfer, v.Cap)(able.company)
CHECKS.on(v.Attack)(able.weapons)
CHECKS.on(v.Move, v.Go)(able.speeds)
CHECKS.beside(v.Strike, v.Transfer, v.Cap)(beside.one_flight)
CHECKS.beside(v.Attack, av.Cruise)(beside.once)
CHECKS.effect(v.Leave)(changes.left)
CHECKS.effect(v.Join)(changes.joined)
CHECKS.effect(v.Form)(changes.formed)
CHECKS.effect(v.Move, v.Go)(changes.accompanied)
CHECKS.effect(v.Move, v.Go)(check_sea.sailing)
CHECKS.effect(av.Replenish)(check_sea.fuelled)
CHECKS.effect(av.Strategy)(changes.raised)
CHECKS.note(v.Move)(notes.sailed)
CHECKS.note(v.Go)(notes.heading)
CHECKS.note(*check_storm.VERBS)(check_storm.foreseen)
CHECKS.note(v.Transfer, av.Enter)(check_air.crowded)
CHECKS.note(v.Strike)(notes.flown)
CHECKS.note(v.Segment)(notes.left_out)


@CHECKS.on(v.Move, v.Go, v.Attack, arg="mates")
def without_decoys(seen: Seen, order: v.Move | v.Go | v.Attack) -> None:
    """6.19/1 A decoy sails with nobody."""
    if len(order.mates) == 0:
        return
    for name in [seen.actor, *order.mates]:
        one = seen.own(name, OwnUnit)
        if one is not None and one.model == "DC":
            raise Refused("alone", "6.19/1", f"{name} sails with nobody")


@CHECKS.on(v.Join, arg="group")
def one_hex(seen: Seen, order: v.Join) -> None:
    """83 A group that lies in her hex. Until the surface segment begins nobody of either moves."""
    unit, group = seen.unit, seen.own(order.group, OwnUnit)
    if group is None:
        return
    if group.kind != "group":
        side = seen.side.upper()
        if group.model == "DC":
            raise Refused("alone", "6.19/1", f"{group.id}, a decoy, sails with nobody")
        text, hint = f"{group.id} is no group", f"{side}: form NAME with {group.id}, {seen.actor}"
        raise Refused("no-group", "83", text, hint)
    said = seen.order  # on a condition, too: they do not meet before groups change
    soon = not said.standing and said.turn in (None, seen.turn)
    if unit is not None and soon and settled(seen) and unit.place != group.place:
        text = f"{group.id} is in {group.place}, not in {unit.place}"
        raise Refused("not-here", "83", text, "let them meet, and join in a later turn")


@CHECKS.on(v.Form, arg="ships")
def of_one_hex(seen: Seen, order: v.Form) -> None:
    """83 Ships of one hex, each in one new group alone, under a name that is free."""
    taken = seen.own(order.name, OwnUnit)
    others = [name for name in order.ships if name not in (() if taken is None else taken.ships)]
    if taken is not None and seen.now and changes.MADE not in taken.notes and len(others) > 0:
        hint = f"{others[0]}: join {order.name}" if taken.kind == "group" else "name it otherwise"
        raise Refused("name-taken", "83", f"there is a {order.name} already", hint, arg="name")
    first = seen.own(order.ships[0], OwnUnit)
    for item, name in enumerate(order.ships):
        ship = seen.own(name, OwnUnit)
        if ship is None:
            continue
        if able.sort_of(seen, name) not in ("ship", "group"):
            text = f"a group is made of surface ships, and {name} is none"
            raise Refused("no-ships", "36", text, item=item)
        if first is None or not seen.now or not settled(seen):
            continue
        if ship.place != first.place:
            text = f"{name} is in {ship.place}, {first.id} in {first.place}"
            raise Refused("not-here", "83", text, "ships of one hex sail together", item=item)
        group = seen.own(ship.group, OwnUnit)
        if group is not None and changes.MADE in group.notes and group.id != order.name:
            text = f"{name} is in {group.id} by an order of this set"
            raise Refused("twice", "83", text, "a ship sails with one group", item=item)


def settled(seen: Seen) -> bool:
    """Are all where they are when groups change? In the set-up they are placed before."""
    return str(seen.report["board"]["stage"]) == "segment"


@CHECKS.on(v.Move, arg="path")
def legal_path(seen: Seen, order: v.Move) -> None:
    """6.13/1 From hex to hex by water, as far as she sails; of a later move nobody knows where it
    begins."""
    unit = seen.unit
    now = unit is not None and seen.now
    here = unit.place if unit is not None and now else ""
    for item, hex_ in enumerate(order.path):
        if here != "" and not touches(here, hex_):
            text = f"there is no way by sea from {here} to {hex_}"
            raise Refused(
                "no-way", "6.13/1", text, "name every hex on the way, or use go", item=item
            )
        here = hex_
    if unit is None or not now:
        return
    most = unit.ma + (1 if order.speed != "" else 0)
    if len(order.path) > most:
        text = f"that is {len(order.path)} hexes; {seen.actor} sails {most} a turn"
        raise Refused("too-far", "19", text, item=most)


@CHECKS.on(v.Go)
def one_goal(seen: Seen, order: v.Go) -> None:
    """6.13/4 A hex of the sea, or a contact."""
    if (order.hex == "") == (order.contact == ""):
        hint = "go 2820, or go EN3"
        raise Refused("one-goal", "6.13/4", "name one goal: a hex or a contact", hint)
    if order.hex != "" and not wet(order.hex):
        raise Refused("land-hex", "6.13/1", f"{order.hex} is land", arg="hex")


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
    check_sea.countable(order)
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
    reach = reach_of(seen, unit, order.mates) if order.weapon == "ssm" else 1
    if away > reach + unit.ma + 1:
        text = f"{goal} is {away} hexes away; {seen.actor} cannot come near enough this turn"
        near = reach + unit.ma + 1
        hint = f"should it come nearer: if range to {order.contact} under {near} then ..."
        rules = {"ssm": "138", "torpedo": "129", "asw": "158", "close": "6.8/1"}
        raise Refused("out-of-range", rules[order.weapon], text, hint, arg="contact")


@CHECKS.on(v.Strike)
def in_the_air(seen: Seen, order: v.Strike) -> None:
    """92, 6.12/3 Those who fly together stand together, and can come home."""
    unit = seen.unit
    named = [*order.mates, seen.actor]
    mates = [*order.mates, *[name for name in order.escort if name not in named]]
    if len(mates) > 3:
        raise Refused("too-many", "92", "at most four squadrons fly as one stack", arg="mates")
    if unit is None or not seen.now:
        return
    asw = order.weapon == "asw"
    least = _flies(unit, light=asw)
    for name in mates:
        mate = seen.own(name, OwnUnit)
        if mate is None or mate.kind != "air":
            text = f"{name} is no squadron: aircraft fly with aircraft"
            raise Refused("no-squadron", "92", text, f"leave {name} out", arg="mates")
        apart = LATTICE.distance(mate.place, unit.place)
        if apart > sails(seen, unit) + sails(seen, mate):
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
    if 2 * (away - sails(seen, unit)) > least:
        text = f"it is {away} hexes out and {away} home; they fly {least}"
        raise Refused("too-far", "6.12/3", text)


def _flies(unit: OwnUnit, *, light: bool) -> int:
    """6.7/7 Hexes that a squadron flies: more without bombs and missiles, or if it has none."""
    return max(unit.ma, unit.light) if light or not (unit.bomb or unit.ssm) else unit.ma


@CHECKS.on(v.Transfer, arg="hex")
def airfield(seen: Seen, order: v.Transfer) -> None:
    """33, 251 An airfield in reach, of carriers' aircraft the hex of a carrier."""
    unit = seen.unit
    if unit is None or not seen.now:
        return
    if unit.base in airfields() and order.hex not in airfields():
        raise Refused("no-airfield", "33", f"there is no airfield in {order.hex}")
    away = LATTICE.distance(unit.place, order.hex)
    if away > max(unit.ma, unit.light) + sails(seen, unit):
        raise Refused("too-far", "6.12/3", f"{order.hex} is {away} hexes away")


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
    if unit is None or not seen.now:
        return
    if "deep" in unit.notes:
        raise Refused("deep", "197", f"{seen.actor} is in the deep")
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


CHECKS.on(v.Recon, v.Intercept, v.Coordinate, arg="zone")(check_air.in_reach)
CHECKS.on(v.Recon, arg="near")(check_air.near_ships)
CHECKS.on(v.Cap, arg="mates")(check_air.patrol)
CHECKS.on(v.Transfer)(check_air.changing)
CHECKS.on(v.Strike)(check_air.leaving)
CHECKS.on(*check_storm.VERBS)(check_storm.grounded)
CHECKS.on(v.Attack, av.Cruise)(check_sea.out_of_a_fjord)
CHECKS.on(av.Replenish)(check_sea.needless)
