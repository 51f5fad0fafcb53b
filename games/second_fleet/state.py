"""The truth: every ship, squadron, group, patrol and base, and what each side was told."""

from typing import Literal

from msgspec import Struct, field

from games.second_fleet.advanced_state import (
    Arrivals,
    Landings,
    Mines,
    Nuclear,
    Politics,
    Stores,
    Weather,
)
from games.second_fleet.board import BASES, NATO, OTHER, SOVIET, ZONE_OF, Base, Zone
from games.second_fleet.results import dark, part_of_day
from games.second_fleet.tables import (
    AirSheet,
    AirValues,
    Plan,
    ShipSheet,
    Values,
    aircraft,
    counters,
    period_of,
    plan,
)
from pbem.kit.contacts import Pseudonyms, Trail
from pbem.kit.points import Score, Scoring
from pbem.model import Side

Layer = Literal["air", "sub", "surf"]
"""12 What a side activates in a segment."""
LAYERS: dict[Layer, str] = {"air": "aircraft", "sub": "submarines", "surf": "surface ships"}
"""The types, and what messages call them."""
Level = Literal[0, 1, 2]
"""97 What the enemy has of a ship: nothing, Local, Strategic."""
Kind = Literal["TF", "TG", "single", "SUB"]
Mission = Literal["recon", "intercept", "tac", "mine"]
Stage = Literal["set-up", "strategic", "cap", "segment"]
GONE = 3
"""15 of 6.14 The damage of a base that is destroyed."""
WAKE = 6


class Vessel(Struct):
    """A ship or a submarine."""

    id: str
    side: Side
    hex: str
    group: str = ""
    """The Task Force or Task Group in which she sails; empty: she is alone."""
    damaged: bool = False
    sunk: bool = False
    level: Level = 0
    """97 The detection marker on her."""
    full: bool = False
    """24 A submarine at full speed in this activation."""
    acted: bool = False
    """Activated in this Action Phase."""
    hunted: bool = False
    """155, 156 Attacked by ASW in this segment."""
    attacked: bool = False
    """6.17/4 Attacked in this turn."""
    wake: list[str] = []
    """Where the last turns found her, oldest first."""
    deep: bool = False
    """22 A submarine in deep mode."""
    landed: bool = False
    """6.3/4 Her troops are ashore."""
    sailed: int = 0
    """Points of movement spent in this turn."""
    strained: int = 0
    """6.5/4 Turns of this day in which she used all her MA,"""
    used: int = 0
    """and those in which she moved."""
    burnt: int = 0
    """6.7/6 Turns of this day at high speed, which cost fuel."""
    rested: bool = False
    """6.5/5 She neither moved nor was attacked in the last turn."""
    fast: bool = False
    """6.7/6 High speed in this turn,"""
    tired: bool = False
    """and in the last one."""
    slowed: bool = False
    """6.5/6 She replenishes at sea in this turn."""
    salvos: int = 0
    """6.7/1 Salvos of cruise missiles fired."""
    stores: Stores | None = None
    """20 With logistics: what she has left."""

    @property
    def sheet(self) -> ShipSheet:
        """Her counter."""
        return counters()[self.id]

    @property
    def now(self) -> Values:
        """The side of her counter that is up."""
        return self.sheet.back if self.damaged else self.sheet.front

    @property
    def name(self) -> str:
        """Of the ship, where it is known, else what is printed."""
        return self.sheet.name

    @property
    def type(self) -> str:
        """`CG`."""
        return self.sheet.type

    @property
    def sub(self) -> bool:
        """A submarine."""
        return self.sheet.sub

    @property
    def decoy(self) -> bool:
        """6.19 A marker without ships."""
        return self.sheet.type == "DC"

    @property
    def key(self) -> str:
        """What stands on the map for her: her group, or she herself."""
        return self.group or self.id

    @property
    def zone(self) -> Zone:
        """The strategic zone in which she is."""
        return ZONE_OF[self.hex]


