"""The figures of the data files, typed and read once."""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import Struct

from pbem.kit.plane import Point, Polygon
from pbem.kit.tables import Sheet

PACKAGE = "games.baltic.data"
RULES = Sheet(PACKAGE, "rules.toml")
SCENARIOS = Sheet(PACKAGE, "scenarios.toml")
SHIPS = Sheet(PACKAGE, "ships.toml")

Class = Literal["B", "C", "D"]
"""6 Battleships and carriers, cruisers and frigates, destroyers and corvettes."""
CLASSES: tuple[Class, ...] = ("D", "C", "B")
"""Smallest first, which is the order of columns in Table 2 and in the table of collisions."""
Setting = Literal["reverse", "stop", "crawl", "half", "full", "flank"]
SETTINGS: tuple[Setting, ...] = ("reverse", "stop", "crawl", "half", "full", "flank")
Trait = Literal["none", "flying", "aerial", "skimmer", "hull-down", "carrier"]
WeaponKind = Literal["main", "sec", "rocket", "tesla", "beam", "torp", "bomb"]
Arc = Literal["F", "A", "P", "S", "FT", "AT", "T", "BR", "none"]
Template = Literal["S", "M", "L", "H", "-"]
TEMPLATES: tuple[Template, ...] = ("S", "M", "L", "H")
Span = tuple[int, int]
SOLIDS = ("land", "reef", "rig")
"""65 Terrain that nobody on the water crosses."""


class Weapon(Struct, frozen=True):
    """A line of a ship sheet."""

    sheet: str
    id: str
    kind: WeaponKind
    fp: int
    """Firepower: dice before tables."""
    arc: Arc
    dorsal: Literal["dorsal", "none"]


class ShipSheet(Struct, frozen=True):
    """A ship sheet: what all vessels of a type have."""

    id: str
    name: str
    side: str
    """The list that it belongs to."""
    cls: Class
    kind: Literal["sotl", "unrated"]
    trait: Trait
    vessels: int
    """How many a squadron has; 1 for a ship of the line."""
    hull: int
    black: int
    """Boxes that go first; when they are gone she is crippled (85)."""
    aa: int
    cc: int
    ram: int
    jink: int
    template: str
    squadrons: int
    deck: int
    points: int
    """Of all its vessels."""

    @property
    def capital(self) -> bool:
        """1, 214 A ship of the line."""
        return self.kind == "sotl"

    @property
    def flies(self) -> bool:
        """7 A flying ship, or an aerial corvette."""
        return self.trait in ("flying", "aerial")


class Name(Struct, frozen=True):
    """A ship or a squadron that a side may have."""

    id: str
    name: str
    sheet: str


class Distances(Struct, frozen=True):
    """Mils."""

    coherency: int
    aerial_least: int
    aerial_most: int
    ground_test: int
    anti_aircraft: int
    boarding: int
    torpedo: int
    fighter: int
    bomber: int
    broken_cap: int
    sampling: int


class Gunnery(Struct, frozen=True):
    """The bands of T1."""

    short: int
    medium: int


class Row(Struct, frozen=True):
    """A row of T1: dice by column."""

    fp: int
    one: int
    two: int
    three: int
    four: int
    five: int


class Collision(Struct, frozen=True):
    """52-54."""

    D: tuple[int, int, int]
    C: tuple[int, int, int]
    B: tuple[int, int, int]
    dice: int
    success: int
    damage: Mapping[str, int]

    def needs(self, forcing: Class, evading: Class) -> int:
        """Successes for a collision when one of the two forces it."""
        row = {"D": self.D, "C": self.C, "B": self.B}[forcing]
        return row[CLASSES.index(evading)]


class Figures(Struct, frozen=True):
    """Points and dice of single clauses."""

    hit: int
    pool: int
    least_bid: int
    small_fleet: int
    boost: int
    planes: int
    stock: tuple[int, int, int]
    """105 Fighters, bombers, torpedo bombers of a carrier whose captain chooses none."""
    beam_loss: int
    current: int


