"""17, 6.2 Weather: squalls and storms, zone by zone, for a day."""

from __future__ import annotations

from games.second_fleet import advanced_events as ev
from games.second_fleet.advanced_state import Sky
from games.second_fleet.advanced_tables import weather_chart
from games.second_fleet.board import ZONE_NAMES, ZONE_OF, Zone
from games.second_fleet.state import War
from games.second_fleet.tables import D10
from pbem.model import TableLike

WORSE: tuple[Sky, ...] = ("clear", "squall", "storm")


def phase(table: TableLike, war: War) -> None:
    """6.2/1-2 Each morning but the first: a die for the state, and one for its zones."""
    if war.turn == 1:
        return
    chart = weather_chart()
    (die,) = table.roll("WEATHER/STATE/ALL/REFEREE", D10, to=table.sides)
    war.weather.sky, war.weather.zones = chart.states[die][war.period - 1], []
    why = f"die {die}"
    if war.weather.sky != "clear":
        (where,) = table.roll("WEATHER/ZONES/ALL/REFEREE", D10, to=table.sides)
        war.weather.zones = [zone for zone in ZONE_NAMES if zone in chart.zones[where]]
        why = f"{why}, {where}"
    told = ev.WeatherCame(rule="6.2", why=why, sky=war.weather.sky, zones=tuple(war.weather.zones))
    table.tell(table.sides, told)


def over(war: War, zone: Zone) -> Sky:
    """6.2/3 The weather of a zone."""
    return war.weather.sky if zone in war.weather.zones else "clear"


def at(war: War, hex_: str) -> Sky:
    """The weather in a hex."""
    return over(war, ZONE_OF[hex_])


def between(war: War, start: str, end: str) -> Sky:
    """6.2/3 An attack suffers the worse weather of both hexes."""
    return max(at(war, start), at(war, end), key=WORSE.index)


def bad(war: War, *hexes: str) -> bool:
    """6.2/4 A squall or worse in one of them."""
    return any(at(war, hex_) != "clear" for hex_ in hexes)


def storms(war: War) -> list[Zone]:
    """6.2/5 The zones that have a storm."""
    return war.weather.zones if war.weather.sky == "storm" else []


def storm(war: War, *hexes: str) -> bool:
    """6.2/5 A storm in one of them."""
    return any(at(war, hex_) == "storm" for hex_ in hexes)
