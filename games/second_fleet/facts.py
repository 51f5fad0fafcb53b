"""What conditions of orders may ask, by what a side knows at that moment."""

from __future__ import annotations

from games.second_fleet.board import distance
from games.second_fleet.goals import seen_of
from games.second_fleet.results import PARTS
from games.second_fleet.state import Known, Vessel, War
from orders.terms import Terms
from pbem.model import Side

TERMS = Terms[War]()
KINDS = ("SUB", "single", "TG", "TF")
TYPES = ("SS", "SB", "SN", "PC", "FF", "DD", "CL", "CG", "BB", "CV")
"""Weakest first, as far as an order may want to know."""


def _own(war: War, side: str, actor: str) -> list[Vessel]:
    return [s for s in war.members(war.own_key(Side(side), actor)) if s.side == side]


def _seen(war: War, side: str, contact: str) -> list[Known]:
    """6.16/3 The contact, or what it became as groups changed."""
    return seen_of(war, Side(side), contact)


@TERMS.number
def segment(war: War, side: str, actor: str) -> int:
    """Number of the segment, 1 to 3; 0 before the first"""
    return war.segment


@TERMS.word(*(part.lower() for part in PARTS))
def part(war: War, side: str, actor: str) -> str:
    """AM, PM or night"""
    return war.part.lower()


@TERMS.word("own", "enemy")
def initiative(war: War, side: str, actor: str) -> str | None:
    """Who acts first in this segment"""
    if not war.segment:
        return None
    return "own" if war.first == side else "enemy"


@TERMS.flag
def detected(war: War, side: str, actor: str) -> bool | None:
    """Does the enemy's marker lie on this ship or group"""
    ships = _own(war, side, actor)
    if not ships or not war.tells(ships[0].level):
        return None
    return ships[0].level > 0


@TERMS.flag
def damaged(war: War, side: str, actor: str) -> bool | None:
    """Is the ship or squadron damaged, or any ship of the group"""
    if actor in war.squadrons and war.squadrons[actor].side == side:
        return war.squadrons[actor].damaged
    ships = _own(war, side, actor)
    return any(s.damaged for s in ships) if ships else None


@TERMS.of("contact").flag
def held(war: War, side: str, actor: str, contact: str) -> bool:
    """Does a marker still lie on the contact"""
    return any(seen.level > 0 and not seen.lost for seen in _seen(war, side, contact))


@TERMS.of("contact").number
def range_to(war: War, side: str, actor: str, contact: str) -> int | None:
    """Hexes to where the contact was seen last"""
    seen, ships = _seen(war, side, contact), _own(war, side, actor)
    place = ships[0].hex if ships else ""
    if actor in war.squadrons and war.squadrons[actor].side == side:
        place = war.spot(war.squadrons[actor].base)
    return min((distance(place, one.place) for one in seen), default=None) if place else None


@TERMS.of("contact").rank(*KINDS)
def marker_of(war: War, side: str, actor: str, contact: str) -> str | None:
    """The contact's marker: SUB, single, TG or TF"""
    kinds = [seen.kind for seen in _seen(war, side, contact)]
    return max(kinds, key=KINDS.index, default=None)


@TERMS.of("contact").rank(*TYPES)
def type_of(war: War, side: str, actor: str, contact: str) -> str | None:
    """The strongest type that was seen of the contact"""
    types = [t.split()[-1] for seen in _seen(war, side, contact) for t in seen.types]
    return max((t for t in types if t in TYPES), key=TYPES.index, default=None)
