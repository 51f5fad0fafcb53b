"""6.1, 96-120 Detection: zones, markers on hex-stacks of ships and on submarines, SOSUS."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from games.second_fleet import events as ev
from games.second_fleet import ice, strengths
from games.second_fleet.board import (
    SOSUS,
    SOVIET,
    mountain,
    near_sosus,
    shore,
    steps,
    zone_within,
)
from games.second_fleet.knowledge import refresh
from games.second_fleet.state import Level, Vessel, War, enemy
from games.second_fleet.tables import D10, combat, finding
from pbem.model import Side, TableLike


def reach(ships: Iterable[Vessel]) -> int:
    """6.1/1 How far a stack's zones go: Extended for ships, Limited for submarines and for missile
    boats alone."""
    chart = finding()
    wide = any(not v.sub and v.type != "PC" for v in ships)
    return chart.extended if wide else chart.limited


def stacks(war: War, side: Side) -> Iterator[list[Vessel]]:
    """253 A side's detectors: the ships of each hex together, each submarine."""
    by_hex: dict[str, list[Vessel]] = {}
    for vessel in war.afloat(side):
        if vessel.sub:
            yield [vessel]
        elif not vessel.decoy:
            by_hex.setdefault(vessel.hex, []).append(vessel)
    yield from by_hex.values()


def zones(war: War, side: Side) -> list[frozenset[str]]:
    """The detection zone of each of a side's stacks and submarines."""
    return [zone_within(stack[0].hex, reach(stack)) for stack in stacks(war, side)]


def asw(war: War, ships: Iterable[Vessel], hex_: str) -> int:
    """The ASW of ships and submarines that are beside a hex or in it; 6.1/6 in pack ice of SN and
    SB alone."""
    iced = ice.packed(war, hex_)
    near = {hex_, *steps(hex_)}
    return sum(
        strengths.asw(war, v)
        for v in ships
        if v.hex in near and (not iced or v.type in ("SN", "SB"))
    )


def heard(war: War, sub: Vessel) -> bool:
    """107 Is a submarine beside enemies whose ASW is enough?"""
    return asw(war, war.afloat(enemy(sub.side)), sub.hex) >= combat().asw_needed


# Markers


def mark(table: TableLike, war: War, ships: Sequence[Vessel], level: Level, how: str) -> None:
    """97, 103 Lay a marker: on submarines that are named, and on all ships of the hexes of ships.

    The owner is told (6.16/6), and the enemy of each contact that is new or better known.
    """
    _lay(table, war, _covered(war, ships), level, how)


def _lay(table: TableLike, war: War, ships: Sequence[Vessel], level: Level, how: str) -> None:
    """The marker on these alone."""
    risen = [vessel for vessel in ships if vessel.level < level]
    if not risen:
        return
    for vessel in risen:
        vessel.level = level
    owner = ships[0].side
    if war.tells(level):
        for key, hex_ in dict.fromkeys((v.key, v.hex) for v in risen):
            told = ev.Found(rule="6.16/6", unit=key.upper(), at=hex_, level=level, how=how)
            table.tell([owner], told)
    refresh(table, war, enemy(owner), how)


def _covered(war: War, ships: Sequence[Vessel]) -> list[Vessel]:
    found: dict[str, Vessel] = {}
    for vessel in ships:
        stack = [vessel] if vessel.sub else war.surface(vessel.side, vessel.hex)
        found |= {v.id: v for v in stack}
    return list(found.values())


def settle(table: TableLike, war: War, side: Side, hex_: str) -> None:
    """113-116 Ships that end in one hex share the higher marker; ruling 55 a decoy that was made
    there does not become Strategic."""
    ships = war.surface(side, hex_)
    level: Level = max((v.level for v in ships), default=0)
    ships = [v for v in ships if level < 2 or not v.decoy]
    risen = list(dict.fromkeys(v.key for v in ships if v.level < level))
    for vessel in ships:
        vessel.level = level
    if risen and war.tells(level):
        for key in risen:
            table.tell(
                [side], ev.Found(rule="113", unit=key.upper(), at=hex_, level=level, how="stack")
            )
    refresh(table, war, enemy(side), "stack")


# Phases


def local(table: TableLike, war: War) -> None:
    """105-107 Local Detection: both sides at once, from one position.

    All markers of a kind are laid together, so that the enemy's new contacts come in the order of
    what is seen of them, never in that of the state.
    """
    found = {side: [v for v in detected(war, side) if not v.level] for side in table.sides}
    for vessels in found.values():
        mark(table, war, [v for v in vessels if not v.sub], 1, "zone")
        mark(table, war, [v for v in vessels if v.sub], 1, "ASW")


