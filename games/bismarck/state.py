"""The truth of a game: plain typed data from which a turn begins and to which it returns.

What a side has been told lives in `knowledge.Knowledge`; everything else here is the referee's.
"""

from typing import Literal

from msgspec import Struct, field

from games.bismarck import board
from games.bismarck.board import BRITISH, GERMAN, SIDES, Zone
from games.bismarck.knowledge import Knowledge
from games.bismarck.vessels import Battle, Hits
from pbem.kit.points import Score
from pbem.model import Side

__all__ = [
    "BRITISH",
    "GERMAN",
    "SIDES",
    "AirKind",
    "AirUnit",
    "Convoy",
    "Discovery",
    "Engine",
    "Face",
    "Hits",
    "Hold",
    "Plan",
    "Score",
    "Sections",
    "Ship",
    "TaskForce",
    "War",
]

Hold = Literal["", "port", "later", "patrol", "escort", "entry"]
"""Why a ship is not free yet (order of appearance, notes 7-14).

port: waits in port for news; later: some turns after the Bismarck is located; patrol: must
patrol; escort: sails with a convoy; entry: not yet in play."""
Mode = Literal["move", "patrol"]
AirMode = Literal["move", "patrol", "attack", "recon"]
AirKind = Literal["LR recon", "level", "torpedo"]
Gun = Literal["bow", "stern", "port", "starboard"]
WAKE = 6
"""Turns of a ship's track that its own side's chart shows: a day."""


class Plan(Struct):
    """What is left of an order to move. order: the legs as written, by which a standing order is
    recognised; rest: zones still to enter; patrol: turn to patrol on arrival."""

    order: tuple[Zone, ...] = ()
    rest: tuple[Zone, ...] = ()
    economical: bool = False
    patrol: bool = False


class Sections(Struct):
    """9.63 Strength of each gun section when whole, and midships boxes."""

    bow: int = 0
    stern: int = 0
    port: int = 0
    starboard: int = 0
    midships: int = 0


class Engine(Struct, frozen=True):
    """What the movement rules need of one ship, from the truth or from its owner's report."""

    name: str
    type: str
    top: int
    """5.27 Printed maximum speed, which decides what fuel is spent."""
    evasion: int
    """Now, after damage."""
    fuel: int | None = None
    """5.21 Factors left, None where none is counted."""
    two: int = 0
    """The last turn of a two-zone move, 0 never."""
    tied: str = ""
    """Why it cannot move at all this turn, empty when it can."""
    launched: bool = False
    """Aircraft left it this turn."""


class Ship(Struct):
    """One ship."""

    id: str
    """Printed name in capitals, which orders use."""
    name: str
    side: Side
    type: str
    evasion: int
    speed: int
    sections: Sections
    search: tuple[int, int] = (1, 1)
    """2.424 Strength by day and by night."""
    patrol: tuple[int, int] | None = None
    """2.424 Strength by day and by night, None for carriers (2.423)."""
    fuel: int | None = None
    tank: int | None = None
    """Fuel factors when full."""
    zone: Zone = Zone("")
    """Empty outside play."""
    mode: Mode = "move"
    force: str = ""
    """Its task force, empty alone."""
    hold: Hold = ""
    """Why it is not free yet, empty when it is."""
    plan: Plan | None = None
    origin: Zone = Zone("")
    """Where the turn found it."""
    path: tuple[Zone, ...] = ()
    """Zones entered this turn, in order."""
    wake: tuple[Zone, ...] = ()
    """Where the last turns found it, oldest first."""
    spent: int = 0
    """Fuel factors of this turn."""
    two: int = 0
    """5.26 Last turn of a two-zone move."""
    still: int = 0
    """10.25 A turn in which it may not move."""
    hits: Hits = field(default_factory=Hits)
    """Marked on the battle board."""
    sunk: bool = False
    sunk_in: int = 0
    """The turn in which it was."""
    raided: bool = False
    mended: int = 0
    """9.728 The last turn in which it attempted repair."""

    @property
    def afloat(self) -> bool:
        """Is it on the board?"""
        return bool(self.zone) and not self.sunk

    @property
    def in_port(self) -> bool:
        """7.29 Is it in a port of its own side?"""
        return bool(board.port_of(self.zone, self.side))

    @property
    def sheltered(self) -> bool:
        """12.7 Is it in a port of its own side that it did not enter this turn? Nobody attacks it
        there by ship."""
        return self.in_port and self.zone not in self.path

    @property
    def evasion_now(self) -> int:
        """9.72 Evasion after damage."""
        now = self.evasion - self.hits.permanent - self.hits.temporary
        return now if now > 0 else 0  # asked so often that `max` takes a hundredth of a playout


class Face(Struct, frozen=True):
    """2.43 One side of an air counter. search: by day and by night; endurance in turns."""

    search: tuple[int, int]
    endurance: int
    speed: int


class AirUnit(Struct):
    """One air unit."""

    id: str
    name: str
    side: Side
    type: AirKind
    base: str
    """2.438 A port, an air base, or the id of a carrier."""
    front: Face
    """Attack mode of a bomber, movement mode of long range reconnaissance."""
    back: Face | None = None
    """Recon or patrol mode, None without one."""
    zone: Zone = Zone("")
    """Empty while it is at base."""
    mode: AirMode = "move"
    up: int = 0
    """Turns in the air, this one included once it has taken off."""
    ready: int = 0
    """The first turn in which it may fly."""
    used: int = 0
    """Zones flown this turn."""
    path: tuple[Zone, ...] = ()
    plan: Plan | None = None
    home: bool = False
    """4.7, 6.23 It returns as soon as it may."""
    lost: bool = False

    @property
    def face(self) -> Face:
        """The counter's upper side."""
        return self.back if self.back and self.mode in ("patrol", "recon") else self.front

    @property
    def search(self) -> tuple[int, int]:
        """2.435 Search strength by day and by night, in its mode."""
        return self.face.search

    @property
    def left(self) -> int:
        """6.22 Turns that it may still stay up after this one."""
        return self.face.endurance - self.up

    @property
    def launched(self) -> bool:
        """5.29 Did it take off this turn?"""
        return self.up == 1

    @property
    def flying(self) -> bool:
        """Is it in the air?"""
        return bool(self.zone)


