"""Judging orders by their sender's own report and the public board alone, never by the truth.

The rules themselves are in `movement` and `air`, which get what the report says. An order for
later, or one that waits for a condition, is judged by the board alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct, convert, json

from games.bismarck import air, board, calendar, movement, tables, taskforce
from games.bismarck.air import Wings
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.refusal import Refused
from games.bismarck.report import OwnUnit, by_id, outline
from games.bismarck.state import AirMode, Engine, Face
from games.bismarck.verbs import GRAMMAR
from orders.model import Action, Order
from pbem.model import MenuItem, Problem, Side

_RULES = {verb.name: verb.rule for verb in GRAMMAR.verbs}


class Seen(Struct, frozen=True):
    """The report as far as one order is judged by it."""

    side: Side
    turn: int
    now: bool
    """The order acts this turn, whatever happens."""
    units: Mapping[str, object]
    """Own units by id, as they were decoded."""
    menu: Mapping[str, object]
    house: Mapping[str, str]
    """The moderator's house rules: texts of table files by name."""

    def unit(self, actor: str) -> OwnUnit | None:
        """An own unit; None for one that the same set may form."""
        row = self.units.get(actor)
        return None if row is None else convert(row, OwnUnit)

    def offered(self, actor: str) -> tuple[MenuItem, ...]:
        """What the menu offers to an actor."""
        return convert(self.menu.get(actor, ()), tuple[MenuItem, ...])


def check(order: Order, report: Mapping[str, object]) -> Problem | None:
    """The first thing wrong with an order, None when it can stand."""
    seen = _seen(order, report)
    for action in (*order.actions, *order.otherwise):
        try:
            judge = _KINDS.get(action.verb)  # shadow and battle: the menu says it all
            if judge:
                judge(seen, order.actor, action)
        except Refused as no:
            arg = _ARGS.get(action.verb, "")
            arg = arg if arg in action.args else ""
            return Problem(no.code, no.text, no.hint, no.rule, arg, no.item)
    return None


_ARGS = {
    "move": "path",
    "patrol": "path",
    "fly": "path",
    "form": "ships",
    "detach": "ships",
    "join": "force",
    "mobilise": "ship",
    "enter": "ship",
    "huffduff": "zone",
    "search": "zones",
}


def note(order: Order, report: Mapping[str, object]) -> str:
    """What an order will take: `4 zones, 2 turns: K14 L14 M15 N15`.

    Empty where there is nothing to say, or where it depends on what is not known yet.
    """
    seen = _seen(order, report)
    unit = seen.unit(order.actor)
    for action in order.actions:
        if not unit or not seen.now or "path" not in action.args:
            continue
        try:
            return _flight(seen, unit, action) if unit.flies else _voyage(seen, unit, action)
        except Refused:
            continue
    return ""


def _seen(order: Order, report: Mapping[str, object]) -> Seen:
    """What one order is judged by."""
    said = outline(report)
    return Seen(
        side=Side(said.side),
        turn=said.turn,
        now=not order.standing and order.turn in (None, said.turn) and order.when is None,
        units=by_id(said.units),
        menu=said.menu,
        house=_house(said.setup.text),
    )


@lru_cache(maxsize=8)
def _house(setup: str) -> Mapping[str, str]:
    """The moderator's house rules, which the set-up text makes public."""
    return json.decode(setup, type=_Tables).house if setup else {}


class _Tables(Struct):
    """What the set-up text says of house rules."""

    house: dict[str, str] = {}


def _path(action: Action) -> tuple[Zone, ...]:
    return convert(action.args.get("path", ()), tuple[Zone, ...])


# 5 Ships


def _engines(seen: Seen, unit: OwnUnit) -> list[Engine]:
    """The ships of a counter, as the report knows them."""
    ships = map(seen.unit, unit.ships or [unit.id])
    return [
        Engine(
            name=s.name,
            type=s.type,
            top=s.top,
            evasion=s.evasion,
            fuel=s.factors,
            two=s.two,
            tied=s.tied,
        )
        for s in ships
        if s is not None and s.top is not None
    ]


def _move(seen: Seen, actor: str, action: Action) -> None:
    """5.1 Every zone of the path can be entered, in the time that is left."""
    unit = seen.unit(actor)
    path = _path(action)
    if unit and unit.flies:
        hint = f"{actor}: fly {' '.join(path)}"
        raise Refused("not-a-ship", "6.1", f"{actor} is an air unit", hint)
    if not unit or not seen.now:
        movement.refuse_closed(seen.side, path[0])
        movement.route(seen.side, path[0], path)
        return
    engines = _engines(seen, unit)
    _untied(seen, actor, engines)
    way = movement.route(seen.side, unit.place, path)
    if action.args.get("speed") == "full":
        _full_speed(seen, engines, len(way))
    legs = list(_march(seen, engines, way, action))
    if sum(len(step) for _, step in legs) < len(way):
        text = f"{path[-1]} cannot be reached before the game ends"
        raise Refused("too-far", "11.23", text, "name a nearer zone", len(path) - 1)


