"""17-29, 6.13 Movement of ships and submarines."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache, partial

from games.second_fleet import (
    combat,
    decoys,
    deep,
    detection,
    goals,
    ice,
    landings,
    mines,
    patrols,
    strengths,
    weather,
)
from games.second_fleet import events as ev
from games.second_fleet import verbs as v
from games.second_fleet.advanced_tables import optional_chart
from games.second_fleet.board import BASES, COAST, FJORD, HEXES, LATTICE, off_norway, steps
from games.second_fleet.knowledge import refresh
from games.second_fleet.state import Vessel, War, enemy
from games.second_fleet.tables import limits
from pbem.kit.checks import Refused
from pbem.kit.grids import distances, safest, walk
from pbem.model import TableLike

Why = tuple[str, str] | None
"""The rule that stops a move, and how it does; None if nothing does."""


def points(war: War, ships: Sequence[Vessel], full: bool) -> int:
    """19, 24, 29, 6.2/5 Hexes that a stack may enter."""
    here = ships[0].hex
    if ice.packed(war, here):
        return 1
    if weather.storm(war, here) and any(s.type == "PC" for s in ships):
        raise Refused("storm", "6.2/5", "missile boats stay in port in a storm")
    return min(strengths.ma(war, s) for s in ships) + full


@lru_cache(maxsize=4096)
def _clear(hex_: str, closed: str, goal: str = "") -> tuple[str, ...]:
    """Steps for those that keep out of some kinds of hexes, but for their goal, before which they
    stop. closed: letters of these hexes."""
    return tuple(to for to in steps(hex_) if to == goal or HEXES[to] not in closed)


@lru_cache(maxsize=512)
def ways(goal: str, closed: str) -> dict[str, int]:
    """6.13/4 Steps to a goal from every hex, round the ice that is closed."""
    return distances(partial(_clear, closed=closed), goal)


def way(start: str, goal: str, closed: str, avoid: Collection[str] = ()) -> tuple[str, ...]:
    """6.13/4 A shortest way, without its start: of equal ones round known enemies and mines, of
    Norwegians near Norway, then by the lowest number. closed: letters of hexes that are kept out
    of. Raises Refused."""
    far = ways(goal, closed)
    if start not in far:
        raise Refused("no-way", "6.13/1", f"there is no way by sea to {goal}")
    near = partial(_clear, closed=closed, goal=goal)
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
    goal = order.hex or goals.place_of(war, side, order.contact)
    if not goal:
        raise Refused("no-goal", "6.13/4", f"nobody knows where {order.contact} is")
    known = [k.place for k in war.known[side].values() if not k.lost and k.kind != "SUB"]
    closed = "" if _ice(ships) else ice.open_to(war)
    here, more = ships[0].hex, _shut(war, ships[0], order.speed == "full")
    if more and HEXES[here] not in more and here in ways(goal, more):
        closed = more
    beyond = off_norway(limits().norway) if _norwegian(ships) else ()
    found = way(here, goal, closed, {*known, *war.mines.known.get(side, ()), *beyond})
    # 131, 262 in a fjord she could not fire
    beside = order.contact and ships[0].sub and HEXES[goal] == FJORD
    return found[:-1] if beside else found


def _shut(war: War, sub: Vessel, full: bool) -> str:
    """26, 193, 202 Letters of hexes that a submarine keeps out of in the deep, or at full speed."""
    if sub.deep:
        return COAST + ice.open_to(war)
    return ice.slow_in(war) if full else ""


def _ice(ships: Sequence[Vessel]) -> bool:
    return all(s.type in ice.ICE for s in ships)


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
    path, why = _possible(war, ships, planned, full, isinstance(order, v.Go))
    path, met, why = _ended(war, ships, path, why)
    most = {ship.id: strengths.ma(war, ship) for ship in ships}
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
    for ship in ships:  # 6.5/4 all that she could where she began
        ship.strained += ship.sailed >= most[ship.id]
    for foes in met:
        detection.mark(table, war, foes, 1, "meeting")
        detection.mark(table, war, [s for s in ships if not s.sunk], 1, "meeting")
    if path:
        rule, short = why or ("86", "")
        told = ev.Sailed(rule=rule, unit=actor, to=path[-1], hexes=len(path), short=short)
        table.tell([side], told)
    elif planned and why:
        table.tell([side], ev.Stopped(rule=why[0], unit=actor, at=start, short=why[1]))
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
    """6.7/6 A sound warship with fuel that did not hurry in the last turn."""
    return sound(ship) and strengths.stocked(ship, "fuel")


def sound(ship: Vessel) -> bool:
    """6.7/6 The same, whatever her fuel."""
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
    war: War, ships: Sequence[Vessel], path: Sequence[str], full: bool, far: bool
) -> tuple[tuple[str, ...], Why]:
    """The steps of a path that the rules of the sea allow, and what stops the stack before its end.
    far: the goal may be farther than a segment takes."""
    at, most, spent = ships[0].hex, points(war, ships, full), 0
    found: list[str] = []
    for hex_ in path:
        if found and ice.packed(war, at):
            return tuple(found), ("28", f"who enters pack ice stops in {at}")
        why = _forbidden(war, ships, at, hex_, full)
        cost = _cost(war, ships, hex_)
        if not why and spent + cost > most and not (cost > 1 == most and not found):
            return tuple(found), None if far and found else _spent(war, ships, most)
        if why:
            return tuple(found), why
        found.append(hex_)
        at, spent = hex_, spent + cost
    return tuple(found), None


def _spent(war: War, ships: Sequence[Vessel], most: int) -> Why:
    """19, 29 How far the stack goes at most."""
    if ice.packed(war, ships[0].hex):
        return "29", "who begins in pack ice goes one hex"
    return "19", f"it goes {most} {'hex' if most == 1 else 'hexes'} at most"


def _cost(war: War, ships: Sequence[Vessel], hex_: str) -> int:
    """192 Ships enter drift ice at twice the cost; who makes one hex a turn makes it."""
    return 2 if not ships[0].sub and ice.drifting(war, hex_) else 1


def _forbidden(war: War, ships: Sequence[Vessel], at: str, hex_: str, full: bool) -> Why:
    """23, 26-27, 193 Why the stack may not enter a hex."""
    if hex_ not in steps(at):
        return "6.13/1", f"there is no way by sea from {at} to {hex_}"
    if ice.packed(war, hex_) and (full or not _ice(ships)):
        return "26" if full and _ice(ships) else "27", f"pack ice is in {hex_}"
    if full and ice.drifting(war, hex_):
        return "193", f"drift ice is in {hex_}"
    if ships[0].deep and not deep.water(war, hex_):
        return "202", f"{hex_} is no water for the deep"
    if strays(ships, hex_):
        return "23", f"{hex_} is too far from Norway"
    return None


def strays(ships: Sequence[Vessel], hex_: str) -> bool:
    """23 Are Norwegian ships among them, and is a hex too far from Norway for these?"""
    return _norwegian(ships) and hex_ in off_norway(limits().norway)


def _norwegian(ships: Sequence[Vessel]) -> bool:
    return any(s.sheet.nation == "NO" and not s.sub for s in ships)


def _ended(
    war: War, ships: Sequence[Vessel], path: tuple[str, ...], why: Why
) -> tuple[tuple[str, ...], list[list[Vessel]], Why]:
    """20, 21, 34 A path that ends where a stack may end; 6.13/3 and whom it meets unseen where it
    would have ended: both see each other when it has stopped. why: what stops it before."""
    if ships[0].sub:
        return path, [], why
    found = list[list[Vessel]]()
    while path:
        end = path[-1]
        met = _foes(war, ships, end)
        if met and met[0].level == 0 and not war.open:
            before = path[-2] if len(path) > 1 else ships[0].hex
            if not barred(war, ships, before):
                found.append(met)
        bar = barred(war, ships, end)
        if not bar:
            return path, found, why
        unseen = met and met not in found and not war.open and not any(s.level for s in met)
        path, why = path[:-1], ("6.13/3", f"no stack may end in {end}") if unseen else bar
    return (), found, why


def _foes(war: War, ships: Sequence[Vessel], hex_: str) -> list[Vessel]:
    """20, 6.19/3 Enemy ships in a hex: for ships a decoy is none, as it is gone when they come
    beside it."""
    return [s for s in war.surface(enemy(ships[0].side), hex_) if not s.decoy or ships[0].decoy]


def barred(war: War, ships: Sequence[Vessel], hex_: str) -> Why:
    """Why the stack may not end in a hex; None if it may."""
    side = ships[0].side
    foe, foes = enemy(side), _foes(war, ships, hex_)
    if war.holds(foe, hex_):
        if any(s.sheet.combat for s in foes) or not _invades(war, ships, hex_):
            return "21", f"{hex_} is an enemy base"
    elif foes:
        return "20", f"enemy ships are in {hex_}"
    elif any(s.level for s in war.subs(foe, hex_)):
        return "20", f"an enemy submarine is in {hex_}"
    others = [s for s in war.surface(side, hex_) if s not in ships]
    if len(others) + len(ships) > 1 and any(s.decoy for s in (*others, *ships)):
        return "6.19/1", f"decoys and ships do not share {hex_}"
    if others and sum(s.sheet.combat for s in (*others, *ships)) > limits().surface:
        return "34", f"{hex_} has no room for so many ships"
    return None


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
