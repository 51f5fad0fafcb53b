"""9.2 Naval combat determination and set-up: who may attack whom, who stays out, where ships begin.

A group is a ship alone or a whole task force (9.27); functions take its ships.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from games.bismarck.battle.coordinates import facing_of
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
    """9.222, ruling 37 Of an attacking group: that of its fastest ship, carriers not counted."""
    return max(s.evasion_now for s in _fighters(group))


def defence_evasion(group: Sequence[Ship]) -> int:
    """9.222, ruling 37 Of a defending group: that of its slowest ship, carriers not counted."""
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


def _placed(hexes: Sequence[Hex], wishes: Sequence[Hex | None]) -> list[Hex]:
    """9.281 Ships that wish for a hex take it while it has room; the others, in the order of
    `hexes`, what is left."""
    room = dict.fromkeys(hexes, PER_HEX)
    found: list[Hex | None] = [None] * len(wishes)
    for n, wish in enumerate(wishes):
        if wish is not None and room[wish]:
            room[wish] -= 1
            found[n] = wish
    left = [at for at in hexes for _ in range(room[at])]
    return [left.pop(0) if at is None else at for at in found]


def defenders_berths(wishes: Sequence[int]) -> list[Hex]:
    """9.28, 9.281 Defenders begin in the centre; those for whom there is no room, around it.

    wishes: for each ship a hex around the centre, 1 to 6 clockwise from the east, 0 for none; so
    many of them count as there are ships beyond two.
    """
    around, beyond = neighbours(CENTRE), len(wishes) - PER_HEX
    further = sorted({at for side in range(len(around)) for at in edge(side, 2)})
    wanted: list[Hex | None] = []
    for wish in wishes:
        counts = 1 <= wish <= len(around) and sum(at is not None for at in wanted) < beyond
        wanted.append(around[wish - 1] if counts else None)
    return _placed((CENTRE, *around, *further), wanted)


def attackers_berths(side: int, radius: int, wishes: Sequence[int]) -> list[Hex]:
    """9.28 Attackers begin along one edge, without wishes from its middle outwards (our choice).

    wishes: for each ship a hex of the edge, counted from 1 clockwise, 0 for none.
    """
    line, behind = edge(side, radius), edge(side, radius + 1)
    order = [*_outwards(line), *_outwards(behind)]
    return _placed(order, [line[w - 1] if 1 <= w <= len(line) else None for w in wishes])


def _outwards(line: Sequence[Hex]) -> list[Hex]:
    middle = line[len(line) // 2]
    return sorted(line, key=lambda h: (distance(h, middle), h))


def edge_berths(line: Sequence[Hex], clear: Collection[Hex], wishes: Sequence[int]) -> list[Hex]:
    """9.281, 9.42 Ships that come by an edge, `line`, begin in those of its hexes that are `clear`:
    without wishes from its middle outwards (our choice). wishes: as of attackers."""
    wanted = [line[w - 1] if 1 <= w <= len(line) and line[w - 1] in clear else None for w in wishes]
    return _placed([h for h in _outwards(line) if h in clear], wanted)


ALONG = {"CLOCKWISE": 2, "COUNTERCLOCKWISE": 5, "INWARDS": 3, "OUTWARDS": 0}
"""9.282 Headings by the attackers' edge, in hex sides from its number."""


def common_heading(words: Iterable[str], side: int, default: str = "CLOCKWISE") -> Facing:
    """9.282, 9.42 Where the bows of a side all point at the start: as the first word says.

    Without a word along the attackers' edge: both lines begin broadside on (our choice). side: the
    edge by which they come; words: compass points, or those of `ALONG`.
    """
    word = next(filter(None, words), default)
    if word in ALONG:
        return turned(FACINGS[side], ALONG[word])
    return facing_of(word)
