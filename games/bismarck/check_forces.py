"""4.2, 5.4 Judging orders that regroup ships, and what they make of the orders beside them.

They are carried out before all others of the turn, in the order written, so that one set may break
a force and order each of its ships, or form a force and sail it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from games.bismarck import groups, taskforce
from games.bismarck.board import GERMAN
from games.bismarck.report import OwnUnit
from games.bismarck.seen import Seen
from games.bismarck.verbs import Break, Detach, Enter, Form, Join, Mobilise
from pbem.kit.checks import Change, Refused
from pbem.kit.menus import limited

# What cannot stand


def standing(seen: Seen, order: Struct) -> None:
    """5.43 An order that names this turn is for a task force that there is in it; what a menu says
    of the others does not bind it."""
    named = seen.now and seen.order.turn == seen.turn and taskforce.good_name(seen.actor)
    if named and seen.unit(seen.actor) is None:
        text = f"there is no task force {seen.actor} this turn"
        raise Refused("not-now", "5.43", text, "order its ships, or form it in this set")


def form(seen: Seen, order: Form) -> None:
    """5.41, 5.43 A good name that is free, and ships of one zone that sail with no convoy."""
    unit = _ship(seen, seen.actor)
    if _offered_alone(seen):
        _no_force(seen, seen.actor, order.ships[0])
        _loose(seen, seen.actor, order.name)
    _good_name(seen, order.name, [seen.actor, *order.ships])
    _no_convoy(seen, seen.actor)
    for item, ship in enumerate(order.ships):
        if ship == seen.actor:
            text = f"{ship} is the ship that forms it: name the others"
            raise Refused("one-ship", "5.41", text, item=item)
        _no_force(seen, ship, seen.actor, item)
        _same_zone(seen, unit, ship, item)
        _no_convoy(seen, ship, item)
        mate = seen.unit(ship)
        if seen.now and mate and mate.force != order.name:
            _loose(seen, ship, order.name, item)


def join(seen: Seen, order: Join) -> None:
    """5.41 The force is in the ship's zone, and the ship in no other force."""
    unit = _ship(seen, seen.actor)
    if _offered_alone(seen):
        _loose(seen, seen.actor, order.force)
    _same_zone(seen, unit, order.force)
    _no_convoy(seen, seen.actor)


def detach(seen: Seen, order: Detach) -> None:
    """5.44 The ships named are in the force, and two of them at least where they form another."""
    force = _force(seen)
    if order.name:
        _good_name(seen, order.name, [])
        if all(ship == order.ships[0] for ship in order.ships):
            text = f"{order.ships[0]} alone makes no task force"
            hint = f"{seen.actor}: detach {order.ships[0]}"
            raise Refused("one-ship", "5.41", text, hint, "name")
    for item, ship in enumerate(order.ships):
        if force and seen.now and ship not in force.ships:
            raise Refused("not-in-force", "5.44", f"{ship} is not in {seen.actor}", item=item)


def disband(seen: Seen, order: Break) -> None:
    """5.44 The actor is a force."""
    _force(seen)


def _ship(seen: Seen, actor: str) -> OwnUnit | None:
    unit = seen.unit(actor)
    if unit and unit.flies:
        raise Refused("not-a-ship", "5.41", f"{actor} is not a ship")
    return unit


def _good_name(seen: Seen, name: str, ships: Sequence[str]) -> None:
    """5.43 TF1 to TF99, and no force has it but one of all these ships."""
    if not taskforce.good_name(name):
        text = f"{name} is not a valid task force name"
        raise Refused("bad-name", "5.43", text, "use TF1 to TF99", "name")
    standing = seen.unit(name)
    own = [ship for ship in ships if standing and ship in standing.ships]
    if seen.now and standing and (not ships or len(own) < len(ships)):
        text = f"{name} is already a task force: {', '.join(standing.ships)}"
        raise Refused("name-taken", "5.43", text, "choose another number", "name")


def _same_zone(seen: Seen, unit: OwnUnit | None, other: str, item: int = 0) -> None:
    """5.41 Ships that form one force are in one zone, if the order acts now."""
    mate = _ship(seen, other)
    if seen.now and unit and mate and mate.place != unit.place:
        text = f"{other} is in {mate.place}, {seen.actor} in {unit.place}"
        raise Refused("not-in-same-zone", "5.41", text, item=item)


def _offered_alone(seen: Seen) -> bool:
    """Does the menu bind the order? Then a ship of a force is not offered it, and hears why."""
    return not seen.order.standing and seen.order.turn is None


def _loose(seen: Seen, ship: str, force: str, item: int = 0) -> None:
    """5.41 A ship that sails in a force leaves it before it sails in another."""
    unit = seen.unit(ship)
    if unit and unit.force:
        text = f"{ship} sails in {unit.force}"
        hint = f"write before this order: {unit.force}: detach {ship}"
        hint = "leave it out" if unit.force == force else hint
        raise Refused("task-force", "5.41", text, hint, item=item)


def _no_force(seen: Seen, ship: str, other: str, item: int = 0) -> None:
    """5.41 Ships form a force; the other ship joins one that there is already."""
    unit = seen.unit(ship)
    if unit and unit.ships:
        text = f"{ship} is a task force already"
        raise Refused("task-force", "5.41", text, f"{other}: join {ship}", item=item)


