"""What both sides are told of an advanced Battle (8.3)."""

from __future__ import annotations

from pbem.model import Event, Side


class SnafuChecked(Event, frozen=True, kw_only=True):
    """The Snafu Check of a Battle; ship: whom it strikes; side: who has the Confusion marker."""

    result: str
    ship: str = ""
    side: str = ""


class ShipJoins(Event, frozen=True, kw_only=True):
    """A ship that was late comes onto the Battle Board."""

    ship: str


class AttitudesTaken(Event, frozen=True, kw_only=True):
    """Ship -> closing, running or acquiring."""

    ways: dict[str, str]


class RudderRolled(Event, frozen=True, kw_only=True):
    """Who commands a ship without rudder."""

    ship: str
    side: Side


class Pursued(Event, frozen=True, kw_only=True):
    """A ship has drawn an enemy into another zone."""

    ship: str
    target: str
    zone: str


class Screened(Event, frozen=True, kw_only=True):
    """A ship stands before another, at which nobody fires."""

    ship: str
    screened: str


class DamageControl(Event, frozen=True, kw_only=True):
    """Ships that do not fire in the next round, as they fight their damage."""

    ships: tuple[str, ...]


class EffectRolled(Event, frozen=True, kw_only=True):
    """What becomes of an effect, in a round or as the Battle ends."""

    ship: str
    effect: str
    result: str


class Confused(Event, frozen=True, kw_only=True):
    """The Confusion marker is spent: `hit`, `attitude` or `move`; ship: whom it touches; onto: who
    takes the result."""

    side: Side
    what: str
    ship: str
    onto: str = ""


class RoundAdded(Event, frozen=True, kw_only=True):
    """Nobody runs: the Battle has one more round."""

    rounds: int


class ShipRuns(Event, frozen=True, kw_only=True):
    """One ship tried to break away."""

    ship: str
    away: bool
