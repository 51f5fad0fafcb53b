"""The truth: every vessel, card, salvo and aeroplane marker, and what is sealed."""

from msgspec import Struct

from games.baltic.tables import (
    Setting,
    ShipSheet,
    Terrain,
    Weapon,
    figures,
    plan,
    sheets,
    terrain,
    weapons,
)
from pbem.kit.plane import Pose
from pbem.model import Side

CURRENTS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
"""88 The ways in which a current may run: east and north of where a wreck lies."""


class Reason(Struct, frozen=True):
    """Why something cannot be done, and the rule that forbids it."""

    rule: str
    what: str


class Critical(Struct, frozen=True):
    """A critical hit that can be repaired (138)."""

    effect: str
    """weapon, engine, rudder or fire."""
    weapon: str
    turn: int
    """In which it came into effect: repairs begin a turn later (140)."""


class Vessel(Struct):
    """A model on the table."""

    id: str
    name: str
    side: Side
    sheet: str
    card: str
    x: int
    y: int
    heading: int
    hull: int
    """Boxes left."""
    ram: int
    """Troopers left (102)."""
    criticals: list[Critical] = []
    gone: list[str] = []
    """Weapons whose magazines blew up: never repaired (146)."""
    tenners: int = 0
    """Natural tens of this turn, in halves (141, B11)."""
    splash: int = 0
    """89 Markers of hits that she dodged this turn."""
    aground: str = ""
    """62 The depth in which she lies fast, until she moves astern (175)."""
    tested: dict[str, int] = {}
    """58-61 By depth that she is in: mils since the last test."""
    moved: int = 0
    """Mils of her latest activation: a vessel that moved none is stationary (10 of 2.1)."""
    coherent: bool = True
    """167 Within reach of her flagship at the end of the squadron's move."""
    sunk: int = 0
    """The turn in which she became a wreck."""
    coast: Setting = "stop"
    """161 A wreck: the setting at which she still runs on."""
    out: str = ""
    """How she left the table: `exit` or `edge`; empty while she is on it."""
    trail: list[tuple[int, int]] = []
    """Where the turns found her, oldest first."""
    may_fire: bool = True
    """62 False in the activation in which she ran aground."""

    @property
    def of(self) -> ShipSheet:
        """Her sheet."""
        return sheets()[self.sheet]

    @property
    def pose(self) -> Pose:
        """Her middle and her bow."""
        return Pose(self.x, self.y, self.heading)

    @property
    def wreck(self) -> bool:
        """87."""
        return self.hull <= 0

    def lately(self, turn: int) -> bool:
        """Is she a wreck since this turn, which who wrote his orders before could not know?"""
        return self.wreck and self.sunk == turn

    @property
    def crippled(self) -> bool:
        """85 All black boxes gone, and no wreck."""
        return 0 < self.hull <= self.of.hull - self.of.black

    @property
    def here(self) -> bool:
        """Still on the table."""
        return not self.out

    @property
    def acts(self) -> bool:
        """On the table and no wreck."""
        return self.here and not self.wreck

    @property
    def weapons(self) -> tuple[Weapon, ...]:
        """Of her sheet, lost ones too."""
        return weapons(self.sheet)

    @property
    def lost(self) -> set[str]:
        """Weapons that cannot fire."""
        return {*self.gone, *(c.weapon for c in self.criticals if c.effect == "weapon")}

    @property
    def aloft(self) -> bool:
        """7, B47 Does she fly? A wreck has come down."""
        return self.of.flies and not self.wreck

    def hit_by(self, effect: str) -> int:
        """How many criticals of a kind are in effect."""
        return sum(c.effect == effect for c in self.criticals)

    def put(self, pose: Pose) -> None:
        """Move her there."""
        self.x, self.y, self.heading = pose.x, pose.y, pose.heading


class Card(Struct):
    """13 An activation card: a ship of the line or a squadron, which has one telegraph (153)."""

    id: str
    name: str
    side: Side
    sheet: str
    members: list[str]
    setting: Setting = "half"
    down: bool = False
    used: bool = False
    """Activated this turn."""

    @property
    def of(self) -> ShipSheet:
        """The sheet of its vessels."""
        return sheets()[self.sheet]


class Salvo(Struct):
    """A torpedo salvo under way (114)."""

    id: str
    side: Side
    x: int
    y: int
    heading: int
    fp: int
    hit: list[str] = []
    """Who launched it, with her squadron, until it has run (192, B53)."""


