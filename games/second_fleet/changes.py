"""What orders of a set change for its other orders: groups, company, fuel, landings."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import convert

from games.second_fleet import advanced_verbs as av
from games.second_fleet import verbs as v
from games.second_fleet.report import OwnUnit
from games.second_fleet.seen import Seen
from pbem.kit import checks
from pbem.model import MenuArg, MenuItem

MADE = "new"
"""The note of a group that an order of the same set makes."""


def reach_of(seen: Seen, unit: OwnUnit, mates: Sequence[str]) -> int:
    """138 How far the missiles fly of whoever of a stack fires farthest."""
    reach = unit.range
    for name in mates:
        mate = seen.own(name, OwnUnit)
        if mate is not None:
            reach = max(reach, mate.range)
    return reach


def left(seen: Seen, order: v.Leave) -> list[checks.Change]:
    """83 What a ship may do that has left her group: what the group might."""
    unit = seen.unit
    if unit is None or unit.group == "":
        return []
    own = [one for one in seen.offers(seen.actor) if one.verb not in ("leave", "join")]
    menu = (*seen.offers(unit.group), *own)
    return [checks.Change(seen.actor, menu, {"group": ""}), *_rest(seen, unit.group, [unit.id])]


def joined(seen: Seen, order: v.Join) -> list[checks.Change]:
    """83 What those may do whom a ship leaves, and those whom she joins: what any of them might."""
    unit, group = seen.unit, seen.own(order.group, OwnUnit)
    if unit is None or group is None:
        return []
    own = [one for one in _alone(seen, unit) if one.verb not in ("leave", "join")]
    more = {"range": max(group.range, unit.range)}
    met = checks.Change(group.id, _together(seen.offers(group.id), own), more)
    return [met, *_rest(seen, unit.group, [unit.id])]


def formed(seen: Seen, order: v.Form) -> list[checks.Change]:
    """83 What a new group may do: what its ships, or their groups, might."""
    lead = seen.own(order.ships[0], OwnUnit)
    if lead is None:
        return []
    menu, reach, pace = _alone(seen, lead), lead.range, lead.ma
    groups: list[str] = []
    for name in order.ships:
        ship = seen.own(name, OwnUnit)
        if ship is None:
            continue
        menu, reach = _together(menu, _alone(seen, ship)), max(reach, ship.range)
        pace = min(pace, ship.ma)
        if ship.group != "" and ship.group not in groups:
            groups.append(ship.group)
    row = {
        "id": order.name,
        "name": order.name,
        "type": "ships",
        "place": lead.place,
        "kind": "group",
        "ma": pace,
        "ssm": lead.ssm,
        "range": reach,
        "notes": [MADE],
    }
    found = [checks.Change(order.name, menu, row)]
    for name in groups:
        found.extend(_rest(seen, name, order.ships))
    for name in order.ships:
        ship = seen.own(name, OwnUnit)
        if ship is not None and ship.kind == "ship":
            found.append(checks.Change(name, _within(seen, name), {"group": order.name}))
    here = [str(one["id"]) for one in seen.report["units"] if one["place"] == lead.place]
    for name in here:
        ship = seen.own(name, OwnUnit)
        menu = seen.offers(name)
        if ship is not None and ship.kind == "ship" and name not in order.ships and len(menu) > 0:
            found.append(checks.Change(name, _joining(menu, order.name)))
    return found


def _within(seen: Seen, ship: str) -> tuple[MenuItem, ...]:
    """85 What a ship may do by herself who sails with a new group."""
    menu = seen.offers(ship)
    left = [one for one in menu if one.verb not in ("move", "go", "attack", "cruise")]
    return (*left, MenuItem("leave", ())) if len(left) < len(menu) else menu


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


def accompanied(seen: Seen, order: v.Move | v.Go) -> list[checks.Change]:
    """85, 138 Who sails along attacks along, and may fire farther."""
    unit = seen.unit
    if unit is None or len(order.mates) == 0:
        return []
    more = {"range": reach_of(seen, unit, order.mates)}
    return [checks.Change(seen.actor, seen.offers(seen.actor), more)]


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
