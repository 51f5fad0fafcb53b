"""What is told of the advanced level and of the options."""

from pbem.model import Event


class WeatherCame(Event, frozen=True, kw_only=True):
    """6.2 The weather of the day."""

    sky: str
    zones: tuple[str, ...]


class Negotiated(Event, frozen=True, kw_only=True):
    """3.11 The armistice marker moved."""

    box: str


class Political(Event, frozen=True, kw_only=True):
    """6.9 A random or special event, told to all."""

    event: str
    what: str
    """A base or a nation; empty: nothing came of it, or it has none."""
    side: str


class Withdrew(Event, frozen=True, kw_only=True):
    """6.9/4 Units of a nation that left the alliance, told to NATO."""

    units: tuple[str, ...]


class Mishap(Event, frozen=True, kw_only=True):
    """6.9/6 An accident, told to the owner."""

    ship: str
    lost: bool


class StrategyRose(Event, frozen=True, kw_only=True):
    """6.3/2 The Soviet strategy in force."""

    strategy: str


class Reinforced(Event, frozen=True, kw_only=True):
    """6.4 The own marker moved, and who came."""

    box: int
    units: tuple[str, ...]


class Entered(Event, frozen=True, kw_only=True):
    """6.4/3 Own units that came into play, each with its place."""

    units: tuple[str, ...]


class Unlanded(Event, frozen=True, kw_only=True):
    """An order that could not be carried out, to its sender. order: as receipts print it."""

    actor: str
    what: str
    order: str = ""


class ModeChanged(Event, frozen=True, kw_only=True):
    """197 An own submarine went deep, or surfaced."""

    ship: str
    deep: bool


class MinesLaid(Event, frozen=True, kw_only=True):
    """207 Own mines."""

    at: str
    count: int
    by: str


class Swept(Event, frozen=True, kw_only=True):
    """217 A field was swept, with or without success; told to both."""

    at: str
    swept: bool
    left: int


class MinesMet(Event, frozen=True, kw_only=True):
    """213 Own ships left a mined hex."""

    at: str
    count: int
    hits: int


class Landed(Event, frozen=True, kw_only=True):
    """6.3/4 Points that came ashore at a base, told to both."""

    side: str
    base: str
    points: int


class Dropped(Event, frozen=True, kw_only=True):
    """6.3/6 A parachute drop, told to both."""

    side: str
    base: str
    sent: int
    left: int


class CommandoSent(Event, frozen=True, kw_only=True):
    """6.3/8 A commando, told to its owner."""

    base: str
    works: bool
    lost: bool


class Assaulted(Event, frozen=True, kw_only=True):
    """6.3/9 An assault on a base, told to both."""

    side: str
    base: str
    points: int
    defence: int
    won: bool
    lost: int


class Captured(Event, frozen=True, kw_only=True):
    """6.3/13 A base changed hands, told to both."""

    base: str
    side: str
    garrison: int


class Fled(Event, frozen=True, kw_only=True):
    """6.3/13 Own ships left a base that fell."""

    base: str
    to: str


class Refilled(Event, frozen=True, kw_only=True):
    """6.5/5 An own ship took on all stores in port."""

    ship: str
    at: str


class Replenished(Event, frozen=True, kw_only=True):
    """6.5/6 Stores passed at sea."""

    by: str
    ship: str
    boxes: tuple[str, ...]


class OutOfFuel(Event, frozen=True, kw_only=True):
    """6.5/4 An own ship has no fuel left."""

    ship: str


class ReleaseSet(Event, frozen=True, kw_only=True):
    """6.6/1 The own answer to the release question, and whether weapons are released."""

    answer: str
    released: bool


class NuclearFired(Event, frozen=True, kw_only=True):
    """6.6/4 A nuclear weapon was fired, told to all."""

    side: str
    points: int


class Blast(Event, frozen=True, kw_only=True):
    """6.6/3 What lay near the target of a nuclear weapon is attacked too; told to both."""

    at: str
    points: int


class CloseFought(Event, frozen=True, kw_only=True):
    """6.8 Close combat: totals and results of the attacker and of the other, told to both."""

    at: str
    attacker: str
    totals: tuple[int, ...]
    results: tuple[int, ...]


class Strayed(Event, frozen=True, kw_only=True):
    """6.7/8 Missiles took another target, told to both."""

    at: str
    points: int


class DecoyMade(Event, frozen=True, kw_only=True):
    """6.19/4 An own decoy."""

    decoy: str
    at: str


class DecoyGone(Event, frozen=True, kw_only=True):
    """6.19/3 A decoy was seen through. decoy: its name, or the contact; empty if it was none."""

    decoy: str
    at: str


class Counted(Event, frozen=True, kw_only=True):
    """6.17/3 Bases, and submarines and task forces that deny the sea, counted for the Soviets."""

    box: str
    bases: int
    denial: int
