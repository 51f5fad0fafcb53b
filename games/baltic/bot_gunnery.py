"""What guns may be expected to do, by what lies open: for the bots alone.

The dice are those of Tables 1 and 2; places are middles of hulls, without the line of sight.
"""

from __future__ import annotations

from functools import cache
from math import atan2, cos, hypot, pi, sin

from msgspec import Struct

from games.baltic.damage import D10
from games.baltic.gunnery import GUNS, in_arc, reach
from games.baltic.report import Enemy, OwnVessel
from games.baltic.tables import (
    CLASSES,
    Weapon,
    distances,
    effective,
    figures,
    footprint,
    gunnery,
    relation,
    sheets,
    weapons,
)
from pbem.kit.plane import CIRCLE, DEGREE, Point, Pose

HALF_HULLS = 2500
"""From the range between middles to that between hulls, about, in mils."""


class Hull(Struct):
    """A vessel as a bot thinks of her: own or the enemy's."""

    id: str
    sheet: str
    pose: Pose
    crippled: bool = False
    down: bool = False
    setting: str = "half"
    lost: tuple[str, ...] = ()
    many: int = 1
    """So many of a squadron fire alike."""
    mates: tuple[Point, ...] = ()
    """Where the others of a squadron are, from the flagship; they sail the same legs."""

    @property
    def capital(self) -> bool:
        """A ship of the line."""
        return sheets()[self.sheet].capital

    @property
    def worth(self) -> float:
        """Points for a hit."""
        return _worth(self.sheet)


@cache
def _worth(sheet: str) -> float:
    """Those of a box, of the vessel where she has one and dodges."""
    own = sheets()[sheet]
    return own.points / own.vessels / (own.hull + own.jink)


def of_own(unit: OwnVessel, many: int = 1) -> Hull:
    """A row of the own fleet."""
    pose = Pose(unit.x, unit.y, unit.heading)
    crippled, lost = unit.state == "crippled" or not unit.coherent, unit.lost
    return Hull(unit.id, unit.sheet, pose, crippled, unit.down, unit.setting, lost, many)


def of_enemy(foe: Enemy, many: int = 1) -> Hull:
    """A row of the contacts."""
    pose = Pose(foe.x, foe.y, foe.heading)
    crippled = foe.state == "crippled"
    return Hull(foe.id, foe.sheet, pose, crippled, foe.down, foe.setting, (), many)


class Gun(Struct, frozen=True):
    """A weapon that reaches over the water."""

    weapon: Weapon
    low: int
    high: int
    """Its least and most range, mils."""
    place: int
    """Its class: the place in the columns of Table 2."""


@cache
def armed(sheet: str) -> tuple[Gun, ...]:
    """The guns and beams of a type."""
    place = CLASSES.index(sheets()[sheet].cls)
    return tuple(
        Gun(weapon, *reach(weapon), max(0, place - (weapon.kind == "sec")))
        for weapon in weapons(sheet)
        if weapon.kind in (*GUNS, "beam")
    )


@cache
def _furthest(sheet: str) -> int:
    """The range of the gun of a type that carries furthest."""
    return max((gun.high for gun in armed(sheet)), default=-1)


def distance(here: Pose, there: Pose) -> int:
    """Mils between two middles, about."""
    return int(hypot(there.x - here.x, there.y - here.y))


def bearing(here: Pose, there: Pose) -> int:
    """The bearing of one middle from another, about."""
    return int(atan2(there.x - here.x, there.y - here.y) * 180 / pi * DEGREE) % CIRCLE


