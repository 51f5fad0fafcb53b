"""What is told. Everything on the table is open: nearly all of it goes to every side."""

from pbem.model import Event


class Placed(Event, frozen=True, kw_only=True):
    """215 A ship or squadron is set up."""

    card: str
    at: str
    heading: str


class FleetBought(Event, frozen=True, kw_only=True):
    """2.6 The ships and squadrons with which a side fights."""

    side: str
    cards: str


class Resigned(Event, frozen=True, kw_only=True):
    """213 A side gives the battle up."""

    side: str


class TelegraphSet(Event, frozen=True, kw_only=True):
    """23 An engine telegraph was moved, or a hull flooded or pumped out."""

    card: str
    setting: str
    before: str
    trim: str = ""
    """`down` or `up`, if that changed."""


class BidPaid(Event, frozen=True, kw_only=True):
    """28 What a side bid, and the place that it takes."""

    side: str
    points: int
    place: int
    tied: bool = False
    """29 A die decided between this bid and an equal one."""


class Activated(Event, frozen=True, kw_only=True):
    """3 A card is played."""

    card: str
    how: str = ""
    """`reserve` or `dash`; empty: from the top of the stack."""


class Sailed(Event, frozen=True, kw_only=True):
    """39 Where a vessel's move ended."""

    vessel: str
    at: str
    heading: str
    inches: str


class CollisionTried(Event, frozen=True, kw_only=True):
    """49 Two vessels touched; they collide, or not."""

    vessel: str
    other: str
    forcing: str
    """Who forced it: a vessel, `both` or nobody."""
    collided: bool
    hits: int = 0
    """On the vessel that moved."""
    taken: int = 0
    """On the other."""
    splash: int = 0
    """Of `hits`, those that were dodged (89)."""
    spray: int = 0
    """Of `taken`, those that were dodged."""


class RanOnto(Event, frozen=True, kw_only=True):
    """65 Onto land, a reef or a rig."""

    vessel: str
    what: str
    hits: int
    splash: int = 0
    """Hits that she dodged (89)."""


class GroundTested(Event, frozen=True, kw_only=True):
    """58 A test in shoal water."""

    vessel: str
    depth: str
    aground: bool


class LeftTable(Event, frozen=True, kw_only=True):
    """14 of 2.1 Gone over the edge."""

    vessel: str
    edge: str
    exit: bool


class Fired(Event, frozen=True, kw_only=True):
    """83 A salvo, a tesla arc or a beam."""

    vessel: str
    weapon: str
    what: str
    """The kind of the weapon."""
    target: str
    inches: str
    dice: int
    hits: int
    splash: int = 0
    """Hits that the target dodged (89)."""


class Unable(Event, frozen=True, kw_only=True):
    """An order that could not be carried out; its owner is told."""

    actor: str
    what: str


class Crippled(Event, frozen=True, kw_only=True):
    """85."""

    vessel: str


class Wrecked(Event, frozen=True, kw_only=True):
    """87."""

    vessel: str


class Boarded(Event, frozen=True, kw_only=True):
    """102 Rocket troopers went over."""

    vessel: str
    target: str
    troopers: int
    hits: int


class AckAck(Event, frozen=True, kw_only=True):
    """136 Anti-aircraft fire."""

    vessel: str
    target: str
    hits: int


class SalvoLaunched(Event, frozen=True, kw_only=True):
    """101."""

    vessel: str
    salvo: str
    heading: str


class SalvoStruck(Event, frozen=True, kw_only=True):
    """116 A salvo reached a vessel."""

    salvo: str
    target: str
    stopped: int
    """Torpedoes that concussion charges stopped."""
    hits: int
    splash: int = 0


class SalvoGone(Event, frozen=True, kw_only=True):
    """115 A salvo is removed."""

    salvo: str
    what: str


class Flew(Event, frozen=True, kw_only=True):
    """122 Where a marker's flight ended."""

    marker: str
    at: str
    doing: str = ""
    lead: str = ""
    """120 The marker in whose group it flew."""


class Launched(Event, frozen=True, kw_only=True):
    """106."""

    marker: str
    carrier: str


class Landed(Event, frozen=True, kw_only=True):
    """107, 110 Taken aboard, or gone home over its edge."""

    marker: str
    where: str


class Dogfight(Event, frozen=True, kw_only=True):
    """131 Planes shot down on each side."""

    marker: str
    other: str
    kills: int
    losses: int
    mates: str = ""
    """Who else fights on the side of `marker`; of `other`: `others`. Which of several lost how many
    planes is told with `PlanesLost`."""
    others: str = ""


class PlanesLost(Event, frozen=True, kw_only=True):
    """131, 137 What one of several markers that were shot at has lost."""

    marker: str
    planes: int


class AirAttack(Event, frozen=True, kw_only=True):
    """126-130 Bombs, or strafing."""

    marker: str
    target: str
    what: str
    dice: int
    hits: int
    splash: int = 0


class MarkerLost(Event, frozen=True, kw_only=True):
    """136 No plane is left, or no carrier to come home to (202)."""

    marker: str


class Repaired(Event, frozen=True, kw_only=True):
    """138 A critical hit was made good."""

    vessel: str
    what: str
    spent: int = 0


class Burned(Event, frozen=True, kw_only=True):
    """151."""

    vessel: str
    hits: int


class CriticalHit(Event, frozen=True, kw_only=True):
    """144 The effect of a turn's natural tens."""

    vessel: str
    total: int
    effects: str


class Drifted(Event, frozen=True, kw_only=True):
    """161 A wreck ran on."""

    vessel: str
    at: str


class Scored(Event, frozen=True, kw_only=True):
    """2.6 The points of a side at the end."""

    side: str
    points: int
