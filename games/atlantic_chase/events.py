"""What both sides are told. All positions are public; only a line that a programme leaves out is
told to its own side alone. name: the ships of the Task Force, as texts call it.
"""

from __future__ import annotations

from pbem.model import Event, Side

# Spells and Initiative


class SpellBegan(Event, frozen=True, kw_only=True):
    """R091 A side has Initiative; `number` is the spell."""

    side: Side
    number: int
    weather: str


class WeatherRolled(Event, frozen=True, kw_only=True):
    """R093 The new Active side's weather check."""

    weather: str
    changed: bool


class InitiativeChanged(Event, frozen=True, kw_only=True):
    """R100 Initiative goes to `side`."""

    side: Side


class Vied(Event, frozen=True, kw_only=True):
    """R095 Both rolled; `side` has Initiative now."""

    side: Side
    active: int
    idle: int
    bonus: int


class SeizeTried(Event, frozen=True, kw_only=True):
    """R097 The Idle side tried to seize Initiative."""

    side: Side
    total: int
    seized: bool


class SeizeDeclined(Event, frozen=True, kw_only=True):
    """R099 The Idle side let it pass and took an Evasive marker."""

    side: Side
    force: str = ""


class LineSkipped(Event, frozen=True, kw_only=True):
    """A line of the programme that was not permitted when its turn came; its own side alone."""

    line: str
    reason: str


class LinesLost(Event, frozen=True, kw_only=True):
    """Lines that were not carried out, as Initiative was lost before or the spell has had the most
    lines; its own side alone."""

    line: str
    """The first of them; empty if there are none."""
    count: int
    standing: bool = False
    """Are standing orders among them?"""
    most: int = 0
    """C20 The most lines of a spell, if these were reached; else 0."""


# Trajectories


class Extended(Event, frozen=True, kw_only=True):
    """R152 A Trajectory was laid: `added` in order; `line` is the whole of it."""

    force: str
    added: tuple[str, ...]
    line: tuple[str, ...]


class Lapsed(Event, frozen=True, kw_only=True):
    """D Time Lapse. gone: segments removed; station: where it stands if nothing is left."""

    force: str
    gone: tuple[str, ...]
    left: int
    station: str = ""


class SegmentsLost(Event, frozen=True, kw_only=True):
    """R173, R175 A result took these segments."""

    force: str
    gone: tuple[str, ...]
    left: int
    name: str = ""


class StationPlaced(Event, frozen=True, kw_only=True):
    """R177, R139 A Trajectory became a Station."""

    force: str
    at: str
    name: str = ""


class IntelPlaced(Event, frozen=True, kw_only=True):
    """R059, R063 These segments have got Intel markers."""

    force: str
    hexes: tuple[str, ...]
    name: str = ""


class ContactMade(Event, frozen=True, kw_only=True):
    """R076 A Contact marker."""

    force: str
    at: str
    name: str = ""


class ContactLost(Event, frozen=True, kw_only=True):
    """R185 Contact, Intel or both of a hex are gone."""

    force: str
    at: str
    contact: bool
    intel: bool
    name: str = ""


class EvasiveGiven(Event, frozen=True, kw_only=True):
    """R083 A Task Force has got an Evasive marker."""

    force: str
    name: str = ""


class EvasiveSpent(Event, frozen=True, kw_only=True):
    """R086 It spent it. use: on what."""

    force: str
    use: str
    name: str = ""


# Actions


class Designation(Event, frozen=True, kw_only=True):
    """R106, R118 An action that is rolled for, with all forces named for it."""

    deed: str
    force: str
    target: str
    at: str
    helper: str = ""
    air: str = ""
    launch: str = ""
    foe_helper: str = ""
    foe_air: str = ""
    foe_launch: str = ""
    evades: bool = False


class Interrupted(Event, frozen=True, kw_only=True):
    """R069 The Interruption check. result: -0, -1, -2, S, V or IC."""

    side: Side
    roll: int
    markers: int
    result: str


class Slipped(Event, frozen=True, kw_only=True):
    """R072 What the Idle side made of a Slip: `signals`, `evasive` or `nothing`."""

    side: Side
    how: str
    force: str = ""
    name: str = ""


class Cancelled(Event, frozen=True, kw_only=True):
    """R229 The action does not take place."""

    deed: str
    force: str
    name: str = ""


