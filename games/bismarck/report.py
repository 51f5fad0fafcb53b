"""What a side's report shows: filled by the view, read by the checker, the bot and the chart."""

from collections.abc import Mapping

from msgspec import Struct

from games.bismarck.battle_report import BattleBoard
from games.bismarck.board import Zone
from pbem.kit import reports
from pbem.kit.points import Fact, Points
from pbem.model import ContactView, UnitView


class OwnView(UnitView, kw_only=True):
    """What the report says of every own unit: a ship, a task force, an air unit."""

    place: Zone
    kind: str = "ship"
    """`ship`, `force` or `air`."""
    fuel: str = ""
    """As printed: factors left of the tank, `9/11`, of a task force the least; `-` where none is
    counted."""
    mode: str = "move"
    path: tuple[Zone, ...] = ()
    """What is left of its orders to move or fly."""
    notes: tuple[str, ...] = ()
    """What it does, in words."""


class ShipView(OwnView, kw_only=True):
    """An own ship; top, evasion, two, tied and launched are those of `state.Engine`."""

    factors: int | None = None
    """Fuel factors left, None where none is counted."""
    top: int
    evasion: int
    regain: int = 0
    """9.728 Evasion that it may regain before this turn's battles, at most."""
    salvos: int = 0
    """9.64 Of all its gun sections, less the boxes marked out."""
    two: int = 0
    tied: str = ""
    hold: str = ""
    """4.1 Why it is not free, in a word: `escort`, `port` and so on; empty for a free ship."""
    launched: bool = False
    force: str = ""
    wake: tuple[Zone, ...] = ()
    """Where the last turns found it, oldest first."""


class ForceView(OwnView, kw_only=True):
    """An own task force."""

    kind: str = "force"
    evasion: int = 0
    """Of the ship that has the least."""
    regain: int = 0
    """9.728 What that may grow by before this turn's battles, at most."""
    ships: list[str]
    """Ids of its ships."""


class AirView(OwnView, kw_only=True):
    """An own air unit."""

    kind: str = "air"
    mode: str = ""
    base: str
    """Its home: a port, a base or a carrier."""
    home: Zone
    """The zone of that home now."""
    flying: bool = False
    reach: Mapping[str, int]
    """2.43 Zones a turn by mode, front of the counter first."""
    endurance: Mapping[str, int]
    """2.43 Turns by mode."""
    up: int = 0
    """Turns in the air."""
    ready: int = 0
    """The first turn in which it may fly."""


class OwnUnit(OwnView, kw_only=True):
    """An own unit as it is read: fields of the other kinds stay empty, None for `top`."""

    factors: int | None = None
    top: int | None = None
    evasion: int = 0
    regain: int = 0
    salvos: int = 0
    two: int = 0
    tied: str = ""
    hold: str = ""
    force: str = ""
    ships: tuple[str, ...] = ()
    wake: tuple[Zone, ...] = ()
    base: str = ""
    home: Zone = Zone("")
    flying: bool = False
    reach: Mapping[str, int] = {}
    endurance: Mapping[str, int] = {}
    up: int = 0
    ready: int = 0

    @property
    def flies(self) -> bool:
        """Is it an air unit?"""
        return bool(self.reach)


class Enemy(ContactView, kw_only=True):
    """An enemy ship as the side knows it."""

    place: Zone
    seen: str = ""
    """The turn's label."""
    source: str
    """How it was placed; a HUFF-DUFF place is one of seven zones."""
    force: tuple[str, ...] = ()
    """In task force with."""
    name: str = ""
    """Where it is known."""
    trail: tuple[tuple[Zone, int], ...] = ()
    """Zone and age of earlier sightings, oldest first."""


class Damage(Struct):
    """9.7 What a ship has lost, in words: an own one exactly, an enemy as far as it was seen."""

    name: str
    text: str


class Chart(Struct):
    """Ready lines. own, foe: the marks that stand for own units and enemy contacts; battles: the
    battle board of each action."""

    legend: list[str]
    rows: list[str]
    own: list[str]
    foe: list[str]
    battles: list[list[str]] = []


class ChartBoard(Struct, kw_only=True):
    """What a chart shows of the turn."""

    level: str
    """Visibility."""
    fog: bool
    night: str
    """`none`, `south` or `all`."""
    searched: list[str]
    """Zones called last turn."""
    points: list[Points]
    battles: list[BattleBoard] = []
    """The actions of this turn, once one is set up, else those of the last."""


class BotBoard(ChartBoard, kw_only=True):
    """What bots read of the turn."""

    convoys: int
    damage: list[Damage] = []
    """Own ships first, then what is known of the enemy's."""


class SearchBoard(BotBoard, kw_only=True):
    """Further facts of the turn."""

    c_turn: bool
    facts: list[Fact]
    blank: list[str]
    """Zones called where nothing was found."""
    chart: Chart


class Report(reports.Report, frozen=True, kw_only=True):
    """A side's report."""

    units: tuple[OwnUnit, ...]
    contacts: tuple[Enemy, ...] = ()
    board: ChartBoard
