"""The truth of a game: plain typed data from which a turn begins and to which it returns.

Allied ships are open on the board; the place of a German ship is secret until it is found
(`knowledge`).
"""

from operator import attrgetter
from typing import Literal

from msgspec import Struct, field

from games.far_seas.board import BRITISH, GERMAN, SIDES
from games.far_seas.events import Sailed
from games.far_seas.knowledge import Knowledge
from pbem.kit.points import Score, Scoring
from pbem.model import Side

__all__ = [
    "BRITISH",
    "GERMAN",
    "GRADES",
    "SIDES",
    "Duty",
    "Fight",
    "Gone",
    "How",
    "Score",
    "Ship",
    "War",
]

Type = Literal["BC", "BB", "AC", "CR", "CL", "AMC"]
Gun = Literal["A", "B", "C"]
Duty = Literal["", "convoy", "station", "expedition", "river", "watch"]
"""M3, M4 What keeps a ship out of the Start and Moved boxes.

convoy: covers the merchants (M6); station: covers a station (M7); expedition: supports a landing;
river: a German in the Rufiji (G2); watch: an Ally beside it (G3)."""
Gone = Literal["", "sunk", "interned", "retired", "home"]
How = Literal["search", "surprise", "station", "river", "convoy"]
"""How a fight came about: found by search (S8), a surprise search (S11), ships on a raided station
(S9), a German leaving the river met by Allies moving in (G8), the escort of a convoy."""

WAKE = 3
"""Turns of which a ship's area is kept, this one included: charts show the tracks of a month."""

GRADES = ("3", "3+", "4-", "4", "4+", "5-", "5")
"""R5, F4 The ladder of speeds, slowest first; a ship's `speed` is its place in it."""


class Ship(Struct):
    """One ship."""

    id: str
    """Printed name folded to capitals, which orders use."""
    name: str
    """As printed."""
    side: Side
    nation: str
    type: Type
    gun: Gun
    """Longest range class."""
    speed: int
    """Place in GRADES of its printed grade."""
    capacity: int
    roll: int
    """K3 Printed damage roll modifier, 0 or less."""
    points: int
    tubes: bool
    """It may make torpedo attacks."""
    start: str
    """Where it enters."""
    enters: int = 1
    area: str = ""
    """Empty before it enters and when it is gone."""
    leader: str = ""
    """S The ship whose squadron it is in, empty when it is alone or leads."""
    duty: Duty = ""
    post: str = ""
    """The station or landing of its duty."""
    moved: bool = False
    """It is in the Moved box this turn."""
    segment: int = 0
    """In which segment it moved."""
    busy: bool = False
    """S30 It searched and found, or fought, this turn."""
    damage: int = 0
    """In points."""
    fought: int = 0
    """K3 Naval combats so far."""
    surprised: bool = False
    """S11 It has taken part in its one surprise search."""
    found: bool = False
    """S11 It was found this turn."""
    ran: bool = False
    """It ran this turn."""
    raids: str = ""
    """The station that it is about to raid."""
    prey: bool = False
    """It attacks a convoy."""
    quits: Literal["", "home", "intern"] = ""
    """It tries to get home (G9) or gives itself up (found b)."""
    trapped: bool = False
    """G7 It was found in the river, where it must stay."""
    gone: Gone = ""
    out: int = 0
    """The turn in which it left the game."""
    wake: tuple[str, ...] = ()
    """The areas where the last turns found it, this one last."""

    @property
    def afloat(self) -> bool:
        """Is it on the board?"""
        return bool(self.area) and not self.gone

    @property
    def half(self) -> bool:
        """K9, K10 Is it half damaged or worse?"""
        return 2 * self.damage >= self.capacity

    @property
    def sunk(self) -> bool:
        """Damage at capacity or above sinks it."""
        return self.damage >= self.capacity


class Fight(Struct):
    """One meeting of Germans and Allies, as the search hands it to the chapter of combat."""

    area: str
    german: list[str]
    """Ids of the squadron, or of the one ship."""
    british: list[str]
    """Ids of the Allies that meet it."""
    how: How
    favoured: str = ""
    """The side that fires with +2, from C range (S12 German, G8 British in the first round alone);
    empty without one."""
    station: str = ""
    """The one defended, or raided."""
    round: int = 0
    """Rounds fought so far."""
    ranaway: list[str] = []
    """Ids that are out of it."""
    plans: dict[str, str] = {}
    """Side -> its answer to how it meets the enemy (`plans`)."""

    def plan(self, side: Side) -> str:
        """What a side has answered for the whole of it, empty for nothing."""
        return self.plans.get(side, "")

    def ships(self, side: Side) -> list[str]:
        """The ids of one side."""
        return self.german if side == GERMAN else self.british

    def enemies(self, side: Side) -> list[str]:
        """The ids of the other side."""
        return self.british if side == GERMAN else self.german


_by_id = attrgetter("id")


class War(Scoring, Struct):
    """The whole state."""

    turn: int
    """Half-months; number 1 is 1 to 15 August 1914."""
    last: int
    """The turn that ends the game."""
    ships: dict[str, Ship]
    known: Knowledge
    segment: int = 0
    """E4 Of this turn, from 1."""
    bound: dict[str, Sailed] = {}
    """M4 By ship, what the Germans do who are named and have not sailed in this segment yet."""
    surprised: bool = False
    """S11 A surprise search was made this turn."""
    meeting: bool = False
    """The sides are being asked how they meet the enemy: nobody moves now."""
    planned: bool = False
    """The sides were asked this turn how they meet the enemy."""
    raided: list[str] = []
    """E3 Stations raided so far."""
    committed: dict[str, dict[str, int]] = {}
    """Ships at each landing by turn."""
    taken: dict[str, int] = {}
    """Found h: merchants taken this turn by area."""
    scores: list[Score] = []
    """kind: captures, station, sunk, interned, cowardice, expedition or home."""
    fight: Fight | None = None
    """The one being fought, for what its sides know of it."""
    levels: tuple[int, ...] = ()
    """See scenarios.toml."""
    scenario: str = "war"
    areas: tuple[str, ...] = ()
    """Those in play, empty for all."""
    options: dict[str, str] = field(default_factory=dict)

    def fleet(self, side: Side) -> list[Ship]:
        """The ships of a side that are on the board, in order of their ids."""
        found = [s for s in self.ships.values() if s.side == side and s.area and not s.gone]
        return sorted(found, key=_by_id)

    def group(self, id_: str) -> list[Ship]:
        """M5 (S) The squadron of a ship, its leader first; the ship alone when it has none."""
        lead = self.ships[id_].leader or id_
        rest = [s for s in self.ships.values() if s.leader == lead and s.area and not s.gone]
        return [self.ships[lead], *sorted(rest, key=_by_id)]

    def leave(self, id_: str) -> None:
        """M5 The ship leaves its squadron; where it led, the next by name leads."""
        ship = self.ships[id_]
        rest = [s for s in self.group(id_) if s.id != id_]
        if not ship.leader:
            for mate in rest:
                mate.leader = rest[0].id if mate is not rest[0] else ""
        ship.leader = ""

    def mark(self, ship: Ship) -> None:
        """A turn begins: this is where it finds the ship."""
        if ship.afloat:
            ship.wake = (*ship.wake, ship.area)[-WAKE:]

    def lose(self, id_: str, gone: Gone) -> None:
        """The ship is out of the game."""
        self.leave(id_)
        ship = self.ships[id_]
        ship.gone, ship.area, ship.duty, ship.post, ship.raids = gone, "", "", "", ""
        ship.out = self.turn
