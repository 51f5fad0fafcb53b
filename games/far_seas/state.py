"""The truth of a game: plain typed data from which a turn begins and to which it returns.

The Allies' ships are open on the board; where a German ship is, is its owner's secret until it
is found (`knowledge`).
"""

from __future__ import annotations

from operator import attrgetter
from typing import Literal

from msgspec import Struct, field

from games.far_seas.board import BRITISH, GERMAN, SIDES
from games.far_seas.knowledge import Knowledge
from pbem.model import Side

__all__ = ["BRITISH", "GERMAN", "GRADES", "SIDES", "Duty", "Fight", "Gone", "How", "Score", "Ship",
           "War"]  # fmt: skip

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
    """One ship. id: printed name folded to capitals, which orders use; name: as printed.

    area is empty before it enters and when it is gone. gun: longest range class. speed: grade as
    printed (place in GRADES). roll: printed damage roll modifier, 0 or less (K3). tubes: may make
    torpedo attacks. leader: the ship whose squadron it is in, empty alone or leading (S). duty,
    post: what it does and the station or expedition where. moved: in the Moved box this turn;
    segment: in which one it moved. busy: it searched and found, or fought, this turn (S30). damage
    in points; fought: naval combats so far (K3); surprised: has taken part in its one surprise
    search (S11). ran: it ran this turn; raided: it raided this turn; found: it was found this turn
    (S11); raids: the station it is about to raid; prey: it attacks a convoy;
    quits: it tries to get home (G9) or gives itself up (found b);
    trapped: found in the river, where it must remain (G7). wake: the areas where the last turns
    found it, this one last.
    """

    id: str
    name: str
    side: Side
    nation: str
    type: Type
    gun: Gun
    speed: int
    capacity: int
    roll: int
    points: int
    tubes: bool
    start: str
    enters: int = 1
    area: str = ""
    leader: str = ""
    duty: Duty = ""
    post: str = ""
    moved: bool = False
    segment: int = 0
    busy: bool = False
    damage: int = 0
    fought: int = 0
    surprised: bool = False
    found: bool = False
    ran: bool = False
    raided: bool = False
    raids: str = ""
    prey: bool = False
    quits: Literal["", "home", "intern"] = ""
    trapped: bool = False
    gone: Gone = ""
    wake: tuple[str, ...] = ()

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
    """One meeting of Germans and Allies, as the search hands it to the chapter of combat.

    german, british: ids, by the rules' first group: a squadron, or one ship. how: see `How`.
    favoured: the side that fires with +2 in the first round, from C range (S12 German, G8
    British), empty when nobody is surprised. round: rounds fought so far; station: the one
    defended, or raided. tried: ids that have tried to run; ranaway: ids that are out of it.
    """

    area: str
    german: list[str]
    british: list[str]
    how: How
    favoured: str = ""
    station: str = ""
    round: int = 0
    tried: list[str] = []
    ranaway: list[str] = []

    def ships(self, side: Side) -> list[str]:
        """The ids of one side."""
        return self.german if side == GERMAN else self.british

    def enemies(self, side: Side) -> list[str]:
        """The ids of the other side."""
        return self.british if side == GERMAN else self.german


class Score(Struct, frozen=True):
    """Points written down. kind: captures, station, sunk, interned, cowardice, expedition, home."""

    side: Side
    points: int
    kind: str
    rule: str
    what: str
    turn: int


_by_id = attrgetter("id")


class War(Struct):
    """The whole state. turn: half-months from 1 to 15 August 1914, number 1; segment: of this turn,
    from 1 (E4); last: the turn that ends the game. surprised: a surprise search was made this turn
    (S11). raided: stations raided so far (E3). committed: ships at each landing by turn; taken:
    merchants taken this turn by area (found h). fight: the one being fought, for what its sides
    know of it. levels: see scenarios.toml; areas: those in play, empty for all."""

    turn: int
    last: int
    ships: dict[str, Ship]
    known: Knowledge
    segment: int = 0
    surprised: bool = False
    raided: list[str] = []
    committed: dict[str, dict[str, int]] = {}
    taken: dict[str, int] = {}
    scores: list[Score] = []
    fight: Fight | None = None
    levels: tuple[int, ...] = ()
    scenario: str = "war"
    areas: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict)

    def fleet(self, side: Side) -> list[Ship]:
        """The ships of a side that are on the board, in order of their ids."""
        found = [s for s in self.ships.values() if s.side == side and s.afloat]
        return sorted(found, key=_by_id)

    def group(self, id_: str) -> list[Ship]:
        """M8 The squadron of a ship, its leader first; the ship alone when it has none."""
        lead = self.ships[id_].leader or id_
        rest = [s for _, s in sorted(self.ships.items()) if s.leader == lead and s.afloat]
        return [self.ships[lead], *rest]

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

    def total(self, side: Side) -> int:
        """Points of a side so far."""
        return sum(s.points for s in self.scores if s.side == side)

    def score(self, side: Side, points: int, kind: str, rule: str, what: str) -> None:
        """Write points down; nothing is written for none."""
        if points:
            self.scores.append(Score(side, points, kind, rule, what, self.turn))
