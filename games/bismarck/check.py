"""Judging orders by their sender's own report and the public board alone, never by the truth.

The rules themselves are in `movement` and `air`, which get what the report says. An order for
later, or one that waits for a condition, is judged by the board alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import convert

from games.bismarck import (
    air,
    board,
    calendar,
    check_beside,
    check_forces,
    check_notes,
    check_times,
    groups,
    movement,
    tables,
)
from games.bismarck.air import Wings
from games.bismarck.battle.charts import manoeuvres
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.report import OwnUnit
from games.bismarck.seen import Seen
from games.bismarck.state import AirMode, Engine, Face
from games.bismarck.verbs import (
    GRAMMAR,
    Break,
    Convoy,
    Detach,
    Enter,
    Fly,
    Form,
    Hold,
    HuffDuff,
    Join,
    Mobilise,
    Move,
    Patrol,
    Return,
    Search,
)
from games.bismarck.verbs_battle import (
    Attack,
    Course,
    Designate,
    HighSpeed,
    Intercept,
    SetUp,
    Shadow,
    Strike,
    Target,
)
from pbem.kit.checks import Checks, Refused, useless
from pbem.model import Side

CHECKS = Checks(GRAMMAR, Seen)


@CHECKS.note(Move, Patrol, Fly)
def route(seen: Seen, order: Move | Patrol | Fly) -> str:
    """What an order will take: `4 zones, 2 turns: K14 L14 M15 N15`; empty where that depends on
    what is not known yet."""
    unit = seen.unit(seen.actor)
    if not unit or not seen.now or not order.path:
        return _member(unit)
    if unit.flies:
        return _flight(_wings(seen, unit), order)
    way = movement.route(seen.side, unit.place, order.path)
    slow = isinstance(order, Move) and order.speed == "economical"
    engines = seen.engines(unit)
    turns = _march(seen, engines, way, slow)
    return _told(way, len(turns), _fuel(seen, engines, turns[0] if turns else 0))


@CHECKS.note(Hold, Intercept)
def member(seen: Seen, order: Hold | Intercept) -> str:
    """5.4 What a ship of a task force waits for."""
    return _member(seen.unit(seen.actor))


def _member(unit: OwnUnit | None) -> str:
    """5.4 A ship in a task force sails as the force does; her own order is for later. Empty for
    others."""
    if unit is None or not unit.force:
        return ""
    return f"sails with {unit.force} and does this only once she has left it"


def _fuel(seen: Seen, engines: Sequence[Engine], zones: int) -> str:
    """5.2 What each ship spends in this turn, empty for nothing."""
    bonus = movement.bonus_of(seen.side, seen.turn, seen.house)
    spent = [(e.name, movement.cost(e, zones, seen.turn, bonus)) for e in engines]
    paid = [f"{name} {factors}" for name, factors in spent if factors]
    return f", fuel this turn {', '.join(paid)}" if paid else ""


def _told(way: Sequence[Zone], turns: int, more: str = "") -> str:
    """Zones and turns of a way in words; empty for none."""
    if not way:
        return ""
    zones = "1 zone" if len(way) == 1 else f"{len(way)} zones"
    spans = "1 turn" if turns == 1 else f"{turns} turns"
    return f"{zones}, {spans}{more}: {' '.join(way)}"


# 5 Ships


@CHECKS.on(Move, arg="path")
def move(seen: Seen, order: Move) -> None:
    """5.1 Every zone of the path can be entered, in the time that is left."""
    _free_to(seen, "move")
    _sail(seen, order.path, order.speed if seen.said("speed") else "")


def _sail(seen: Seen, path: tuple[Zone, ...], speed: str) -> None:
    unit = seen.unit(seen.actor)
    if unit and unit.flies:
        hint = f"{seen.actor}: fly {' '.join(path)}"
        raise Refused("not-a-ship", "6.1", f"{seen.actor} is an air unit", hint)
    if not unit or not seen.now:
        movement.refuse_closed(seen.side, path[0])
        movement.route(seen.side, path[0], path)
        return
    engines = seen.engines(unit)
    movement.refuse_crippled(engines)
    way = movement.route(seen.side, unit.place, path)
    if speed == "full":
        _full_speed(seen, engines, len(way))
    if sum(_march(seen, engines, way, speed == "economical")) < len(way):
        text = f"{path[-1]} cannot be reached before the game ends"
        raise Refused("too-far", "11.23", text, "name a nearer zone", item=len(path) - 1)


def _free_to(seen: Seen, verb: str) -> None:
    """4.1, 10.25 A ship that may not do that in this turn, whatever happens, is named with the
    reason."""
    unit, order = seen.unit(seen.actor), seen.order
    if not unit or order.standing or order.turn not in (None, seen.turn):
        return
    for name in unit.ships or (unit.id,):
        ship = seen.unit(name)
        if ship and not groups.may(verb, ship.hold, ship.tied):
            raise Refused("tied", "4.1" if ship.hold else "10.25", ship.tied)


def _full_speed(seen: Seen, engines: Sequence[Engine], zones: int) -> None:
    """5.23, 5.26 `speed full` asks for two zones now, of ships that can move two."""
    for ship in engines:
        if ship.fuel == 0:
            text = f"{ship.name} has no fuel left and can move only one zone, in C turns"
            raise Refused("no-fuel", "5.23", text, "leave out 'speed full'")
        if ship.fuel is not None and ship.top == 2 and ship.two == seen.turn - 1 and zones > 1:
            text = f"{ship.name} moved two zones last turn and can move only one now"
            raise Refused("two-zones-twice", "5.26", text, "leave out 'speed full'")


def _march(seen: Seen, engines: Sequence[Engine], way: Sequence[Zone], slow: bool) -> list[int]:
    """The zones that each turn of a way takes."""
    bonus = movement.bonus_of(seen.side, seen.turn, seen.house)
    turns = movement.march(engines, way, seen.turn, slow, bonus) if engines else ()
    return [len(step) for _, step in turns]


@CHECKS.on(Patrol, arg="path")
def patrol(seen: Seen, order: Patrol) -> None:
    """5.31, 6.32 Not a carrier alone, and of aircraft only long range reconnaissance."""
    unit = seen.unit(seen.actor)
    if unit and unit.flies:
        if unit.type != "LR recon":
            raise Refused("bad-mode", "6.32", "only LR recon units patrol", "mode recon")
        fly(seen, order)
        return
    if unit and all(e.type == "CV" for e in seen.engines(unit)):
        hint = f"{seen.actor}: hold"
        raise Refused("patrol-carrier", "5.31", "aircraft carriers cannot patrol", hint)
    _free_to(seen, "move" if order.path else "patrol")
    if order.path:
        _sail(seen, order.path, "")


@CHECKS.on(Hold)
def hold(seen: Seen, order: Hold) -> None:
    """4.1 A ship that must patrol does nothing else."""
    _free_to(seen, "hold")


@CHECKS.on(Intercept)
def intercept(seen: Seen, order: Intercept) -> None:
    """4.1, 8.11 A ship that is not free yet intercepts nothing."""
    _free_to(seen, "intercept")


# 4.2, 5.4 Task forces: what regroups ships changes what the other orders of the set may say

CHECKS.on(Form, arg="ships")(check_forces.form)
CHECKS.on(Join, arg="force")(check_forces.join)
CHECKS.on(Detach, arg="ships")(check_forces.detach)
CHECKS.on(Break)(check_forces.disband)
CHECKS.effect(Form)(check_forces.formed)
CHECKS.effect(Join)(check_forces.joined)
CHECKS.effect(Detach)(check_forces.detached)
CHECKS.effect(Break)(check_forces.disbanded)
CHECKS.effect(Mobilise)(check_forces.mobilised)
CHECKS.effect(Enter)(check_forces.entered)
CHECKS.on(Move, Patrol, Hold, Intercept)(check_forces.standing)
CHECKS.on(Enter)(check_times.too_late)
CHECKS.note(Form, Join, Detach, Break)(check_forces.told)


# 6 Air units


def _wings(seen: Seen, unit: OwnUnit) -> Wings:
    """What the air rules need of a unit."""
    base = seen.unit(unit.base)
    faces = [Face((0, 0), unit.endurance[m], reach) for m, reach in unit.reach.items()]
    return Wings(
        side=seen.side,
        type=unit.type,
        at=unit.place,
        base=unit.home,
        mode=convert(unit.mode, AirMode),
        front=faces[0],
        back=faces[1] if len(faces) > 1 else None,
        up=unit.up,
        afloat=base is not None and not base.tied,
    )


def _air_unit(seen: Seen, rule: str) -> OwnUnit:
    unit = seen.unit(seen.actor)
    if unit is None or not unit.flies:
        sails = unit.force if unit and unit.force else seen.actor
        raise Refused("not-an-air-unit", rule, f"{seen.actor} does not fly", f"{sails}: move")
    return unit


@CHECKS.on(Fly, arg="path")
def fly(seen: Seen, order: Fly | Patrol) -> None:
    """6.1-6.4 The unit has a base, is rested, has the mode and can come home."""
    unit = _air_unit(seen, "6.1")
    about = _wings(seen, unit)
    mode = air.pick_mode(about, _wanted(order) if seen.now else "")
    if not seen.now:
        return
    if not unit.home:
        raise Refused("no-base", "6.43", "its carrier is gone")
    if unit.ready > seen.turn:
        text = f"{seen.actor} rests until {calendar.label(unit.ready)}"
        raise Refused("resting", "6.42", text)
    if not about.up and not order.path:
        raise Refused("at-base", "6.1", f"{seen.actor} is at its base", f"{seen.actor}: fly")
    _hops(about, order, mode)


def _wanted(order: Move | Patrol | Fly) -> str:
    """The mode that an order asks for, empty where it leaves that open."""
    if isinstance(order, Patrol):
        return "patrol"
    return order.mode if isinstance(order, Fly) else ""


def _hops(about: Wings, order: Move | Patrol | Fly, mode: AirMode) -> list[air.Hop]:
    """The turns of a flight."""
    way = air.route(about.side, about.at, order.path)
    return list(air.hops(about, way, mode, isinstance(order, Fly) and order.back == "return"))


def _flight(about: Wings, order: Move | Patrol | Fly) -> str:
    """What a flight will take: zones, turns, and what is left of its time in the air."""
    mode = air.pick_mode(about, _wanted(order))
    hops = _hops(about, order, mode)
    way, last = [zone for hop in hops for zone in hop.step], hops[-1]
    if not last.home:
        return _told(way, len(hops), f", {_turns(last.left)} in the air")
    lands = air.home_now(about, way[-1] if way else about.at, len(last.step), mode)
    return _told(
        way, len(hops), ", lands after the attacks" if lands else ", home in the next turn"
    )


def _turns(left: int) -> str:
    return "1 more turn" if left == 1 else f"{left} more turns"


@CHECKS.on(Return)
def go_home(seen: Seen, order: Return) -> None:
    """6.2 The actor flies."""
    _air_unit(seen, "6.2")


# 9 Battle


@CHECKS.on(Course, arg="steps")
def course(seen: Seen, order: Course) -> None:
    """9.52, 9.53 Hexes and turns that go together with the ship's evasion, or with any."""
    hexes, turns = 0, 0
    for step in order.steps:
        if step.way == "ahead":
            hexes += step.by
        else:
            turns += step.by
    unit = seen.unit(seen.actor)
    known = unit is not None and not unit.flies and seen.now
    evasion = unit.evasion + unit.regain if unit and known else 99
    pairs = _pairs(seen, evasion)
    for most, bends in pairs:
        if hexes <= most and turns <= bends:
            return
    text = f"no ship steers {_course(hexes, turns)} in a round"
    if known:
        text = (
            f"with evasion {evasion} {seen.actor} cannot steer {_course(hexes, turns)} in a round"
        )
    may = [_course(most, bends) for most, bends in pairs]
    raise Refused("not-that-course", "9.53", text, f"at most {', or '.join(may)}")


