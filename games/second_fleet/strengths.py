"""What a ship is worth now: by her damage, the weather, her depth, her speed and her stores."""

from __future__ import annotations

from games.second_fleet import weather
from games.second_fleet.advanced_tables import deep_chart, weather_chart
from games.second_fleet.state import Vessel, War


def halved(value: int) -> int:
    """Half, up."""
    return -(-value // 2)


def stocked(ship: Vessel, row: str) -> bool:
    """6.5/3 Has she a box of this row left? Without logistics always."""
    return ship.stores is None or ship.stores.rows.get(row, 0) != 0


def asw(war: War, ship: Vessel, goal: str = "") -> int:
    """6.2/3-4, 6.7/6, 6.5/3 ASW: of ships half in a squall, none at high speed. goal: the hex that
    she attacks, whose weather counts too."""
    if ship.fast or not stocked(ship, "torpedo" if ship.sub else "asw"):
        return 0
    value = ship.now.asw
    return halved(value) if not ship.sub and weather.bad(war, ship.hex, goal or ship.hex) else value


def ssm(ship: Vessel) -> int:
    """205, 6.5/3 Missiles: none from the deep."""
    return 0 if ship.deep or not stocked(ship, "ssm") else ship.now.ssm


def torpedo(ship: Vessel) -> int:
    """204, 6.5/3 Torpedoes: half from the deep, down."""
    if not stocked(ship, "torpedo"):
        return 0
    return ship.now.torpedo // 2 if ship.deep else ship.now.torpedo


def guns(ship: Vessel) -> bool:
    """6.5/2-3 Has she AAA: a box that is left, or that which she has ticked in this segment?"""
    return stocked(ship, "aaa") or (ship.stores is not None and ship.stores.defended)


def area_aa(ship: Vessel) -> int:
    """6.5/3 Area AA."""
    return ship.now.area_aa if guns(ship) else 0


def ma(war: War, ship: Vessel) -> int:
    """201, 6.5/4, 6.5/6, 6.7/6 Hexes a turn, without full speed."""
    if ship.deep:
        return deep_chart().ma
    if not stocked(ship, "fuel") and not ship.sub:
        return 1
    return _fuelled(war, ship, ship.slowed)


def _fuelled(war: War, ship: Vessel, slowed: bool) -> int:
    value = ship.now.ma + ship.fast - slowed
    if not ship.sub and weather.storm(war, ship.hex):
        value += weather_chart().ma
    return max(1, value)


def dry(war: War, ship: Vessel) -> int:
    """6.5/6 Hexes in this turn of a ship that has no fuel, once she is given some; 0 for others."""
    return 0 if ship.sub or stocked(ship, "fuel") else _fuelled(war, ship, True)
