"""What a chart shows, as plain data: a game fills a Scene from one side's report, `chart` draws it.

Nothing here knows a game or a pixel. Places are in cells: one cell is 1 wide, x grows to the east,
y to the south. A scene holds what the report holds and the public board, never the truth.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

from msgspec import Struct

Point = tuple[float, float]
Cells = tuple[str, ...]

SQUARE: tuple[Point, ...] = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
_T = 3**-0.5
HEX: tuple[Point, ...] = (
    (0, -_T),
    (0.5, -_T / 2),
    (0.5, _T / 2),
    (0, _T),
    (-0.5, _T / 2),
    (-0.5, -_T / 2),
)
"""A pointed hex, 1 from side to side."""
FLAT: tuple[Point, ...] = tuple((y, x) for x, y in HEX)
"""A hex with a flat top, 1 from top to bottom."""
SHAPES = {"square": SQUARE, "hex": HEX, "flat": FLAT}


class Grid(Struct, frozen=True):
    """The board's cells by name. shape: their outline; an `area` map gives each its own. faint:
    cells that are drawn without a name (land)."""

    cells: dict[str, Point]
    shape: Literal["square", "hex", "flat", "area"] = "square"
    faint: frozenset[str] = frozenset()
    outlines: dict[str, tuple[Point, ...]] = {}

    def outline(self, name: str) -> tuple[Point, ...]:
        """The corners of a cell. Raises KeyError."""
        if self.shape == "area":
            return self.outlines[name]
        x, y = self.cells[name]
        return tuple((x + dx, y + dy) for dx, dy in SHAPES[self.shape])


class Name(Struct, frozen=True, array_like=True):
    """A name on the map: place, degrees clockwise, size and letter spacing in pixels."""

    text: str
    x: float
    y: float
    turn: float = 0
    size: float = 14
    spacing: float = 1


class Degree(Struct, frozen=True, array_like=True):
    """Where a line of the graticule meets the frame."""

    text: str
    edge: Literal["west", "south"]
    at: float


class Coast(Struct, frozen=True):
    """A board's real coast (templates/<system>/coast.json, written by tools/build_*.py). land,
    graticule: SVG paths in `unit`s of a cell; shoal: a coarse coast (tools/shoals.py); km: width
    of a cell; rose: place and north. areas: outlines of an area map's cells."""

    source: str
    projection: str
    unit: int
    km: float
    window: tuple[float, float, float, float]
    rose: tuple[float, float, float]
    places: dict[str, Point]
    sea: list[Name]
    lands: list[Name]
    graticule: str
    degrees: list[Degree]
    land: str
    shoal: str
    areas: dict[str, tuple[Point, ...]] = {}


class Port(Struct, frozen=True):
    """A port as the reader sees it. small: its name is in plain letters, where there are many."""

    name: str
    at: Point
    owner: Literal["own", "enemy", "neutral"]
    small: bool = False


class Line(Struct, frozen=True):
    """A line of the board. kind `route`: smoothed, with an arrow; `beads`: a circle at each point;
    `border`: straight and quiet. name: written along it, from that share of it on."""

    name: str
    points: tuple[Point, ...]
    kind: Literal["route", "beads", "border"]
    arrow: bool = False
    share: float = 0.34


class Unit(Struct, frozen=True, kw_only=True):
    """One own unit. symbol: the drawing on its counter; rank: the highest of a place lends the
    counter. role `member`: named with its `force`; `based`: an aircraft on the ground; `flying`:
    one in the air, from `base`. track: former places, oldest first; plan: places still ahead."""

    id: str
    name: str
    symbol: str
    at: Point
    role: Literal["counter", "member", "flying", "based"] = "counter"
    force: str = ""
    caption: str = ""
    rank: int = 0
    patrol: bool = False
    track: tuple[Point, ...] = ()
    plan: tuple[Point, ...] = ()
    base: Point | None = None


class Contact(Struct, frozen=True, kw_only=True):
    """An enemy as the reader knows it. label: on the mark; name or else id, what, note: two lines
    of text. at: None where no place is known; cells: it is in one of these. trail: former places,
    oldest first; ahead: where its course leads; ring: how far it can be now."""

    id: str
    label: str
    what: str
    note: str
    age: int
    name: str = ""
    at: Point | None = None
    cells: Cells = ()
    trail: tuple[Point, ...] = ()
    ahead: Point | None = None
    ring: tuple[Point, ...] = ()


class Box(Struct, frozen=True):
    """A fact in the head of the chart."""

    name: str
    value: str
    alarm: bool = False


class Key(Struct, frozen=True):
    """A column of the legend: a heading, and symbols with what they mean."""

    title: str
    rows: tuple[tuple[str, str], ...]


class Scene(Struct, kw_only=True):
    """One chart. window: west, north, east, south. night: the line south of which it is night.
    fog, searched, found: cells. deadline: ISO moment, empty for none. focus: what the detail chart
    must show, weightiest first. notes: small print beside the scale. pitch: pixels a cell."""

    title: str
    side: str
    when: str
    window: tuple[float, float, float, float]
    grid: Grid
    ground: Literal["sea", "land"] = "sea"
    coast: Coast | None = None
    ports: tuple[Port, ...] = ()
    lines: tuple[Line, ...] = ()
    units: tuple[Unit, ...] = ()
    contacts: tuple[Contact, ...] = ()
    fog: Cells = ()
    searched: Cells = ()
    found: Cells = ()
    night: float | None = None
    boxes: tuple[Box, ...] = ()
    deadline: str = ""
    legend: tuple[Key, ...] = ()
    notes: tuple[str, ...] = ()
    focus: tuple[Point, ...] = ()
    pitch: int = 50


@cache
def coast(system: str) -> Coast:
    """The coast of a system's board. Raises FileNotFoundError where it has none."""
    from msgspec.json import decode

    from pbem.data import template

    return decode(template(f"{system}/coast.json"), type=Coast)
