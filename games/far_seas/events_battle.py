"""The facts of a meeting: running, rounds, damage. One class, one kind, one sentence.

In a meeting both sides see each other's ships, so all of it is told to both by printed names; only
where a German ran to is told to him alone.
"""

from msgspec import Struct

from pbem.model import Event


class Part(Struct, frozen=True):
    """K3 A part of a damage roll. what: its key in combat.toml."""

    what: str
    value: int


class Met(Event, frozen=True):
    """R1 Ships of both sides meet."""

    area: str
    german: tuple[str, ...]
    allied: tuple[str, ...]
    germans: tuple[str, ...]
    """Their ids, for the record."""
    how: str
    """As `state.How`."""
    favoured: str = ""
    """The side that surprises, empty for none."""


# R Running


class RanUp(Event, frozen=True):
    """R1 Ships try to run. groups: how they go, one or broken up (R3)."""

    area: str
    side: str
    groups: tuple[tuple[str, ...], ...]


class CaughtTurning(Event, frozen=True):
    """R2 The Germans are surprised as they turn to run: the fight begins at C range."""

    area: str
    who: tuple[str, ...]


class Raced(Event, frozen=True):
    """R5-R8 One pursuer's race with a group."""

    area: str
    runners: tuple[str, ...]
    pursuer: str
    caught: bool


class Escaped(Event, frozen=True):
    """R9 Ships have got away; to: where Allies went, empty for Germans."""

    area: str
    side: str
    who: tuple[str, ...]
    to: str = ""


class RanTo(Event, frozen=True):
    """R9 Where own ships got away to; for the Germans."""

    who: tuple[str, ...]
    to: str


# K Combat


class RoundBegun(Event, frozen=True):
    """K1 A round of a fight."""

    area: str
    round: int
    reach: str
    """A, AB or ABC."""
    close: bool
    """F7 Everybody is in torpedo range."""
    german: tuple[str, ...]
    allied: tuple[str, ...]


class Fired(Event, frozen=True):
    """K2, K6 One ship's fire."""

    area: str
    who: str
    target: str
    die: int
    """0 when its guns do not reach."""
    row: int
    """Of the Damage Table."""
    damage: int
    parts: tuple[Part, ...] = ()
    aimed: int = 0
    """The torpedo's die, 0 without one."""
    needs: int = 0
    """The highest die with which the torpedo hits."""
    torpedo: int = -1
    """Its damage, -1 without a hit."""


class Damaged(Event, frozen=True):
    """K2 What a round did to a ship."""

    area: str
    who: str
    side: str
    hurt: int
    """Damage of this round."""
    damage: int
    """Damage so far, of its capacity."""
    capacity: int


class ShipSunk(Event, frozen=True):
    """K2 Damage has come to capacity. who: the ship's id; points: to the other side; hurt: in the
    round that sank her."""

    area: str
    who: str
    name: str
    side: str
    points: int
    hurt: int = 0


class FightEnded(Event, frozen=True):
    """The fight is over. left: the ships still there, by name."""

    area: str
    rounds: int
    left: tuple[str, ...]


class Mended(Event, frozen=True):
    """K8 A ship that survives combat removes a point of damage."""

    who: str
    side: str
    damage: int
    capacity: int


class Retired(Event, frozen=True):
    """K9 A damaged Allied ship leaves the war; forced: because it is half damaged."""

    who: str
    area: str
    forced: bool
