"""R042-R046, R222 The Trajectory Total of an action."""

from __future__ import annotations

from games.atlantic_chase.state import Designated, War


def length_of(war: War, id_: str) -> int:
    """R042, R043 Segments of a force: none of Stations, airbases, Stealth forces and nobody."""
    return war.forces[id_].length if id_ in war.forces else 0


def trajectory_total(war: War, deed: Designated) -> int:
    """R042-R045 The longest of the Active side's forces, and the target, less the Idle side's
    coordinator and Air Support (once, if one force is both: Q18), but not below 0; the dice of
    leaders count on top of this (R254), and again it is not below 0."""
    own = max(length_of(war, id_) for id_ in (deed.force, deed.helper, deed.air))
    deducted = {deed.foe_helper, deed.foe_air}
    if war.options.get("self_support") == "free":  # Q17
        deducted -= {deed.target}
    less = sum(length_of(war, id_) for id_ in sorted(deducted))
    total = max(0, own + length_of(war, deed.target) - less)
    return max(0, total + deed.shift)
