"""What a chart shows, as plain data: a game makes a Scene from a report, `pbem.charts` draws it.

All places are in cells: one cell is 1 wide, x grows to the east, y to the south. On a board without
cells they are in the units of its plane (inches of a table), also with y to the south: a game that
counts to the north writes `-y`. Directions are degrees clockwise from north. Nothing here knows
games or pixels. A scene contains only what the report and the public board contain.
"""

from __future__ import annotations

from functools import cache
from math import cos, radians, sin
from typing import Literal

from msgspec import Struct

from pbem.beside_map import Move, Roster

Point = tuple[float, float]
"""East and south of the board's origin, in cells."""
Cells = tuple[str, ...]
"""Names of cells of the grid."""

SQUARE: tuple[Point, ...] = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
_T = 3**-0.5
_U = _T / 2
HEX: tuple[Point, ...] = ((0, -_T), (0.5, -_U), (0.5, _U), (0, _T), (-0.5, _U), (-0.5, -_U))
"""A hex with a corner at the top, 1 wide from side to side."""
FLAT: tuple[Point, ...] = tuple((y, x) for x, y in HEX)
"""A hex with a flat top, 1 high from top to bottom."""
SHAPES = {"square": SQUARE, "hex": HEX, "flat": FLAT}
"""The corners of a cell around its middle, by `Grid.shape`."""

Owner = Literal["board", "own", "enemy", "neutral"]
"""Whose a thing is. `board`: it is printed on the map and the same for every side, so that it also
stands on pages that show no report. Everything else comes from the reader's report."""
Tone = Literal[
    "own", "own2", "enemy", "enemy2", "neutral", "convoy", "zone", "closed", "calm", "fog",
    "land", "shallow", "line",
]  # fmt: skip
"""A colour by its use; light and dark charts have their own shade of each. `own2` is a lighter
blue, `enemy2` orange, `zone` violet, `closed` rust, `calm` green, `line` that of borders."""


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
    titles: dict[str, str] = {}
    """Name of a cell -> how the board prints it, where that says more: `24 Philippines`."""

    def outline(self, name: str) -> tuple[Point, ...]:
        """The corners of a cell. Raises KeyError."""
        if self.shape == "area":
            return self.outlines[name]
        x, y = self.cells[name]
        return tuple((x + dx, y + dy) for dx, dy in SHAPES[self.shape])


class Mesh(Struct, frozen=True, kw_only=True):
    """Straight lines over a board without cells, with a ruler along the frame."""

    step: float
    """Units from line to line; every line has its number on the ruler."""
    tick: float = 0
    """Units from tick to tick of the ruler; 0: only the lines have ticks."""
    unit: str = ""
    """What the scale below the chart calls a unit: `inches`. Empty: there is no scale."""
    north: bool = False
    """Whether the numbers grow to the north, as -y; otherwise they grow to the south, as y."""


class Name(Struct, frozen=True, array_like=True):
    """The name of a sea or a land, with its middle."""

    text: str
    x: float
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
    anchor: bool = True
    """Draw the sign of a port; False for a name alone, where a `Mark` stands."""


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


class Shape(Struct, frozen=True, kw_only=True):
    """What all shapes have in common. Later shapes are drawn over earlier ones."""

    owner: Owner = "own"
    """Whose it is. The label of a filled shape of the `board` is written inside it, as on a map."""
    tone: Tone | None = None
    """Its colour; None: that of its owner."""
    label: str = ""
    """A word or two beside it; screen readers say it too."""
    plate: bool = False
    """Whether its label stands on a plate: for numbers that are read off, as a range."""
    over: bool = False
    """Whether to draw it over land, grid and lines. Units, tracks and names are always above it."""
    dashed: bool = False
    width: float = 1.2
    """Width of its line in pixels; 0: no line."""
    fill: float = 0
    """Strength of its colour inside: 0 (empty) to 1 (opaque)."""
    hatched: bool = False
    """Fill it with thin slanting lines."""


class Circle(Shape, frozen=True, kw_only=True):
    """All places within `radius` of a point: a range, a radar, an oil rig."""

    at: Point
    radius: float


class Sector(Shape, frozen=True, kw_only=True):
    """A part of a circle or of a ring: an arc of fire, a search."""

    at: Point
    start: float
    """The first direction; the sector lies clockwise of it."""
    end: float
    """The last direction, as in 330 to 30 across the bow."""
    outer: float
    """The outer radius."""
    inner: float = 0
    """The inner radius; 0: the sector begins at the point."""


class Polygon(Shape, frozen=True, kw_only=True):
    """An area with straight edges: an island, a shoal, a minefield, where a ship will lie."""

    points: tuple[Point, ...]


