"""7.23 What an answer tells of ships: types, task forces, and the observer's own pseudonyms.

Nothing is numbered or ordered by what is hidden: groups are in the order of their types, and the
order of ships that look alike cannot be seen.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.bismarck.events import Sighting
from games.bismarck.state import Ship, War
from pbem.kit.contacts import by_looks, issue
from pbem.model import Side

GENERAL = {"BB": "BB", "BC": "BB", "CA": "CA", "CL": "CA", "CV": "CV"}  # 7.23, 2.422
ORDER = ("BB", "CA", "CV")  # 9.241


def general(ship: Ship) -> str:
    """7.23 Battleship BB, cruiser CA, aircraft carrier CV: all that search tells of a ship."""
    return GENERAL[ship.type]


def sightings(war: War, side: Side, ships: Iterable[Ship]) -> tuple[Sighting, ...]:
    """7.23 The ships as `side` is told of them: by type, those of a task force marked so."""
    seen: list[Sighting] = []
    for group in by_looks(ships, lambda s: s.force or f"alone {s.id}", _rank):
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


def _rank(ship: Ship) -> int:
    return ORDER.index(general(ship))
