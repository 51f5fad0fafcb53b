"""6.2/5-6 What a storm forbids, whoever asks: the rules as an order is carried out, and the checks
as it comes in. `over`: the zones that have a storm.

The order page runs these functions as JavaScript (docs/formats.md, "Checks").
"""

from __future__ import annotations

from collections.abc import Sequence

from games.second_fleet.board import Zone, called
from pbem.kit.checks import Refused

LOOKOUTS = ("RCN", "AEW")
"""6.2/5 Reconnaissance and early warning look out in a storm."""


def mission(
    over: Sequence[str], base: str, home: Zone | None, looks: str, zone: Zone
) -> Refused | None:
    """A strategic mission over a zone. home: the zone of the base; None: nobody knows it yet;
    looks: the role of a squadron that flies reconnaissance, else empty."""
    if home in over:
        return take_off(base, base)
    if zone in over and looks not in LOOKOUTS:
        return Refused("storm", "6.2/5", f"there is a storm over {called(zone)}")
    return None


def patrol(over: Sequence[str], home: Zone | None) -> Refused | None:
    """CAP over a base."""
    if home in over:
        return Refused("storm", "6.2/5", "nobody is on patrol in a storm")
    return None


def take_off(base: str, place: str) -> Refused:
    """Nobody does, from a carrier or an airfield. place: what to call it."""
    rule = "6.2/6" if base.isdigit() else "6.2/5"
    return Refused("storm", rule, f"nobody takes off from {place} in a storm")


def touch_down() -> Refused:
    """Nobody does, aboard a carrier."""
    return Refused("storm", "6.2/5", "nobody lands on a carrier in a storm")


def flight(hex_: str) -> Refused:
    """Nobody flies from, or attacks from or in, a storm."""
    return Refused("storm", "6.2/5", f"there is a storm over {hex_}")


def supply(hex_: str) -> Refused:
    """Nobody gives stores at sea, nor in ice."""
    return Refused("storm", "6.5/6", f"nobody replenishes in {hex_} in this weather")
