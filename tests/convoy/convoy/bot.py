"""Both bots: convoys go east around contacts, escorts stay near and hunt, submarines close in."""

from collections.abc import Mapping

from msgspec import convert
from pbem.kit import bots
from pbem.kit.grids import path
from pbem.model import ContactView, Side

from convoy.game import CELLS, GRAMMAR, SEA, Attack, Charge, Dive, Move, OwnShip, Shown, Surface, Torpedoes, around


def orders(side: Side, report: Mapping[str, object], luck: str) -> str:
    """The orders of a side."""
    return bots.written(lines(convert(report, Shown), bots.Luck(luck)), GRAMMAR)


def lines(seen: Shown, luck: bots.Luck) -> bots.Lines:
    """Actor and order."""
    if "GERMANS" in seen.menu and seen.turn == 1:
        yield "@GERMANS", Attack("close" if luck.of("doctrine", 2) else "always")
    for ship in seen.units:
        near = sorted(seen.contacts, key=lambda c: (c.age, SEA.distance(ship.place, c.place)))
        cells, goal = bots.values(seen.menu, ship.id, "move", "way"), ship.place
        if ship.kind == "convoy":
            east = [cell for cell in cells if int(cell[1:]) > int(ship.place[1:])]
            lot = luck.choice(f"{seen.turn} {ship.id}", east)
            goal = max(east, key=lambda cell: (min([4, *(SEA.distance(cell, c.place) for c in near)]), cell == lot))
        elif ship.kind == "escort":
            goal = station(seen, ship, near)
        else:  # submerged near a convoy, surfaced otherwise
            goal = ahead(near[0]) if near else luck.choice(f"{seen.turn // 3} {ship.id}", CELLS)
            close = bool(near) and SEA.distance(ship.place, goal) <= 2
            if close and not ship.down and ship.air > 1:
                yield ship.id, Dive()
            elif ship.down and not close:
                yield ship.id, Surface()
        to = closest([ship.place, *cells], goal)
        way = path(lambda cell: around(cell, 1), ship.place, to, SEA.parts)
        if way:
            yield ship.id, Move(way)
        for target in bots.values(seen.menu, ship.id, "charge", "target")[:1]:
            yield ship.id, Charge(target)
        for target in bots.values(seen.menu, ship.id, "torpedoes", "target")[: min(1, ship.torpedoes)]:
            yield ship.id, Torpedoes(target, min(2, ship.torpedoes))


def closest(cells: list[str], goal: str) -> str:
    """The cell nearest to the goal."""
    return bots.towards(cells, lambda cell: SEA.distance(cell, goal), goal)


def station(seen: Shown, ship: OwnShip, near: list[ContactView]) -> str:
    """Where an escort belongs: at a fresh contact, else before its convoy."""
    if near and near[0].age == 1 and SEA.distance(ship.place, near[0].place) <= 4:
        return near[0].place
    convoys = [unit.place for unit in seen.units if unit.kind == "convoy"]
    mine = closest(convoys, ship.place)
    return SEA.name(ord(mine[0]) - ord("A"), min(10, int(mine[1:]) + 2))


def ahead(contact: ContactView) -> str:
    """Where a convoy is likely to be now."""
    row, column = ord(contact.place[0]) - ord("A"), int(contact.place[1:])
    return SEA.name(row, min(10, column + contact.age))
