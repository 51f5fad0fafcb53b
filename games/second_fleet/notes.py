"""What an order will do, for receipts and the order page."""

from __future__ import annotations

from collections.abc import Sequence

from games.second_fleet import verbs as v
from games.second_fleet.board import LATTICE
from games.second_fleet.report import OwnUnit
from games.second_fleet.seen import Seen
from games.second_fleet.state import LAYERS


def hexes(count: int) -> str:
    """`1 hex`, `2 hexes`."""
    return "1 hex" if count == 1 else f"{count} hexes"


def pace(seen: Seen, unit: OwnUnit, mates: Sequence[str], *, faster: bool) -> int:
    """19, 24, 6.7/6 Hexes a turn of the slowest of a stack; one more at full or high speed."""
    found = unit.ma
    for name in mates:
        mate = seen.own(name, OwnUnit)
        if mate is not None:
            found = min(found, mate.ma)
    return found + (1 if faster else 0)


def sailed(seen: Seen, order: v.Move) -> str:
    """Where a move ends."""
    count = len(order.path)
    return f"{hexes(count)}, to {order.path[count - 1]}"


def heading(seen: Seen, order: v.Go) -> str:
    """How far it is as the crow flies."""
    unit = seen.unit
    if unit is None:
        return ""
    goal = order.hex if order.hex != "" else seen.place_of(order.contact)
    if goal == "":
        return ""
    away = LATTICE.distance(unit.place, goal)
    return (
        f"{hexes(away)} or more to {goal}, "
        f"{pace(seen, unit, order.mates, faster=order.speed != '')} a turn"
    )


def flown(seen: Seen, order: v.Strike) -> str:
    """`5 hexes to 2820, of 90 out and home`."""
    unit = seen.unit
    goal = order.hex if order.hex != "" else seen.place_of(order.contact)
    if unit is None or goal == "":
        return ""
    return f"{hexes(LATTICE.distance(unit.place, goal))} to {goal}, of {unit.ma} out and home"


def left_out(seen: Seen, order: v.Segment) -> str:
    """222 The types that no segment of the turn is left for, if a word stands for each of them."""
    now = not seen.order.standing and seen.order.turn in (None, seen.turn)
    used: list[str] = [*seen.report["board"]["used"]] if now else []
    words = [word for word in (order.first, order.second, order.third) if word != ""]
    played = [*used, *words][:3]
    left = [name for layer, name in LAYERS.items() if layer not in played]
    if len(played) < 3 or len(left) == 0:
        return ""
    return f"leaves no segment of the turn for {' and '.join(left)}"
