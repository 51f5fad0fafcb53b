"""The truth of a game: plain typed data from which a turn begins and to which it returns.

What a side has been told lives in `knowledge.Knowledge`; everything else here is the referee's.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from games.bismarck import board
from games.bismarck.board import BRITISH, GERMAN, SIDES, Zone
from games.bismarck.knowledge import Knowledge
from games.bismarck.vessels import Battle, Hits
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
    """What is left of an order to move. order: the legs as written, so that a standing order is
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
    """What the movement rules need of one ship, taken from the truth or from its owner's report.

    top: printed maximum speed (5.27: decides what fuel is spent). evasion: now. fuel: factors
    left, None where none is counted (5.21). two: the last turn of a two-zone move, 0 never. tied:
    why it cannot move at all this turn, empty when it can. launched: aircraft left it this turn.
    """

    name: str
    type: str
    top: int
    evasion: int
    fuel: int | None = None
    two: int = 0
    tied: str = ""
    launched: bool = False


class Ship(Struct):
    """One ship. id: printed name in capitals, which orders use; zone is empty outside play.

    patrol, search: strengths by day and by night (2.424), patrol None for carriers (2.423).
    path: zones entered this turn, in order; origin: where the turn found it; wake: where the
    last turns found it, oldest first. spent: fuel factors of this turn. two: last turn of a
    two-zone move (5.26). still: a turn in which it may not move (10.25). hits are for the battle
    board. force: its task force, empty alone.
    """

    id: str
    name: str
    side: Side
    type: str
    evasion: int
    speed: int
    sections: Sections
    search: tuple[int, int] = (1, 1)
    patrol: tuple[int, int] | None = None
    fuel: int | None = None
    tank: int | None = None
    zone: Zone = Zone("")
    mode: Mode = "move"
    force: str = ""
    hold: Hold = ""
    plan: Plan | None = None
    origin: Zone = Zone("")
    path: tuple[Zone, ...] = ()
    wake: tuple[Zone, ...] = ()
    spent: int = 0
    two: int = 0
    still: int = 0
    hits: Hits = field(default_factory=Hits)
    sunk: bool = False
    raided: bool = False

    @property
    def afloat(self) -> bool:
        """Is it on the board?"""
        return bool(self.zone) and not self.sunk

    @property
    def in_port(self) -> bool:
        """7.29 Is it in a port of its own side?"""
        return bool(board.port_of(self.zone, self.side))

    @property
    def evasion_now(self) -> int:
        """9.72 Evasion after damage."""
        return max(0, self.evasion - self.hits.permanent - self.hits.temporary)


class Face(Struct, frozen=True):
    """2.43 One side of an air counter. search: by day and by night; endurance in turns."""

    search: tuple[int, int]
    endurance: int
    speed: int


class AirUnit(Struct):
    """One air unit. base: a port, an air base, or the id of a carrier (2.438).

    front: attack mode of a bomber, movement mode of long range reconnaissance; back: recon or
    patrol mode, None without one. zone is empty while it is at base. up: turns in the air, this
    one included once it has taken off; ready: the first turn in which it may fly. used: zones
    flown this turn; home: it returns as soon as it may (4.7, 6.23).
    """

    id: str
    name: str
    side: Side
    type: AirKind
    base: str
    front: Face
    back: Face | None = None
    zone: Zone = Zone("")
    mode: AirMode = "move"
    up: int = 0
    ready: int = 0
    used: int = 0
    origin: Zone = Zone("")
    path: tuple[Zone, ...] = ()
    plan: Plan | None = None
    home: bool = False
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


class Score(Struct, frozen=True):
    """12.3, 12.4 Points written down by both players."""

    side: Side
    points: int
    rule: str
    what: str
    turn: int


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
    """The whole state. turn: the printed number (11.2), 4 to 34.

    level: visibility of this turn, 9 is X (7.12); fog: 7.31. forces: by side and name. located:
    by the side that sees, the enemy ships located by search this turn (7.23); located_last:
    those of the turn before, which may be shadowed (8.11); shadowed: German ships held this
    turn (8.15); shadowing: by unit that shadows, and so does not search (8.13), the ships it
    attempts; hunted: ships under an attempt; moved: those that have moved for it (8.11).
    battles: naval actions of this turn. found: every
    discovery so far; bergen_seen_empty: the turn in which air search saw Bergen empty.
    entries: the turn the British chose for a ship that enters (note 13). tracks: the ship behind
    each pseudonym of a side's contacts.
    house: the moderator's own table files by name.
    """

    turn: int
    ships: dict[str, Ship]
    air: dict[str, AirUnit]
    forces: dict[Side, dict[str, TaskForce]]
    known: dict[Side, Knowledge]
    level: int = 4
    fog: bool = True
    located: dict[Side, list[str]] = field(default_factory=lambda: {s: [] for s in SIDES})
    located_last: dict[Side, list[str]] = field(default_factory=lambda: {s: [] for s in SIDES})
    shadowed: list[str] = []
    shadowing: dict[str, list[str]] = field(default_factory=dict)
    hunted: list[str] = []
    moved: list[str] = []
    battles: list[Battle] = []
    found: list[Discovery] = []
    bergen_seen_empty: int = 0
    entries: dict[str, int] = {}
    tracks: dict[Side, dict[str, str]] = field(default_factory=lambda: {s: {} for s in SIDES})
    scores: list[Score] = []
    convoys: list[Convoy] = []
    options: dict[str, str] = {}
    house: dict[str, str] = {}

    def __post_init__(self) -> None:
        """Ships and aircraft lie in order of their ids; none joins them later."""
        self.ships = dict(sorted(self.ships.items()))
        self.air = dict(sorted(self.air.items()))

    def fleet(self, side: Side) -> list[Ship]:
        """The ships of a side that are on the board, in order of their ids."""
        return [s for s in self.ships.values() if s.side == side and s.afloat]

    def enemies(self, side: Side) -> list[Ship]:
        """The ships of the other side that are on the board, in order of their ids."""
        return self.fleet(GERMAN if side == BRITISH else BRITISH)

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
        """11.22 The turn is over: marks of this turn go, the marker moves on."""
        self.located_last = self.located
        self.located = {side: [] for side in SIDES}
        self.shadowed, self.shadowing, self.hunted, self.moved = [], {}, [], []
        self.battles = []
        for ship in self.ships.values():
            if ship.origin:
                ship.wake = (*ship.wake, ship.origin)[-WAKE:]
            ship.origin, ship.path, ship.spent = ship.zone, (), 0
        for unit in self.air.values():
            unit.path, unit.used = (), 0
        self.turn += 1
