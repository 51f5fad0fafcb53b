"""What a side's report shows of a naval action: the battle board as both players see it (9.28).

Counters lie face up, so that names, hexes, headings and fire are open to both sides. Boxes of the
enemy are those that were seen hit (9.18, 9.727); what he repaired since is not known.
"""

from msgspec import Struct

from games.bismarck.battle.coordinates import Heading


class Spot(Struct, frozen=True):
    """Where a counter stood. round: 0 for the set-up, and else that in which it came there."""

    round: int
    hex: str
    """As `battle.coordinates` names it."""
    heading: Heading


class Section(Struct, frozen=True):
    """9.711 The boxes of one section: all that are printed, and how many of them are hit."""

    name: str
    boxes: int
    hit: int = 0


class Bearing(Struct, frozen=True):
    """9.61, 9.63 An enemy from a ship: hexes away, and in which of its sectors."""

    ship: str
    hexes: int
    sector: str


class BoardShip(Struct, kw_only=True):
    """One ship of a battle."""

    name: str
    type: str
    own: bool
    id: str = ""
    """Of an own ship."""
    track: tuple[Spot, ...]
    """Where it stood, where it stands last."""
    fate: str = ""
    """`sunk`, `withdrew` or `broke off`; empty while it fights."""
    withdrawing: bool = False
    """9.94 It bears a blank counter."""
    sections: tuple[Section, ...]
    printed: int
    """Its evasion level when whole."""
    evasion: int
    """9.727 Now, of an own ship; of an enemy at most: what it regained is its owner's secret."""
    bearings: tuple[Bearing, ...] = ()
    """Of the enemies in the battle, while it fights."""
    options: tuple[tuple[int, int], ...] = ()
    """9.53 Of an own ship that fights: hexes and turns that go together at its evasion. From these
    `battle_places.reach` makes all places that it can reach."""

    @property
    def at(self) -> Spot:
        """Where it stands."""
        return self.track[-1]


class Salvo(Struct, frozen=True, kw_only=True):
    """9.65 What one ship fired at one target in a round. hits: `2 midships`, in words."""

    round: int
    ship: str
    target: str
    hexes: int
    shots: int
    hits: tuple[str, ...] = ()
    boxes: int = 0
    """How many boxes were hit."""


class BattleBoard(Struct, kw_only=True):
    """One battle as a side sees it."""

    zone: str
    number: int
    round: int
    """Rounds fought so far."""
    edge: int
    """9.28 The attackers' edge, 1 to 6 as rolled."""
    attacker: str
    """The name of the side that attacks."""
    night: bool
    a_range: int
    b_range: int
    """9.61 Hexes; by night nothing can be fired beyond A range (11.12)."""
    over: str = ""
    """Why it ended, empty while it goes on."""
    ships: tuple[BoardShip, ...]
    fire: tuple[Salvo, ...] = ()
