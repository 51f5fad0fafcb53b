"""Every ship of the data, afloat and whole, by its id."""

from __future__ import annotations

from typing import Any

from games.far_seas.board import BRITISH, GERMAN, PACKAGE
from games.far_seas.state import GRADES, Ship
from orders.fold import fold
from pbem import data


def roster(tubes: str = "warships") -> dict[str, Ship]:
    """The ratings of data/ships.toml. tubes: the option."""
    raw = data.table(PACKAGE, "ships.toml")
    found = [_ship(line, True) for line in raw["german"].strip().splitlines()]
    found += [_ship(line, False) for line in raw["allied"].strip().splitlines()]
    for ship in found:
        ship.tubes |= tubes == "all" and ship.type != "BB"
    return {s.id: s for s in found}


def _ship(line: str, german: bool) -> Ship:
    name, ratings, start, last = (cell.strip() for cell in line.split("|"))
    words: list[Any] = ratings.split()
    nation, (kind, gun, speed, *numbers) = ("", words) if german else (words[0], words[1:])
    capacity, roll, points = map(int, numbers)
    name = name.rstrip("*")
    return Ship(
        id=fold(name)[0].upper(),
        name=name,
        side=GERMAN if german else BRITISH,
        nation=nation,
        type=kind,
        gun=gun,
        speed=GRADES.index(speed),
        capacity=capacity,
        roll=roll,
        points=points,
        tubes=last == "y" if german else kind not in ("BB", "AMC"),
        start=start,
        area=start.split("@")[0],
    )
