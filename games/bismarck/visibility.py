"""7.1, 7.3 Visibility and fog: one roll a turn on a track of nine boxes. data/visibility.toml."""

from __future__ import annotations

from msgspec import Struct

from games.bismarck import calendar, tables
from games.bismarck.events import VisibilitySet
from games.bismarck.state import SIDES, War
from games.bismarck.tables import Weather
from pbem.model import TWO_D6, TableLike


class Change(Struct, frozen=True):
    """The weather that a roll gives. roll: after the modifier."""

    level: int
    fog: bool
    roll: int
    modifier: int


def change(level: int, roll: int, weather: Weather) -> Change:
    """7.14-7.16, 7.31 The next level from the present one and the sum of two dice.

    `change(7, 7, ...)` modifies the roll to 6: level 6, with fog.
    """
    modifier = weather.modifier.get(level, 0)
    modified = roll + modifier
    moved = level + modified - weather.centre
    return Change(min(max(moved, 1), weather.levels), modified in weather.fog, modified, modifier)


def phase(table: TableLike, war: War) -> None:
    """4.2 The weather of the turn that begins, told to both."""
    if calendar.first(war.turn):
        set_first(table, war)
    else:
        roll(table, war)


def set_first(table: TableLike, war: War) -> None:
    """7.13, 7.32 The first turn: the starting level, with fog; nothing is rolled."""
    war.level, war.fog = weather(war).start, True
    level = calendar.level_name(war.level)
    table.tell(SIDES, VisibilitySet(rule="7.13", level=level, fog=True))


def roll(table: TableLike, war: War) -> None:
    """7.14 The weather of the turn that begins, rolled openly by the German player."""
    before = war.level
    rolled = sum(table.roll("VISIBILITY/CHANGE/TRACK/GERMAN", TWO_D6, to=SIDES))
    new = change(before, rolled, weather(war))
    war.level, war.fog = new.level, new.fog
    told = VisibilitySet(
        rule="7.14",
        level=calendar.level_name(new.level),
        fog=new.fog,
        before=calendar.level_name(before),
        roll=rolled,
        modifier=new.modifier,
    )
    table.tell(SIDES, told)


def weather(war: War) -> Weather:
    """The track of this game (7.16, ruling 1: option `visibility`)."""
    return tables.weather(war.house, war.options.get("visibility", "errata"))
