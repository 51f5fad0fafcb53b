"""9.6, 9.8 Fire: ranges, sectors, salvos and shots, and the ships with rules of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from games.bismarck.battle.charts import MISS, Charts, Field, Hit, Range
from games.bismarck.state import Gun, Hits, Sections, Ship
from pbem.kit.hexes import Hex, Sector, distance, sector

GUNS: tuple[Gun, ...] = ("bow", "stern", "port", "starboard")
RODNEY = "Rodney"
UNRELIABLE = ("King George V", "Prince of Wales")
BEAM = ("port", "starboard")
Fault = Literal["", "bow", "stern"]
"""9.83 The turrets that fail."""


class Battery(Struct, frozen=True):
    """What a ship can fire this round."""

    name: str
    """Decides the special rules of 9.8."""
    bow: int
    stern: int
    port: int
    starboard: int
    faulty: Fault = ""
    """The turrets that 9.83 halves, empty for none."""
    withdrawing: bool = False
    """9.98"""

    def salvos(self, gun: Gun) -> int:
        """9.64 The section's number before anything halves it."""
        return int(getattr(self, gun))


def battery(ship: Ship, faulty: Fault = "", withdrawing: bool = False) -> Battery:
    """9.64, 9.711 A ship's sections less the boxes marked out."""
    whole, lost = ship.sections, ship.hits
    return Battery(
        ship.name,
        left(whole, lost, "bow"),
        left(whole, lost, "stern"),
        left(whole, lost, "port"),
        left(whole, lost, "starboard"),
        faulty,
        withdrawing,
    )


def left(whole: Sections, lost: Hits, gun: Gun) -> int:
    """9.711 Boxes left in a gun section, which is also its salvo number."""
    boxes: int = getattr(whole, gun) - getattr(lost, gun)
    return boxes if boxes > 0 else 0


# 9.61, 9.63 Range and sector


def reach(hexes: int, charts: Charts, night: bool = False) -> Range | None:
    """9.61, 11.12 A or B range, None beyond; by night only A range can be fired at."""
    if 1 <= hexes <= charts.a_range:
        return "A"
    return "B" if charts.a_range < hexes <= charts.b_range and not night else None


def bears(name: str, gun: Gun, at: Sector, distant: Range) -> bool:
    """9.63, 9.81 May that section fire at a target in that sector and range?"""
    if gun in BEAM:
        return at == gun and distant == "A"
    if gun == "stern":
        return at in BEAM if name == RODNEY else at != "bow"
    return at != "stern"


class Aim(Struct, frozen=True):
    """One enemy as a target: where it lies from the firing ship, and what it shows to it."""

    ship: str
    hexes: int
    sector: Sector
    field: Field
    beam: Sector
    """9.716 Where the firing ship lies, seen from the target."""


def aim(ship: str, at: Hex, facing: int, target: Hex, bow: int) -> Aim:
    """9.61, 9.63, 9.67 A firing ship at `at` heading `facing`, a target heading `bow`."""
    from pbem.kit.hexes import Facing

    beam = sector(target, Facing(bow), at)
    shown: Field = "broadside" if beam in BEAM else "bow" if beam == "bow" else "stern"
    seen = sector(at, Facing(facing), target)
    return Aim(ship, distance(at, target), seen, shown, beam)


# 9.62 Which sections fire at which target


class Volley(Struct, frozen=True):
    """9.62 The sections of one ship that fire at one target.

    salvos: what each of them fires where they are divided; empty: all that it has.
    """

    aim: Aim
    guns: tuple[Gun, ...]
    salvos: tuple[int, ...] = ()


def designate(
    guns: Battery, aims: Iterable[Aim], charts: Charts, night: bool = False, split: bool = False
) -> list[Volley]:
    """9.62 Every section fires at the first target of `aims` that it bears on.

    split: bow and stern turrets take different targets where two can be fired at. Sections
    without salvos stay silent.
    """
    targets = [a for a in aims if reach(a.hexes, charts, night)]
    chosen: dict[str, list[Gun]] = {}
    for gun in GUNS:
        able = [a for a in targets if guns.salvos(gun) and _bears(guns, gun, a, charts, night)]
        if split and gun == "stern" and len(able) > 1 and "bow" in chosen.get(able[0].ship, ()):
            able = able[1:]
        if able:
            chosen.setdefault(able[0].ship, []).append(gun)
    return [Volley(a, tuple(chosen[a.ship])) for a in targets if a.ship in chosen]


