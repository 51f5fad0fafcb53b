"""The truth of a game: plain typed data. All of it lies open to both sides (R004); what is secret
are orders alone.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct, field

from games.atlantic_chase import board, tables
from games.atlantic_chase.board import BRITISH, GERMAN, OTHER, SIDES
from games.atlantic_chase.tables import CAPITAL, STOPPED, VERY_SLOW, Card, Deed, Face, Power
from pbem.kit.points import Score, Scoring
from pbem.model import Side

__all__ = ["BRITISH", "GERMAN", "OTHER", "SIDES", "Score", "War"]

Sky = Literal["good", "bad"]
Gone = Literal["", "sunk", "home", "out"]
"""sunk; home: Completed (R112); out: left a Battle of the Battle Board (R253)."""
StealthKind = Literal["uboat", "submarine", "mines"]


class Ship(Struct):
    """A ship, Convoy, squadron or shore battery of the operation."""

    id: str
    """Printed name in capitals, which orders use."""
    side: Side
    hits: int = 0
    """R181 Hit markers on the side that is up."""
    damaged: bool = False
    """R178 The damaged side is up."""
    torpedoes: int = 0
    """R195 Torpedo attacks made."""
    scattered: bool = False
    """R027 A Convoy that is dispersed."""
    gone: Gone = ""
    effects: list[str] = []
    """8.3 What severe results and Snafu Checks have done to it."""

    @property
    def card(self) -> Card:
        """What is printed."""
        return tables.cards()[self.id]

    @property
    def face(self) -> Face:
        """The side of the counter that is up."""
        return self.card.back if self.damaged and self.card.back else self.card.front

    @property
    def convoy(self) -> bool:
        """R025 Is it a Convoy?"""
        return self.card.type == "CONVOY"

    @property
    def fort(self) -> bool:
        """R032 Is it a shore battery?"""
        return self.card.type == "FORT"

    @property
    def capital(self) -> bool:
        """BB, BC or CV."""
        return self.card.type in CAPITAL

    @property
    def speed(self) -> int:
        """R005 Its place in `tables.SPEEDS`; 8.3 fires and floods slow it down or stop it."""
        if any(effect.endswith(" stopped") for effect in self.effects):
            return STOPPED
        if any(effect.endswith(" vs") for effect in self.effects):
            return min(VERY_SLOW, self.face.speed)
        return self.face.speed


class TaskForce(Struct):
    """R001, R003 Ships that sail together: a Trajectory, a Station, or in a Port Box.

    Exactly one of `line`, `at` and `box` is filled.
    """

    id: str
    side: Side
    ships: list[str]
    """Ids; R239 never empty."""
    line: list[str] = []
    """R039 The hexes of its Trajectory from one end to the other."""
    at: str = ""
    """The hex of its Station."""
    box: str = ""
    """The port whose box holds its Station."""
    intel: list[str] = []
    """R064 Segments with an Intel marker."""
    contact: list[str] = []
    """R077 Hexes in which it has a Contact marker."""
    evasive: bool = False
    """R085 It has an Evasive marker."""
    unknown: bool = False
    """R214 It is unidentified: without ships, and very slow."""
    launch: str = ""
    """R057 The segment from which its aircraft flew in this action: the last to go."""

    @property
    def number(self) -> int:
        """The number of its piece: 7 of TF7."""
        return int(self.id[2:])

    @property
    def length(self) -> int:
        """R043 Segments of its Trajectory, 0 for a Station."""
        return len(self.line)

    @property
    def hexes(self) -> tuple[str, ...]:
        """R006 The hexes that it is in; none in a Port Box."""
        return tuple(self.line) or ((self.at,) if self.at else ())

    @property
    def station(self) -> bool:
        """Is it a Station on the map?"""
        return bool(self.at)

    @property
    def called(self) -> str:
        """Its ships, as texts call it: `Hood and Prince of Wales`, `Hood and 3 more`; empty if it
        is unidentified."""
        names = [tables.cards()[ship].name for ship in self.ships]
        if len(names) > 2:
            return f"{names[0]} and {len(names) - 1} more"
        return " and ".join(names)


class Stealth(Struct):
    """R002 U-boats, Submarines and Mines. at: empty in the U-Boat Box."""

    id: str
    side: Side
    kind: StealthKind
    at: str = ""


class Leader(Struct):
    """R212 A leader in play: aboard a ship, or ashore where `ship` is empty."""

    id: str
    side: Side
    ship: str
    left: int
    """How often he may still use his power."""

    @property
    def power(self) -> Power:
        """What he can do."""
        return tables.leaders()[self.id].power


class Group(Struct):
    """R134 Reinforcements that have not come yet."""

    id: str
    """As orders call it: BA is British group A."""
    side: Side
    port: str
    ships: list[str]


class Designated(Struct):
    """One of the four actions that are rolled for, as both sides have designated forces for it."""

    deed: Deed
    side: Side
    force: str
    """The acting Task Force, airbase or Stealth force."""
    target: str
    """The target's Task Force."""
    at: str
    """The target hex."""
    sky: Sky
    """Q6, Q31 The weather of this action: that of its beginning, always bad in an Arctic hex."""
    helper: str = ""
    """R163 The Active side's coordinator: Task Force or Stealth force."""
    air: str = ""
    """R157 Its air source: airbase or Task Force."""
    launch: str = ""
    """The hex from which its aircraft fly."""
    foe_helper: str = ""
    foe_air: str = ""
    foe_launch: str = ""
    evades: bool = False
    """R089 The target spends its Evasive marker."""
    interruption: int = 0
    """R071 The modifier of the Interruption."""
    shift: int = 0
    """R254 What leaders add to the Trajectory Total."""
    special: list[tuple[str, int]] = []
    """What special rules of the operation add to the roll, each by its name."""
    struck: list[str] = []
    """R028 Dispersed Convoys that have taken their one Hit of this attack."""
    coordination: int = 0
    """R254 Walker's value in place of the usual one; 0 for the usual one."""


