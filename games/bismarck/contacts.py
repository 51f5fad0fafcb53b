"""7.23 What an answer tells of ships: types, task forces, and the observer's own pseudonyms.

Nothing is numbered or ordered by what is hidden: ships and task forces are in the order of their
types, and those that look alike in that of a lot which nobody sees (`mixed`).
"""

from __future__ import annotations

from collections.abc import Iterable

from games.bismarck.events import Sighting
from games.bismarck.state import Ship, War
from pbem.kit.contacts import by_looks, by_lot, issue
from pbem.model import Side, TableLike

GENERAL = {"BB": "BB", "BC": "BB", "CA": "CA", "CL": "CA", "CV": "CV"}  # 7.23, 2.422
ORDER = ("BB", "CA", "CV")  # 9.241


def general(ship: Ship) -> str:
    """7.23 Battleship BB, cruiser CA, aircraft carrier CV: all that search tells of a ship."""
    return GENERAL[ship.type]


def mixed(table: TableLike, side: Side, ships: Iterable[Ship]) -> list[Ship]:
    """7.23 Ships that `side` finds together, in an order that says nothing: ships that look alike,
    and task forces that do, by lot. The order of battle is public, and the state has them in the
    order of their names."""
    label = f"CONTACTS/ORDER/-/{side.upper()}"
    forces: dict[str, list[Ship]] = {}
    for ship in ships:
        forces.setdefault(_together(ship), []).append(ship)
    groups = [by_lot(table, label, members, _rank) for members in forces.values()]
    found = by_lot(table, label, groups, lambda members: (-len(members), *map(_rank, members)))
    return [ship for members in found for ship in members]


def sightings(war: War, side: Side, ships: Iterable[Ship]) -> tuple[Sighting, ...]:
    """7.23 The ships as `side` is told of them: by type, those of a task force marked so.

    ships: several that may look alike in the order of `mixed`.
    """
    seen: list[Sighting] = []
    for group in by_looks(ships, _together, _rank):
        ids = [pseudonym(war, side, ship) for ship in group]
        force = tuple(ids) if len(ids) > 1 else ()
        seen += [Sighting(i, general(s), force) for i, s in zip(ids, group, strict=True)]
    return tuple(seen)


def pseudonym(war: War, side: Side, ship: Ship) -> str:
    """The contact's number with `side`: a new one, unless the type leaves only one ship."""
    tracks, known = war.tracks[side], war.known[side]
    if only_one(war, ship):
        for id_, true in tracks.items():
            if true == ship.id:
                return id_
    return issue(known, tracks, ship.id)


def only_one(war: War, ship: Ship) -> bool:
    """Is it the only ship of its general type that its side has? The order of battle is public."""
    fleet = (s for s in war.ships.values() if s.side == ship.side)
    return sum(general(s) == general(ship) for s in fleet) == 1


def _together(ship: Ship) -> str:
    """5.43 What tells which ships lie under one counter."""
    return ship.force or f"alone {ship.id}"


def _rank(ship: Ship) -> int:
    return ORDER.index(general(ship))
