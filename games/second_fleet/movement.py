"""17-29, 6.13 Movement of ships and submarines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from games.second_fleet import detection, orders_of
from games.second_fleet import events as ev
from games.second_fleet import verbs as v
from games.second_fleet.board import HEXES, LATTICE, PACK, near_norway, steps
from games.second_fleet.knowledge import refresh
from games.second_fleet.state import Vessel, War, enemy
from games.second_fleet.tables import limits
from pbem.kit.checks import Refused
from pbem.kit.grids import distances, walk
from pbem.model import TableLike

ICE = ("SN", "SB")
"""27 Who may enter pack ice."""


def points(ships: Sequence[Vessel], full: bool) -> int:
    """19, 24, 29 Hexes that a stack may enter."""
    if any(HEXES[s.hex] == PACK for s in ships):
        return 1
    return min(s.now.ma for s in ships) + full


@lru_cache(maxsize=2048)
def _iced(hex_: str) -> tuple[str, ...]:
    """Steps for those that keep out of pack ice."""
    return tuple(to for to in steps(hex_) if HEXES[to] != PACK)


@lru_cache(maxsize=512)
def ways(goal: str, ice: bool) -> dict[str, int]:
    """6.13/4 Steps to a goal from every hex, through pack ice or round it."""
    return distances(steps if ice else _iced, goal)


def way(start: str, goal: str, ice: bool, avoid: Sequence[str] = ()) -> tuple[str, ...]:
    """6.13/4 A shortest way, without its start: of equal ones round known enemies, then by the
    lowest number. Raises Refused."""
    far = ways(goal, ice)
    if start not in far:
        raise Refused("no-way", "6.13/1", f"there is no way by sea to {goal}")
    found = walk(
        steps if ice else _iced,
        start,
        goal,
        lambda cell: far.get(cell, 9999),
        lambda cell: (cell in avoid, *LATTICE.parts(cell)),
    )
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
    return way(ships[0].hex, goal, _ice(ships), known)


def _ice(ships: Sequence[Vessel]) -> bool:
    return all(s.type in ICE for s in ships)


def sail(
    table: TableLike, war: War, actor: str, ships: Sequence[Vessel], order: v.Move | v.Go
) -> None:
    """86 A stack, or a submarine, moves as far as it may. Raises Refused."""
    side, start = ships[0].side, ships[0].hex
    full = order.speed == "full"
    if full:
        _full_speed(table, war, ships)
    planned = course(war, ships, order)
    path = _possible(ships, planned, points(ships, full), full)
    path = _ended(table, war, ships, path)
    for hex_ in path:
        left = ships[0].hex
        for ship in ships:
            ship.hex = hex_
        detection.passing(table, war, ships, left)
    if path:
        told = ev.Sailed(rule="86", unit=actor, to=path[-1], hexes=len(path))
        table.tell([side], told)
    elif planned:
        table.tell([side], ev.Stopped(rule="6.13/3", unit=actor, at=start))
    if ships[0].sub:
        refresh(table, war, enemy(side), "")
    else:
        detection.settle(table, war, side, ships[0].hex)


def _full_speed(table: TableLike, war: War, ships: Sequence[Vessel]) -> None:
    """24-26, 225 Declared before the first step."""
    if not ships[0].sub:
        raise Refused("no-full-speed", "24", "full speed is for submarines")
    if HEXES[ships[0].hex] == PACK:
        raise Refused("no-full-speed", "26", "a submarine in pack ice cannot go at full speed")
    ships[0].full = True
    detection.mark(table, war, ships, 2, "full speed")


def _possible(
    ships: Sequence[Vessel], path: Sequence[str], most: int, full: bool
) -> tuple[str, ...]:
    """The steps of a path that the rules of the sea allow. Raises Refused for the first of them."""
    at = ships[0].hex
    found: list[str] = []
    for hex_ in path[:most]:
        if hex_ not in steps(at):
            if not found:
                raise Refused("no-way", "6.13/1", f"there is no way by sea from {at} to {hex_}")
            break
        if HEXES[hex_] == PACK and (full or not _ice(ships)):
            break
        norwegian = not ships[0].sub and any(s.sheet.nation == "NO" for s in ships)
        if norwegian and not near_norway(hex_, limits().norway):
            break
        found.append(hex_)
        at = hex_
        if HEXES[hex_] == PACK:
            break  # 28
    return tuple(found)


def _ended(
    table: TableLike, war: War, ships: Sequence[Vessel], path: tuple[str, ...]
) -> tuple[str, ...]:
    """20, 21, 34 A path that ends where a stack may end; 6.13/3 who meets ships unseen is seen."""
    if ships[0].sub:
        return path
    foe = enemy(ships[0].side)
    while path:
        end = path[-1]
        met = war.surface(foe, end)
        if met and met[0].level == 0 and not war.open:
            before = path[-2] if len(path) > 1 else ships[0].hex
            if not barred(war, ships, before):
                detection.mark(table, war, met, 1, "meeting")
                detection.mark(table, war, ships, 1, "meeting")
        if not barred(war, ships, end):
            return path
        path = path[:-1]
    return ()


def barred(war: War, ships: Sequence[Vessel], hex_: str) -> bool:
    """May the stack not end in a hex?"""
    side = ships[0].side
    foe = enemy(side)
    if war.surface(foe, hex_) or any(s.level for s in war.subs(foe, hex_)):
        return True
    if war.holds(foe, hex_):
        return True
    others = [s for s in war.surface(side, hex_) if s not in ships]
    combat = sum(s.sheet.combat for s in (*others, *ships))
    return bool(others) and combat > limits().surface
