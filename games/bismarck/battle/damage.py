"""9.7, 9.81 Damage: boxes, overflow to midships, evasion lost, sinking, repair, third turret."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from games.bismarck.battle.charts import Charts, Field, Hit
from games.bismarck.battle.gunnery import BEAM, RODNEY, left
from games.bismarck.state import Gun, Hits, Sections, Ship
from pbem.kit.hexes import Sector

Beam = Literal["port", "starboard"]


class Target(Struct):
    """9.715 A ship under fire this round: the boxes it had, and those marked since (slashes).

    They limit at once what a further hit can take, but have their effect when all fire is over
    (9.713).
    """

    name: str
    type: str
    whole: Sections
    marked: Hits
    before: Hits

    def gone(self) -> bool:
        """9.714 Is every midships box marked?"""
        return self.marked.midships >= self.whole.midships

    def open(self, gun: Gun) -> bool:
        """Has that section an unmarked box?"""
        return left(self.whole, self.marked, gun) > 0


def target(ship: Ship) -> Target:
    """9.715 A ship as the round's fire finds it."""
    return Target(ship.name, ship.type, ship.sections, replace(ship.hits), replace(ship.hits))


def beam_choice(under_fire: Target, beam: Sector) -> tuple[Beam, ...]:
    """9.716, ruling 45 The secondary sections that a hit may be taken from: the one that faces
    the firing ship; end on, either that has a box left; both when neither has."""
    if beam == "port":
        return ("port",)
    if beam == "starboard":
        return ("starboard",)
    both: tuple[Beam, ...] = ("port", "starboard")
    return tuple(g for g in both if under_fire.open(g)) or both


def convert(hit: Hit, name: str, field: Field, die: int) -> Hit:
    """9.81 A stern hit on the Rodney: from the beam, 1 or 2 on `die` makes it a bow hit, else it
    hits the third turret; from astern it is a secondary hit. Other hits are unchanged."""
    if name != RODNEY or not hit.stern:
        return hit
    if field == "stern":
        return replace(hit, stern=0, secondary=hit.secondary + hit.stern)
    if field == "broadside" and die <= 2:
        return replace(hit, stern=0, bow=hit.bow + hit.stern)
    return hit


def mark(under_fire: Target, hit: Hit, beam: Beam, charts: Charts) -> None:
    """9.711, 9.717, 9.722-9.726 Mark one hit; boxes that a section no longer has go to midships,
    those of the Rodney's bow turrets first to her third turret (9.81, ruling 60)."""
    midships = under_fire.whole.midships if hit.sunk else hit.midships
    bow = hit.bow - _cross_out(under_fire, "bow", hit.bow)
    third = bow if under_fire.name == RODNEY else 0
    midships += bow - third
    for gun, boxes in (("stern", hit.stern + third), (beam, hit.secondary)):
        midships += boxes - _cross_out(under_fire, _gun(gun), boxes)
    midships = min(midships, under_fire.whole.midships - under_fire.marked.midships)
    under_fire.marked.midships += midships
    under_fire.marked.permanent += hit.evasion
    each = charts.evasion_loss(under_fire.name, under_fire.type)
    under_fire.marked.temporary += each * midships


def _gun(name: str) -> Gun:
    assert name in ("bow", "stern", *BEAM)
    return name  # type: ignore[return-value]


def _cross_out(under_fire: Target, gun: Gun, boxes: int) -> int:
    taken = min(boxes, left(under_fire.whole, under_fire.marked, gun))
    setattr(under_fire.marked, gun, getattr(under_fire.marked, gun) + taken)
    return taken


def fresh(under_fire: Target) -> Hits:
    """What was marked since the target was made."""
    return between(under_fire.before, under_fire.marked)


def between(then: Hits, now: Hits) -> Hits:
    """The hits that `now` has beyond `then`."""
    return Hits(*(getattr(now, f) - getattr(then, f) for f in Hits.__struct_fields__))


def settle(ship: Ship, under_fire: Target) -> Hits:
    """9.713, 9.714 The slashes become crosses; returns what is new. Sinks the ship when every
    midships box is marked."""
    new = fresh(under_fire)
    ship.hits = under_fire.marked
    ship.sunk = ship.sunk or under_fire.gone()
    return new


# 9.728 Repair


def repairable(ship: Ship, zones: int) -> bool:
    """9.728 Has it lost evasion that can be regained, and moved one zone at most?"""
    return ship.afloat and ship.hits.temporary > 0 and zones <= 1


def repair(ship: Ship, die: int, charts: Charts) -> int:
    """9.728, ruling 46 Factors regained by one die; only what was lost for a time comes back."""
    regained = min(charts.repair[die - 1], ship.hits.temporary)
    ship.hits.temporary -= regained
    return regained
