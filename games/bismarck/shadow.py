"""8 Shadowing: who can shadow what, the shadow table, and high-speed shadow.

The shadow phases that ask and roll are in `shadowing`; here are the rules they read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from games.bismarck import board, calendar, tables, taskforce
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.calendar import X
from games.bismarck.state import AirUnit, Ship, War
from games.bismarck.taskforce import Counter
from pbem.kit.tables import numbered

FILE = "shadow.toml"
AIR = "LR recon"
"""The row of the table that air units use; bombers use it too (HOUSE)."""


class Chart(Struct, frozen=True):
    """8.15 The shadow table. hold: highest die that holds, by class A to C, by day and by night;
    classes: A to C by name; two_zones: 8.18; visibility: 8.17, by level."""

    day: Mapping[str, int]
    night: Mapping[str, int]
    classes: Mapping[str, str]
    two_zones: int
    visibility: Mapping[int, int]

    def holds_upto(self, class_: str, night: bool) -> int:
        """8.15 The highest modified die on which a unit of that class holds contact."""
        return (self.night if night else self.day)[class_]

    def modifier(self, level: int, two_zones: bool) -> int:
        """8.17, 8.18 What is added to the die."""
        return self.visibility[level] + (self.two_zones if two_zones else 0)


def chart(house: Mapping[str, str]) -> Chart:
    """The table in force."""
    return _chart(house.get(FILE, ""))


@lru_cache(maxsize=8)
def _chart(text: str) -> Chart:
    file = tables.table(FILE, {FILE: text} if text else {})
    day, night = (
        dict(zip("ABC", map(int, file[k].split()), strict=True)) for k in ("day", "night")
    )
    return Chart(
        day,
        night,
        {name: c for c, names in file["classes"].items() for name in names.split("|")},
        int(file["modifier"]["two_zones"]),
        numbered(file["modifier"]["visibility"], int),
    )


def holds(chart_: Chart, class_: str, night: bool, die: int, modifier: int) -> bool:
    """8.15 Is contact held? The modified die stays between 1 and 6 (HOUSE)."""
    return max(1, min(6, die + modifier)) <= chart_.holds_upto(class_, night)


# 8.12-8.14 Who can shadow


class Shadower(Struct, frozen=True):
    """A unit that can shadow. id: as orders call it; class_: its row of the table."""

    id: str
    name: str
    class_: str
    air: bool = False


def class_of(chart_: Chart, names: Iterable[str]) -> str:
    """8.15 The class of ships by name; a task force has its best, an unlisted ship the worst."""
    return max((chart_.classes.get(name, "A") for name in names), default="A")


def ship_shadower(war: War, counter: Counter, target: Sequence[Ship]) -> Shadower | None:
    """8.13, 8.14 A ship or task force as a shadow of those ships, None where it cannot be.

    Every ship in it has to be as fast as the slowest of the target; a carrier alone cannot.
    """
    if all(s.type == "CV" for s in counter.ships):
        return None
    slowest = min(s.evasion_now for s in target)
    if any(s.evasion_now < slowest for s in counter.ships):
        return None
    class_ = class_of(chart(war.house), [s.name for s in counter.ships])
    return Shadower(counter.id, counter.name, class_)


def air_shadower(war: War, unit: AirUnit, flown: bool) -> Shadower | None:
    """8.14 An air unit as a shadow: it does not have to land this turn, and could search its zone
    alone. flown: this turn's flight is behind it."""
    stays = unit.left > (0 if flown else 1) and not unit.home
    strength = unit.search[calendar.night(war.turn, unit.zone)]
    foggy = war.fog and unit.zone in board.FOG
    if not stays or foggy or war.level >= X or strength < war.level:
        return None
    return Shadower(unit.id, unit.name, class_of(chart(war.house), [AIR]), air=True)


def eligible(war: War, target: Sequence[Ship], zone: Zone, flown: bool = False) -> list[Shadower]:
    """8.13, 8.14 British units in `zone` that can shadow those ships, best first.

    A unit that shadows already is not among them; ships that are not free yet are. flown: aircraft
    have moved this turn (8.21).
    """
    ships = (c for c in taskforce.counters(war, BRITISH) if c.zone == zone)
    air = (u for u in war.airborne(BRITISH) if u.zone == zone)
    found = [
        *(ship_shadower(war, counter, target) for counter in ships),
        *(air_shadower(war, unit, flown) for unit in air),
    ]
    free = [s for s in found if s and s.id not in war.shadowing]
    return sorted(free, key=lambda s: (_order(s.class_), s.air, s.id))


def unfit(war: War, unit: str, target: Sequence[Ship], zone: Zone, flown: bool = False) -> str:
    """8.13, 8.14 Why a British unit cannot shadow those ships from `zone`, for its owner; empty if
    it can. How fast they are is not said: he learns no more than that it cannot."""
    if any(s.id == unit for s in eligible(war, target, zone, flown)):
        return ""
    ship, flies = war.ships.get(unit), war.air.get(unit)
    if ship and ship.force:
        return f"{ship.name} sails in {ship.force}"
    counters = {c.id: c for c in taskforce.counters(war, BRITISH)}
    known = counters.get(unit) or flies
    if known is None or known.zone != zone:
        return f"{known.name if known else unit} is not in {zone}"
    if unit in war.shadowing:
        why = "is assigned to another shadow (8.13)"
    elif flies is None:
        alone = all(s.type == "CV" for s in counters[unit].ships)
        why = "is a carrier (8.13)" if alone else "is too slow (8.14)"
    else:
        homing = flies.left <= (0 if flown else 1) or flies.home
        why = "has to be home by then (8.14)" if homing else "cannot search there alone (8.14)"
    return f"{known.name} {why}"


def _order(class_: str) -> int:
    return -ord(class_)


# 8.11 What can be shadowed


def targets(war: War) -> list[Counter]:
    """8.11 German ships and task forces that were located by search or shadow last turn."""
    known = war.located_last[BRITISH]
    return [c for c in taskforce.counters(war, GERMAN) if any(s.id in known for s in c.ships)]


def left_force(war: War, counter: Counter) -> list[Ship]:
    """8.16 Located ships that were in task force with those of the counter and are not any more."""
    contacts, tracks = war.known[BRITISH].contacts, war.tracks[BRITISH]
    ids = {s.id for s in counter.ships}
    then = {
        tracks[other]
        for id_, c in contacts.items()
        if tracks.get(id_) in ids and c.turn == war.turn - 1
        for other in c.force
    }
    return [war.ships[i] for i in sorted(then - ids) if war.ships[i].afloat]