class Polyline(Shape, frozen=True, kw_only=True):
    """A line through points: a barrier, a line of sight."""

    points: tuple[Point, ...]
    round: bool = False
    """Draw a smooth curve through the points."""


class Arrow(Polyline, frozen=True, kw_only=True):
    """A line with a head at its last point: a course, a raid, a strike."""


class Region(Shape, frozen=True, kw_only=True):
    """Cells with one line around them: ice, a zone of submarines, all hexes within a range."""

    cells: Cells


class Edges(Shape, frozen=True, kw_only=True):
    """The common edges of pairs of cells: hexsides that are closed, the border of two zones."""

    between: tuple[tuple[str, str], ...]


class Mark(Struct, frozen=True, kw_only=True):
    """A small round marker: where a turn ended, an intelligence marker, hits."""

    at: Point
    label: str = ""
    """One to three characters inside it."""
    symbol: str = ""
    """A symbol inside it, instead of a label."""
    owner: Owner = "own"
    tone: Tone | None = None
    """Its colour; None: that of its owner."""
    said: str = ""
    """What it means, for screen readers: `hits she dodged`."""
    beside: bool = False
    """Whether it stands at the upper right corner of what else is in its place."""
    burst: bool = False
    """Draw a star in the colour of explosions instead of a circle: hits, with their number."""


class Track(Struct, frozen=True, kw_only=True):
    """A way over the board with an owner: where a ship came from, a trajectory, an air path. Simple
    tracks of own units and contacts are `Unit.track`, `Unit.plan`, `Contact.trail`."""

    points: tuple[Point, ...]
    """From start to end."""
    owner: Owner = "own"
    tone: Tone | None = None
    """Its colour; None: that of its owner."""
    bold: bool = False
    """Thick, ringed at both ends, with beads between; several that share a stretch run abreast."""
    dashed: bool = False
    arrow: bool = False
    """Whether it ends in an arrow."""
    curved: bool = False
    """A smooth curve through its points: the wake of a ship that turns."""
    name: str = ""
    """Written on a plate beside it, in bold letters."""
    note: str = ""
    """Written after its name: `5 segments`."""
    marks: tuple[Mark, ...] = ()
    """Markers on it: the numbers of turns."""


class Unit(Struct, frozen=True, kw_only=True):
    """One own unit."""

    id: str
    """Its id in the report."""
    name: str
    symbol: str
    """The drawing on its counter: one of `pbem.charts.symbols.BUILT_IN`, or a file in the system's
    folder templates/SYSTEM/symbols. With a footprint: on its deck, bow up; may be empty."""
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
    note: str = ""
    """A line below its name: `full ahead, 2 hits`."""
    heading: float | None = None
    """Where its bow points; a short line ahead of the counter or of the footprint shows it."""
    footprint: tuple[Point, ...] = ()
    """Its outline around (0, 0), bow to the north (`hull`): drawn to scale instead of a counter."""
    tone: Tone | None = None
    """The colour of its footprint; None: that of own units. Wrecks may be `neutral`."""
    pointer: bool = True
    """Whether a footprint has the short line ahead; a drawing on deck may show the bow as well."""


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
    level: int | None = None
    """How well it is known: 1 a hollow mark, 2 half full, 3 full. None: full, paler with age."""
    submerged: bool = False
    """Draw a triangle that points down instead of a diamond."""
    heading: float | None = None
    """Where its bow points."""
    footprint: tuple[Point, ...] = ()
    """Its outline, as that of a unit; it is drawn to scale instead of a diamond."""
    tone: Tone | None = None
    """The colour of its footprint; None: that of enemies."""
    symbol: str = ""
    """The drawing on the deck of its footprint, as that of a unit."""
    pointer: bool = True
    """As that of a unit."""


class Box(Struct, frozen=True):
    """A fact in the head of the chart."""

    name: str
    value: str
    alarm: bool = False
    """Draw it in the colour of warnings."""


class Inset(Struct, frozen=True, kw_only=True):
    """A small picture of a part of the board below the map: one round."""

    title: str
    """Written below it in bold letters: `Round 3`."""
    note: str = ""
    """Written after the title: `4 hexes apart`."""
    said: str = ""
    """The line below: what happened."""
    alarm: bool = False
    window: tuple[float, float, float, float]
    """The part of the board that it shows at least: west, north, east, south."""
    shapes: tuple[Shape, ...] = ()
    tracks: tuple[Track, ...] = ()
    marks: tuple[Mark, ...] = ()