def _untied(seen: Seen, actor: str, engines: Sequence[Engine]) -> None:
    """4.1 Ships that may not move yet are named with the reason."""
    if actor in _values(seen, "mobilise", "ship"):
        return  # the same set may mobilise her
    why = next((e.tied for e in engines if e.tied), "")
    if why:
        raise Refused("tied", "4.1", why)


def _full_speed(seen: Seen, engines: Sequence[Engine], zones: int) -> None:
    """5.23, 5.26 `speed full` asks for two zones now, of ships that can move two."""
    for ship in engines:
        if ship.fuel == 0:
            text = f"{ship.name} has no fuel left and can move only one zone, in C turns"
            raise Refused("no-fuel", "5.23", text, "leave out 'speed full'")
        if ship.fuel is not None and ship.top == 2 and ship.two == seen.turn - 1 and zones > 1:
            text = f"{ship.name} moved two zones last turn and can move only one now"
            raise Refused("two-zones-twice", "5.26", text, "leave out 'speed full'")


def _march(
    seen: Seen, engines: Sequence[Engine], way: Sequence[Zone], action: Action
) -> list[tuple[int, tuple[Zone, ...]]]:
    slow = action.args.get("speed") == "economical"
    bonus = movement.bonus_of(seen.side, seen.turn, seen.house)
    return list(movement.march(engines, way, seen.turn, slow, bonus)) if engines else []


def _voyage(seen: Seen, unit: OwnUnit, action: Action) -> str:
    way = movement.route(seen.side, unit.place, _path(action))
    legs = _march(seen, _engines(seen, unit), way, action)
    return _told(way, len(legs)) if way else ""


def _told(way: Sequence[Zone], turns: int, more: str = "") -> str:
    """Zones and turns of a way in words."""
    zones = "1 zone" if len(way) == 1 else f"{len(way)} zones"
    spans = "1 turn" if turns == 1 else f"{turns} turns"
    return f"{zones}, {spans}{more}: {' '.join(way)}"


def _patrol(seen: Seen, actor: str, action: Action) -> None:
    """5.31, 6.32 Not a carrier alone, and of aircraft only long range reconnaissance."""
    unit = seen.unit(actor)
    if unit and unit.flies:
        if unit.type != "LR recon":
            raise Refused("bad-mode", "6.32", "only LR recon units patrol", "mode recon")
        _fly(seen, actor, action)
        return
    if unit and all(e.type == "CV" for e in _engines(seen, unit)):
        raise Refused("patrol-carrier", "5.31", "aircraft carriers cannot patrol", f"{actor}: hold")
    if _path(action):
        _move(seen, actor, action)


def _hold(seen: Seen, actor: str, action: Action) -> None:
    return None


# 5.4 Task forces


def _ship_actor(seen: Seen, actor: str) -> OwnUnit | None:
    unit = seen.unit(actor)
    if unit and unit.flies:
        raise Refused("not-a-ship", "5.41", f"{actor} is not a ship")
    return unit


def _form(seen: Seen, actor: str, action: Action) -> None:
    """5.41, 5.43 A good name, and all ships in one zone."""
    unit = _ship_actor(seen, actor)
    name = str(action.args["name"])
    _good_name(name)
    for item, id_ in enumerate(convert(action.args["ships"], list[str])):
        _same_zone(seen, actor, unit, id_, item)


def _good_name(name: str) -> None:
    """5.43 TF1 to TF99."""
    if not taskforce.good_name(name):
        text = f"{name} is not a valid task force name"
        raise Refused("bad-name", "5.43", text, "use TF1 to TF99")


def _same_zone(seen: Seen, actor: str, unit: OwnUnit | None, other: str, item: int) -> None:
    """5.41 Ships that form one force are in one zone, if the order acts now."""
    mate = _ship_actor(seen, other)
    if seen.now and unit and mate and mate.place != unit.place:
        text = f"{other} is in {mate.place}, {actor} in {unit.place}"
        raise Refused("not-in-same-zone", "5.41", text, item=item)


def _join(seen: Seen, actor: str, action: Action) -> None:
    _same_zone(seen, actor, _ship_actor(seen, actor), str(action.args["force"]), 0)


def _detach(seen: Seen, actor: str, action: Action) -> None:
    """5.44 The ships named are in the force."""
    force = _force(seen, actor)
    name = str(action.args.get("name", ""))
    if name:
        _good_name(name)
    for item, id_ in enumerate(convert(action.args["ships"], list[str])):
        if force and seen.now and id_ not in force.ships:
            raise Refused("not-in-force", "5.44", f"{id_} is not in {actor}", item=item)


def _break(seen: Seen, actor: str, action: Action) -> None:
    _force(seen, actor)


def _force(seen: Seen, actor: str) -> OwnUnit | None:
    unit = seen.unit(actor)
    if unit and not unit.ships:
        raise Refused("no-task-force", "5.44", f"{actor} is not a task force")
    return unit


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