class Rolled(Event, frozen=True, kw_only=True):
    """R118, R124 The roll of an action: Trajectory Total, dice, modifiers, what the table says."""

    deed: str
    force: str
    target: str
    at: str
    total: int
    dice: tuple[int, ...]
    modifier: int
    result: str
    name: str = ""
    target_name: str = ""


class SignalsSent(Event, frozen=True, kw_only=True):
    """R138 Signals: the target is a Station in that hex now."""

    side: Side
    force: str
    at: str
    name: str = ""


class ReconMade(Event, frozen=True, kw_only=True):
    """R144 A Stealth force went to another hex."""

    stealth: str
    at: str


class StealthSpent(Event, frozen=True, kw_only=True):
    """R148 A Stealth force that has attacked leaves the game."""

    stealth: str


class Passed(Event, frozen=True, kw_only=True):
    """R127 A side passed. force: the Trajectory that lapsed, empty without one."""

    side: Side
    force: str = ""


class CompletionTried(Event, frozen=True, kw_only=True):
    """R109 A Task Force is about to Complete in a port."""

    force: str
    port: str


class Completed(Event, frozen=True, kw_only=True):
    """R112 A Task Force has left play in a port."""

    force: str
    port: str
    ships: tuple[str, ...]


class CompletionFailed(Event, frozen=True, kw_only=True):
    """R113 Initiative was seized first."""

    force: str
    name: str = ""


class Divided(Event, frozen=True, kw_only=True):
    """R131 Ships left for a new Task Force."""

    force: str
    new: str
    ships: tuple[str, ...]


class Merged(Event, frozen=True, kw_only=True):
    """R133 A Station joined another."""

    force: str
    gone: str


class Reinforced(Event, frozen=True, kw_only=True):
    """R134 A group came in, or did not."""

    side: Side
    group: str
    roll: int
    force: str = ""
    port: str = ""
    ships: tuple[str, ...] = ()


class PortEntered(Event, frozen=True, kw_only=True):
    """R008 A Station is in a Port Box now."""

    force: str
    port: str
    name: str = ""


class PortLeft(Event, frozen=True, kw_only=True):
    """R008 A Station has left its Port Box."""

    force: str
    at: str
    name: str = ""


class Dispersed(Event, frozen=True, kw_only=True):
    """R027 A Convoy has dispersed."""

    ship: str


# Ships


class ShipHit(Event, frozen=True, kw_only=True):
    """R181 A ship takes Hits. state: damaged or sunk if they have made it so, else afloat."""

    ship: str
    hits: int
    state: str


class ShipDamaged(Event, frozen=True, kw_only=True):
    """R178 A ship is damaged at once, or sunk if it was damaged before."""

    ship: str
    state: str


class ForceGone(Event, frozen=True, kw_only=True):
    """Q39 A Task Force without ships has left the map. away: those that broke away from a single
    Battle (R253); if there are any, the others were sunk."""

    force: str
    name: str = ""
    away: tuple[str, ...] = ()


class LeaderMoved(Event, frozen=True, kw_only=True):
    """R186 A leader went to another ship, or fell."""

    leader: str
    ship: str = ""


class LeaderUsed(Event, frozen=True, kw_only=True):
    """R254 A leader used his power."""

    leader: str


class Identified(Event, frozen=True, kw_only=True):
    """R214 An unidentified Task Force is known now; without ships there was nothing."""

    force: str
    ships: tuple[str, ...]


class BattleBegan(Event, frozen=True, kw_only=True):
    """R187 Two Task Forces fight."""

    active: str
    target: str
    at: str
    how: str
    rounds: int
    name: str = ""
    target_name: str = ""


class BattleEnded(Event, frozen=True, kw_only=True):
    """R205 A Battle is over."""

    at: str
    rounds: int


class NotFaster(Event, frozen=True, kw_only=True):
    """R169, R170 Closing In or a Skirmish is a Contact, as the Active Task Force is not faster."""

    force: str
    target: str
    name: str = ""
    target_name: str = ""


class SkirmishDeclined(Event, frozen=True, kw_only=True):
    """R170 The Active side made do with a Contact."""

    force: str
    name: str = ""


# Points


class Scored(Event, frozen=True, kw_only=True):
    """Points written down."""

    side: Side
    points: int
    what: str
