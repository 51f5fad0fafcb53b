"""Checks of orders to ships by what their owner's report shows: the fjord in which they lie
(262); and what fuel lets them do (6.5/6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from games.second_fleet import advanced_verbs as av
from games.second_fleet import verbs as v
from games.second_fleet.logistics import roster, sated
from games.second_fleet.report import OwnUnit
from games.second_fleet.seen import Seen, fjord
from games.second_fleet.tables import ships
from pbem.kit import checks
from pbem.kit.checks import Refused
from pbem.model import MenuArg, MenuItem

SAILS = "sails"
"""The note of a unit that other orders of its set move."""


def sailing(seen: Seen, order: v.Move | v.Go) -> list[checks.Change]:
    """262 Who lies in a fjord may sail out of it before she attacks."""
    unit = seen.unit
    if unit is None or not fjord(unit.place):
        return []
    more = {"notes": [*unit.notes, SAILS]}
    return [checks.Change(seen.actor, seen.offers(seen.actor), more)]


def out_of_a_fjord(seen: Seen, order: v.Attack | av.Cruise) -> None:
    """262 No missiles, torpedoes or ASW of who lies in a fjord, and is not ordered to sail."""
    unit = seen.unit
    if unit is None or not seen.now or not fjord(unit.place) or SAILS in unit.notes:
        return
    if isinstance(order, v.Attack) and order.weapon == "close":
        return
    text = f"{seen.actor} lies in a fjord, {unit.place}: no such attack is made from there"
    hint = f"sail first: {seen.actor}: go ...; {seen.actor}: {seen.verb} ..."
    raise Refused("in-a-fjord", "262", text, hint)


def countable(order: v.Attack | v.Strike) -> None:
    """132, 6.16/5 Torpedoes go to two ships at most, and after `all` nobody is left to aim at."""
    if order.weapon == "torpedo" and len(order.aims) > 2:
        raise Refused("too-many", "132", "torpedoes go to two ships at most", arg="aims")
    if "all" in [aim.what for aim in order.aims][:-1]:
        text = "behind 'all' no ship is left to aim at"
        raise Refused("too-many", "6.16/5", text, "put it last", arg="aims")


@cache
def _holds() -> dict[str, dict[str, int]]:
    """6.5/1 The boxes of each row that is refilled at sea, of every ship; ships of a kind share
    theirs (`_kinds`)."""
    return {name: _refilled(name) for name in ships()}


def _refilled(name: str) -> dict[str, int]:
    rows = roster(name).items()
    return {row: one.boxes for row, one in rows if row == "fuel" or not one.sealed}


@cache
def _kinds() -> list[dict[str, int]]:
    """6.5/1 What ships hold, each sort once."""
    found: list[dict[str, int]] = []
    for rows in _holds().values():
        if rows not in found:
            found.append(rows)
    return found


@cache
def _kind() -> dict[str, int]:
    """6.5/1 The sort of every ship, by its place in the list."""
    return {name: _kinds().index(rows) for name, rows in _holds().items()}


def full(ship: OwnUnit, what: str) -> bool:
    """6.5/6 Has a ship all the boxes of a row that she holds?"""
    if ship.id not in _kind():
        return False
    most = _kinds()[_kind()[ship.id]].get(what, -1)
    return f"{what} {most}" in ship.stores


def needless(seen: Seen, order: av.Replenish) -> None:
    """6.5/6 In this window nobody is given what she has. Before her turn comes she may use some."""
    ship = seen.own(order.unit, OwnUnit)
    if ship is None or not seen.now or str(seen.report["board"]["stage"]) != "segment":
        return
    for item, boxes in enumerate(order.boxes):
        if full(ship, boxes.what):
            text, hint = sated(ship.id, boxes.what), f"leave {boxes.what} out"
            raise Refused("nothing-given", "6.5/6", text, hint, arg="boxes", item=item)


def fuelled(seen: Seen, order: av.Replenish) -> list[checks.Change]:
    """6.5/6, 6.7/6 A ship that has had no fuel sails farther, and so does her group; at high speed
    too, where she may."""
    ship = seen.own(order.unit, OwnUnit)
    if ship is None or ship.dry == 0:
        return []
    if len([one for one in order.boxes if one.what == "fuel"]) == 0:
        return []
    found = [checks.Change(ship.id, _quick(seen, ship.id), {"ma": ship.dry, "dry": 0})]
    group = seen.own(ship.group, OwnUnit)
    if group is not None:
        most, menu = ship.dry, _quick(seen, group.id)
        for name in group.ships:
            mate = seen.own(name, OwnUnit)
            if mate is not None and mate.id != ship.id:
                most = min(most, mate.ma)
                if mate.dry > 0:
                    menu = seen.offers(group.id)
        found.append(checks.Change(group.id, menu, {"ma": most}))
    return found


def _quick(seen: Seen, name: str) -> tuple[MenuItem, ...]:
    """6.7/6 The menu of a unit, with high speed if it may go at that with fuel."""
    menu = seen.offers(name)
    if name not in seen.report["board"].get("rush", ()):
        return menu
    return tuple([_faster(one) if one.verb in ("move", "go") else one for one in menu])


def _faster(item: MenuItem) -> MenuItem:
    args: Sequence[MenuArg] = [one for one in item.args if one.name != "speed"]
    return MenuItem(item.verb, (*args, MenuArg("speed", "word", ("high",))))