class Battle(Struct):
    """R187 A Battle that is being fought: what its sides and their orders know of it."""

    active: str
    """The Active Task Force."""
    target: str
    at: str
    sky: Sky
    how: Literal["battle", "skirmish", "surprise"]
    rounds: int
    """R188 How many there are."""
    round: int = 0
    """The one being fought, 0 at set-up."""
    zones: dict[str, str] = {}
    """Ship -> `far`, `near` or `close` of its own side; ships that are off the board are left out.
    """
    smoke: list[str] = []
    """R198 Ships that make smoke."""
    attitudes: dict[str, str] = {}
    """8.3 Ship -> closing, running or acquiring."""
    hidden: list[str] = []
    """R199 Ships that smoke obscures, the smokers included."""
    covers: dict[str, list[str]] = {}
    """R199 Ship that makes smoke -> the others that its smoke obscures."""
    snafu: str = ""
    """8.3 The result of the Snafu Check."""
    confused: str = ""
    """8.3 The side that has the Confusion marker still."""
    late: dict[str, int] = {}
    """8.3 A ship that is not on the board yet -> the round at whose end it comes."""
    repairing: list[str] = []
    """8.3 Ships whose damage control keeps them from firing."""
    helm: list[str] = []
    """8.3 Ships without a bridge that move in this round in place of firing."""
    screened: dict[str, str] = {}
    """8.3 Ship -> the ship that stands before it."""
    extended: bool = False
    """8.3 Has the Battle another round, as nobody ran?"""


