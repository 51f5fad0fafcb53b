"""The facts of shadow, air strikes and battle. As in `events`: one class, one kind, one sentence.

On the battle board counters are face up, so both sides are told the names of ships in a battle.
"""

from __future__ import annotations

from games.bismarck.events import Sighting
from pbem.model import Event

# 4.3, 8 Shadow


class MovedTwoZones(Event, frozen=True):
    """8.18 Announced before the shadow is rolled for. about: the British name of the contact."""

    about: str


class ShadowHeld(Event, frozen=True):
    """8.15 The British hold contact and learn the new zone. by: their own unit."""

    zone: str
    seen: tuple[Sighting, ...]
    by: str


class ShadowLost(Event, frozen=True):
    """8.15 The British lose the contact. about: their own name for it."""

    about: str
    by: str


class ForceSplit(Event, frozen=True):
    """8.16 Ships have left the task force that is shadowed. types: their general types."""

    about: str
    types: tuple[str, ...]


class Shadowed(Event, frozen=True):
    """8.15 Own ships were shadowed, or shook the shadower off. zone: where, when held."""

    who: tuple[str, ...]
    held: bool
    zone: str = ""


class Followed(Event, frozen=True):
    """8.23 Own units moved into the shadowed ship's zone."""

    who: tuple[str, ...]
    zone: str


# 4.7, 9.1 Air attack


class Struck(Event, frozen=True):
    """9.16 One strike of an own air unit. target: the type it went at, of a ship that it hit the
    name (9.18), and `contact` what the side calls her; result: what it did."""

    who: str
    zone: str
    target: str
    result: str
    contact: str = ""


class UnderAttack(Event, frozen=True):
    """9.16 A strike on own ships. who: the ship; by: torpedo or level bombers."""

    who: str
    zone: str
    by: str
    result: str


# 4.8, 9.2-9.9 Battle


class AttackDeclared(Event, frozen=True):
    """9.24 Naval combat is announced: general types and evasion levels, to both sides."""

    zone: str
    side: str
    attacker: str
    defender: str
    accepted: bool = True


class BattleJoined(Event, frozen=True):
    """9.28 The ships on the board, by name. seen: the enemies among them, as this side calls them,
    in the order of `enemies`."""

    zone: str
    number: int
    own: tuple[str, ...]
    enemies: tuple[str, ...]
    seen: tuple[Sighting, ...] = ()


class Deployed(Event, frozen=True):
    """9.28 Where ships stand before they move. places: `Hood 5650 SW`, hex and heading of every
    ship in the battle; ranges: as in `RoundBegun`."""

    zone: str
    places: tuple[str, ...]
    ranges: tuple[str, ...]


class Recognised(Event, frozen=True):
    """9.28 Enemies that join later, by name. seen: as in `BattleJoined`."""

    zone: str
    number: int
    enemies: tuple[str, ...]
    seen: tuple[Sighting, ...] = ()


class Reinforced(Event, frozen=True):
    """9.41, 9.272 Ships enter the battle. places: theirs, as in `Deployed`."""

    zone: str
    who: tuple[str, ...]
    places: tuple[str, ...] = ()


class ReinforcementReady(Event, frozen=True):
    """9.44 The die lets own ships in; they enter when their owner wants it."""

    zone: str
    who: tuple[str, ...]


class RoundBegun(Event, frozen=True):
    """9.31 A round, after all movement. ranges: `Bismarck - Hood 5` for every pair in sight;
    places: as in `Deployed`."""

    zone: str
    round: int
    ranges: tuple[str, ...]
    withdrawing: tuple[str, ...] = ()
    places: tuple[str, ...] = ()


class Misfire(Event, frozen=True):
    """9.83 A turret fails: bow or stern salvos are halved this round."""

    who: str
    gun: str


class Fired(Event, frozen=True):
    """9.66 One ship's fire at one target."""

    who: str
    target: str
    hexes: int
    field: str
    """What the target shows to the guns."""
    shots: int
    results: tuple[str, ...]
    """Of its hits, as the table prints them."""


class ShipHit(Event, frozen=True):
    """9.711 Boxes that a ship lost in a round or a strike."""

    who: str
    side: str
    zone: str
    bow: int = 0
    stern: int = 0
    port: int = 0
    starboard: int = 0
    midships: int = 0
    evasion: int = 0
    """Lost for good (9.722)."""


class ShipSunk(Event, frozen=True):
    """9.714 Every midships box is hit. points: that the enemy gets for it (12.31, 12.41)."""

    who: str
    side: str
    zone: str
    points: int = 0


class ShipWithdrew(Event, frozen=True):
    """9.97 No enemy is within six hexes of it any more."""

    who: str
    zone: str


class BattleEnded(Event, frozen=True):
    """9.32, 9.92 The action is over; `why` says how."""

    zone: str
    rounds: int


class Repaired(Event, frozen=True):
    """9.728 An own ship regains evasion. evasion: its level now."""

    who: str
    regained: int
    evasion: int
