"""What a chart shows, as plain data: a game makes a Scene from a report, `pbem.charts` draws it.

All places are in cells: one cell is 1 wide, x grows to the east, y to the south. Nothing here knows
games or pixels. A scene contains only what the report and the public board contain, never the
truth.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

from msgspec import Struct

Point = tuple[float, float]
"""East and south of the board's origin, in cells."""
Cells = tuple[str, ...]
"""Names of cells of the grid."""

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
"""A hex with a corner at the top, 1 wide from side to side."""
FLAT: tuple[Point, ...] = tuple((y, x) for x, y in HEX)
"""A hex with a flat top, 1 high from top to bottom."""
SHAPES = {"square": SQUARE, "hex": HEX, "flat": FLAT}
"""The corners of a cell around its middle, by `Grid.shape`."""


class Grid(Struct, frozen=True):
    """The cells of the board."""

    cells: dict[str, Point]
    """Name of each cell -> its middle."""
    shape: Literal["square", "hex", "flat", "area"] = "square"
    """The outline of every cell; on an `area` map each cell has its own, in `outlines`."""
    faint: frozenset[str] = frozenset()
    """Cells that are drawn without their name (land)."""
    outlines: dict[str, tuple[Point, ...]] = {}
    """On an `area` map: name of each cell -> its corners."""

    def outline(self, name: str) -> tuple[Point, ...]:
        """The corners of a cell. Raises KeyError."""
        if self.shape == "area":
            return self.outlines[name]
        x, y = self.cells[name]
        return tuple((x + dx, y + dy) for dx, dy in SHAPES[self.shape])


class Name(Struct, frozen=True, array_like=True):
    """The name of a sea or a land."""

    text: str
    x: float
    """The middle of the name, as is `y`."""
    y: float
    turn: float = 0
    """Degrees clockwise."""
    size: float = 14
    """Size of the letters in pixels."""
    spacing: float = 1
    """Pixels between letters."""


class Degree(Struct, frozen=True, array_like=True):
    """The label of a line of the graticule, where it meets the frame."""

    text: str
    edge: Literal["west", "south"]
    at: float
    """Place along that edge, in cells: y on the west edge, x on the south edge."""


class Coast(Struct, frozen=True):
    """The real coast of a board: templates/SYSTEM/coast.json, written by tools/build_*.py."""

    source: str
    """Where the data comes from."""
    projection: str
    """The map projection, in words."""
    unit: int
    """How many steps of the paths `land`, `shoal` and `graticule` make one cell."""
    km: float
    """Width of a cell in kilometres."""
    window: tuple[float, float, float, float]
    """The part of the board that the chart shows: west, north, east, south."""
    rose: tuple[float, float, float]
    """The compass rose: its place, and where north is in degrees clockwise from up."""
    places: dict[str, Point]
    """Ports, bases and (on an area map) the middles of areas, by name."""
    sea: list[Name]
    """Names of seas."""
    lands: list[Name]
    """Names of lands."""
    graticule: str
    """Parallels and meridians, as an SVG path."""
    degrees: list[Degree]
    """The labels of the graticule."""
    land: str
    """All land, as an SVG path of closed rings."""
    shoal: str
    """A coarse outline of the land, for the wide soft lines along it (tools/shoals.py)."""
    areas: dict[str, tuple[Point, ...]] = {}
    """The outlines of the cells of an area map."""


class Port(Struct, frozen=True):
    """A port, as the reader knows it."""

    name: str
    at: Point
    owner: Literal["own", "enemy", "neutral"]
    small: bool = False
    """Write its name in plain instead of bold letters, for boards with many ports."""


class Line(Struct, frozen=True):
    """A line of the board."""

    name: str
    """Written along the line."""
    points: tuple[Point, ...]
    kind: Literal["route", "beads", "border"]
    """`route`: smoothed. `beads`: a circle at each point. `border`: straight."""
    arrow: bool = False
    """Whether a route ends in an arrow."""
    share: float = 0.34
    """Where along the line the name should begin: 0 at its start, 1 at its end."""


