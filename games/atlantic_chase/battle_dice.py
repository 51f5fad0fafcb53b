"""R190-R196, R202, R203 The numbers of Battle: range, gunnery, torpedoes, Break Away. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from games.atlantic_chase.state import Ship
from games.atlantic_chase.tables import SLOW, VERY_SLOW, rules

Zone = Literal["far", "near", "close"]
ZONES: tuple[str, ...] = ("far", "near", "close")
"""Of each side, from the rear to the middle; Close is shared (Q7: nobody enters the enemy's)."""
Range = Literal["extreme", "long", "short", "point blank"]


def range_of(own: str, foe: str) -> Range:
    """R191 The range between two zones: far-far extreme, far-near and far-close long, near-near
    short, near-close and close-close point blank."""
    zones = {own, foe}
    if zones == {"far"}:
        return "extreme"
    if "far" in zones:
        return "long"
    return "short" if zones == {"near"} else "point blank"


def kept(faces: Sequence[int], at: Range) -> int:
    """R191 The sum that counts: two dice; of three the lower two at extreme range, the higher two
    at point blank. Raises ValueError for another number of dice."""
    if len(faces) != dice_count(at):
        raise ValueError(f"{len(faces)} dice at {at} range")
    ordered = sorted(faces)
    return sum(ordered[-2:] if at == "point blank" else ordered[:2])


def dice_count(at: Range) -> int:
    """R191 Dice of a ship's gunnery."""
    return 2 if at in ("long", "short") else 3


def guns(ship: Ship, at: Range) -> int | None:
    """R193 The gunnery value at a range; None for a ship that cannot fire (dispersed Convoys)."""
    value = ship.face.close if at in ("short", "point blank") else ship.face.far
    if ship.scattered or value is None:
        return None
    return value


def gunnery_hits(total: int) -> int:
    """R190 Hits of a gunnery roll with its modifiers."""
    table = rules().other
    return 2 if total >= table.gunnery_two else 1 if total >= table.gunnery else 0


def speed_bonus(target: Ship) -> int:
    """R193, R196 +1 at a slow target, +2 at a very slow one or one that is stopped."""
    return 2 if target.speed <= VERY_SLOW else 1 if target.speed == SLOW else 0


def smoke_malus(hidden: Iterable[bool]) -> int:
    """R194 -1 for a firer or target that is obscured, -2 if both are."""
    return -sum(hidden)


def break_away_bonus(
    own: Sequence[Ship], foes: Sequence[Ship], zones: dict[str, str], slowest: str = "rulebook"
) -> int:
    """R202, R203 -1 for any enemy in Near or Close, -1 for the slowest ship, +2 if all own ships
    are in Far. Shore batteries count for nothing (R032).

    slowest: `rulebook`, a ship of one's own is slower than every enemy; `board`, an enemy is faster
    than every own ship (both wordings are printed).
    """
    near = any(zones[f.id] != "far" for f in foes if not f.fort)
    moving, mine = [f.speed for f in foes if not f.fort], [s.speed for s in own if not s.fort]
    both = bool(moving) and bool(mine)
    slow = both and (max(mine) < max(moving) if slowest == "board" else min(mine) < min(moving))
    safe = all(zones[s.id] == "far" for s in own if not s.fort)
    return (2 if safe else 0) - int(near) - int(slow)