class War(Scoring, Struct):
    """The whole state."""

    turn: int
    """The number of the spell of Initiative."""
    scenario: str
    active: Side
    """Who has Initiative."""
    weather: Sky
    tally: int
    forces: dict[str, TaskForce]
    """Task Forces in play, by id."""
    ships: dict[str, Ship]
    leaders: dict[str, Leader]
    """Those in play."""
    stealth: dict[str, Stealth]
    groups: dict[str, Group]
    ports: dict[str, Side]
    """R219 Port -> who controls it; others are neutral (R012)."""
    bases: dict[str, Side]
    """R013 Airbase in play -> whose."""
    goals: dict[str, tuple[str, ...]] = {}
    """R114 Convoy -> its destinations."""
    actions: int = 0
    """Lines carried out in this spell, which both sides know."""
    lines: int = 0
    """Lines taken in this spell, those that were left out included: nobody else's business."""
    rest: list[str] = []
    """In a window amid a programme: its lines that are left, which a new programme replaces."""
    holder: str = ""
    """Whose spell is played; empty between spells. Initiative may have gone before its last action
    is finished."""
    over: bool = False
    """Has an action of this spell ended the operation?"""
    last: str = ""
    """The icons of the last roll of an action, `C+G`; empty before the first."""
    deed: Designated | None = None
    """The action that is under way, for what conditions know of it."""
    fight: Battle | None = None
    scores: list[Score] = []
    met: list[str] = []
    """Tankers that have met a warship (special rule `rendezvous`)."""
    options: dict[str, str] = field(default_factory=dict)
    before: int = 0
    """Spells of the campaign's earlier operations."""
    spent: list[str] = []
    """Pieces that were in play and are free again."""
    pools: list[list[str]] = []
    """R214 Of what unidentified Task Forces may consist."""
    inset: str = ""
    """R019-R023 The inset that the operation is played on."""
    season: bool = False
    """R115 Is this operation part of the campaign?"""
    coming: list[str] = []
    """The campaign's later operations."""
    lost: list[str] = []
    """Ships sunk in its earlier ones."""
    fallen: list[str] = []
    """Leaders killed in them."""
    adrift: dict[str, str] = {}
    """R186 Leaders whose ship was just damaged or sunk -> their Task Force."""
    ashore: list[str] = []
    """Q40 Leaders who have come home with their ships, or were used up (Prien)."""
    closed: list[str] = []
    """R012 Ports that the Port Check has closed in this operation."""

    @property
    def idle(self) -> Side:
        """Who has not got Initiative."""
        return OTHER[self.active]

    @property
    def spell(self) -> int:
        """The number of the spell in its operation."""
        return self.turn - self.before

    @property
    def table(self) -> tables.Scenario:
        """The operation."""
        return tables.scenario(self.scenario)

    @property
    def opened(self) -> frozenset[frozenset[str]]:
        """R017 Closed hexsides that are open in this operation."""
        return board.opened(self.table.open)

    def special(self, word: str) -> bool:
        """Is this one of the operation's special rules?"""
        return word in self.table.special.split()

    def called(self, id_: str) -> str:
        """How texts call a Task Force; empty for what is none."""
        return self.forces[id_].called if id_ in self.forces else ""

    def own(self, side: Side) -> list[TaskForce]:
        """A side's Task Forces in the order of their numbers."""
        return sorted((f for f in self.forces.values() if f.side == side), key=lambda f: f.number)

    def crew(self, force: TaskForce) -> list[Ship]:
        """The ships of a Task Force."""
        return [self.ships[id_] for id_ in force.ships]

    def of_ship(self, ship: str) -> TaskForce | None:
        """R001 The Task Force of a ship; None when it is not in play."""
        return next((f for _, f in sorted(self.forces.items()) if ship in f.ships), None)

    def speed(self, force: TaskForce) -> int:
        """R005 That of its slowest ship."""
        return min((s.speed for s in self.crew(force)), default=VERY_SLOW)

    def may_evade(self, force: TaskForce) -> bool:
        """R085 Can it get an Evasive marker? It has none, and 8.3 no ship of it trails oil."""
        return not force.evasive and not any("oil" in s.effects for s in self.crew(force))

    def convoy(self, force: TaskForce) -> bool:
        """R029 Does it hold a Convoy?"""
        return any(s.convoy for s in self.crew(force))

    def carrier(self, force: TaskForce) -> bool:
        """R103, R210 Can it fly aircraft: has it an undamaged carrier, and not too long a line?"""
        return self.deck(force) and not self.too_long_to_fly(force)

    def deck(self, force: TaskForce) -> bool:
        """R103 Does it hold an undamaged carrier?"""
        return bool(self.decks(force))

    def decks(self, force: TaskForce) -> list[str]:
        """R103 Its undamaged carriers."""
        return [s.id for s in self.crew(force) if s.card.type == "CV" and not s.damaged]

    def too_long_to_fly(self, force: TaskForce) -> bool:
        """R210 By option a carrier flies from a line of at most six."""
        return self.options.get("carrier_line") == "six" and force.length > 6

    def free_piece(self, side: Side) -> str:
        """R024, R131 The id of an unused Task Force piece, empty without one."""
        limits, prefix = tables.rules().limits, "KG" if side == GERMAN else "TF"
        most = limits.german if side == GERMAN else limits.british
        ids = [f"{prefix}{number}" for number in range(1, most + 1)]
        free = [id_ for id_ in ids if id_ not in self.forces]
        fresh = [id_ for id_ in free if id_ not in self.spent]  # no old order binds them
        return next(iter(fresh or free), "")

    def arctic(self, cell: str) -> bool:
        """R094 Is the weather of this hex always bad?"""
        return cell in board.ARCTIC

    def sky(self, cell: str) -> Sky:
        """R094, Q6 The weather in a hex."""
        return "bad" if self.arctic(cell) else self.weather

    def port_hexes(self, side: Side) -> dict[str, str]:
        """Hex -> the port that a side controls there."""
        held = [p for p in sorted(self.ports) if self.ports[p] == side]
        return {cell: port for port in held for cell in self.hexes_of(port)}

    def hexes_of(self, port: str) -> tuple[str, ...]:
        """R007, R016, R022 The hexes of a port; an inset may have others."""
        inset = board.INSETS.get(self.inset)
        return (
            inset.harbours.get(port, board.PORTS[port].hexes) if inset else board.PORTS[port].hexes
        )

    def boxless(self, port: str) -> bool:
        """R020 Has a port no Port Box on this inset?"""
        return self.inset in board.INSETS and port in board.INSETS[self.inset].boxless

    def base_hexes(self, side: Side) -> dict[str, str]:
        """Hex -> a side's airbase in play there."""
        held = (board.AIRBASES[b] for b in sorted(self.bases) if self.bases[b] == side)
        return {base.hex: base.id for base in held}

    def stealth_of(self, side: Side) -> list[Stealth]:
        """A side's Stealth forces in order of their ids."""
        return [s for _, s in sorted(self.stealth.items()) if s.side == side]

    def leaders_aboard(self, force: TaskForce) -> Iterator[Leader]:
        """The leaders of a Task Force in order of their ids."""
        for _, leader in sorted(self.leaders.items()):
            if leader.ship in force.ships:
                yield leader