def divide(
    guns: Battery,
    aims: Sequence[Aim],
    shares: Mapping[str, int],
    charts: Charts,
    night: bool = False,
    spread: bool = False,
) -> list[Volley]:
    """9.62 So many salvos at each target of `shares`, by ship; the rest of every section at the
    first target of `aims` that it bears on.

    spread: the rest goes at one that `shares` leaves out, while there is one. Sections that bear on
    the fewest of these targets fire first. What does not bear is not fired.
    """
    targets = [a for a in aims if reach(a.hexes, charts, night)]
    bearing = {
        gun: [a.ship for a in targets if _bears(guns, gun, a, charts, night)] for gun in GUNS
    }
    volleys: list[Volley] = []
    for halved in (False, True):  # 9.82 depends on what the bow turrets fire at
        fired = _shared(guns, bearing, shares, halved, spread)
        volleys = [
            Volley(a, tuple(fired[a.ship]), tuple(fired[a.ship].values()))
            for a in targets
            if a.ship in fired
        ]
        if not third_halved(guns, volleys, charts):
            break
    return volleys


def _shared(
    guns: Battery,
    bearing: Mapping[Gun, Sequence[str]],
    shares: Mapping[str, int],
    halved: bool,
    spread: bool,
) -> dict[str, dict[Gun, int]]:
    """Salvos by target and section."""
    left = {gun: section(guns, gun, halved) if bearing[gun] else 0 for gun in GUNS}
    fired: dict[str, dict[Gun, int]] = {}
    tight = sorted(GUNS, key=lambda g: sum(ship in shares for ship in bearing[g]))
    for ship, wanted in shares.items():
        open_ = wanted
        for gun in tight:
            salvos = min(left[gun], open_) if ship in bearing[gun] else 0
            if salvos:
                fired.setdefault(ship, {})[gun] = salvos
                left[gun] -= salvos
                open_ -= salvos
    for gun, salvos in left.items():
        if salvos:
            others = [ship for ship in bearing[gun] if spread and ship not in shares]
            guns_at = fired.setdefault((others or bearing[gun])[0], {})
            guns_at[gun] = guns_at.get(gun, 0) + salvos
    return fired


def _bears(guns: Battery, gun: Gun, target: Aim, charts: Charts, night: bool) -> bool:
    distant = reach(target.hexes, charts, night)
    return distant is not None and bears(guns.name, gun, target.sector, distant)


# 9.65 Salvos and shots


def section(guns: Battery, gun: Gun, third_halved: bool = False) -> int:
    """9.82, 9.83, 9.98 Salvos of one section: halved down where a rule of 9.8 says so, then up
    for withdrawal (9.98, ruling 43)."""
    salvos = guns.salvos(gun)
    if guns.faulty == gun:
        salvos //= 2
    if third_halved and gun == "stern" and salvos:
        salvos = max(1, salvos // 2)
    return (salvos + 1) // 2 if guns.withdrawing else salvos


def third_halved(guns: Battery, volleys: Iterable[Volley], charts: Charts) -> bool:
    """9.82 Does the Rodney's third turret fire at half strength: do the others fire in A range?"""
    return guns.name == RODNEY and any(
        "bow" in v.guns and v.aim.hexes <= charts.a_range for v in volleys
    )


def shots(guns: Battery, volley: Volley, halved: bool = False) -> int:
    """9.651, 9.652 Shots at one target: the salvos, halved down unless it is adjacent.

    Bismarck, all bearing, two hexes away: 7 + 7 + 3 = 17 salvos, 8 shots.
    """
    whole = (section(guns, gun, halved) for gun in volley.guns)
    salvos = sum(volley.salvos or whole)
    fired = salvos if volley.aim.hexes == 1 else salvos // 2
    third = guns.name == RODNEY and "stern" in volley.guns
    return max(1, fired) if third else fired  # 9.82


# 9.66 Results


def result(
    total: int, distant: Range, field: Field, charts: Charts, night: bool = False
) -> tuple[Hit, Range]:
    """9.66, 9.67, 11.12 What two dice do, and the table (A or B) that said so; by night B's."""
    table: Range = "B" if night else distant
    return charts.fire[table][field].get(total, MISS), table


def special(total: int, name: str, type_: str, table: Range, charts: Charts) -> Hit:
    """9.712, 9.84 The second roll of a shot that asks for special damage."""
    return charts.special.column(name, type_, table)[total]


def fault(first: int, second: int) -> Fault:
    """9.83 Two dice: 4 to 6 on the first halves the bow turrets on 1 to 3 of the second, else
    the stern turrets."""
    if first <= 3:
        return ""
    return "bow" if second <= 3 else "stern"


def strength(ships: Iterable[Ship]) -> int:
    """Salvos of ships together: a rough measure of power, not a rule."""
    return sum(s.salvos(g) for s in map(battery, ships) for g in ("bow", "stern", "port"))
