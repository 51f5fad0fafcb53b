"""Boards that no game has yet, over the real coast: hexes, and squares whose rows are staggered.

Whatever a chart can show stands on each of them, so that pictures and tests cover the kind of grid.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, dist
from typing import Literal

from pbem.scene import (
    Box,
    Coast,
    Contact,
    Grid,
    Key,
    Line,
    Point,
    Port,
    Scene,
    Unit,
    coast,
)

Shape = Literal["square", "hex", "flat"]
Bounds = tuple[float, float, float, float]
STEP = 17
"""Cells from one unit to the next."""
LOW = 3**0.5 / 2
"""From one row of hexes to the next, in widths of a hex; of flat ones from column to column."""
KEYS = (
    Key("Own forces", (("counter:BB", "task force"), ("track", "track"), ("plan", "orders"))),
    Key(
        "Contacts",
        (
            ("held", "seen now"),
            ("old", "older"),
            ("ring", "how far it can be"),
            ("area", "in one of these"),
        ),
    ),
    Key("Search", (("searched", "searched"), ("found", "found"), ("fog", "fog"))),
    Key("Board", (("route", "route"), ("beads", "patrol line"), ("border", "edge of night"))),
)


def hexes() -> Scene:
    """Pointed hexes over the North Atlantic, each second row shifted by half a hex."""
    bounds = (-3.0, 0.0, 19.0, 25.5)
    return board("Hexes", coast("bismarck"), rows(bounds, LOW), "hex", bounds, 50)


def flat() -> Scene:
    """Hexes with flat tops over the same sea, each second column half a hex lower."""
    bounds = (-3.0, 0.0, 19.0, 25.0)
    return board("Flat hexes", coast("bismarck"), columns(bounds), "flat", bounds, 50)


def staggered() -> Scene:
    """Squares over the world's coast from Labrador to the Cape, each second row shifted."""
    bounds = (2.0, 0.5, 14.5, 13.0)
    return board("Staggered squares", coast("far_seas"), rows(bounds, 1.0), "square", bounds, 80)


BOARDS: dict[str, Callable[[], Scene]] = {"hexes": hexes, "flat": flat, "staggered": staggered}


def rows(bounds: Bounds, low: float) -> dict[str, Point]:
    """Cells in rows `low` apart."""
    west, north, east, south = bounds
    return {
        f"{chr(65 + row)}{column}": (west + column + row % 2 / 2, north + low * row)
        for row in range(min(26, ceil((south - north) / low)))
        for column in range(ceil(east - west))
    }


def columns(bounds: Bounds) -> dict[str, Point]:
    """Cells in columns LOW apart."""
    west, north, east, south = bounds
    return {
        f"{chr(65 + row)}{column}": (west + LOW * column, north + row + column % 2 / 2)
        for row in range(min(26, ceil(south - north)))
        for column in range(ceil((east - west) / LOW))
    }


def board(
    title: str, view: Coast, cells: dict[str, Point], shape: Shape, bounds: Bounds, pitch: int
) -> Scene:
    """A scene with everything on it. bounds: west, north, east, south of the cells' middles."""
    west, north, east, south = bounds
    at = list(cells.values())
    nearest = {n: min(cells, key=lambda c: dist(cells[c], p)) for n, p in view.places.items()}
    ports = [
        Port(n, p, ("own", "enemy", "neutral")[i % 3], small=len(view.places) > 30)
        for i, (n, p) in enumerate(view.places.items())
        if not n[0].isdigit() and west < p[0] < east and north < p[1] < south
    ]
    return Scene(
        title=title,
        side="Royal Navy",
        when="Turn 3 of 9",
        window=_frame(bounds),
        grid=Grid(cells, shape),
        coast=view,
        ports=tuple(ports),
        units=tuple(_units(at, ports)),
        contacts=tuple(_contacts(cells)),
        fog=tuple(list(cells)[10:14]),
        searched=tuple(list(cells)[40:46]),
        found=("H9",),
        night=(north + south) / 2,
        lines=_lines(cells, nearest),
        boxes=(Box("Weather", "fog"),),
        pitch=pitch,
        deadline="2026-11-27T20:00:00Z",
        legend=KEYS,
        notes=(view.projection,),
        focus=(cells["H9"],),
    )


def _frame(bounds: Bounds) -> Bounds:
    west, north, east, south = bounds
    return west - 0.7, north - 0.7, east + 0.6, south + 0.6


def _units(at: list[Point], ports: list[Port]) -> list[Unit]:
    """Sixty-four: a stack, forces with a track and a plan, and aircraft in the air."""
    symbols = ("BB", "CV", "CA", "CL")
    spots = [at[(97 + STEP * i) % len(at)] for i in range(58)]
    ships = [
        Unit(
            id=f"S{i}",
            name=f"Squadron {i}",
            symbol=symbols[i % 4],
            at=spot,
            caption=f"TF{i}",
            rank=i,
            patrol=i % 5 == 0,
            track=_beside(spot, at[(96 + STEP * i) % len(at)], i % 3),
            plan=_beside(spot, at[(98 + STEP * i) % len(at)], i % 4),
        )
        for i, spot in enumerate(spots)
    ]
    stack = [Unit(id=f"D{i}", name=f"Destroyer {i}", symbol="CL", at=spots[3]) for i in range(3)]
    wings = [
        Unit(
            id=f"W{i}",
            name=f"Wing {i}",
            symbol="plane",
            at=spots[7 + i],
            role="flying",
            base=ports[i].at,
        )
        for i in range(3)
    ]
    return [*ships, *stack, *wings]


def _beside(spot: Point, other: Point, wanted: int) -> tuple[Point, ...]:
    """The other place, unless it lies across the board."""
    return (other,) if wanted and dist(spot, other) < 2 else ()


def _contacts(cells: dict[str, Point]) -> list[Contact]:
    """One of each kind, and an enemy on a line of stations, somewhere on three of them."""
    (x, y), trail = cells["H9"], (cells["F8"], cells["G8"])
    return [
        Contact(
            id="EN1",
            label="1",
            what="BB",
            note="now",
            age=0,
            at=(x, y),
            trail=trail,
            ahead=cells["I10"],
        ),
        Contact(
            id="EN2",
            label="2",
            what="CA",
            note="8 h ago",
            age=2,
            at=cells["K5"],
            ring=tuple(cells[c] for c in ("J5", "J6", "K6", "L6", "L5", "K4")),
        ),
        Contact(
            id="DF1", label="?", what="radio", note="4 h ago", age=1, cells=("E4", "E5", "F4", "F5")
        ),
        Contact(
            id="TR1",
            label="?",
            what="CV",
            note="on its way",
            age=0,
            cells=("L8", "L9", "L10"),
            trail=tuple(cells[f"L{n}"] for n in range(3, 8)),
        ),
    ]


def _lines(cells: dict[str, Point], nearest: dict[str, str]) -> tuple[Line, ...]:
    row = [p for n, p in cells.items() if n[0] == "J"]
    column = [p for n, p in cells.items() if n[1:] == "6"]
    return (
        Line("CONVOY ROUTE", tuple(row), "route", True),
        Line("PATROL LINE", tuple(column), "beads"),
        Line("EDGE OF NIGHT", (row[0], row[-1]), "border"),
    )