def _pairs(seen: Seen, evasion: int) -> Sequence[tuple[int, int]]:
    """9.53 What an evasion level allows."""
    for top, pairs in manoeuvres(seen.house):
        if evasion <= top:
            return pairs
    return ()


def _course(hexes: int, turns: int) -> str:
    ahead = "1 hex" if hexes == 1 else f"{hexes} hexes"
    return f"{ahead} and {'1 turn' if turns == 1 else f'{turns} turns'}"


@CHECKS.on(Designate, arg="shares")
def designate(seen: Seen, order: Designate) -> None:
    """9.62 No more salvos than the ship has, and each target once."""
    unit = seen.unit(seen.actor)
    named: list[str] = []
    salvos = 0
    for item, share in enumerate(order.shares):
        salvos += share.salvos
        if share.ship in named:
            raise Refused("twice", "9.62", f"{share.ship} is named twice", item=item)
        named.append(share.ship)
    _enough(seen, unit, salvos)


def _enough(seen: Seen, unit: OwnUnit | None, salvos: int) -> None:
    """9.64 The sections of a ship have so many salvos together."""
    if unit and seen.now and unit.kind == "ship" and salvos > unit.salvos:
        text = f"{seen.actor} has {unit.salvos} salvos, not {salvos}"
        raise Refused("too-many-salvos", "9.64", text)