class Key(Struct, frozen=True):
    """A column of the legend."""

    title: str
    rows: tuple[tuple[str, str], ...]
    """Each row: a sample, and its meaning. Samples: `counter:BB`, `patrol:BB`, `stack:BB` with any
    symbol; `plane`, `track`, `plan`, `held`, `old`, `level:2`, `sub:1`, `trail`, `ring`, `area`,
    `searched`, `found`, `fog`, `route`, `beads`, `border`, `ports`; with a tone `fill:zone`,
    `hatch:enemy`, `line:closed`, `dashed:own`, `arrow:own2`, `bold:convoy`, `hull:enemy`,
    `mark:own:2` (with a label of one or two characters, or a symbol), `burst:2`, `lost`."""


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
    grid: Grid = Grid({})
    """The cells; the default is a board without cells."""
    name: str = "chart"
    """A word that tells the charts of one report apart: `pbem chart --which NAME`, file names."""
    caption: str = ""
    """Where several charts show several parts: the part, written in the head and on buttons."""
    leads: bool = False
    """Of a further chart: mails show it too, before the main one."""
    part: bool = False
    """Of a further chart: it only enlarges a part of the main one. Replays leave it out."""
    alt: str = ""
    """What the chart shows, in a sentence or two for screen readers."""
    mesh: Mesh | None = None
    """Lines and ruler of a board without cells."""
    shapes: tuple[Shape, ...] = ()
    moves: tuple[Move, ...] = ()
    """What taps on the order page offer for own units."""
    earlier: tuple[Shape, ...] = ()
    """Shapes of what was, as pale hulls along a track: order pages leave them out."""
    tracks: tuple[Track, ...] = ()
    marks: tuple[Mark, ...] = ()
    system: str = ""
    red: bool = False
    """Whose symbols it uses, whether its reader's side is red; the referee fills these in."""
    ground: Literal["sea", "land"] = "sea"
    """The colour behind the grid."""
    flat: bool = False
    """A sea of one colour, without shading; that of a PNG is always so."""
    coast: Coast | None = None
    ports: tuple[Port, ...] = ()
    lines: tuple[Line, ...] = ()
    units: tuple[Unit, ...] = ()
    contacts: tuple[Contact, ...] = ()
    fog: Cells = ()
    searched: Cells = ()
    """Cells that were searched in vain."""
    found: Cells = ()
    """Cells in which a search found something."""
    heat: dict[str, float] = {}
    """Cell -> how likely something is there, 0 to 1: in shades. A detail shows all of the focus."""
    night: float | None = None
    """It is night south of this line (y); None: it is day everywhere."""
    boxes: tuple[Box, ...] = ()
    """The facts in the head."""
    deadline: str = ""
    """When orders are due, as an ISO 8601 moment; empty: no deadline."""
    insets: tuple[Inset, ...] = ()
    """Small pictures in rows below the map."""
    inset_title: str = ""
    """What stands over them."""
    roster: Roster | None = None
    legend: tuple[Key, ...] = ()
    notes: tuple[str, ...] = ()
    """Small print beside the scale."""
    focus: tuple[Point, ...] = ()
    """What the detail chart should show, most important first."""
    pitch: int = 50
    """Pixels per cell, or per unit of a board without cells."""


def hull(length: float, beam: float) -> tuple[Point, ...]:
    """The outline of a ship from above around (0, 0), bow to the north, in the units of both."""
    half = tuple((x * beam, y * length) for x, y in _HULL)
    return half + tuple((-x, y) for x, y in reversed(half) if x)


_HULL = (
    (0.0, -0.5), (0.12, -0.44), (0.25, -0.365), (0.36, -0.28), (0.44, -0.18), (0.49, -0.06),
    (0.5, 0.08), (0.49, 0.2), (0.46, 0.32), (0.4, 0.41), (0.32, 0.46), (0.2, 0.49), (0.0, 0.5),
)  # fmt: skip
"""The starboard half of a hull from bow to stern, in beams and lengths."""


def placed(outline: tuple[Point, ...], at: Point, heading: float = 0) -> tuple[Point, ...]:
    """An outline around (0, 0) at its place, turned by `heading`: where a ship lies."""
    turn = radians(heading)
    s, c = sin(turn), cos(turn)
    return tuple((at[0] + x * c - y * s, at[1] + x * s + y * c) for x, y in outline)


def ahead(at: Point, heading: float, distance: float) -> Point:
    """The place at `distance` from `at` in the direction of `heading`."""
    turn = radians(heading)
    return at[0] + distance * sin(turn), at[1] - distance * cos(turn)


@cache
def coast(system: str) -> Coast:
    """The coast of a system's board. Raises FileNotFoundError if it has none."""
    from msgspec.json import decode

    from pbem.data import template

    return decode(template(f"{system}/coast.json"), type=Coast)