class Terrain(Struct, frozen=True):
    """13 of 2.1 A thing of the sea: a polygon, or a circle around its one point."""

    name: str
    kind: Literal["land", "reef", "rig", "shallow", "coastal"]
    high: bool
    points: Polygon
    radius: int = 0
    box: tuple[int, int, int, int] = (0, 0, 0, 0)
    """West, south, east, north: what lies outside cannot touch it."""

    @property
    def solid(self) -> bool:
        """65 Whoever touches it runs onto it."""
        return self.kind in SOLIDS


class Force(Struct, frozen=True):
    """A side in a scenario."""

    side: str
    units: tuple[str, ...]
    x: Span
    y: Span
    pool: int
    planes: tuple[str, ...] = ()
    base: str = ""
    """The carrier of its aeroplanes, or the edge by which they come (110)."""


class Hold(Struct, frozen=True):
    """A thing of the map that brings points to the side that alone has a sound ship near it."""

    name: str
    x: int
    y: int
    within: int
    """Inches between it and a hull."""
    points: int


class Exit(Struct, frozen=True):
    """An edge by which a side's vessels go home."""

    side: str
    edge: str
    flagship: str
    points: int


class Plan(Struct, frozen=True):
    """A scenario."""

    name: str
    turns: int
    terrain: str
    forces: tuple[Force, ...]
    hold: Hold | None = None
    exit: Exit | None = None
    double: str = ""
    purse: int = 0
    """Points for which each side buys its fleet; 0: fleets are given."""
    least: int = 0
    """The fewest cards of a bought fleet."""


class Size(Struct, frozen=True):
    """The table."""

    width: int
    height: int


class Margins(Struct, frozen=True):
    """Differences in points."""

    decisive: int
    marginal: int


@cache
def sheets() -> dict[str, ShipSheet]:
    """Ship sheets by id."""
    columns = (
        "id | name | side | cls | kind | trait | vessels | hull black | aa cc ram jink |"
        " template | squadrons deck | points | source"
    )
    return {row.id: row for row in SHIPS.rows("sheets", ShipSheet, columns, {"template": str})}


@cache
def weapons(sheet: str) -> tuple[Weapon, ...]:
    """The weapons of a sheet, in its order."""
    found = SHIPS.rows("weapons", Weapon, "sheet | id | kind | fp | arc | dorsal | source")
    return tuple(row for row in found if row.sheet == sheet)


@cache
def weapon_ids() -> tuple[str, ...]:
    """Every letter by which a sheet calls a weapon."""
    found = SHIPS.rows("weapons", Weapon, "sheet | id | kind | fp | arc | dorsal | source")
    return tuple(dict.fromkeys(row.id for row in found))


@cache
def names() -> dict[str, Name]:
    """Ships and squadrons by id."""
    return {row.id: row for row in SHIPS.rows("vessels", Name, "id | name | sheet | source")}


@cache
def distances() -> Distances:
    """Distances of single clauses."""
    return RULES.record(Distances, "distances")


@cache
def figures() -> Figures:
    """Points and dice of single clauses."""
    return RULES.record(Figures, "rules")


@cache
def gunnery() -> Gunnery:
    """The bands of Table 1."""
    return RULES.record(Gunnery, "gunnery")


@cache
def effective() -> tuple[tuple[int, int, int, int, int], ...]:
    """Table 1: rows of firepower 1 to 24, of dice by column."""
    found = RULES.rows("gunnery.dice", Row, "fp | one two three four five | source")
    return tuple((row.one, row.two, row.three, row.four, row.five) for row in found)


@cache
def relation() -> Mapping[str, tuple[int, ...]]:
    """Table 2: row of the target -> halves by the class of the artillery, D, C, B."""
    found = RULES.value("relation")
    return {row: tuple(found[row]) for row in ("D", "C", "B", "deep")}


@cache
def collision() -> Collision:
    """The table of collisions."""
    return RULES.record(Collision, "collision")


@cache
def critical(total: int) -> tuple[str, ...]:
    """144, T3 The effects of a total; below the table nothing happens (B12)."""
    effects, first = RULES.value("criticals.effects"), RULES.value("criticals.first")
    return tuple(effects[min(total - first, len(effects) - 1)].split()) if total >= first else ()


