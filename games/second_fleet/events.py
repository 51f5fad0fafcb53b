"""What is told. Own units by name, enemies by the pseudonym of the side that is told."""

from msgspec import field

from pbem.model import Event


class InitiativeRolled(Event, frozen=True, kw_only=True):
    """14 Who acts first in a segment."""

    segment: int
    first: str


class SegmentPlayed(Event, frozen=True, kw_only=True):
    """222 What a side activates in a segment."""

    side: str
    segment: int
    layer: str
    """air, sub, surf or pass."""


class Located(Event, frozen=True, kw_only=True):
    """97 A marker of the enemy is found, or better known than before."""

    contact: str
    at: str
    what: str
    """TF, TG, single or SUB."""
    types: tuple[str, ...]
    size: str
    level: int
    hurt: int
    how: str
    """What found it: recon, zone, ASW, SOSUS, coast, attack, full speed."""
    fresh: bool = True
    """It was not held before."""
    names: tuple[str, ...] = ()


class Tracked(Event, frozen=True, kw_only=True):
    """113 A contact that is held has moved, or changed."""

    contact: str
    at: str
    what: str
    types: tuple[str, ...]
    size: str
    level: int
    hurt: int
    names: tuple[str, ...] = ()


class Faded(Event, frozen=True, kw_only=True):
    """254 A contact's marker has gone."""

    contact: str
    at: str
    gone: str = ""
    """`sunk`; `left`: with its nation; `regrouped`: its ships sail under another marker now."""
    into: str = ""
    """The contact with which it has merged."""


class Found(Event, frozen=True, kw_only=True):
    """6.16/6 The enemy has a marker on own ships."""

    unit: str
    at: str
    level: int
    how: str


class Lost(Event, frozen=True, kw_only=True):
    """254 The enemy's marker has gone from own ships."""

    unit: str
    at: str


class MissionsSent(Event, frozen=True, kw_only=True):
    """42 What was allocated, to its owner."""

    zone: str
    mission: str
    units: tuple[str, ...]


class Intercepted(Event, frozen=True, kw_only=True):
    """53 Interceptors met over a zone."""

    zone: str
    attacker: str
    ours: int
    """Squadrons of the side that is told."""
    theirs: int
    lost: int
    """Steps of the side that is told."""
    killed: int
    winner: str
    """Empty if both were driven off."""


class Bounced(Event, frozen=True, kw_only=True):
    """56 Interceptors fell upon other missions."""

    zone: str
    winner: str
    lost: int
    """Steps of the loser."""
    back: bool
    missions: tuple[str, ...]
    """6.16/12 Those that were driven off, `recon 2`."""


class AirHit(Event, frozen=True, kw_only=True):
    """238 An own squadron is damaged or destroyed."""

    unit: str
    destroyed: bool


class ReconDone(Event, frozen=True, kw_only=True):
    """98 What a squadron on recon brought home, to its owner."""

    unit: str
    zone: str
    found: str
    """A contact, or nothing."""


class CapSet(Event, frozen=True, kw_only=True):
    """6.16/11 Patrols as they are assigned: over which base, how many squadrons."""

    side: str
    at: str
    """A base by its name, or a group of the side that is told, or a contact."""
    count: int


class CapMet(Event, frozen=True, kw_only=True):
    """66 A patrol attacked aircraft."""

    at: str
    """Where."""
    cap: str
    """Over what the patrol stood."""
    ours: bool
    """It is that of the side that is told."""
    cap_lost: int
    lost: int
    cap_back: bool
    back: bool
    types: tuple[str, ...] = ()
    """6.16/11 What flew in a patrol of the enemy."""


class Sailed(Event, frozen=True, kw_only=True):
    """An own stack or submarine moved."""

    unit: str
    to: str
    hexes: int
    short: str = ""
    """What stopped it before it was where it was ordered; empty if it went all the way."""


class Stopped(Event, frozen=True, kw_only=True):
    """An own stack or submarine could not move."""

    unit: str
    at: str
    short: str = ""
    """What stopped it."""


class Flew(Event, frozen=True, kw_only=True):
    """Own aircraft flew to a target and landed."""

    units: tuple[str, ...]
    to: str
    land: str
    start: str = ""
    """The hex from which they flew."""


class Attacked(Event, frozen=True, kw_only=True):
    """An attack on ships or submarines, as the attacker is told."""

    by: tuple[str, ...]
    attack: str
    """ssm, bomb, asw, torpedo."""
    at: str
    contact: str
    total: int
    defence: int
    parts: dict[str, int] = field(default_factory=dict)
    """3.4 What else is added to his dice: fjord, base, alone (no ship of his is near), storm."""
    guides: int = 0
    """122 Squadrons that guided it: each adds 1."""
    wished: int = 0
    """As many as were ordered to."""


class WasAttacked(Event, frozen=True, kw_only=True):
    """The same, as the defender is told."""

    by: tuple[str, ...]
    attack: str
    at: str
    total: int
    """Of the defence."""
    defence: int


class Struck(Event, frozen=True, kw_only=True):
    """162 What one target suffered; both are told her name."""

    ship: str
    type: str
    side: str
    result: int
    outcome: str


class BaseStruck(Event, frozen=True, kw_only=True):
    """181 What an attack did to a base."""

    base: str
    part: str
    result: int
    damage: int


class Sunk(Event, frozen=True, kw_only=True):
    """162 A ship or submarine is destroyed."""

    ship: str
    type: str
    side: str
    points: int


class Scored(Event, frozen=True, kw_only=True):
    """3.14 Points for what no other event tells both."""

    side: str
    """Who gets them."""
    points: int
    what: str
    """air: an enemy squadron is destroyed; raid, hunt: NATO's first attack on a Soviet base, on a
    missile submarine."""
    count: int = 1
    """Squadrons."""


class Unable(Event, frozen=True, kw_only=True):
    """An order that could not be carried out, to its sender. order: as receipts print it."""

    actor: str
    what: str
    order: str = ""


class Formed(Event, frozen=True, kw_only=True):
    """83 An own group was made or changed."""

    group: str
    ships: tuple[str, ...]


class Disbanded(Event, frozen=True, kw_only=True):
    """84 An own group has too few combat ships left; its ships sail alone."""

    group: str
    ships: tuple[str, ...]


class Repaired(Event, frozen=True, kw_only=True):
    """180 A base is better by a step."""

    base: str
    part: str
    damage: int


class Unloaded(Event, frozen=True, kw_only=True):
    """6.17/4 A cargo ship unloaded."""

    ship: str
    port: str
    points: int


class BrokeThrough(Event, frozen=True, kw_only=True):
    """6.18 What the submarines of The Gap are worth at its end."""

    through: int
    behind: int
    points: int
    held: int