class Unit(Struct, frozen=True, kw_only=True):
    """One own unit."""

    id: str
    """Its id in the report."""
    name: str
    symbol: str
    """The drawing on its counter: a name in templates/base/chart.svg.j2."""
    at: Point
    role: Literal["counter", "member", "flying", "based"] = "counter"
    """How it is drawn. `counter`: by itself. `member`: it is only named, with its `force`.
    `flying`: an aircraft in the air, from `base`. `based`: an aircraft on the ground."""
    force: str = ""
    """For a member: the id of its force."""
    caption: str = ""
    """Written on the counter."""
    rank: int = 0
    """The unit with the highest rank in a place provides the counter for all of them."""
    patrol: bool = False
    """Mark the counter as on patrol."""
    track: tuple[Point, ...] = ()
    """Former places, oldest first."""
    plan: tuple[Point, ...] = ()
    """Places still ahead, nearest first."""
    base: Point | None = None
    """For an aircraft in the air: the place of its base."""


class Contact(Struct, frozen=True, kw_only=True):
    """An enemy, as the reader knows it."""

    id: str
    """The reader's pseudonym for it."""
    label: str
    """Written on the mark."""
    what: str
    """Its type, written after its name beside the mark."""
    note: str
    """The second line beside the mark, as how old the sighting is."""
    age: int
    """Turns since it was seen; the older, the paler is its mark."""
    name: str = ""
    """Its name, if known; otherwise `id` is written."""
    at: Point | None = None
    """Where it was last seen; None if no single place is known."""
    cells: Cells = ()
    """It is in one of these cells."""
    trail: tuple[Point, ...] = ()
    """Former places, oldest first."""
    ahead: Point | None = None
    """Where its course leads."""
    ring: tuple[Point, ...] = ()
    """The outline of where it can be by now."""


class Box(Struct, frozen=True):
    """A fact in the head of the chart."""

    name: str
    value: str
    alarm: bool = False
    """Draw it in the colour of warnings."""


class Key(Struct, frozen=True):
    """A column of the legend."""

    title: str
    rows: tuple[tuple[str, str], ...]
    """Each row: a symbol of templates/base/chart.svg.j2 (`counter:piece`), and its meaning."""


class Scene(Struct, kw_only=True):
    """Everything that one chart shows."""

    title: str
    """The title in the head; the game's name."""
    side: str
    """The printed name of the reader's side."""
    when: str
    """The turn's label."""
    window: tuple[float, float, float, float]
    """The part of the board that is drawn: west, north, east, south."""
    grid: Grid
    ground: Literal["sea", "land"] = "sea"
    """The colour behind the grid."""
    coast: Coast | None = None
    ports: tuple[Port, ...] = ()
    lines: tuple[Line, ...] = ()
    units: tuple[Unit, ...] = ()
    contacts: tuple[Contact, ...] = ()
    fog: Cells = ()
    """Cells in fog."""
    searched: Cells = ()
    """Cells that were searched in vain."""
    found: Cells = ()
    """Cells in which a search found something."""
    night: float | None = None
    """It is night south of this line (y); None: it is day everywhere."""
    boxes: tuple[Box, ...] = ()
    """The facts in the head."""
    deadline: str = ""
    """When orders are due, as an ISO 8601 moment; empty: no deadline."""
    legend: tuple[Key, ...] = ()
    notes: tuple[str, ...] = ()
    """Small print beside the scale."""
    focus: tuple[Point, ...] = ()
    """What the detail chart should show, most important first."""
    pitch: int = 50
    """Pixels per cell."""


@cache
def coast(system: str) -> Coast:
    """The coast of a system's board. Raises FileNotFoundError if it has none."""
    from msgspec.json import decode

    from pbem.data import template

    return decode(template(f"{system}/coast.json"), type=Coast)