@cache
def template(name: str) -> Span:
    """41 Length of an arc of 45 degrees, and radius."""
    first, second = RULES.value(f"templates.{name}")
    return first, second


@cache
def footprint(column: str) -> Span:
    """Length and beam of a hull, by class, `aerial` or `carrier`, or of a salvo (`torpedo`)."""
    first, second = RULES.value(f"footprints.{column}")
    return first, second


@cache
def aeroplane_radius() -> int:
    """Of an aeroplane marker."""
    return int(RULES.value("footprints.aeroplane"))


@cache
def telegraph(column: str) -> tuple[Span, ...]:
    """Least and most mils by setting, in the order of SETTINGS; B and carriers have no Flank."""
    return tuple((low * 1000, high * 1000) for low, high in RULES.value(f"telegraph.{column}"))


@cache
def weapon_range(kind: str) -> Span:
    """Least and most mils of a kind of weapon."""
    first, second = RULES.value(f"ranges.{kind}")
    return first, second


@cache
def size() -> Size:
    """The table in mils."""
    found = SCENARIOS.record(Size, "table")
    return Size(found.width * 1000, found.height * 1000)


@cache
def margins() -> Margins:
    """What a victory takes."""
    return SCENARIOS.record(Margins, "victory")


_COLUMNS = "side | units | x | y | pool | planes | source"


class _Row(Struct, frozen=True):
    side: str
    units: str
    x: str
    y: str
    pool: int
    planes: str


@cache
def plan(name: str) -> Plan:
    """A scenario by its name. Raises TableError."""
    key = f"scenario.{name}"
    found = SCENARIOS.value(key)
    forces = [
        Force(
            row.side,
            tuple(row.units.split()),
            _span(row.x),
            _span(row.y),
            row.pool or figures().pool,
            *_air(row.planes),
        )
        for row in SCENARIOS.rows(
            f"{key}.sides", _Row, "side | units | x | y | pool | planes | source"
        )
    ]
    return Plan(
        name,
        found["turns"],
        found.get("terrain", name),
        tuple(forces),
        SCENARIOS.record(Hold, f"{key}.hold") if "hold" in found else None,
        SCENARIOS.record(Exit, f"{key}.exit") if "exit" in found else None,
        found.get("double", ""),
        found.get("purse", 0),
        found.get("least", 0),
    )


class _Place(Struct, frozen=True):
    name: str
    kind: Literal["land", "reef", "rig", "shallow", "coastal"]
    high: str
    where: str


@cache
def terrain(name: str) -> tuple[Terrain, ...]:
    """The terrain of a map."""
    rows = SCENARIOS.rows(f"terrain.{name}", _Place, "name | kind | high | where | source")
    return tuple(_terrain(row) for row in rows)


@cache
def seas() -> dict[str, tuple[Terrain, ...]]:
    """Every map's terrain, by its name: the order page gets it whole."""
    return {name: terrain(name) for name in SCENARIOS.value("terrain")}


def _terrain(row: _Place) -> Terrain:
    if row.where.startswith("circle "):
        x, y, radius = (int(float(part) * 1000) for part in row.where.split()[1:])
        box = (x - radius, y - radius, x + radius, y + radius)
        return Terrain(row.name, row.kind, row.high == "high", ((x, y),), radius, box)
    points = tuple(_point(vertex) for vertex in row.where.split(","))
    return Terrain(row.name, row.kind, row.high == "high", points, 0, box_of(points))


def box_of(points: Polygon) -> tuple[int, int, int, int]:
    """The box around points: west, south, east, north."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _point(text: str) -> Point:
    x, y = text.split()
    return int(x) * 1000, int(y) * 1000


def _span(text: str) -> Span:
    low, high = text.split()
    return int(low) * 1000, int(high) * 1000


def _air(text: str) -> tuple[tuple[str, ...], str]:
    """`KRONAN: KF1 KB1` as markers and their base."""
    base, colon, markers = text.partition(":")
    return (tuple(markers.split()), base.strip()) if colon else ((), "")
