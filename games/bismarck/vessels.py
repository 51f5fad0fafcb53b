"""9.28 What stands on the battle board: ships with hex, bow and withdrawal, and reserves."""

from typing import Literal

from msgspec import Struct

from pbem.kit.hexes import CENTRE, Facing, Hex
from pbem.model import Side

Fate = Literal["", "sunk", "withdrew", "broke off"]


class Hits(Struct):
    """9.7 Boxes lost by section, and evasion lost."""

    bow: int = 0
    stern: int = 0
    port: int = 0
    starboard: int = 0
    midships: int = 0
    permanent: int = 0
    """9.722 Evasion lost for good."""
    temporary: int = 0
    """9.723 Evasion that may be regained."""


class Stand(Struct, frozen=True):
    """9.5 Where a counter stood, face up, so that both sides saw it.

    round: the one in which it came there, 0 for the set-up (9.28).
    """

    round: int
    at: Hex
    facing: Facing


class Shot(Struct, frozen=True):
    """9.65 What one ship fired at one target in a round, as both sides saw it.

    round: from 1; ship, target: ids; guns: the sections that fired; hexes: the range; shots: how
    many; hits: what they did to the target by section. `Hits.temporary` stays 0: it is the owner's.
    """

    round: int
    ship: str
    target: str
    guns: tuple[str, ...]
    hexes: int
    shots: int
    hits: Hits


class Vessel(Struct):
    """One ship counter."""

    ship: str
    """Its id."""
    side: Side
    attacker: bool = False
    """9.31 It is of the attacking side."""
    at: Hex = CENTRE
    facing: Facing = Facing(0)
    withdrawing: bool = False
    """9.94 It bears a blank counter."""
    fate: Fate = ""
    """How it left the battle, empty while it is in it."""
    track: list[Stand] = []
    """Where it stood, the set-up or its entry first; a round may have several places."""
    held: bool = False
    """9.93 Its owner has heard that it may not withdraw, as he ordered."""
    short: list[str] = []
    """9.63 Targets of which its owner has heard that fewer guns bear than he designated."""


class Reserve(Struct):
    """9.25, 9.4, 9.272 A ship or task force that may come later.

    id: as orders call it. rolls: attempts so far (9.41). ready: a roll let it in (9.44). free: it
    avoided the combat and enters without a roll (9.272).
    """

    id: str
    side: Side
    ships: list[str]
    rolls: int = 0
    free: bool = False
    ready: bool = False
    barred: bool = False
    """9.43 Its owner has heard that it may not enter, as he ordered."""


class Battle(Struct):
    """One naval action."""

    zone: str
    attacker: Side
    number: int = 1
    """9.26 Among those of the turn, in the order in which they are fought."""
    round: int = 0
    """The one that is fought, or asked about."""
    edge: int = 0
    """9.28 The attackers' edge of the board."""
    silent: int = 0
    """Rounds in a row without a shot."""
    window: int = 0
    """The round that was asked about last, 0 before the first."""
    vessels: list[Vessel] = []
    reserves: list[Reserve] = []
    over: str = ""
    """Why it ended, empty while it goes on."""
    shots: list[Shot] = []
    """Everything fired, in order."""

    def note_places(self) -> None:
        """Add to the tracks where the counters stand now, in this round. Noting twice is harmless;
        a ship that has left the battle stays where it was."""
        for v in self.vessels:
            last = v.track[-1] if v.track else None
            moved = last is None or (last.at, last.facing) != (v.at, v.facing)
            stays = last is not None and not v.fate and last.round != self.round
            if moved or stays:
                v.track.append(Stand(self.round, v.at, v.facing))

    def fighting(self, side: Side | None = None) -> list[Vessel]:
        """Ships in the battle, of one side or of both, in the order they came."""
        return [v for v in self.vessels if not v.fate and side in (None, v.side)]

    def against(self, side: Side) -> list[Vessel]:
        """The ships that a side fights."""
        return [v for v in self.vessels if not v.fate and v.side != side]