class Squadron(Struct):
    """An air unit."""

    id: str
    side: Side
    base: str
    """An airfield's hex, or a carrier's id."""
    damaged: bool = False
    lost: bool = False
    at: Literal["base", "mission", "box", "cap", "return"] = "base"
    """box: back from a mission (231); return: back from a patrol (6.11/3)."""
    mission: Mission | Literal[""] = ""
    zone: Zone | Literal[""] = ""
    seek: list[str] = []
    """What a recon looks for, first choice first."""
    rank: int = 0
    """239 Its place in the order in which its side allocated."""
    acted: bool = False

    @property
    def sheet(self) -> AirSheet:
        """Its counter."""
        return aircraft()[self.id]

    @property
    def now(self) -> AirValues:
        """The side of its counter that is up."""
        return self.sheet.back if self.damaged else self.sheet.front

    @property
    def role(self) -> str:
        """`INT`."""
        return self.sheet.role

    @property
    def embarked(self) -> bool:
        """Does it belong to a carrier?"""
        return not self.base.isdigit()


class Patrol(Struct):
    """61 Aircraft on CAP over a base or a carrier; it goes by its leading squadron."""

    id: str
    side: Side
    base: str
    units: list[str]
    range: int
    """6.11/2 The standing order: attack at this distance or nearer,"""
    least: int
    """stacks of so many units."""
    met: bool = False
    """69 It has attacked the stack that is flying now."""
    home: bool = False
    """An `r`: it waits for Land CAP."""


class Field(Struct):
    """A base as it stands: who holds it, and the damage of airfield and port (175)."""

    side: Side
    air: int = 0
    port: int = 0
    hit: list[str] = []
    """The parts of it that were attacked this turn: field, port (6.10)."""
    garrison: int = -1
    """6.3 Its intrinsic defence now; -1: as printed."""
    ashore: dict[Side, int] = {}
    """6.3 Points that a side has landed there."""
    struck: dict[Side, int] = {}
    """6.3/10 The last turn in which a side's attack had a result there."""
    taken: int = 0
    """6.3/13 The turn in which it changed hands."""
    commandos: int = 0
    """6.3/8 Sent against it this morning."""
    cut: bool = False
    """6.3/8 Commandos have put its guns out for this turn."""


class Known(Struct, kw_only=True):
    """A marker of the enemy as one side knows it."""

    id: str
    kind: Kind
    types: tuple[str, ...]
    """In the order of the array; with numbers from Strategic on: `2 DD`."""
    size: str
    """`4-6` at Local, exact at Strategic."""
    place: str
    turn: int
    level: int
    """1 Local, 2 Strategic; 0: no marker."""
    lost: bool = False
    """It is no longer seen: `place` is where it was last."""
    hurt: int = 0
    """Damaged units, at Strategic."""
    names: tuple[str, ...] = ()
    """3 of 6.16/2 Ships that it met in an engagement."""
    trail: Trail = ()


class Heirs(Struct, kw_only=True):
    """6.16/3 What a contact became as groups changed, as its observer was told."""

    at: str
    turn: int
    into: str = ""
    """The contact under which its ships go on."""
    parts: list[str] = []
    """The contacts that came out of it."""

    @property
    def names(self) -> list[str]:
        """Whom orders for the old name mean now."""
        return [self.into] if self.into else self.parts