def _relative(way: int, heading: int) -> int:
    return (way - heading + CIRCLE // 2) % CIRCLE - CIRCLE // 2


def hopes(firer: Hull, at: Pose, target: Hull, there: Pose) -> dict[str, float]:
    """Hits by weapon that a firer may hope for, from a place at a target in a place."""
    apart = max(0, distance(at, there) - HALF_HULLS)
    if apart > _furthest(firer.sheet):
        return {}
    way = bearing(at, there)
    ahead = _relative(way, at.heading)
    aspect = abs(_relative(way + CIRCLE // 2, there.heading))
    times = _chance() * firer.many
    columns: dict[bool, int] = {}
    found = {}
    for gun in armed(firer.sheet):
        weapon = gun.weapon
        if not gun.low <= apart <= gun.high or not in_arc(weapon.arc, ahead):
            continue
        if (firer.down and weapon.dorsal != "dorsal") or weapon.id in firer.lost:
            continue
        power = weapon.fp // 2 if firer.crippled else weapon.fp
        if weapon.kind in ("tesla", "beam"):
            found[weapon.id] = (power if weapon.kind == "tesla" else _beam(power, apart)) * times
            continue
        rocket = weapon.kind == "rocket"
        if rocket not in columns:
            columns[rocket] = _column(target, aspect, apart, rocket)
        dice = effective()[min(power, 24) - 1][columns[rocket] - 1] if power else 0
        found[weapon.id] = dice * relation()[_row(target)][gun.place] / 2 * times
    return found


@cache
def _chance() -> float:
    """That a die hits."""
    return (D10 + 1 - figures().hit) / D10


def _beam(power: int, apart: int) -> int:
    """95 What is left of a beam so far away."""
    bands = (apart > gunnery().short) + (apart > gunnery().medium)
    return max(0, power - figures().beam_loss * bands)


def _column(target: Hull, aspect: int, apart: int, rocket: bool) -> int:
    """71-80 The column of Table 1; aspect: off the target's bow."""
    capital = target.capital
    start = 4 if capital else 5
    if target.setting == "stop":
        start = 1
    elif sheets()[target.sheet].trait == "aerial":
        start = 5
    elif aspect <= 720:
        start = 2 if capital else 3
    elif aspect >= 2160:
        start = 3 if capital else 4
    start += (target.setting == "flank") - (target.setting == "crawl")
    start += (apart > gunnery().medium and not rocket) - (apart <= gunnery().short)
    return min(max(start, 1), 5)


@cache
def _place_of(sheet: str, down: bool) -> str:
    """T2 The row of a target."""
    own = sheets()[sheet]
    if own.trait == "aerial":
        return "D"
    place = CLASSES.index(own.cls) - (own.trait == "flying") + down
    return CLASSES[max(place, 0)] if place < len(CLASSES) else "deep"


def _row(target: Hull) -> str:
    return _place_of(target.sheet, target.down)


def torpedoes(firer: Hull, at: Pose, target: Hull, there: Pose) -> float:
    """Hits that a salvo dead ahead may hope for, if the target is there when it runs."""
    sheet = sheets()[target.sheet]
    tubes = [w for w in weapons(firer.sheet) if w.kind == "torp" and w.id not in firer.lost]
    if not tubes or sheet.flies or sheet.trait == "skimmer":
        return 0.0
    if not in_lane(at, there, footprint("torpedo")[0] // 2 + sheet_beam(target.sheet) // 2):
        return 0.0
    power = sum(w.fp // 2 if firer.crippled else w.fp for w in tubes)
    chance = (D10 + 1 - figures().hit) / D10
    return max(0.0, power - sheet.cc * chance) * chance * firer.many


def sheet_beam(sheet: str) -> int:
    """How wide a hull lies across a salvo's way, about: half her length."""
    own = sheets()[sheet]
    column = own.trait if own.trait in ("aerial", "carrier") else own.cls
    return footprint(column)[0] // 2


def in_lane(at: Pose, there: Pose, wide: int) -> bool:
    """Does a place lie in the strip that a salvo from `at` runs along?"""
    mils = distance(at, there)
    off = _relative(bearing(at, there), at.heading) * pi / 180 / DEGREE
    if abs(off) > pi / 2:
        return False
    return mils * cos(off) <= distances().torpedo and abs(mils * sin(off)) <= wide
