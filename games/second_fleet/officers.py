"""Officers of a side: air, surface and submarines. Who may order what, and who sees what.

`command=shared`: an officer sees all that his side sees, and orders his own units. `separate`: he
sees his own units, contacts that all are told of or that lie near his units, and what concerns
them. All of it is a part of the side's view, so that an officer never learns more than his side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from games.second_fleet import advanced_events as aev
from games.second_fleet import events as ev
from games.second_fleet import view as whole
from games.second_fleet.board import distance
from games.second_fleet.report import Board, Enemy, OwnUnit
from games.second_fleet.state import LAYERS, Layer, War
from games.second_fleet.tables import aircraft, ships
from pbem.model import Event, MenuArg, MenuItem, Side, View

LAYER_OF: Mapping[str, Layer] = {"air": "air", "surface": "surf", "submarine": "sub"}
"""What each role orders."""
NEAR: Mapping[Layer, int] = {"air": 4, "surf": 3, "sub": 3}
"""`separate`: how near its units a Local contact must be for a role to know it. Aircraft see as far
as patrols reach."""
ALL = (
    "InitiativeRolled", "SegmentPlayed", "Sunk", "Struck", "BaseStruck", "Repaired", "Unloaded",
    "BrokeThrough", "WeatherCame", "Negotiated", "Political", "StrategyRose", "Landed", "Dropped",
    "Assaulted", "Captured", "Scored", "NuclearFired", "Blast", "Strayed", "CloseFought", "Counted",
)  # fmt: skip
"""What concerns all officers, because both sides or the whole of one are told of it."""
AIR = ("MissionsSent", "Intercepted", "Bounced", "AirHit", "ReconDone", "CapSet", "CapMet", "Flew")
"""What concerns aircraft alone."""
CONCERN: Mapping[str, Layer] = {**dict.fromkeys(AIR, "air"), "MinesMet": "surf"}
"""By the kind of an event: whom alone it concerns."""
LABELS: Mapping[str, tuple[Layer, ...]] = {
    "ACTION": tuple(LAYERS),
    "STRATEGIC": ("air",),
    "AIR": ("air",),
    "COMBAT": tuple(LAYERS),
}
"""By the first word of a die's label: who sees it. What is not named the commander sees alone."""


def role_view(state: War, side: Side, role: str) -> View:
    """The officer's part of his side's view."""
    seen, layer = whole.view(state, side), LAYER_OF[role]
    apart = state.options.get("command", "shared") == "separate"
    if apart:
        seen.units = [u for u in units(seen) if layer_of(u) == layer]
        seen.contacts = nearby(layer, units(seen), contacts(seen))
        seen.board = _board(seen, layer)
    assert isinstance(seen.board, Board)
    seen.board = replace(seen.board, raised=())  # 6.3/2 the commander's order
    own = {u.id for u in units(seen) if layer_of(u) == layer}
    known = {c.id for c in contacts(seen)} if apart else None
    seen.menu = {
        actor: items
        for actor, offered in seen.menu.items()
        if actor in own and (items := [m for x in offered if (m := _part(x, known))])
    }
    seen.form = [line for line in seen.form if line.partition(":")[0] in own]
    return seen


def units(seen: View) -> list[OwnUnit]:
    """The own units of a view."""
    return [u for u in seen.units if isinstance(u, OwnUnit)]


def contacts(seen: View) -> list[Enemy]:
    """The contacts of a view."""
    return [c for c in seen.contacts if isinstance(c, Enemy)]


def layer_of(unit: OwnUnit) -> Layer:
    """219 Whose it is; of reinforcements that wait by what they are."""
    if unit.kind == "air" or (unit.kind == "wait" and unit.id in aircraft()):
        return "air"
    waits = unit.kind == "wait" and unit.id in ships() and ships()[unit.id].sub
    return "sub" if unit.kind == "sub" or waits else "surf"


def nearby(layer: Layer, own: Iterable[OwnUnit], seen: Iterable[Enemy]) -> list[Enemy]:
    """`separate`: Strategic contacts, which all are told of, and others near the own units."""
    places = {u.place for u in own if u.place and (not u.away or u.away == "on patrol")}
    return [
        c
        for c in seen
        if c.level == 2 or any(distance(c.place, place) <= NEAR[layer] for place in places)
    ]


def _board(seen: View, layer: Layer) -> Board:
    """What lies open, and own patrols for the air officer alone."""
    board = seen.board
    assert isinstance(board, Board)
    return board if layer == "air" else replace(board, patrols=())


def _part(item: MenuItem, known: set[str] | None) -> MenuItem | None:
    """A menu item with the contacts that the officer knows; None if it needs one and none is left.

    known: None for all.
    """
    args = tuple(_fewer(arg, known) for arg in item.args)
    if any(was.values and not now.values for was, now in zip(item.args, args, strict=True)):
        return None
    return replace(item, args=args)


def _fewer(arg: MenuArg, known: set[str] | None) -> MenuArg:
    if known is None or arg.kind != "contact":
        return arg
    return replace(arg, values=tuple(value for value in arg.values if value in known))


# What an officer hears


def role_hears(state: War, side: Side, role: str, event: Event) -> bool:
    """`separate`: what concerns all, his units, and the contacts that he knows."""
    if state.options.get("command", "shared") == "shared":
        return True
    layer, kind = LAYER_OF[role], type(event).__name__
    if kind in ALL:
        return True
    if kind in CONCERN:
        return layer == CONCERN[kind]
    if isinstance(event, ev.Located | ev.Tracked):
        return event.contact in {c.id for c in contacts(role_view(state, side, role))}
    if isinstance(event, ev.WasAttacked | aev.Fled):
        at = event.to if isinstance(event, aev.Fled) else event.at
        return any(v.hex == at and _of(state, v.id) == layer for v in state.afloat(side))
    return layer in {_of(state, name) for name in _named(event)}


def _of(war: War, name: str) -> str:
    """The layer of a unit or group, in play or not; empty for others."""
    if name in aircraft():
        return "air"
    if name in map(str.upper, war.groups):
        return "surf"
    ship = war.vessels.get(name) or ships().get(name)
    return "" if ship is None else "sub" if ship.sub else "surf"


def _named(event: Event) -> tuple[str, ...]:
    """The own units that an event names."""
    found: list[str] = []
    for field in ("unit", "actor", "ship", "group", "units", "ships", "by", "decoy"):
        value = getattr(event, field, ())
        found += [value] if isinstance(value, str) else value
    return tuple(found)


def role_sees(state: War, side: Side, role: str, label: str) -> bool:
    """`separate`: the dice of battles, and those of his own phases."""
    if state.options.get("command", "shared") == "shared":
        return True
    return LAYER_OF[role] in LABELS.get(label.partition("/")[0], ())
