"""9.4 Reinforcements: attempts, who qualifies, where they enter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.bismarck.battle.determination import berths, may_attack
from games.bismarck.state import Ship
from pbem.kit.hexes import Facing, Hex, distance, edge, turned

FIRST_ROUND = 3
"""9.41 The round at whose end the first attempt may be made."""
CLEAR = 6
"""9.42 Hexes between a reinforcing ship and every enemy, at least."""


def arrives(die: int, attempt: int) -> bool:
    """9.41, ruling 17 A 1 lets it in; each further attempt takes one more off the die."""
    return die <= attempt


def qualifies(group: Sequence[Ship], enemies: Iterable[Ship]) -> bool:
    """9.43 Could it attack at least one enemy ship of the action, by type and evasion?"""
    return any(may_attack(group, [enemy]).may == "yes" for enemy in enemies)


def entry(side: int, ships: int, enemies: Sequence[Hex], radius: int) -> list[Hex]:
    """9.42, 9.56 Hexes along an edge at least six from every enemy, of the smallest board around
    the enemies that has them: the board is shifted after the ships, so it has no fixed place."""
    centre = middle(enemies)
    while True:
        line = [Hex(h.q + centre.q, h.r + centre.r) for h in edge(side, radius)]
        clear = [h for h in line if all(distance(h, e) >= CLEAR for e in enemies)]
        if len(clear) * 2 >= ships:
            half = line[len(line) // 2]
            return berths(sorted(clear, key=lambda h: (distance(h, half), h)), ships)
        radius += 1


def middle(hexes: Sequence[Hex]) -> Hex:
    """A hex in the midst of others, by whole numbers."""
    n = len(hexes)
    return Hex(sum(h.q for h in hexes) // n, sum(h.r for h in hexes) // n)


def opposite(side: int) -> int:
    """9.272 The edge opposite: where ships that avoided the combat come from, if defenders."""
    return (side + 3) % 6


def heading(side: int) -> Facing:
    """9.42 The common heading of ships that enter by an edge: inwards."""
    return turned(Facing(side), 3)
