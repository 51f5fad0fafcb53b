"""What a side's report shows: filled by the view, read by the checks, the bots and the chart.

Both sides see the same board (R004). Own pieces are units, those of the enemy contacts; a piece is
a Task Force, an airbase, a Stealth force, a group of reinforcements, a ship, a leader, or a spare
marker that orders may bring into play, as `sort` says.
"""

from typing import Literal

from msgspec import Struct

from pbem.kit import reports
from pbem.kit.points import Fact, Points
from pbem.model import ContactView, UnitView

MET = "has met a warship"
"""What the notes say of a tanker that has met a warship."""
Sort = Literal["force", "base", "stealth", "group", "ship", "leader", "spare"]


class Piece(Struct, kw_only=True, omit_defaults=True):
    """A piece as both sides see it; what does not concern its sort is empty."""

    sort: Sort = "force"
    line: tuple[str, ...] = ()
    """The hexes of its Trajectory."""
    at: str = ""
    """The hex of its Station; of other pieces where they are."""
    box: str = ""
    """The port whose box it is in."""
    intel: tuple[str, ...] = ()
    contact: tuple[str, ...] = ()
    evasive: bool = False
    ships: tuple[str, ...] = ()
    """Ids of its ships."""
    leader: str = ""
    speed: str = ""
    """Of a Task Force that of its slowest ship."""
    convoy: bool = False
    bound: tuple[str, ...] = ()
    """Ports for which its Convoy is bound."""
    force: str = ""
    """Of a ship or leader the Task Force that it is in."""
    hits: int = 0
    bears: str = ""
    """R181 Of a ship the Hits that damage it and then sink it, `2/4`, of a damaged one `4`; of a
    Convoy or squadron those that destroy it; empty where none do."""
    damaged: bool = False
    scattered: bool = False
    guns: str = ""
    """Gunnery values close/far of the side that is up."""
    torpedo: bool = False
    zone: str = ""
    """R187 In a Battle under way: `far`, `near` or `close`."""
    smoke: str = ""
    """R199 In it: `making smoke`, `in smoke`, or empty."""


class Own(UnitView, kw_only=True, omit_defaults=True):
    """An own piece. notes: what the usual body prints of it. force: of a piece that does as its
    Task Force does, or that needs no orders; lists without orders leave it out."""

    piece: Piece
    force: str = ""
    notes: tuple[str, ...] = ()


class Foe(ContactView, kw_only=True):
    """An enemy piece; `age` is always 0, as all is seen."""

    name: str
    piece: Piece
    remarks: tuple[str, ...] = ()


class Sea(Struct, kw_only=True):
    """The public board."""

    active: str
    """The side that has Initiative."""
    holder: str = ""
    """Whose spell it is, while its last action goes on after Initiative has gone; else empty."""
    weather: str
    tally: int
    length: int
    """Spells of the operation."""
    operation: str = ""
    """The name of the operation, in a campaign, too."""
    spell: int = 0
    """The number of the spell in it."""
    closed: tuple[str, ...] = ()
    """R012 Ports that are closed in it."""
    actions: int
    facts: list[Fact] = []
    points: list[Points] = []
    ports: dict[str, str] = {}
    """Port -> its side."""
    harbours: dict[str, tuple[str, ...]] = {}
    """R016 Port -> the hexes that it touches."""
    bases: dict[str, str] = {}
    """Airbase in play -> its side."""
    rules: tuple[str, ...] = ()
    """Special rules of the operation and options by which some lines are left out now."""
    opened: str = ""
    """Closed hexsides that are open here, as pairs of hexes."""


class Told(reports.Told, frozen=True):
    """An event, as far as charts read it."""

    at: str = ""
    """Where it happened."""
    hexes: tuple[str, ...] = ()
    """Of Intel that was placed: where."""
    ship: str = ""
    zone: str = ""
    zones: dict[str, str] | None = None
    """Of all ships, as a round began."""


class Asked(Struct, frozen=True):
    """A question that the side is asked, by its kind."""

    kind: str


class Report(reports.Report, frozen=True, kw_only=True):
    """A side's report."""

    units: tuple[Own, ...] = ()
    contacts: tuple[Foe, ...] = ()
    board: Sea
    events: tuple[Told, ...] = ()
    questions: tuple[Asked, ...] = ()
    owed: tuple[str, ...] = ()
    """Whose orders are due."""
    dice_mode: str = ""
    """The kind of dice."""