class Marker(Struct):
    """103 An aeroplane squadron."""

    id: str
    side: Side
    type: str
    """fighter, bomber, torpedo."""
    planes: int
    boxes: int
    """Loads of bombs or torpedoes left."""
    at: str
    """`deck`, `edge`, `air`, `away` (110) or `lost`."""
    base: str
    """The carrier, or an edge."""
    x: int = 0
    y: int = 0
    guards: str = ""
    """What it escorts or flies patrol over (132, 133)."""
    ready: int = 1
    """The turn from which it may launch or come back."""
    acted: bool = False
    flown: int = 0
    """Mils in this phase, its bombers' flight that it escorts among them."""
    intercepted: int = 0
    """132, 135 Markers that it met this turn."""
    group: str = ""
    """107 `home` while it waits beside its carrier, to be taken aboard."""
    flight: str = ""
    """120, B43 The marker in whose group it flies, until it acts again; empty: in none, or it
    leads."""


class War(Struct):
    """A game."""

    turn: int
    scenario: str
    vessels: dict[str, Vessel]
    cards: dict[str, Card]
    order: list[str]
    """Cards in the order of the list: the order of all equal things."""
    pools: dict[Side, int]
    sides: list[Side]
    options: dict[str, str]
    places: list[Side] = []
    """Sides in the order in which they activate."""
    stacks: dict[Side, list[str]] = {}
    """Sealed: cards from the top (33)."""
    reserves: dict[Side, str] = {}
    """Sealed until it is played (162)."""
    dashed: list[Side] = []
    """164 Who has drawn out of turn."""
    launched: int = 0
    """Salvoes launched in the game, for their names."""
    salvoes: dict[str, Salvo] = {}
    markers: dict[str, Marker] = {}
    round: int = 0
    band: str = ""
    """19 Asked: the class that is set up now."""
    deployed: list[str] = []
    """Cards that are on the table at the set-up."""
    resigned: list[Side] = []
    """213 Who gave the battle up."""
    stage: str = "deploy"
    """What the window that is open is for: buy, bid, deploy, planning, place (in the order of
    activation), stack, orders, air, between (turns), or all (planning and orders in one)."""

    @property
    def map(self) -> tuple[Terrain, ...]:
        """The terrain."""
        return terrain(plan(self.scenario).terrain)

    @property
    def small(self) -> bool:
        """35, B51 Has no side begun the battle with more than four cards? Those of wrecks count."""
        cards = [card.side for card in self.cards.values()]
        return all(cards.count(side) <= figures().small_fleet for side in self.sides)

    def carries(self, card: Card) -> int:
        """105 Squadrons with which a carrier may begin: as many as the scenario gives her, else as
        her sheet says."""
        given = [len(f.planes) for f in plan(self.scenario).forces if f.base == card.id]
        return given[0] if given else card.of.squadrons

    def members(self, card: Card) -> list[Vessel]:
        """Vessels of a card that can act; the first leads (185)."""
        return [v for v in (self.vessels[i] for i in card.members) if v.acts]

    def enemies(self, side: Side) -> list[Vessel]:
        """Vessels of others on the table, wrecks too, in the order of the list."""
        return [v for v in self.listed() if v.side != side and v.here]

    def named(self, name: str) -> list[Vessel]:
        """The vessels that the name of a vessel or of a squadron means: of a squadron those that
        are afloat, the first leads; empty: none is on the table."""
        if name in self.vessels:
            return [self.vessels[name]] if self.vessels[name].here else []
        return self.members(self.cards[name]) if name in self.cards else []

    def gone(self, name: str) -> str:
        """Why nobody of that name is on the table."""
        if name in self.cards and not self.cards[name].of.capital:
            return f"no vessel of {name} is left"
        return f"{name} is not on the table"

    def squadrons(self, side: Side) -> list[str]:
        """Hostile squadrons that have a vessel afloat, in the order of the list."""
        cards = [self.cards[name] for name in self.order]
        return [c.id for c in cards if c.side != side and not c.of.capital and self.members(c)]

    def listed(self) -> list[Vessel]:
        """Every vessel, in the order of cards and members."""
        return [self.vessels[i] for card in self.order for i in self.cards[card].members]

    def down(self, vessel: Vessel) -> bool:
        """48 Is her hull down?"""
        return self.cards[vessel.card].down and not vessel.wreck
