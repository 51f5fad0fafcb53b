"""3.2 Exchanging gunfire: who may fire at whom, with how many dice, and what it does."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from games.baltic import courses, damage, hulls, sight
from games.baltic import events as ev
from games.baltic.facts import faced
from games.baltic.state import Reason, Vessel, War
from games.baltic.tables import CLASSES, Arc, Weapon, gunnery, sheets, weapon_range
from games.baltic.tables import effective as t1
from pbem.kit import plane
from pbem.model import TableLike

GUNS = ("main", "sec", "rocket", "tesla")
"""Kinds of weapons that fire at one target (182)."""
_ARCS: Mapping[str, tuple[int, int, int]] = {
    "F": (0, 720, 0),
    "A": (2160, 2880, 0),
    "P": (720, 2160, -1),
    "S": (720, 2160, 1),
    "FT": (0, 2160, 0),
    "AT": (720, 2880, 0),
    "T": (0, 2880, 0),
    "BR": (720, 2160, 0),
}
"""11 of 2.1 How far off the bow an arc begins and ends, and on which side: 1 is starboard."""
_NO_ARC = (1, 0, 0)


class Shot(Struct, frozen=True):
    """Weapons that fire at one target as one salvo: one of a ship, or those of a squadron (74)."""

    mounts: tuple[tuple[Vessel, Weapon], ...]
    target: Vessel

    @property
    def weapon(self) -> Weapon:
        """What they have in common: kind and class."""
        return self.mounts[0][1]

    @property
    def nearest(self) -> Vessel:
        """181 The firer nearest the target, whose range and aspect count; of equals the one with
        the lower number."""
        return min((m[0] for m in self.mounts), key=lambda v: (hulls.between(v, self.target), v.id))


def in_arc(arc: Arc, bearing: int) -> bool:
    """11 of 2.1 Does a relative bearing lie in an arc? The borders belong to both sides."""
    least, most, side = _ARCS.get(arc, _NO_ARC)
    return least <= abs(bearing) <= most and (not side or bearing * side > 0)


def reach(weapon: Weapon) -> tuple[int, int]:
    """1 of 2.3 The least and the most range of a weapon."""
    finnish = weapon.kind == "tesla" and sheets()[weapon.sheet].side == "finland"
    return weapon_range("finnish_tesla" if finnish else weapon.kind)


def silent(war: War, vessel: Vessel, weapon: Weapon) -> Reason | None:
    """62, 88, 100 Why a weapon cannot fire at anybody now; None if it can."""
    if vessel.wreck or not vessel.here:
        return Reason("88", "she is a wreck")
    if weapon.id in vessel.lost:
        return Reason("148", f"{weapon.id} is lost")
    if not vessel.may_fire:
        return Reason("62", "she ran aground in this activation")
    if war.down(vessel) and weapon.kind != "torp" and weapon.dorsal != "dorsal":
        return Reason("100", "her hull is down")
    return None


def barred(
    war: War, vessel: Vessel, weapon: Weapon, target: Vessel, seen: bool = True
) -> Reason | None:
    """66-68, 100 Why a weapon cannot fire at a target; None if it can. seen: test the line of
    sight too, which takes longest."""
    if reason := silent(war, vessel, weapon):
        return reason
    if not target.here or target.side == vessel.side:
        return Reason("182", f"{target.id} is no target")
    if reason := _bears(vessel, weapon, target):
        return reason
    if seen and not sight.clear(war, vessel, target):
        return Reason("68", f"there is no line of sight to {target.id}")
    return None


def _bears(vessel: Vessel, weapon: Weapon, target: Vessel) -> Reason | None:
    """68, 98 Why arc or range forbid a target; None if they do not."""
    bearing = plane.bearing((vessel.x, vessel.y), (target.x, target.y))
    if not in_arc(weapon.arc, plane.relative(bearing, vessel.heading)):
        return Reason("68", f"{target.id} is outside the arc of {weapon.id}")
    low, high = reach(weapon)
    mils = hulls.between(vessel, target)
    if low <= mils <= high:
        return None
    rule, what = ("68", "out of range") if mils > high else ("98", "too near for rockets")
    return Reason(rule, f"{target.id} is {courses.inches(mils)} inches away, {what}")


def column(target: Vessel, aspect: str, setting: str, mils: int, masked: bool, rocket: bool) -> int:
    """71-80 The column of Table 1, 1 to 5. setting: of the target; of a wreck that at which it
    still runs on."""
    start = 4 if target.of.capital else 5
    if target.of.trait == "aerial":
        start = 5  # 73
    elif setting == "stop" or target.moved == 0 or target.aground:
        start = 1  # B18
    elif aspect == "closing":
        start = 2 if target.of.capital else 3
    elif aspect == "moving away":
        start = 3 if target.of.capital else 4
    shift = (setting == "flank") - (setting == "crawl") + masked
    shift += (mils > gunnery().medium and not rocket) - (mils <= gunnery().short)
    return min(max(start + shift, 1), 5)


def table_dice(firepower: int, column: int) -> int:
    """81 Table 1; what is over 24 has a row of its own."""
    dice = 0
    while firepower > 0:
        row = min(firepower, 24)
        dice += t1()[row - 1][column - 1]
        firepower -= row
    return dice


def setting_of(war: War, vessel: Vessel) -> str:
    """The setting by which she runs now."""
    return vessel.coast if vessel.wreck else war.cards[vessel.card].setting


def effective(war: War, shot: Shot) -> tuple[int, int, int]:
    """180 The dice of a salvo, its column (0 for tesla arcs, 92), and the halves of T2."""
    target, first = shot.target, shot.nearest
    firepower = sum(damage.firepower(vessel, weapon) for vessel, weapon in shot.mounts)
    cls = damage.artillery(first, shot.weapon)
    halves = damage.halves(cls, target, war.down(target))
    if shot.weapon.kind == "tesla":
        return firepower, 0, halves
    place = column(
        target,
        faced(war, target, first.x, first.y),
        setting_of(war, target),
        hulls.between(first, target),
        sight.masked(war, first, target),
        shot.weapon.kind == "rocket",
    )
    return table_dice(firepower, place) * halves // 2, place, halves


def fire(table: TableLike, war: War, shot: Shot) -> None:
    """83, 84, 142 Roll a salvo; hits, dodges and natural tens on the target."""
    dice, place, halves = effective(war, shot)
    first, target, weapon = shot.nearest, shot.target, shot.weapon
    names = " ".join(weapon.id for _, weapon in shot.mounts)
    who = first.id if len(shot.mounts) == 1 or first.of.capital else first.card
    label = f"ACTIVATION/GUNFIRE/{target.id}/{who} {names if first.of.capital else weapon.id}"
    rolled = damage.roll(table, label, dice)
    hits = damage.successes(rolled)
    damage.note_tens(target, damage.tens(rolled), halves)
    told = ev.Fired(
        rule="92" if weapon.kind == "tesla" else "83",
        why=damage.why(rolled) + (f", column {place}" if place else ""),
        vessel=who,
        weapon=names if first.of.capital else weapon.id,
        what=weapon.kind,
        target=target.id,
        inches=courses.inches(hulls.between(first, target)),
        dice=len(rolled),
        hits=hits,
        splash=damage.dodged(target, hits),
    )
    table.tell(table.sides, told)
    damage.take(table, war, target, hits, dodges=True)


def targets(war: War, vessel: Vessel, weapon: Weapon) -> list[Vessel]:
    """Enemies at which a weapon can fire now, in the order of the list; no wrecks."""
    enemies = [enemy for enemy in war.enemies(vessel.side) if not enemy.wreck]
    return [enemy for enemy in enemies if not barred(war, vessel, weapon, enemy)]


def chosen(war: War, vessel: Vessel, weapon: Weapon, pick: str) -> Vessel | None:
    """66 `nearest`, `weakest` (crippled first, then the smallest class) or `best` (most dice) of
    the targets, by what lies open; of equals the first of the list."""
    found = targets(war, vessel, weapon)
    if not found:
        return None
    if pick == "nearest":
        return min(found, key=lambda enemy: hulls.between(vessel, enemy))
    if pick == "weakest":
        return min(found, key=lambda enemy: _strength(vessel, enemy))
    shots = {enemy.id: effective(war, Shot(((vessel, weapon),), enemy))[0] for enemy in found}
    return max(found, key=lambda enemy: shots[enemy.id])


def _strength(vessel: Vessel, target: Vessel) -> tuple[bool, int, int]:
    """Weakest first: crippled, then by class, then by range."""
    return not target.crippled, CLASSES.index(target.of.cls), hulls.between(vessel, target)
