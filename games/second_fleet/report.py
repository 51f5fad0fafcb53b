"""What a side's report shows: filled by the view, read by checks, bots and the chart."""

from msgspec import Struct

from pbem.kit import reports
from pbem.kit.points import Fact, Points
from pbem.model import ContactView, MenuItem, UnitView


class OwnUnit(UnitView, kw_only=True):
    """An own group, ship, submarine or squadron; its place is a hex."""

    kind: str
    """group, ship, sub, air, or wait: reinforcements without a place."""
    group: str = ""
    ma: int = 0
    dry: int = 0
    """Of a ship without fuel: hexes in a turn in which she is given some."""
    defence: int = 0
    ssm: int = 0
    range: int = 0
    asw: int = 0
    torpedo: int = 0
    bomb: int = 0
    a2a: int = 0
    close_aa: int = 0
    area_aa: int = 0
    level: int = 0
    """The enemy's marker: 1 Local, 2 Strategic."""
    damaged: bool = False
    acted: bool = False
    base: str = ""
    """Of a squadron: an airfield's hex, or a carrier."""
    light: int = 0
    """6.7/7 Of a squadron: hexes that it flies without bombs and missiles; 0: as many as with."""
    away: str = ""
    """Of a squadron: where it is if it is not ready at its base."""
    nation: str = ""
    model: str = ""
    ships: tuple[str, ...] = ()
    """Of a group."""
    wake: tuple[str, ...] = ()
    stores: tuple[str, ...] = ()
    """With logistics: boxes left by row, `ssm 2`."""
    notes: tuple[str, ...] = ()


class Enemy(ContactView, kw_only=True):
    """A contact: a marker of the enemy, as this side knows it."""

    kind: str
    types: tuple[str, ...]
    size: str
    level: int
    """1 Local, 2 Strategic, 0: the marker has gone."""
    hurt: int = 0
    names: tuple[str, ...] = ()
    trail: tuple[tuple[str, int], ...] = ()
    """Earlier places, and how many turns ago, oldest first."""
    remarks: str = ""


class Over(Struct, frozen=True):
    """An own patrol. place: over which hex."""

    base: str
    place: str
    units: tuple[str, ...]
    range: int


class Hurt(Struct, frozen=True):
    """A base that is damaged."""

    hex: str
    air: int
    port: int


class Field(Struct, frozen=True):
    """Mines in a hex."""

    hex: str
    markers: int


class Ashore(Struct, frozen=True):
    """A base: its garrison, and points that have landed there."""

    hex: str
    side: str
    garrison: int
    nato: int
    soviet: int


class Raised(Struct, frozen=True):
    """What one actor may be given in a set that raises the Soviet strategy."""

    id: str
    items: tuple[MenuItem, ...]


class Board(Struct, kw_only=True):
    """What else lies open, and the own missions."""

    facts: list[Fact]
    points: list[Points]
    stage: str
    """`strategic` or `segment`: what the window is for."""
    segment: int
    part: str
    dark: tuple[str, ...]
    """Zones in which it is dark."""
    first: str
    """Who has the initiative; empty in the strategic window."""
    used: tuple[str, ...]
    """Types that this side has used up."""
    lost: tuple[str, ...] = ()
    """Bases that the enemy of their nation holds."""
    hurt: tuple[Hurt, ...] = ()
    patrols: tuple[Over, ...] = ()
    threats: tuple[str, ...] = ()
    """Hexes over which enemy patrols are known to stand."""
    unloaded: tuple[str, ...] = ()
    weather: str = "clear"
    weather_zones: tuple[str, ...] = ()
    """Zones that have it."""
    strategy: str = ""
    """The Soviet strategy in force."""
    raised: tuple[Raised, ...] = ()
    """Landings that a set may order besides if it raises that strategy."""
    rush: tuple[str, ...] = ()
    """6.7/6 Who goes at high speed once given fuel: ships without any, groups with such."""
    mines: tuple[Field, ...] = ()
    """Minefields that this side knows."""
    marker: int = -1
    """Of the own reinforcements; -1: there are none."""
    ashore: tuple[Ashore, ...] = ()
    troops: tuple[int, ...] = ()
    """Own battalions and commandos that are left."""
    without: tuple[str, ...] = ()
    """Optional rules that the game is played without; `advanced`: those of the advanced level."""


class Report(reports.Report, frozen=True, kw_only=True):
    """A side's report."""

    units: tuple[OwnUnit, ...]
    contacts: tuple[Enemy, ...] = ()
    board: Board
