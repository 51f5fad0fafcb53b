"""What a side may see of the advanced level and of the options: parts of its view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.second_fleet import (
    advanced_menu,
    invasion,
    landings,
    logistics,
    movement,
    muster,
    strengths,
)
from games.second_fleet import mines as fields
from games.second_fleet.advanced_state import BOXES
from games.second_fleet.board import BASES
from games.second_fleet.options import ORDERED
from games.second_fleet.report import Ashore, Field, OwnUnit, Raised
from games.second_fleet.state import Vessel, War
from games.second_fleet.tables import aircraft, ships, type_names
from pbem.kit.points import Fact
from pbem.model import Side


def stores(ship: Vessel) -> tuple[str, ...]:
    """6.5 Boxes left by row."""
    if ship.stores is None:
        return ()
    rows = [row for row in logistics.roster(ship.id) if _serves(ship, row)]
    counts = [(row, ship.stores.rows[row]) for row in rows]
    found = [f"{row} {'unlimited' if count < 0 else count}" for row, count in counts]
    given = (("ammunition", ship.stores.ammunition), ("fuel to give", ship.stores.oil))
    return (*found, *(f"{what} {count}" for what, count in given if count))


def _serves(ship: Vessel, row: str) -> bool:
    """Has she a use for the boxes of a row?"""
    front = ship.sheet.front
    able = {
        "fuel": True,
        "ssm": front.ssm > 0,
        "asw": front.asw > 0,
        "aaa": logistics.rowed(ship),
        "torpedo": front.torpedo > 0,
        "bomb": ship.type == "CV",
    }
    return able[row]


def notes(ship: Vessel) -> tuple[str, ...]:
    """Deep mode, troops aboard, empty rows."""
    found = ["deep"] if ship.deep else []
    if points := landings.carried(ship):
        found.append(f"{points} points of troops")
    if logistics.empty(ship):
        found.append("out of ammunition")
    if ship.stores and ship.stores.rows.get("fuel") == 0:
        found.append("out of fuel")
    return tuple(found)


def waiting(war: War, side: Side) -> Iterator[OwnUnit]:
    """6.4/4 Reinforcements that wait for a place, carriers with their wings."""
    if side not in war.arrivals:
        return
    for name in [u for n in war.arrivals[side].waiting for u in (n, *muster.wing(war, n))]:
        sheet = ships().get(name)
        kind = sheet.type if sheet else aircraft()[name].role
        title = sheet.name if sheet else name
        yield OwnUnit(
            id=name, name=title, type=type_names()[kind], place="", kind="wait", model=kind
        )


def rush(war: War, sides: Sequence[Side]) -> tuple[str, ...]:
    """6.5/6, 6.7/6 Ships without fuel, and groups with some, that may go at high speed in the turn
    in which they are given some."""
    if len(sides) != 1 or not (war.on("speed") and war.on("logistics")):
        return ()
    dry = [s for s in war.afloat(sides[0]) if strengths.dry(war, s)]
    able = [s.id for s in dry if movement.sound(s)]
    groups = sorted({s.group for s in dry if s.group})
    able += [g.upper() for g in groups if all(map(movement.sound, war.members(g)))]
    return tuple(able)


def mines(war: War, sides: Sequence[Side]) -> tuple[Field, ...]:
    """6.16/10 Fields that a side knows; the referee's view has all of them as they are."""
    if len(sides) != 1:
        laid = war.mines.laid if sides else {}
        return tuple(Field(hex_, fields.strength(war, hex_)) for hex_ in sorted(laid))
    known = war.mines.known.get(sides[0], {})
    return tuple(Field(hex_, known[hex_]) for hex_ in sorted(known))


def marker(war: War, sides: Sequence[Side]) -> int:
    """6.4/1 The own reinforcement marker."""
    if len(sides) != 1 or sides[0] not in war.arrivals:
        return -1
    return war.arrivals[sides[0]].marker


def ashore(war: War) -> tuple[Ashore, ...]:
    """6.3 Bases that changed hands or where troops have landed; open to all."""
    found = []
    for hex_, field in sorted(war.fields.items()):
        points = [field.ashore.get(side, 0) for side in ("nato", "soviet")]  # type: ignore[call-overload]
        if any(points) or field.side != BASES[hex_].side:
            garrison = invasion.garrison(war, hex_)
            found.append(Ashore(hex_, field.side, garrison, points[0], points[1]))
    return tuple(found)


def troops(war: War, sides: Sequence[Side]) -> tuple[int, ...]:
    """6.3 Own battalions and commandos."""
    if len(sides) != 1 or sides[0] not in war.landings:
        return ()
    left = war.landings[sides[0]]
    return (left.battalions, left.commandos)


def raised(war: War, sides: Sequence[Side]) -> tuple[Raised, ...]:
    """6.3/2 What a side might order besides if it raised the Soviet strategy."""
    found = advanced_menu.raised(war, sides[0]) if len(sides) == 1 else {}
    return tuple(Raised(actor, tuple(found[actor])) for actor in sorted(found))


def without(war: War) -> tuple[str, ...]:
    """220 The rules with orders of their own that the game is played without."""
    found = [option for option in ORDERED if not war.on(option)]
    return (*found, *([] if war.advanced else ["advanced"]))


def facts(war: War) -> list[Fact]:
    """Weather, strategy, the armistice track."""
    if not war.advanced:
        return []
    where = f" over {' '.join(war.weather.zones)}" if war.weather.zones else ""
    return [
        Fact("Weather", f"{war.weather.sky}{where}"),
        Fact("Soviet strategy", war.politics.strategy),
        Fact("Armistice", BOXES[war.politics.box]),
    ]
