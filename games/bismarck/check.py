"""Judging orders by their sender's own report and the public board alone, never by the truth.

The rules themselves stand in `movement` and `air`; here they are asked with what the report
says. An order for later, or one that waits for a condition, is judged by the board only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct, convert

from games.bismarck import air, board, calendar, movement, tables, taskforce
from games.bismarck.air import Wings
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.refusal import Refused
from games.bismarck.state import AirMode, Engine, Face
from games.bismarck.verbs import GRAMMAR
from orders.model import Action, Order
from pbem.model import Problem, Side

_RULES = {verb.name: verb.rule for verb in GRAMMAR.verbs}


class Seen(Struct, frozen=True):
    """The report as far as orders are judged by it. now: the order acts this turn, whatever."""

    side: Side
    turn: int
    units: Mapping[str, Mapping[str, Any]]
    menu: Mapping[str, Any]
    now: bool
    house: Mapping[str, str]

    def unit(self, actor: str) -> Mapping[str, Any] | None:
        """An own unit; None for one that this very set may form."""
        return self.units.get(actor)


def check(order: Order, report: Mapping[str, Any]) -> Problem | None:
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


_ARGS = {"move": "path", "patrol": "path", "fly": "path", "form": "ships", "detach": "ships",
         "join": "force", "mobilise": "ship", "enter": "ship", "huffduff": "zone",
         "search": "zones"}  # fmt: skip


def note(order: Order, report: Mapping[str, Any]) -> str:
    """What an order will take: `4 zones, 2 turns: K14 L14 M15 N15`; empty where there is nothing
    to say, or where it depends on what is not known yet."""
    seen = _seen(order, report)
    unit = seen.unit(order.actor)
    for action in order.actions:
        if not unit or not seen.now or "path" not in action.args:
            continue
        try:
            return _flight(seen, unit, action) if _is_air(unit) else _voyage(seen, unit, action)
        except Refused:
            continue
    return ""


def _seen(order: Order, report: Mapping[str, Any]) -> Seen:
    turn = int(report["turn"])
    return Seen(
        side=Side(str(report["side"])),
        turn=turn,
        units={str(u["id"]): u for u in report["units"]},
        menu=report.get("menu") or {},
        now=not order.standing and order.turn in (None, turn) and order.when is None,
        house=_house(str(report.get("setup", {}).get("text", ""))),
    )


@lru_cache(maxsize=8)
def _house(setup: str) -> Mapping[str, str]:
    """The moderator's own tables, which the set-up text makes public."""
    import json

    return dict(json.loads(setup).get("house", {})) if setup else {}


def _is_air(unit: Mapping[str, Any]) -> bool:
    return "reach" in unit


def _path(action: Action) -> tuple[Zone, ...]:
    return convert(action.args.get("path", ()), tuple[Zone, ...])


# 5 Ships


def _engines(seen: Seen, unit: Mapping[str, Any]) -> list[Engine]:
    """The ships of a counter, as the report knows them."""
    ids = unit.get("ships") or [unit["id"]]
    ships = [seen.units[i] for i in ids if i in seen.units and "top" in seen.units[i]]
    return [
        Engine(
            name=str(s["name"]),
            type=str(s["type"]),
            top=int(s["top"]),
            evasion=int(s["evasion"]),
            fuel=s.get("factors"),
            two=int(s.get("two", 0)),
            tied=str(s.get("tied", "")),
        )
        for s in ships
    ]


def _move(seen: Seen, actor: str, action: Action) -> None:
    unit = seen.unit(actor)
    path = _path(action)
    if unit and _is_air(unit):
        raise Refused("not-a-ship", "6.1", f"{actor} flies", f"{actor}: fly {' '.join(path)}")
    if not unit or not seen.now:
        movement.refuse_closed(seen.side, path[0])
        movement.route(seen.side, path[0], path)
        return
    engines = _engines(seen, unit)
    _untied(seen, actor, engines)
    way = movement.route(seen.side, Zone(str(unit["place"])), path)
    if action.args.get("speed") == "full":
        _full_speed(seen, engines, len(way))
    legs = list(_march(seen, engines, way, action))
    if sum(len(step) for _, step in legs) < len(way):
        text = f"{path[-1]} cannot be reached before the game ends"
        raise Refused("too-far", "11.23", text, "name a nearer zone", len(path) - 1)