class TaskForce(Struct):
    """5.4 Ships that sail and fight as one; its name is its owner's choice, TF and a number."""

    name: str
    ships: list[str]
    mode: Mode = "move"
    plan: Plan | None = None


class Convoy(Struct, frozen=True):
    """10.25 A convoy destroyed. day: of May (10.26)."""

    turn: int
    day: int
    zone: Zone
    ships: tuple[str, ...]
    points: int


class Discovery(Struct, frozen=True):
    """A German ship found by search, shadow, general search or a convoy attack (notes 7-12)."""

    turn: int
    ship: str
    zone: Zone


class War(Struct):
    """The whole state."""

    turn: int
    """11.2 The printed number, 4 to 34."""
    ships: dict[str, Ship]
    air: dict[str, AirUnit]
    forces: dict[Side, dict[str, TaskForce]]
    """By side and name."""
    known: dict[Side, Knowledge]
    dissolved: dict[Side, list[str]] = field(default_factory=lambda: {s: [] for s in SIDES})
    """Names of task forces that are gone since the last visibility phase."""
    sailing: bool = False
    """5.44 The visibility phase is over: until the next turn no task force forms or breaks."""
    level: int = 4
    """7.12 Visibility of this turn; 9 is X."""
    fog: bool = True
    """7.31"""
    located: dict[Side, list[str]] = field(default_factory=lambda: {s: [] for s in SIDES})
    """7.23 By the side that sees, the enemy ships located by search this turn."""
    met: int = 0
    """9.2, ruling 57 The turn of the last encounter, 0 before the first."""
    fighting: int = 0
    """9.3, ruling 57 The last turn in which a battle's first round was asked about, 0 never."""
    located_last: dict[Side, list[str]] = field(default_factory=lambda: {s: [] for s in SIDES})
    """8.11 Those of the turn before, which may be shadowed."""
    shadowed: list[str] = []
    """8.15 German ships held this turn."""
    shadowing: dict[str, list[str]] = field(default_factory=dict)
    """8.13 By unit that is assigned to shadow, and so does not search, the ships it attempts; none
    once it has lost them (8.15)."""
    hunted: list[str] = []
    """Ships under an attempt."""
    moved: list[str] = []
    """8.11 Those that have moved for it."""
    battles: list[Battle] = []
    """Naval actions of this turn."""
    fought: list[Battle] = []
    """Those of the turn before, which its report shows."""
    found: list[Discovery] = []
    """Every discovery so far."""
    bergen_seen_empty: int = 0
    """The turn in which air search saw Bergen empty, 0 never."""
    entries: dict[str, int] = {}
    """Note 13: the turn the British chose for a ship that enters."""
    tracks: dict[Side, dict[str, str]] = field(default_factory=lambda: {s: {} for s in SIDES})
    """The ship behind each pseudonym of a side's contacts."""
    scores: list[Score] = []
    """12.3, 12.4 Points written down by both players."""
    convoys: list[Convoy] = []
    options: dict[str, str] = {}
    house: dict[str, str] = {}
    """The moderator's house rules: texts of table files by name."""

    def __post_init__(self) -> None:
        """Ships and aircraft are in order of their ids; none is added later."""
        self.ships = dict(sorted(self.ships.items()))
        self.air = dict(sorted(self.air.items()))

    def fleet(self, side: Side) -> list[Ship]:
        """The ships of a side that are on the board, in order of their ids."""
        return [s for s in self.ships.values() if s.side == side and s.zone and not s.sunk]

    def enemies(self, side: Side) -> list[Ship]:
        """The ships of the other side that are on the board, in order of their ids."""
        return self.fleet(board.OTHER[side])

    def wing(self, side: Side) -> list[AirUnit]:
        """The air units of a side that are not lost, in order of their ids."""
        return [u for u in self.air.values() if u.side == side and not u.lost]

    def airborne(self, side: Side) -> list[AirUnit]:
        """The air units of a side that are in the air, in order of their ids."""
        return [u for u in self.wing(side) if u.flying]

    def locate(self, side: Side, ship: str) -> None:
        """7.23 `side` has located an enemy ship by search; the mark stands until the turn ends."""
        if ship not in self.located[side]:
            self.located[side].append(ship)

    def discover(self, ship: str) -> None:
        """Notes 7-12: the British know where this German ship is, however they learnt it."""
        self.found.append(Discovery(self.turn, ship, self.ships[ship].zone))

    def next_turn(self) -> None:
        """11.22 The turn is over: what holds for one turn is cleared, and the marker moves on."""
        self.located_last = self.located
        self.located = {side: [] for side in SIDES}
        self.shadowed, self.shadowing, self.hunted, self.moved = [], {}, [], []
        self.fought, self.battles, self.sailing = self.battles, [], False
        for ship in self.ships.values():
            if ship.origin:
                ship.wake = (*ship.wake, ship.origin)[-WAKE:]
            ship.origin, ship.path, ship.spent = ship.zone, (), 0
        for unit in self.air.values():
            unit.path, unit.used = (), 0
        self.turn += 1