@CHECKS.on(Target)
def target(seen: Seen, order: Target) -> None:
    """9.62 It says whom, and no more salvos than the ship has."""
    if not order.what and not order.contact:
        hint = f"{seen.actor}: target strongest"
        raise Refused("missing-argument", "9.62", "say what to fire at", hint)
    _enough(seen, seen.unit(seen.actor), order.salvos)


@CHECKS.on(Strike)
def strike(seen: Seen, order: Strike) -> None:
    """9.16 It says at what."""
    if not order.what and not order.contact:
        hint = f"{seen.actor}: strike any"
        raise Refused("missing-argument", "9.16", "say what to strike at", hint)


@CHECKS.on(SetUp)
def set_up(seen: Seen, order: SetUp) -> None:
    """9.28 It says where, or which way."""
    if not order.hex and not order.bow:
        hint = f"{seen.actor}: set up bow clockwise"
        raise Refused("missing-argument", "9.28", "say which hex, or where the bow points", hint)


@CHECKS.on(Attack)
def attack(seen: Seen, order: Attack) -> None:
    """9.221 Carriers alone attack nobody; in a task force their order is for the others too."""
    unit = seen.unit(seen.actor)
    if not unit or unit.flies or not seen.now or unit.force or order.what == "never":
        return
    if all(e.type == "CV" for e in seen.engines(unit)):
        raise useless(seen, "aircraft carriers never attack ships", "leave it out", "9.221")


