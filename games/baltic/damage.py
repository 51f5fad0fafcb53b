"""3.2 Damage: hull boxes, jinking, wrecks, natural tens (5), and what they leave of a vessel."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from games.baltic import events as ev
from games.baltic.state import Vessel, War
from games.baltic.tables import CLASSES, Class, Weapon, figures, relation
from pbem.model import Dice, TableLike

D10 = 10


class Taken(Struct, frozen=True):
    """What became of hits."""

    hits: int
    splash: int
    """Hits that were dodged (89)."""


def successes(dice: Sequence[int]) -> int:
    """83 Dice of 7 and more."""
    return sum(die >= figures().hit for die in dice)


def tens(dice: Sequence[int]) -> int:
    """141 Natural tens."""
    return sum(die == D10 for die in dice)


def roll(table: TableLike, label: str, count: int) -> tuple[int, ...]:
    """So many d10, seen by all; none for 0 (183)."""
    return table.roll(label, Dice(count, D10), table.sides) if count > 0 else ()


def why(dice: Sequence[int]) -> str:
    """The dice for the log: `rolled 8 3 10, 7 and more count`."""
    faces = " ".join(str(die) for die in dice)
    return f"rolled {faces}, {figures().hit} and more count" if dice else "no dice"


def dodged(vessel: Vessel, hits: int) -> int:
    """89 How many of these hits she turns into splash markers."""
    return 0 if vessel.wreck else max(0, min(hits, vessel.of.jink - vessel.splash))


def take(table: TableLike, war: War, vessel: Vessel, hits: int, dodges: bool = False) -> Taken:
    """84-91 Apply hits: unrated vessels dodge the first ones of a turn where `dodges` says so;
    what a vessel cannot take is lost (184)."""
    if vessel.wreck or hits <= 0:
        return Taken(max(hits, 0), 0)
    splash = dodged(vessel, hits) if dodges else 0
    vessel.splash += splash
    lost = min(vessel.hull, hits - splash)
    was_crippled = vessel.crippled
    vessel.hull -= lost
    if vessel.hull == 0:
        vessel.sunk, vessel.coast = war.turn, war.cards[vessel.card].setting
        _strike_down(war, vessel)
        table.tell(table.sides, ev.Wrecked(rule="87", vessel=vessel.id))
    elif vessel.crippled and not was_crippled:
        table.tell(table.sides, ev.Crippled(rule="85", vessel=vessel.id))
    return Taken(hits - splash, splash)


def _strike_down(war: War, vessel: Vessel) -> None:
    """133 Patrols over her end; her aeroplanes are lost between turns (`decks.strand`)."""
    for marker in war.markers.values():
        if marker.guards == vessel.id:
            marker.guards = ""


def note_tens(vessel: Vessel, count: int, halves: int) -> None:
    """141, 142, B11 Natural tens on a ship of the line; halves: 2 for each as it is, 4 for smaller
    targets of bigger guns, 1 for the reverse. Unrated vessels have no criticals (195)."""
    if vessel.of.capital:
        vessel.tenners += count * halves


def row_of(vessel: Vessel, down: bool) -> str:
    """T2 The row in which a target stands."""
    trait, cls = vessel.of.trait, vessel.of.cls
    if trait == "aerial":
        return "D"
    place = CLASSES.index(cls) - (1 if trait == "flying" else 0) + (1 if down else 0)
    return CLASSES[max(place, 0)] if place < len(CLASSES) else "deep"


def halves(cls: Class, target: Vessel, down: bool) -> int:
    """82, T2 The multiplier in halves: artillery of this class at that target."""
    return relation()[row_of(target, down)][CLASSES.index(cls)]


def artillery(vessel: Vessel, weapon: Weapon) -> Class:
    """179 Main guns, rockets and the rest have their ship's class, secondary guns one lower."""
    if weapon.kind != "sec":
        return vessel.of.cls
    return CLASSES[max(CLASSES.index(vessel.of.cls) - 1, 0)]


def firepower(vessel: Vessel, weapon: Weapon) -> int:
    """5, 86, 88, 167 What a weapon has now."""
    if vessel.wreck or weapon.id in vessel.lost:
        return 0
    return weapon.fp // 2 if vessel.crippled or not vessel.coherent else weapon.fp


def anti_aircraft(vessel: Vessel) -> int:
    """5, 86, 88 AA now: full when crippled, half as a wreck or out of coherency."""
    return vessel.of.aa // 2 if vessel.wreck or not vessel.coherent else vessel.of.aa


def charges(vessel: Vessel) -> int:
    """5, 86, 88 Concussion charges now."""
    return vessel.of.cc // 2 if vessel.wreck or not vessel.coherent else vessel.of.cc
