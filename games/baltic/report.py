"""What a side's report shows: filled by the view, read by the checks, the bots and the chart."""

from msgspec import Struct

from pbem.kit import reports
from pbem.kit.points import Fact
from pbem.model import ContactView, UnitView


class Span(Struct, frozen=True):
    """What a vessel can do at a setting: mils of a move, and her arcs (`courses.Sailing`)."""

    setting: str
    low: int
    high: int
    eighth: int
    radius: int
    deep: str = ""
    """169 The setting that takes its place with the hull down."""


class Mount(Struct, frozen=True):
    """A weapon that she can still use, for pages that draw its arc."""

    id: str
    kind: str
    fp: int
    arc: str
    low: int
    high: int
    """Least and most range in mils."""


class OwnVessel(UnitView, kw_only=True):
    """An own vessel, squadron or aeroplane marker; places in mils, headings in 1/16 degree."""

    card: str = ""
    leader: str = ""
    """The squadron whose orders bind her too; empty for a ship of the line."""
    kind: str = "vessel"
    """`vessel`, `squadron` (orders to all its vessels) or `marker`."""
    x: int = 0
    y: int = 0
    heading: int = 0
    setting: str = ""
    spans: tuple[Span, ...] = ()
    """The settings by which she may sail, the slowest first."""
    hull: int = 0
    boxes: int = 0
    """Hull boxes of her sheet."""
    ram: int = 0
    down: bool = False
    state: str = ""
    """`crippled`, `wreck`, `aground` or nothing."""
    lost: tuple[str, ...] = ()
    """Weapons that cannot fire."""
    damage: tuple[str, ...] = ()
    """Critical hits in effect, by word."""
    coherent: bool = True
    planes: int = 0
    loads: int = 0
    at: str = ""
    """Of a marker: `deck`, `edge`, `air`, `away` or `lost`."""
    held: bool = False
    """176 Does another order of the same set tell her to hold her fire?"""
    rung: bool = False
    """23 Does another order of the same set move her telegraph?"""
    aside: bool = False
    """162 Is her card set aside, or by another order of the same set?"""
    led: str = ""
    """120 Of a marker: in whose group another order of the same set puts it."""
    sheet: str = ""
    hull_size: tuple[int, int] = (0, 0)
    """Length and beam in mils."""
    mounts: tuple[Mount, ...] = ()
    """Of a ship of the line, or of a squadron's vessels."""
    squadrons: int = 0
    """Of a carrier: with how many squadrons she may begin."""
    trail: tuple[tuple[int, int], ...] = ()
    """Where the turns found her, oldest first, in mils."""
    splash: int = 0
    vessels: int = 1
    """Of a squadron: how many it has."""
    shuns: tuple[str, ...] = ()
    """215 At the set-up: the kinds of terrain where she cannot begin."""
    placed: bool = False
    """215 Set up already, or by another order of the same set."""
    notes: tuple[str, ...] = ()


class Enemy(ContactView, kw_only=True):
    """An enemy vessel or marker, as it lies open on the table."""

    name: str = ""
    side: str = ""
    card: str = ""
    kind: str = "vessel"
    """`vessel`, `squadron` (its flagship's place) or `marker`."""
    x: int = 0
    y: int = 0
    heading: int = 0
    setting: str = ""
    state: str = ""
    down: bool = False
    planes: int = 0
    sheet: str = ""
    splash: int = 0
    trail: tuple[tuple[int, int], ...] = ()
    remarks: str = ""


class Spread(Struct, frozen=True):
    """A torpedo salvo."""

    id: str
    side: str
    x: int
    y: int
    heading: int
    fp: int
    """0 where it is the enemy's: what is left in a salvo is not told."""
    place: str = ""
    course: str = ""
    """Its heading in degrees, as it is told."""


class Sketch(Struct, frozen=True):
    """The table in characters."""

    legend: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    """Marks of own ships."""
    foe: tuple[str, ...] = ()


class Price(Struct, frozen=True):
    """A ship or squadron that can be bought."""

    id: str
    points: int
    capital: bool
    """A ship of the line?"""


class Board(Struct, kw_only=True):
    """What else lies open, and the own pool."""

    facts: list[Fact]
    map: str
    """The scenario's terrain."""
    stage: str
    """What this window is for: `buy`, `bid`, `deploy`, `planning`, `place` (in the order of
    activation), `stack`, `orders`, `air`, `between` (turns) or `all` (planning and orders in
    one)."""
    turns: int = 0
    """After how many turns the game ends; 0: unknown."""
    pool: int
    places: int = 4
    """In the order of activation: as many as sides."""
    stack: tuple[str, ...]
    """Own cards not activated yet, in their order."""
    reserve: str
    small: bool = False
    """35, B51 Are fleets bought, and none has more than four cards?"""
    salvoes: tuple[Spread, ...] = ()
    zone: tuple[int, ...] = ()
    """The own area of deployment: west, south, east, north, in mils; empty for spectators."""
    chart: Sketch = Sketch()
    purse: int = 0
    """Points for which a fleet is bought."""
    least: int = 0
    """The fewest cards of a fleet that is bought."""
    market: tuple[Price, ...] = ()
    """What the side can buy, while it can."""


class Report(reports.Report, frozen=True, kw_only=True):
    """A report of Baltic."""

    units: tuple[OwnVessel, ...]
    contacts: tuple[Enemy, ...]
    board: Board