# What a rule forbids this turn, as far as the report decides it

CHECKS.note(Attack)(check_notes.attacks)
CHECKS.note(Strike)(check_notes.strikes)
CHECKS.note(Search)(check_notes.searches)
CHECKS.note(HuffDuff)(check_notes.fixes)
CHECKS.note(Shadow)(check_notes.shadows)
CHECKS.beside(Shadow, arg="contact")(check_beside.shadows)
CHECKS.beside(Course)(check_beside.courses)


# The side as a whole


def _whole(seen: Seen, side: Side | None = None) -> None:
    """An order for the side as a whole, of the right side."""
    name = seen.side.upper()
    if side and seen.side != side:
        text = f"'{seen.verb}' is for the {side.title()} player"
        raise Refused("not-yours", seen.rule, text)
    if seen.actor != name:
        text = f"'{seen.verb}' is an order for the whole side"
        raise Refused("wrong-actor", seen.rule, text, f"{name}: {seen.verb}")


@CHECKS.on(Shadow, HighSpeed)
def shadow(seen: Seen, order: Shadow | HighSpeed) -> None:
    """8.11 For the British as a whole."""
    if seen.side == GERMAN:
        raise Refused("not-yours", "8.11", "only the British shadow", "leave this order out")
    _whole(seen)


@CHECKS.on(Search, arg="zones")
def search(seen: Seen, order: Search) -> None:
    """7.21 It says where."""
    _whole(seen)
    if order.what == "zones" and not order.zones:
        hint = f"{seen.actor}: search all"
        raise Refused("missing-argument", "7.21", "say where to search", hint)


@CHECKS.on(HuffDuff, arg="zone")
def huffduff(seen: Seen, order: HuffDuff) -> None:
    """10.22 Something to answer with, and a zone that has a coordinate."""
    _whole(seen, GERMAN)
    if not order.how and not order.zone:
        hint = f"{seen.actor}: huffduff random"
        raise Refused("missing-argument", "10.22", "say what to answer", hint)
    if order.zone and order.zone not in board.SEA:
        raise Refused("land-zone", "10.22", f"{order.zone} is not a sea zone")


@CHECKS.on(Convoy)
def convoy(seen: Seen, order: Convoy) -> None:
    """10.25 For Germans: of a ship that sails alone, a task force, or both."""
    if seen.side != GERMAN:
        _whole(seen, GERMAN)


@CHECKS.on(Mobilise, arg="ship")
def mobilise(seen: Seen, order: Mobilise) -> None:
    """12.42 The ship escorts a convoy."""
    _whole(seen, BRITISH)
    escorts, ship = seen.escorts(), seen.unit(order.ship)
    if order.ship in escorts:
        return
    text, hint = f"{order.ship} does not escort a convoy", f"escorts: {', '.join(escorts)}"
    if ship and ship.hold == "escort":
        text = f"{order.ship} stays with her convoy: no German was located before this turn"
        hint = "mobilise her after a turn in which one was located (note 9)"
    elif order.ship in tables.release(seen.house).escort:
        text, hint = f"{order.ship} has left her convoy", "leave this order out"
    raise Refused("not-an-escort", "12.42", text, hint)


@CHECKS.on(Enter, arg="ship")
def enter(seen: Seen, order: Enter) -> None:
    """Note 13: its owner may choose the turn, and the turn is still to come."""
    _whole(seen, BRITISH)
    entry = tables.release(seen.house).entry.get(order.ship)
    if entry is None or not entry.chosen:
        raise Refused("not-yours", "4.1", f"you cannot choose when {order.ship} comes into play")
    if seen.now and order.ship not in seen.listed(seen.actor, "enter", "ship"):
        text = f"{order.ship} is in play, or has her turn in this set already"
        raise Refused("contradiction", "4.1", text, "leave one of them out")
    first = max(entry.turn, seen.turn + 1)
    if order.turn < first:
        text = f"{order.ship} cannot enter in turn {order.turn}"
        raise Refused("bad-turn", "4.1", text, f"turn {first} or later")


CHECKS.on()(check_times.too_late)