def _untied(seen: Seen, actor: str, engines: Sequence[Engine]) -> None:
    if actor in _values(seen, "mobilise", "ship"):
        return  # the same set may mobilise her
    why = next((e.tied for e in engines if e.tied), "")
    if why:
        raise Refused("tied", "4.1", why)


def _full_speed(seen: Seen, engines: Sequence[Engine], zones: int) -> None:
    """5.23, 5.26 `speed full` asks for two zones now where the ships are made for them."""
    for ship in engines:
        if ship.fuel == 0:
            text = f"{ship.name} has no fuel left: one zone in a C turn, no more"
            raise Refused("no-fuel", "5.23", text, "leave out 'speed full'")
        if ship.fuel is not None and ship.top == 2 and ship.two == seen.turn - 1 and zones > 1:
            text = f"{ship.name} moved two zones last turn and may move one now"
            raise Refused("two-zones-twice", "5.26", text, "leave out 'speed full'")


def _march(
    seen: Seen, engines: Sequence[Engine], way: Sequence[Zone], action: Action
) -> list[tuple[int, tuple[Zone, ...]]]:
    slow = action.args.get("speed") == "economical"
    bonus = movement.bonus_of(seen.side, seen.turn, seen.house)
    return list(movement.march(engines, way, seen.turn, slow, bonus)) if engines else []


def _voyage(seen: Seen, unit: Mapping[str, Any], action: Action) -> str:
    way = movement.route(seen.side, Zone(str(unit["place"])), _path(action))
    legs = _march(seen, _engines(seen, unit), way, action)
    return _told(way, len(legs)) if way else ""


def _told(way: Sequence[Zone], turns: int, more: str = "") -> str:
    zones = "1 zone" if len(way) == 1 else f"{len(way)} zones"
    spans = "1 turn" if turns == 1 else f"{turns} turns"
    return f"{zones}, {spans}{more}: {' '.join(way)}"


def _patrol(seen: Seen, actor: str, action: Action) -> None:
    unit = seen.unit(actor)
    if unit and _is_air(unit):
        if unit["type"] != "LR recon":
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


def _ship_actor(seen: Seen, actor: str) -> Mapping[str, Any] | None:
    unit = seen.unit(actor)
    if unit and _is_air(unit):
        raise Refused("not-a-ship", "5.41", f"{actor} is no ship")
    return unit


def _form(seen: Seen, actor: str, action: Action) -> None:
    unit = _ship_actor(seen, actor)
    name = str(action.args["name"])
    if not taskforce.good_name(name):
        raise Refused("bad-name", "5.43", f"{name} is no name of a task force", "TF1 to TF99")
    for item, id_ in enumerate(convert(action.args["ships"], list[str])):
        _same_zone(seen, actor, unit, id_, item)


def _same_zone(
    seen: Seen, actor: str, unit: Mapping[str, Any] | None, other: str, item: int
) -> None:
    mate = _ship_actor(seen, other)
    if seen.now and unit and mate and mate["place"] != unit["place"]:
        text = f"{other} is in {mate['place']}, {actor} in {unit['place']}"
        raise Refused("not-in-same-zone", "5.41", text, item=item)


def _join(seen: Seen, actor: str, action: Action) -> None:
    _same_zone(seen, actor, _ship_actor(seen, actor), str(action.args["force"]), 0)


def _detach(seen: Seen, actor: str, action: Action) -> None:
    force = _force(seen, actor)
    name = str(action.args.get("name", ""))
    if name and not taskforce.good_name(name):
        raise Refused("bad-name", "5.43", f"{name} is no name of a task force", "TF1 to TF99")
    for item, id_ in enumerate(convert(action.args["ships"], list[str])):
        if force and seen.now and id_ not in force["ships"]:
            raise Refused("not-in-force", "5.44", f"{id_} is not in {actor}", item=item)


def _break(seen: Seen, actor: str, action: Action) -> None:
    _force(seen, actor)


def _force(seen: Seen, actor: str) -> Mapping[str, Any] | None:
    unit = seen.unit(actor)
    if unit and "ships" not in unit:
        raise Refused("no-task-force", "5.44", f"{actor} is no task force")
    return unit


# 6 Air units


