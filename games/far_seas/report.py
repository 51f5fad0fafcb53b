"""What a side's report shows: filled by the view, read by the checker, the bots and the chart."""

from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType

from pbem.kit import reports
from pbem.kit.points import Fact, Points
from pbem.model import ContactView, UnitView


class OwnShip(UnitView, kw_only=True):
    """An own ship; its place is the id of an area, or of the box it is in."""

    nation: str
    gun: str
    speed: str
    """Grade as printed."""
    capacity: int
    damage: int
    points: int
    start: str
    """The area in which it began."""
    leader: str = ""
    """Id of the ship whose squadron it sails in, empty when it leads or is alone."""
    duty: str = ""
    """See `state.Duty`."""
    post: str = ""
    """Station or landing of that duty."""
    moved: bool = False
    """It has moved this turn."""
    surprised: bool = False
    """S11 It has made its surprise search of the game."""
    fought: int | UnsetType = UNSET
    """K3 Earlier combats of a German that count against it; unset without any."""
    slowed: str | UnsetType = UNSET
    """K10 The grade to which half damage has slowed it; unset unless it has."""
    trapped: bool = False
    """G7 It was found in the river and must stay."""
    notes: tuple[str, ...] = ()
    """What it does, in words."""
    bound: str | UnsetType = UNSET
    """M4 The area to which it is about to sail; unset unless it is named and has not sailed."""
    errand: str | UnsetType = UNSET
    """What it is about to do, in words: `bound for 26 to raid Madras`; unset without anything."""
    wake: tuple[str, ...] | UnsetType = UNSET
    """Areas where the last turns found it, oldest first; unset where it stayed."""


class Enemy(ContactView, kw_only=True):
    """An enemy ship: to the Germans where it is, to the Allies where it was last placed."""

    name: str
    nation: str
    gun: str
    speed: str
    capacity: int
    damage: int = 0
    points: int = 0
    leader: str = ""
    duty: str = ""
    post: str = ""
    moved: bool = False
    source: str = ""
    """How it was placed: `open` for Allies, or the event that did."""
    moves: int = 0
    """How often it was named since."""
    surprised: bool | UnsetType = UNSET
    """As for an own ship; unset unless it has."""
    fought: int | UnsetType = UNSET
    slowed: str | UnsetType = UNSET
    trail: tuple[tuple[str, int], ...] | UnsetType = UNSET
    """Areas where it was before and how many turns ago, oldest first; unset without any."""


class Missing(Struct):
    """E1 Merchants missed in an area. age: turns ago."""

    area: str
    count: int
    age: int


class OpenBoard(Struct, kw_only=True):
    """What movement depends on."""

    areas: tuple[str, ...]
    """Areas in play, empty for all."""
    raided: tuple[str, ...]
    """Stations."""
    options: Mapping[str, str]


class Ocean(OpenBoard, kw_only=True):
    """The whole board."""

    turns: int = 0
    last: int = 0
    segment: int = 1
    facts: list[Fact] = []
    points: list[Points] = []
    merchants: dict[str, int] = {}
    """Left in each area by its escorts that are known (E2), those without any left out."""
    missing: list[Missing] = []
    """What the Allies know of captures, newest last."""
    landings: dict[str, tuple[int, int, int, int, int]] = {}
    """Still due, by name: area, ships needed, ships sent, first and last turn."""


class Report(reports.Report, frozen=True, kw_only=True):
    """A side's report."""

    units: tuple[OwnShip, ...]
    contacts: tuple[Enemy, ...] = ()
    board: Ocean
