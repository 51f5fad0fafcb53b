"""The facts that the rules tell. One class, one kind, one sentence in templates/bismarck/events.j2.

An event holds only what its whole audience may know: own units by printed name, the enemy by the
pseudonyms of that side. Where the sides know different things, two events are told.
"""

from __future__ import annotations

from msgspec import Struct, field

from pbem.model import Event


class Sighting(Struct, frozen=True):
    """7.23 One located enemy ship: id is the observer's pseudonym, type BB, CA or CV.

    force: the pseudonyms that sail in one task force with it, its own among them; empty alone.
    """

    id: str
    type: str
    force: tuple[str, ...] = ()


# 4.1 Availability


class ShipEntered(Event, frozen=True):
    """4.1 An own ship comes into play."""

    who: str
    zone: str


class Released(Event, frozen=True):
    """4.1 Own ships that had to stay in port or on patrol may move from now on."""

    who: tuple[str, ...]


class AirReady(Event, frozen=True):
    """6.42 Own air units are back from rest and refit."""

    who: tuple[str, ...]


# 4.2 Visibility and task forces


class VisibilitySet(Event, frozen=True):
    """7.14, 7.31 The level of the turn and whether there is fog. before: last turn's level,
    roll: the two dice's sum, modifier: 7.16; roll 0 where nothing is rolled (7.13)."""

    level: str
    fog: bool
    before: str = ""
    roll: int = 0
    modifier: int = 0


class TaskForceFormed(Event, frozen=True):
    """5.41 Own ships sail as one."""

    who: str
    ships: tuple[str, ...]
    zone: str


class TaskForceBroken(Event, frozen=True):
    """5.44 Own ships leave a task force; none are left in it when `dissolved`."""

    who: str
    ships: tuple[str, ...]
    zone: str
    dissolved: bool = True


class Mobilised(Event, frozen=True):
    """12.42 An own escort leaves its convoy."""

    who: str
    zone: str


class EscortLeft(Event, frozen=True):
    """12.42 The German hears that an escort was mobilised, and nothing else."""

    count: int = 1


class OrderFailed(Event, frozen=True):
    """An own order could not be carried out; `why` says what stood in its way."""

    who: str
    verb: str


# 4.4 Air


class AirFlew(Event, frozen=True):
    """6.13 An own air unit's flight of this turn. left: turns it may still stay up."""

    who: str
    path: tuple[str, ...]
    zone: str
    mode: str
    left: int


class AirLanded(Event, frozen=True):
    """6.42 An own air unit is home and rests until `ready`, a turn's label."""

    who: str
    base: str
    ready: str


class AirLost(Event, frozen=True):
    """6.21 An own air unit did not get home."""

    who: str


class EnemyAirLost(Event, frozen=True):
    """6.21 The other side lost an air unit."""

    count: int = 1


# 4.5 Ships


class ShipMoved(Event, frozen=True):
    """5.1 An own ship or task force moved. fuel: factors spent by ship."""

    who: str
    origin: str
    path: tuple[str, ...]
    fuel: dict[str, int] = field(default_factory=dict)


class PatrolBegun(Event, frozen=True):
    """5.32 An own ship or task force turns its counter to patrol."""

    who: str
    zone: str


class PatrolEnded(Event, frozen=True):
    """5.32 An own ship or task force leaves patrol."""

    who: str
    zone: str


# 4.6 Search


class Searched(Event, frozen=True):
    """7.21 The zones that the own side called; blank: those where nothing was seen. coasts: how
    many more zones only coast watchers searched (7.27), and saw nothing."""

    zones: tuple[str, ...]
    blank: tuple[str, ...]
    coasts: int = 0


class CallsHeard(Event, frozen=True):
    """7.21, 7.22 The zones that the enemy called, where every call is heard (option `calls`).
    coasts: how many more were his own watched coasts, where only watchers searched."""

    zones: tuple[str, ...]
    coasts: int = 0


class Located(Event, frozen=True):
    """7.23 What a call of the own side uncovered in `zone`."""

    zone: str
    seen: tuple[Sighting, ...]


class PassedThrough(Event, frozen=True):
    """7.23 Ships that entered `zone` first and went on; where they are stays hidden (8.21)."""

    zone: str
    seen: tuple[Sighting, ...]


class CallHeard(Event, frozen=True):
    """7.23 The enemy called a zone that own ships are in or went through. who: those he located;
    passed: those that had gone through; neither: ships in port that air search did not see (7.29).
    """

    zone: str
    who: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()


# 4.9 Chance


class ChanceRolled(Event, frozen=True):
    """10.1 The table's entry for a German ship. entry: HUFF-DUFF, GENERAL SEARCH or CONVOY;
    numbers: general search A, B, C; needs: what a convoy asks for."""

    ship: str
    roll: int
    entry: str
    numbers: tuple[int, ...] = ()
    needs: str = ""


class GeneralSearch(Event, frozen=True):
    """10.21 The British hear where a German ship is."""

    ship: str
    zone: str
    seen: tuple[Sighting, ...]


class GeneralSearchHeard(Event, frozen=True):
    """10.21 The German has to give his position."""

    ship: str
    zone: str


class HuffDuff(Event, frozen=True):
    """10.22 The British hear one zone: the ship is in it or in a neighbour."""

    ship: str
    zone: str
    id: str
    type: str


class HuffDuffHeard(Event, frozen=True):
    """10.22 The zone that the German named."""

    ship: str
    zone: str
    at: str


class ConvoySpared(Event, frozen=True):
    """10.25 The German lets a convoy go, and says nothing."""

    ship: str
    zone: str


class ConvoySunk(Event, frozen=True):
    """10.25, 12.44 A convoy is destroyed: both hear who did it and where."""

    ships: tuple[str, ...]
    zone: str
    number: int
    points: int
    seen: tuple[Sighting, ...] = ()


# 12 Victory


class Scored(Event, frozen=True):
    """12.3, 12.4 Points that both players write down. what: the clause in a few words."""

    side: str
    points: int
    what: str
