"""R9 Where ships that get away may go, by what their side can see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games.far_seas import board, courses, movement
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.state import Ship, War
from pbem.model import Side


def refuges(war: War, ships: Sequence[Ship]) -> tuple[str, ...]:
    """R9 Adjacent areas, first those with the fewest enemies that the side can see; M5, 5.5: where
    every one of the ships may go, as foreign ones keep to their side of the ocean."""
    sea, first = movement.sea_of(war), ships[0]
    movers = [movement.mover_of(s) for s in ships]
    near = (a for a in board.neighbours(first.area, first.side) if a in board.SEA)
    ways = [a for a in near if all(courses.allowed(sea, m, a) for m in movers)] or [first.area]
    seen = seen_in(war, first.side)
    return tuple(sorted(ways, key=lambda a: (seen[a], int(a))))


def seen_in(war: War, side: Side) -> Counter[str]:
    """Enemy ships by area, as the side knows: Allies are open, Germans where last seen."""
    if side == GERMAN:
        return Counter(foe.area for foe in war.fleet(BRITISH))
    return Counter(seen.area for seen in war.known.ships.values())