class War(Scoring, Struct):
    """A game."""

    turn: int
    scenario: str
    options: dict[str, str]
    vessels: dict[str, Vessel]
    squadrons: dict[str, Squadron]
    fields: dict[str, Field]
    groups: dict[str, Side]
    """Names of Task Forces and Task Groups, with their sides."""
    known: dict[Side, dict[str, Known]]
    called: dict[Side, Pseudonyms]
    held: dict[Side, dict[str, str]]
    """Enemies that a side has before its eyes now, by what stands for them (`Vessel.key`), and what
    it calls them."""
    named: dict[Side, list[str]]
    """6.16/2 Enemy ships that it has met, while a marker lies on them."""
    heirs: dict[Side, dict[str, Heirs]] = {}
    """6.16/3 What a side's contacts became as groups changed."""
    patrols: list[Patrol] = []
    stage: Stage = "strategic"
    segment: int = 0
    first: Side = NATO
    """14 Who has the initiative of the segment."""
    half: Side | Literal[""] = ""
    """222 Whose half of the segment it is, where each half has its window."""
    capped: list[Side] = []
    """64 Who has assigned patrols this turn."""
    asked: dict[str, int] = {}
    """The segment of each window of this turn."""
    used: dict[Side, list[str]] = {}
    """13 Types chosen this turn; `pass` stands for none."""
    loads: dict[str, dict[str, int]] = {}
    """6.12/11 Special SSM left, by carrier."""
    scores: list[Score] = []
    arrays: dict[str, list[str]] = {}
    """141 Types from the top, by group or side, as standing orders say."""
    exits: dict[str, str] = {}
    """6.3/13 Where ships go if their base falls, by group or ship, as standing orders say."""
    mourned: list[str] = []
    """Units that are gone whose orders for later have been told to be void."""
    losses: dict[Side, str] = {}
    """6.14/13 Whose steps go first, as standing orders say."""
    flown: dict[str, int] = {}
    """167, 128 Squadrons that took off in this segment, by carrier or Norwegian airfield."""
    unloaded: list[str] = []
    """6.17/4 Cargo ships that have unloaded."""
    raided: list[Side] = []
    """Sides that have attacked a base of the enemy (3.14)."""
    weather: Weather = field(default_factory=Weather)
    politics: Politics = field(default_factory=Politics)
    arrivals: dict[Side, Arrivals] = {}
    mines: Mines = field(default_factory=Mines)
    landings: dict[Side, Landings] = {}
    nuclear: dict[Side, Nuclear] = {}
    shadows: list[str] = []
    """6.7/5 Ships that begin beside the enemy."""
    decoyed: dict[Side, int] = {}
    """6.19/4 The turn in which a side last made a decoy."""
    marked: dict[str, Kind] = {}
    """The marker that lies on each group."""
    counted: list[int] = []
    """6.17/3 Boxes of the armistice track at which bases and sea denial were counted."""

    @property
    def plan(self) -> Plan:
        """The scenario."""
        return plan(self.scenario)

    @property
    def open(self) -> bool:
        """6.16/1 Are the hexes and group markers of all units public?"""
        return self.options.get("fog", "hidden") == "open"

    @property
    def part(self) -> str:
        """AM, PM or Night."""
        return part_of_day(self.turn)

    @property
    def level(self) -> str:
        """220 basic, intermediate or advanced: of the scenario, or as the option says."""
        chosen = self.options.get("level", "scenario")
        return self.plan.level if chosen == "scenario" else chosen

    @property
    def advanced(self) -> bool:
        """220 Are the rules of the advanced level in force?"""
        return self.level == "advanced"

    @property
    def month(self) -> str:
        """182 Of the scenario, or as the option says."""
        chosen = self.options.get("month", "scenario")
        return self.plan.month if chosen == "scenario" else chosen.title()

    @property
    def period(self) -> int:
        """182 Of the year, 1 to 4."""
        return period_of(self.month)

    @property
    def par(self) -> int:
        """6.18 How far the scenario's leader must be ahead for the game to be even."""
        return 0 if self.options.get("par") == "no" else self.plan.par

    def on(self, option: str) -> bool:
        """Is an optional rule in force?"""
        return self.options.get(option) == "yes"

    def tells(self, level: int) -> bool:
        """6.16/6 Is an owner told that such a marker of the enemy lies on his ships? With decoys
        not of Local ones: a decoy finds nobody, which would betray it (ruling 107)."""
        told = self.options.get("told", "yes") == "yes"
        return told and (level == 2 or not self.on("decoys"))

    def dark(self, hex_: str) -> bool:
        """Is it dark there?"""
        return dark(self.turn, self.period, ZONE_OF[hex_])

    def afloat(self, side: Side) -> list[Vessel]:
        """A side's ships and submarines, by id."""
        return [v for v in self.vessels.values() if v.side == side and not v.sunk]

    def surface(self, side: Side, hex_: str) -> list[Vessel]:
        """A side's ships in a hex."""
        return [v for v in self.afloat(side) if v.hex == hex_ and not v.sub]

    def subs(self, side: Side, hex_: str) -> list[Vessel]:
        """A side's submarines in a hex."""
        return [v for v in self.afloat(side) if v.hex == hex_ and v.sub]

    def members(self, key: str) -> list[Vessel]:
        """The ships that a key stands for: a group's, or the one."""
        if key in self.groups:
            return [v for v in self.vessels.values() if v.group == key and not v.sunk]
        one = self.vessels.get(key)
        return [one] if one and not one.sunk else []

    def own_key(self, side: Side, name: str) -> str:
        """83 What stands for a side's group, ship or submarine of that name: of a group whose name
        an enemy group has as well its name in small letters, as neither side knows the other's.
        Empty for an enemy group's name alone."""
        small = name.lower()
        if self.groups.get(small) == side:
            return small
        return name if self.groups.get(name, side) == side else ""

    def keys(self, side: Side) -> list[str]:
        """A side's groups, single ships and submarines, sorted."""
        return sorted({v.key for v in self.afloat(side)})

    def kind(self, key: str) -> Kind:
        """36, 37 What a key is by the combat ships that are left."""
        members = self.members(key)
        if members and members[0].sub:
            return "SUB"
        if members and members[0].decoy:
            return "TF"
        count = sum(v.sheet.combat for v in members)
        if key not in self.groups or len(members) < 2 or count < 2:
            return "single"
        return "TF" if count >= 4 else "TG"

    def flying(self, side: Side) -> list[Squadron]:
        """A side's air units that are left."""
        return [s for s in self.squadrons.values() if s.side == side and not s.lost]

    def marker(self, key: str) -> Kind:
        """C32 What stands on the map for a key: a group's marker changes as it reorganises."""
        return self.marked.get(key) or self.kind(key)

    def remark(self, side: Side) -> None:
        """C32 The markers of a side's groups, as they are now."""
        self.marked = {name: kind for name, kind in self.marked.items() if name in self.groups}
        for name, owner in self.groups.items():
            if owner == side:
                self.marked[name] = self.kind(name)

    def last_spot(self, base: str) -> str:
        """The same, of a carrier that sank the hex in which she did."""
        return base if base.isdigit() else self.vessels[base].hex

    def spot(self, base: str) -> str:
        """The hex of an airfield or a carrier; empty if she is sunk."""
        if base.isdigit():
            return base
        return "" if self.vessels[base].sunk else self.vessels[base].hex

    def base(self, hex_: str) -> Base | None:
        """What is printed there."""
        return BASES.get(hex_)

    def holds(self, side: Side, hex_: str) -> bool:
        """Is there a base that the side holds?"""
        return hex_ in self.fields and self.fields[hex_].side == side

    def ready(self, base: str) -> bool:
        """176, 264 Is an airfield or a carrier undamaged?"""
        if base.isdigit():
            field = self.fields.get(base)
            return field is not None and field.air == 0 and BASES[base].field
        ship = self.vessels[base]
        return not ship.sunk and not ship.damaged


def enemy(side: Side) -> Side:
    """The other side."""
    return OTHER[side]


__all__ = ["GONE", "LAYERS", "NATO", "SOVIET", "WAKE", "Field", "Heirs", "Known", "Patrol",
           "Squadron", "Vessel", "War", "enemy"]  # fmt: skip
