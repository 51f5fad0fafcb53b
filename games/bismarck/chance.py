"""10 The chance phase: general search, HUFF-DUFF, convoys. Numbers: data/chance.toml."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import Struct

from games.bismarck import board
from games.bismarck.calendar import X
from pbem.data import table as data

COLUMNS = "ABC"


class Entry(Struct, frozen=True):
    """10.2 One line of the chance table. numbers: general search by column; needs: what a
    convoy asks for, `route`, `patrol` or `near`."""

    kind: str
    numbers: tuple[int, ...] = ()
    needs: str = ""


@cache
def entries() -> dict[int, Entry]:
    """10.2 The chance table by the sum of two dice."""
    table: dict[str, Any] = data("games.bismarck.data", "chance.toml")
    general = {
        int(roll): Entry("GENERAL SEARCH", tuple(row)) for roll, row in table["general"].items()
    }
    convoys = {int(roll): Entry("CONVOY", needs=needs) for roll, needs in table["convoy"].items()}
    return {roll: Entry("HUFF-DUFF") for roll in table["huffduff"]} | general | convoys


@cache
def column(zone: str) -> str:
    """10.211, 10.214 The column of a zone, empty outside the patrol line.

    C near the coasts comes before A by the line; the two never meet on the printed board.
    """
    if not east_of_line(zone):
        return ""
    if any(board.distance(zone, coast) <= 2 for coast in board.HOME_COAST):
        return "C"
    return "A" if any(board.distance(zone, circle) <= 2 for circle in board.PATROL_LINE) else "B"


def east_of_line(zone: str) -> bool:
    """10.211 Is the zone on the patrol line or east of it (the line runs from row E south)?"""
    circles = [int(z[1:]) for z in board.PATROL_LINE if z[0] == zone[0]]
    return bool(circles) and int(zone[1:]) >= min(circles)


def general_search(entry: Entry, zone: str, level: int) -> bool:
    """10.212, 10.214 Does the column's number reach the visibility level? X never (7.17)."""
    where = column(zone)
    return bool(where) and level < X and level <= entry.numbers[COLUMNS.index(where)]


@cache
def from_route(zone: str) -> int:
    """10.24 Zones to the nearest convoy route, 0 on it."""
    return min(board.distance(zone, at) for at in board.CONVOY_ROUTES)


def finds_convoy(entry: Entry, zone: str, patrol: bool) -> bool:
    """10.232, 10.24 Is the ship where the entry asks for, and in the mode it asks for?"""
    away = from_route(zone)
    return {
        "route": away == 0,
        "patrol": patrol and away <= 2,
        "near": away == 1,
    }[entry.needs]