def _no_convoy(seen: Seen, ship: str, item: int = 0) -> None:
    """2.51 An escort leaves its convoy first."""
    unit = seen.unit(ship)
    if seen.now and unit and unit.hold == "escort":
        hint = f"{seen.side.upper()}: mobilise {ship}, once a German ship has been located"
        raise Refused("tied", "2.51", unit.tied, hint, item=item)


def _force(seen: Seen) -> OwnUnit | None:
    unit = seen.unit(seen.actor)
    if unit and not unit.ships:
        raise Refused("no-task-force", "5.44", f"{seen.actor} is not a task force")
    return unit


# What they change for the other orders of the set


def formed(seen: Seen, order: Form) -> list[Change]:
    """5.41 The force can be ordered, its ships as ships of it."""
    return _regrouped(seen, [seen.actor, *order.ships], order.name)


def joined(seen: Seen, order: Join) -> list[Change]:
    """5.41 The ship, or all ships of a force, are of the other force."""
    unit = seen.unit(seen.actor)
    ships = unit.ships if unit and unit.ships else (seen.actor,)
    return _regrouped(seen, ships, order.force)


def detached(seen: Seen, order: Detach) -> list[Change]:
    """5.44 The ships can be ordered, alone or as the new force."""
    return _regrouped(seen, order.ships, order.name)


def disbanded(seen: Seen, order: Break) -> list[Change]:
    """5.44 Every ship of the force can be ordered."""
    force = seen.unit(seen.actor)
    return _regrouped(seen, force.ships if force else (), "")


def mobilised(seen: Seen, order: Mobilise) -> list[Change]:
    """4.2, 12.42 The escort can be ordered like any other ship."""
    side = seen.side.upper()
    rest = tuple([ship for ship in seen.escorts() if ship != order.ship])
    whole = [limited(i, "ship", rest) if i.verb == "mobilise" else i for i in seen.offers(side)]
    hulls = [groups.Hull(h.id, h.place, h.type) if h.id == order.ship else h for h in _hulls(seen)]
    menu, free = groups.offered(hulls, False), {"tied": "", "hold": ""}
    ships = [Change(h.id, tuple(menu[h.id]), free) for h in hulls if h.id == order.ship]
    return [*ships, Change(side, tuple([one for one in whole if one is not None]))]


def entered(seen: Seen, order: Enter) -> list[Change]:
    """4.1 The turn of a ship is chosen once."""
    side = seen.side.upper()
    rest = tuple([s for s in seen.listed(side, "enter", "ship") if s != order.ship])
    whole = [limited(i, "ship", rest) if i.verb == "enter" else i for i in seen.offers(side)]
    return [Change(side, tuple([one for one in whole if one is not None]))]


def _regrouped(seen: Seen, ships: Sequence[str], force: str) -> list[Change]:
    """The units and menus of the zone once ships have changed their force."""
    hulls = _hulls(seen)
    here = [h.place for h in hulls if h.id in ships]
    before = [h for h in hulls if h.place in here]
    now = groups.moved(before, ships, force)
    menu, forces = groups.offered(now, seen.side == GERMAN), groups.grouped(now)
    gone = [Change(name, None) for name in groups.grouped(before) if name not in forces]
    each = [Change(h.id, tuple(menu[h.id]), {"force": h.force}) for h in now]
    made = [Change(name, tuple(menu[name]), _row(seen, name, forces[name])) for name in forces]
    return [*gone, *each, *made]


def _hulls(seen: Seen) -> list[groups.Hull]:
    """The ships of the report."""
    ships = [u for u in seen.units() if u.top is not None]
    return [groups.Hull(u.id, u.place, u.type, u.force, u.hold, u.tied) for u in ships]


def _row(seen: Seen, name: str, ships: Sequence[groups.Hull]) -> Mapping[str, object]:
    """A task force as the report would show it."""
    ids = [h.id for h in ships]
    hulls = [u for u in seen.units() if u.id in ids]
    return {
        "id": name,
        "name": name,
        "type": "TF",
        "kind": "force",
        "place": ships[0].place,
        "ships": ids,
        "evasion": min([u.evasion for u in hulls]),
        "regain": min([u.evasion + u.regain for u in hulls]) - min([u.evasion for u in hulls]),
    }


# What the receipt says of them


def told(seen: Seen, order: Form | Join | Detach | Break) -> str:
    """Who sails with whom from now on: `TF1: HOOD, PRINCE OF WALES`."""
    if not seen.now:
        return ""
    if isinstance(order, Form):
        return f"{order.name}: {', '.join([seen.actor, *order.ships])}"
    unit = seen.unit(seen.actor)
    own = unit.ships if unit and unit.ships else (seen.actor,)
    if isinstance(order, Join):
        force = seen.unit(order.force)
        return f"{order.force}: {', '.join([*(force.ships if force else ()), *own])}"
    leave = order.ships if isinstance(order, Detach) else own
    rest = [ship for ship in own if ship not in leave]
    alone = [*([] if isinstance(order, Detach) and order.name else leave), *rest[: len(rest) < 2]]
    parts = [f"{ship} alone" for ship in alone]
    if isinstance(order, Detach) and order.name:
        parts = [f"{order.name}: {', '.join(order.ships)}", *parts]
    if len(rest) > 1:
        parts = [*parts, f"{seen.actor}: {', '.join(rest)}"]
    return "; ".join(parts)