def detected(war: War, side: Side) -> list[Vessel]:
    """105-107 A side's ships in an enemy zone, and its submarines that the enemy hears."""
    seen = zones(war, enemy(side))
    return [
        vessel
        for vessel in war.afloat(side)
        if (heard(war, vessel) if vessel.sub else any(vessel.hex in zone for zone in seen))
    ]


def remove_local(table: TableLike, war: War) -> None:
    """120, 254 Local markers go, but of ships still in a zone and of submarines still heard."""
    kept = {v.id for side in table.sides for v in detected(war, side)}
    _remove(table, war, kept | {v.id for v in war.vessels.values() if v.level != 1})


def remove_strategic(table: TableLike, war: War) -> None:
    """119, 255 Strategic markers go, but of Soviet submarines near SOSUS."""
    most = finding().sosus_range
    kept = {
        v.id
        for v in war.vessels.values()
        if v.level != 2 or (v.sub and v.side == SOVIET and near_sosus(v.hex, most))
    }
    _remove(table, war, kept)


def _remove(table: TableLike, war: War, kept: Container[str]) -> None:
    for side in table.sides:
        gone = [v for v in war.afloat(side) if v.level and v.id not in kept]
        told = dict.fromkeys((v.key, v.hex) for v in gone if war.tells(v.level))
        for vessel in gone:
            vessel.level = 0
        for key, hex_ in told:
            table.tell([side], ev.Lost(rule="254", unit=key.upper(), at=hex_))
        refresh(table, war, enemy(side), "")


# While ships move


def passing(table: TableLike, war: War, ships: Sequence[Vessel], left: str) -> None:
    """110-112, 195 What a step out of `left` betrays of ships that have moved together; 113 others
    in the hex alone when they end there."""
    first = ships[0]
    if first.sub:
        _sub_passing(table, war, first, left)
        return
    if first.level == 0:
        for zone in zones(war, enemy(first.side)):
            if left in zone and first.hex in zone:
                _lay(table, war, ships, 1, "zone")
                return
    watched = first.side == SOVIET and shore(first.hex) in ("UK", "NO")
    if first.level == 0 and watched and not war.holds(SOVIET, first.hex):
        _lay(table, war, ships, 1, "coast")


def _sub_passing(table: TableLike, war: War, sub: Vessel, left: str) -> None:
    """111, 195 A submarine that stays within one detector's reach, or crosses the line."""
    if sub.level == 0:
        for stack in stacks(war, enemy(sub.side)):
            near = zone_within(stack[0].hex, finding().limited)
            if left in near and sub.hex in near:
                both = asw(war, stack, left), asw(war, stack, sub.hex)
                if min(both) >= combat().asw_needed:
                    mark(table, war, [sub], 1, "ASW")
                    break
    if sub.side == SOVIET and sub.hex in SOSUS and sub.level < 2:
        (die,) = table.roll(f"SOSUS/DETECTION/{sub.hex}/REFEREE", D10, to=())
        if die <= chance(sub):
            mark(table, war, [sub], 2, "SOSUS")


def chance(sub: Vessel) -> int:
    """101, 206, 3.8 The highest die that finds a submarine: less in deep mode, still less over a
    sub-oceanic mountain, and more of a Soviet one on the line of SOSUS."""
    chart = finding()
    hidden = (chart.mountain if mountain(sub.hex) else chart.deep) if sub.deep else 0
    if sub.side == SOVIET and sub.hex in SOSUS:
        hidden += chart.sosus
    if sub.sheet.noisy:
        return chart.noisy - hidden
    return (chart.soviet if sub.side == SOVIET else chart.nato)[sub.type] - hidden


def watched(war: War, ships: Sequence[Vessel]) -> bool:
    """6.14/16 Does a stack lie within a Limited zone of the enemy? 6.7/6 For a submarine that of a
    ship at high speed is none."""
    first = ships[0]
    near = zone_within(first.hex, finding().limited)
    return any(
        v.hex in near and not v.decoy and not (first.sub and v.fast)
        for v in war.afloat(enemy(first.side))
    )


def after_attack(table: TableLike, war: War, ships: Sequence[Vessel], seen: bool) -> None:
    """6.14/16, 108, 109 Who attacked from within an enemy's Limited zone is found, also if nobody
    is left who saw it. seen: was it so when the attack was made?"""
    left = [ship for ship in ships if not ship.sunk]
    if seen and left and not left[0].level:
        mark(table, war, left, 1, "attack")