def _fly(seen: Seen, actor: str, action: Action) -> None:
    """6.1-6.4 The unit is rested, has the mode and can come home."""
    unit = seen.unit(actor)
    if unit is None or not unit.flies:
        raise Refused("not-an-air-unit", "6.1", f"{actor} does not fly", f"{actor}: move")
    about = _wings(seen, unit)
    mode = air.pick_mode(about, _wanted(action) if seen.now else "")
    if not seen.now:
        return
    _rested(seen, actor, unit)
    path = _path(action)
    if not about.up and not path:
        raise Refused("at-base", "6.1", f"{actor} is at its base", f"{actor}: fly")
    _hops(about, path, mode, action)


def _wanted(action: Action) -> str:
    return "patrol" if action.verb == "patrol" else str(action.args.get("mode", ""))


def _rested(seen: Seen, actor: str, unit: OwnUnit) -> None:
    if unit.ready > seen.turn:
        raise Refused("resting", "6.42", f"{actor} rests until {calendar.label(unit.ready)}")


def _hops(about: Wings, path: tuple[Zone, ...], mode: AirMode, action: Action) -> list[air.Hop]:
    """The turns of a flight along a path."""
    way = air.route(about.side, about.at, path)
    return list(air.hops(about, way, mode, bool(action.args.get("back"))))


def _flight(seen: Seen, unit: OwnUnit, action: Action) -> str:
    """What a flight will take: zones, turns, and what is left of its time in the air."""
    about = _wings(seen, unit)
    mode = air.pick_mode(about, _wanted(action))
    hops = _hops(about, _path(action), mode, action)
    way = tuple(zone for hop in hops for zone in hop.step)
    left = hops[-1].left
    more = ", lands after the attacks" if hops[-1].home else f", {left} more turns in the air"
    return _told(way, len(hops), more) if way else ""


def _return(seen: Seen, actor: str, action: Action) -> None:
    unit = seen.unit(actor)
    if unit is None or not unit.flies:
        raise Refused("not-an-air-unit", "6.2", f"{actor} does not fly", f"{actor}: move")


# The side as a whole


def _whole(seen: Seen, actor: str, verb: str, side: Side | None = None) -> None:
    """An order for the side as a whole, of the right side."""
    name = seen.side.upper()
    if side and seen.side != side:
        raise Refused("not-yours", _RULES[verb], f"'{verb}' is for the {side.title()} player")
    if actor != name:
        text = f"'{verb}' is an order for the whole side"
        raise Refused("wrong-actor", _RULES[verb], text, f"{name}: {verb}")


def _values(seen: Seen, verb: str, arg: str) -> tuple[str, ...]:
    """What the report's menu offers for an argument of a whole-side order."""
    for item in seen.offered(seen.side.upper()):
        for one in item.args:
            if (item.verb, one.name) == (verb, arg):
                return one.values
    return ()


def _search(seen: Seen, actor: str, action: Action) -> None:
    _whole(seen, actor, "search")
    if not action.args:
        hint = f"{actor}: search all"
        raise Refused("missing-argument", "7.21", "say where to search", hint)


def _huffduff(seen: Seen, actor: str, action: Action) -> None:
    """10.22 Something to answer with, and a zone that has a coordinate."""
    _whole(seen, actor, "huffduff", GERMAN)
    zone = str(action.args.get("zone", ""))
    if not action.args:
        hint = f"{actor}: huffduff random"
        raise Refused("missing-argument", "10.22", "say what to answer", hint)
    if zone and zone not in board.SEA:
        raise Refused("land-zone", "10.22", f"{zone} is not a sea zone")


def _convoy(seen: Seen, actor: str, action: Action) -> None:
    _whole(seen, actor, "convoy", GERMAN)


def _mobilise(seen: Seen, actor: str, action: Action) -> None:
    """12.42 The ship escorts a convoy."""
    _whole(seen, actor, "mobilise", BRITISH)
    ship = str(action.args["ship"])
    escorts = _values(seen, "mobilise", "ship")
    if ship not in escorts:
        hint = f"escorts: {', '.join(escorts)}" if escorts else ""
        raise Refused("not-an-escort", "12.42", f"{ship} does not escort a convoy", hint)


def _enter(seen: Seen, actor: str, action: Action) -> None:
    """Note 13: its owner may choose the turn, and the turn is still to come."""
    _whole(seen, actor, "enter", BRITISH)
    ship, turn = str(action.args["ship"]), convert(action.args["turn"], int)
    entry = tables.release(seen.house).entry.get(ship)
    if entry is None or not entry.chosen:
        raise Refused("not-yours", "4.1", f"you cannot choose when {ship} comes into play")
    if turn < max(entry.turn, seen.turn + 1):
        text = f"{ship} cannot enter in turn {turn}"
        raise Refused("bad-turn", "4.1", text, f"turn {max(entry.turn, seen.turn + 1)} or later")


_KINDS: Mapping[str, Callable[[Seen, str, Action], None]] = {
    "move": _move,
    "patrol": _patrol,
    "hold": _hold,
    "form": _form,
    "join": _join,
    "detach": _detach,
    "break": _break,
    "fly": _fly,
    "return": _return,
    "search": _search,
    "huffduff": _huffduff,
    "convoy": _convoy,
    "mobilise": _mobilise,
    "enter": _enter,
}