def _wings(seen: Seen, unit: Mapping[str, Any]) -> Wings:
    modes, base = list(unit["reach"]), seen.units.get(str(unit["base"]))
    faces = [Face((0, 0), int(unit["endurance"][m]), int(unit["reach"][m])) for m in modes]
    return Wings(
        side=seen.side,
        type=str(unit["type"]),
        at=Zone(str(unit["place"])),
        base=Zone(str(unit["home"])),
        mode=convert(unit["mode"], AirMode),
        front=faces[0],
        back=faces[1] if len(faces) > 1 else None,
        up=int(unit.get("up", 0)),
        afloat=base is not None and not base.get("tied"),
    )


def _fly(seen: Seen, actor: str, action: Action) -> None:
    unit = seen.unit(actor)
    if unit is None or not _is_air(unit):
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


def _rested(seen: Seen, actor: str, unit: Mapping[str, Any]) -> None:
    ready = int(unit.get("ready", 0))
    if ready > seen.turn:
        raise Refused("resting", "6.42", f"{actor} rests until {calendar.label(ready)}")


def _hops(about: Wings, path: tuple[Zone, ...], mode: AirMode, action: Action) -> list[air.Hop]:
    way = air.route(about.side, about.at, path)
    return list(air.hops(about, way, mode, bool(action.args.get("back"))))


def _flight(seen: Seen, unit: Mapping[str, Any], action: Action) -> str:
    about = _wings(seen, unit)
    mode = air.pick_mode(about, _wanted(action))
    hops = _hops(about, _path(action), mode, action)
    way = tuple(zone for hop in hops for zone in hop.step)
    left = hops[-1].left
    more = ", lands after the attacks" if hops[-1].home else f", {left} more turns in the air"
    return _told(way, len(hops), more) if way else ""


def _return(seen: Seen, actor: str, action: Action) -> None:
    unit = seen.unit(actor)
    if unit is None or not _is_air(unit):
        raise Refused("not-an-air-unit", "6.2", f"{actor} does not fly", f"{actor}: move")


# The side as a whole


def _whole(seen: Seen, actor: str, verb: str, side: Side | None = None) -> None:
    name = seen.side.upper()
    if side and seen.side != side:
        raise Refused("not-yours", _RULES[verb], f"'{verb}' is for the {side.title()} player")
    if actor != name:
        text = f"'{verb}' is an order of the whole side"
        raise Refused("wrong-actor", _RULES[verb], text, f"{name}: {verb}")


def _values(seen: Seen, verb: str, arg: str) -> tuple[str, ...]:
    """What the report's menu offers for an argument of a whole-side order."""
    for item in seen.menu.get(seen.side.upper()) or ():
        for one in item.get("args") or ():
            if (item["verb"], one["name"]) == (verb, arg):
                return tuple(str(v) for v in one.get("values") or ())
    return ()


def _search(seen: Seen, actor: str, action: Action) -> None:
    _whole(seen, actor, "search")
    if not action.args:
        hint = f"{actor}: search all"
        raise Refused("missing-argument", "7.21", "say where to search", hint)


def _huffduff(seen: Seen, actor: str, action: Action) -> None:
    _whole(seen, actor, "huffduff", GERMAN)
    zone = str(action.args.get("zone", ""))
    if not action.args:
        hint = f"{actor}: huffduff random"
        raise Refused("missing-argument", "10.22", "say what to answer", hint)
    if zone and zone not in board.SEA:
        raise Refused("land-zone", "10.22", f"{zone} has no coordinate that could be named")


def _convoy(seen: Seen, actor: str, action: Action) -> None:
    _whole(seen, actor, "convoy", GERMAN)


def _mobilise(seen: Seen, actor: str, action: Action) -> None:
    _whole(seen, actor, "mobilise", BRITISH)
    ship = str(action.args["ship"])
    escorts = _values(seen, "mobilise", "ship")
    if ship not in escorts:
        hint = f"escorts: {', '.join(escorts)}" if escorts else ""
        raise Refused("not-an-escort", "12.42", f"{ship} escorts no convoy", hint)


def _enter(seen: Seen, actor: str, action: Action) -> None:
    _whole(seen, actor, "enter", BRITISH)
    ship, turn = str(action.args["ship"]), convert(action.args["turn"], int)
    entry = tables.release(seen.house).entry.get(ship)
    if entry is None or not entry.chosen:
        raise Refused("not-yours", "4.1", f"when {ship} comes into play is not yours to choose")
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
