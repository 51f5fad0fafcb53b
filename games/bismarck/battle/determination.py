"""9.2 Naval combat determination and set-up: who may attack whom, who stays out, where ships begin.

A group is a ship alone or a whole task force (9.27); functions take its ships.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from games.bismarck.contacts import ORDER, general
from games.bismarck.state import Ship
from pbem.kit.hexes import (
    CENTRE,
    FACINGS,
    Facing,
    Hex,
    distance,
    edge,
    neighbours,
    turned,
)

PER_HEX = 2
"""9.281 Friendly ships that may be placed in one hex."""


# 9.22 Who may attack


class Verdict(Struct, frozen=True):
    """9.22 Whether a group may attack another, and why. `asks`: only if the enemy accepts."""

    may: Literal["yes", "asks", "no"]
    rule: str
    why: str = ""


def kind(group: Iterable[Ship]) -> str:
    """9.241 How a group is announced: by its most powerful ship, BB, CA, then CV."""
    return min(map(general, group), key=ORDER.index)


def attack_evasion(group: Sequence[Ship]) -> int:
    """9.222, ruling 7 Of an attacking group: that of its fastest ship, carriers not counted."""
    return max(s.evasion_now for s in _fighters(group))


def defence_evasion(group: Sequence[Ship]) -> int:
    """9.222, ruling 7 Of a defending group: that of its slowest ship, carriers not counted."""
    return min(s.evasion_now for s in _fighters(group))


def _fighters(group: Sequence[Ship]) -> Sequence[Ship]:
    """The ships other than carriers; carriers where there are no others."""
    return [s for s in group if s.type != "CV"] or group


def may_attack(attackers: Sequence[Ship], defenders: Sequence[Ship]) -> Verdict:
    """9.221, 9.222 May these attack those? Evasion levels are announced (9.24)."""
    if all(s.type == "CV" for s in attackers):
        return Verdict("no", "9.221", "aircraft carriers never attack ships")
    ours, theirs = attack_evasion(attackers), defence_evasion(defenders)
    why = f"evasion {ours} against {theirs}"
    if ours >= theirs:
        return Verdict("yes", "9.222", why)
    return Verdict("asks", "9.222", f"{why}: only if the enemy accepts")


# 9.27 Who may stay out


def may_avoid(group: Sequence[Ship], enemies: Sequence[Ship]) -> list[Ship]:
    """9.271, 9.272 The ships of a task force that may stay out of the combat, at most.

    A carrier may while another ship fights. A ship faster than every enemy may while one stays
    that is at least as fast as the fastest of them.
    """
    if len(group) < 2:
        return []
    top = max(s.evasion_now for s in enemies)
    return [s for s in group if s.type == "CV" or s.evasion_now > top]


def stay_out(group: Sequence[Ship], enemies: Sequence[Ship], wish: Collection[str]) -> list[Ship]:
    """9.271, 9.272 Which of the ships that wish to do stay out, so that enough remain to fight.

    Where too many wish it, the first of the group in order stays to fight.
    """
    able = [s for s in may_avoid(group, enemies) if s.id in wish]
    carriers = [s for s in able if s.type == "CV"]
    out = carriers if len(carriers) < len(group) else carriers[1:]
    top = max(s.evasion_now for s in enemies)
    for ship in (s for s in able if s.type != "CV"):
        fight = [s for s in group if s is not ship and s not in out]
        if any(s.type != "CV" and s.evasion_now >= top for s in fight):
            out = [*out, ship]
    return out


# 9.28 Set-up


def berths(hexes: Iterable[Hex], ships: int) -> list[Hex]:
    """9.281 A hex for every ship, two to a hex, in the order of `hexes`."""
    return [at for at in hexes for _ in range(PER_HEX)][:ships]


def defenders_berths(ships: int) -> list[Hex]:
    """9.28, 9.281 Defenders begin in the centre; those for whom there is no room, around it."""
    return berths((CENTRE, *neighbours(CENTRE)), ships)


def attackers_berths(side: int, radius: int, ships: int) -> list[Hex]:
    """9.28 Attackers begin along one edge, from its middle outwards (our choice)."""
    line = edge(side, radius)
    middle = len(line) // 2
    return berths(sorted(line, key=lambda h: (distance(h, line[middle]), h)), ships)


def parallel(side: int) -> Facing:
    """9.282 The common heading along an edge: both lines begin broadside on."""
    return turned(FACINGS[side], 2)
