"""17-29, 6.13 Movement of ships and submarines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

from games.second_fleet import (
    combat,
    decoys,
    deep,
    detection,
    ice,
    landings,
    mines,
    orders_of,
    patrols,
    strengths,
    weather,
)
from games.second_fleet import events as ev
from games.second_fleet import verbs as v
from games.second_fleet.advanced_tables import optional_chart
from games.second_fleet.board import BASES, HEXES, LATTICE, near_norway, steps
from games.second_fleet.knowledge import refresh
from games.second_fleet.state import Vessel, War, enemy
from games.second_fleet.tables import limits
from pbem.kit.checks import Refused
from pbem.kit.grids import distances, safest, walk
from pbem.model import TableLike

ICE = ("SN", "SB")
"""27 Who may enter pack ice."""


def points(war: War, ships: Sequence[Vessel], full: bool) -> int:
    """19, 24, 29, 6.2/5 Hexes that a stack may enter."""
    here = ships[0].hex
    if ice.packed(war, here):
        return 1
    if weather.storm(war, here) and any(s.type == "PC" for s in ships):
        raise Refused("storm", "6.2/5", "missile boats stay in port in a storm")
    return min(strengths.ma(war, s) for s in ships) + full


@lru_cache(maxsize=4096)
def _clear(hex_: str, closed: str) -> tuple[str, ...]:
    """Steps for those that keep out of some kinds of ice. closed: letters of these hexes."""
    return tuple(to for to in steps(hex_) if HEXES[to] not in closed)


@lru_cache(maxsize=512)
def ways(goal: str, closed: str) -> dict[str, int]:
    """6.13/4 Steps to a goal from every hex, round the ice that is closed."""
    return distances(partial(_clear, closed=closed), goal)


def way(start: str, goal: str, closed: str, avoid: Sequence[str] = ()) -> tuple[str, ...]:
    """6.13/4 A shortest way, without its start: of equal ones round known enemies and mines,
    then by the lowest number. closed: letters of hexes that are kept out of. Raises Refused."""
    far = ways(goal, closed)
    if start not in far:
        raise Refused("no-way", "6.13/1", f"there is no way by sea to {goal}")
    near = partial(_clear, closed=closed)
    away = lambda cell: far.get(cell, 9999)  # noqa: E731
    found = walk(near, start, goal, away, lambda cell: (cell in avoid, *LATTICE.parts(cell)))
    if found and any(cell in avoid for cell in found):
        found = safest(near, start, goal, away, lambda cell: cell in avoid, LATTICE.parts)
    return found or ()


def course(war: War, ships: Sequence[Vessel], order: v.Move | v.Go) -> tuple[str, ...]:
    """The hexes that an order names, or the way to its goal. Raises Refused."""
    if isinstance(order, v.Move):
        return order.path
    side = ships[0].side
    goal = order.hex or orders_of.place_of(war, side, order.contact)
    if not goal:
        raise Refused("no-goal", "6.13/4", f"nobody knows where {order.contact} is")
    known = [k.place for k in war.known[side].values() if not k.lost and k.kind != "SUB"]
    closed = "" if _ice(ships) else ice.open_to(war)
    return way(ships[0].hex, goal, closed, [*known, *war.mines.known.get(side, ())])


def _ice(ships: Sequence[Vessel]) -> bool:
    return all(s.type in ICE for s in ships)


def sail(
    table: TableLike, war: War, actor: str, ships: Sequence[Vessel], order: v.Move | v.Go
) -> None:
    """86 A stack, or a submarine, moves as far as it may. Raises Refused."""
    side, start = ships[0].side, ships[0].hex
    planned, full = course(war, ships, order), order.speed == "full"
    _require_way(start, planned)
    if full:
        _full_speed(table, war, ships)
    if order.speed == "high":
        _high_speed(war, ships)
    path = _possible(war, ships, planned, full)
    path, met = _ended(war, ships, path)
    for hex_ in path:
        mines.leave(table, war, [s for s in ships if not s.sunk])
        afloat = [s for s in ships if not s.sunk]
        if not afloat:
            return
        left = afloat[0].hex
        for ship in afloat:
            ship.sailed += _cost(war, afloat, hex_)
            ship.hex = hex_
        patrols.ground(war)
        detection.passing(table, war, afloat, left)
        decoys.seen_through(table, war)
        if ships[0].sunk and ships[0].decoy:
            return
    for foes in met:
        detection.mark(table, war, foes, 1, "meeting")
        detection.mark(table, war, [s for s in ships if not s.sunk], 1, "meeting")
    if path:
        told = ev.Sailed(rule="86", unit=actor, to=path[-1], hexes=len(path))
        table.tell([side], told)
    elif planned:
        table.tell([side], ev.Stopped(rule="6.13/3", unit=actor, at=start))
    if ships[0].sub:
        refresh(table, war, enemy(side), "")
    else:
        detection.settle(table, war, side, next(s.hex for s in ships if not s.sunk))


def _require_way(start: str, path: Sequence[str]) -> None:
    """6.13/1 Is there a way by sea to the first hex of a path? Raises Refused."""
    if path and path[0] not in steps(start):
        raise Refused("no-way", "6.13/1", f"there is no way by sea from {start} to {path[0]}")


def _full_speed(table: TableLike, war: War, ships: Sequence[Vessel]) -> None:
    """24-26, 225 Declared before the first step."""
    if not ships[0].sub:
        raise Refused("no-full-speed", "24", "full speed is for submarines")
    if ice.packed(war, ships[0].hex):
        raise Refused("no-full-speed", "26", "a submarine in pack ice cannot go at full speed")
    if ice.drifting(war, ships[0].hex):
        raise Refused("no-full-speed", "193", "a submarine in drift ice cannot go at full speed")
    if ships[0].deep:
        raise Refused("no-full-speed", "202", "a submarine in the deep cannot go at full speed")
    ships[0].full = True
    detection.mark(table, war, ships, 2, "full speed")


def may_hurry(ship: Vessel) -> bool:
    """6.7/6 A sound warship that did not hurry in the last turn."""
    return ship.type in optional_chart().fast and not ship.damaged and not ship.tired


def _high_speed(war: War, ships: Sequence[Vessel]) -> None:
    """6.7/6 One hex more, deaf to submarines, not two turns running. Raises Refused."""
    if not war.on("speed"):
        raise Refused("no-high-speed", "6.7/6", "this game is played without high speed")
    for ship in ships:
        if not may_hurry(ship):
            raise Refused("no-high-speed", "6.7/6", f"{ship.id} cannot go at high speed now")
    for ship in ships:
        ship.fast = True
        ship.burnt += 1


def _possible(
    war: War, ships: Sequence[Vessel], path: Sequence[str], full: bool
) -> tuple[str, ...]:
    """The steps of a path that the rules of the sea allow."""
    at, most, spent = ships[0].hex, points(war, ships, full), 0
    found: list[str] = []
    for hex_ in path:
        if hex_ not in steps(at):
            break
        cost = _cost(war, ships, hex_)
        if spent + cost > most and not (cost > 1 == most and not found):
            break
        if not _allowed(war, ships, hex_, full):
            break
        found.append(hex_)
        at, spent = hex_, spent + cost
        if ice.packed(war, hex_):
            break  # 28
    return tuple(found)


def _cost(war: War, ships: Sequence[Vessel], hex_: str) -> int:
    """192 Ships enter drift ice at twice the cost; who makes one hex a turn makes it."""
    return 2 if not ships[0].sub and ice.drifting(war, hex_) else 1


def _allowed(war: War, ships: Sequence[Vessel], hex_: str, full: bool) -> bool:
    """23, 26-27, 193 May the stack enter a hex?"""
    if ice.packed(war, hex_) and (full or not _ice(ships)):
        return False
    if full and ice.drifting(war, hex_):
        return False
    if ships[0].deep and not deep.water(war, hex_):
        return False
    norwegian = not ships[0].sub and any(s.sheet.nation == "NO" for s in ships)
    return not norwegian or near_norway(hex_, limits().norway)


def _ended(
    war: War, ships: Sequence[Vessel], path: tuple[str, ...]
) -> tuple[tuple[str, ...], list[list[Vessel]]]:
    """20, 21, 34 A path that ends where a stack may end; 6.13/3 and whom it meets unseen where it
    would have ended: both see each other when it has stopped."""
    if ships[0].sub:
        return path, []
    foe, found = enemy(ships[0].side), list[list[Vessel]]()
    while path:
        end = path[-1]
        met = war.surface(foe, end)
        if met and met[0].level == 0 and not war.open:
            before = path[-2] if len(path) > 1 else ships[0].hex
            if not barred(war, ships, before):
                found.append(met)
        if not barred(war, ships, end):
            return path, found
        path = path[:-1]
    return (), found


def barred(war: War, ships: Sequence[Vessel], hex_: str) -> bool:
    """May the stack not end in a hex?"""
    side = ships[0].side
    foe = enemy(side)
    foes = war.surface(foe, hex_)
    if war.holds(foe, hex_):
        if any(s.sheet.combat for s in foes) or not _invades(war, ships, hex_):
            return True
    elif foes or any(s.level for s in war.subs(foe, hex_)):
        return True
    others = [s for s in war.surface(side, hex_) if s not in ships]
    if any(s.decoy for s in (*others, *ships)):
        return bool(others)  # 6.19/1
    combat = sum(s.sheet.combat for s in (*others, *ships))
    return bool(others) and combat > limits().surface


def _invades(war: War, ships: Sequence[Vessel], hex_: str) -> bool:
    """22, 6.3/5 An amphibious stack may end in an enemy base without warships that is a landing
    strip, has no guns left, or is badly damaged."""
    field, base = war.fields[hex_], BASES[hex_]
    if not war.advanced or not any(landings.carried(s) for s in ships):
        return False
    if hex_ not in landings.targets(war, ships[0].side):
        return False
    badly = max(field.air, field.port) >= 2
    return base.kind == "LS" or badly or not combat.base_guns(war, hex_, electronic=False)
