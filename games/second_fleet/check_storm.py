"""Checks of orders by the weather, which lies open: what a storm forbids in this very window is
refused; what it would forbid if it stayed has a note (6.2/5-6).

The weather is that of a day, and known before the orders of its morning.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from games.second_fleet import advanced_verbs as av
from games.second_fleet import storms
from games.second_fleet import verbs as v
from games.second_fleet.board import ZONES, Zone
from games.second_fleet.check_air import roles
from games.second_fleet.report import OwnUnit
from games.second_fleet.seen import Seen, zone_of
from pbem.kit.checks import Refused

Flown = v.Recon | v.Intercept | v.Coordinate | av.Mine | v.Cap | v.Strike | v.Transfer
VERBS = (
    v.Recon, v.Intercept, v.Coordinate, av.Mine, v.Cap, v.Strike, v.Transfer, av.Replenish,
)  # fmt: skip
MISSIONS = ("recon", "intercept", "coordinate", "mine")
"""What is flown in the strategic cycle."""


def stormy(seen: Seen) -> list[str]:
    """6.2 The zones that have a storm."""
    board = seen.report["board"]
    return [*board.get("weather_zones", [])] if board.get("weather", "") == "storm" else []


def grounded(seen: Seen, order: Flown | av.Replenish) -> None:
    """6.2/5-6 In this window nobody begins what a storm forbids, wherever others sail before."""
    unit, over = seen.own(seen.actor, OwnUnit), stormy(seen)
    morning = str(seen.report["board"]["stage"]) == "strategic"
    if unit is None or not seen.now or (morning and seen.verb not in MISSIONS):
        return
    no = forbidden(over, unit, order)
    if no is not None:
        raise Refused(no.code, no.rule, no.text)


def foreseen(seen: Seen, order: Flown | av.Replenish) -> str:
    """6.2/5-6 What comes to nothing if the weather is the same, and all are where they are."""
    unit, over = seen.own(seen.actor, OwnUnit), stormy(seen)
    if unit is None:
        return ""
    no = forbidden(over, unit, order)
    if no is None and isinstance(order, v.Strike | v.Transfer):
        target = seen.place_of(order.contact) if isinstance(order, v.Strike) else ""
        for hex_ in [unit.place, target]:
            if no is None and zone_of(hex_) in over:
                no = storms.flight(hex_)
    return "" if no is None else f"as things stand, {no.text} ({no.rule})"


def forbidden(over: Sequence[str], unit: OwnUnit, order: Struct) -> Refused | None:
    """6.2/5-6 What a storm makes of an order, as far as ships that sail first cannot change it: of
    flights from carriers, and to contacts, it is not known."""
    home = zone_of(unit.place)
    if isinstance(order, v.Cap):
        return storms.patrol(over, home)
    if isinstance(order, v.Strike | v.Transfer):
        return _flying(over, unit, order)
    if isinstance(order, av.Replenish):
        return storms.supply(unit.place) if home in over else None
    zone = _meant(order)
    role = roles().get(unit.id, "")
    if zone is None or role == "":
        return None
    looks = isinstance(order, v.Recon)
    return storms.mission(over, unit.base, home, role if looks else "", zone)


def _meant(order: Struct) -> Zone | None:
    """The zone of a strategic mission."""
    if isinstance(order, av.Mine):
        return zone_of(order.hex)
    if isinstance(order, v.Recon | v.Intercept | v.Coordinate):
        for zone in ZONES.values():
            if zone.lower() == order.zone:
                return zone
    return None


def _flying(over: Sequence[str], unit: OwnUnit, order: v.Strike | v.Transfer) -> Refused | None:
    """6.2/5-6 The same for flights in a segment."""
    ashore, strikes = unit.base.isdigit(), isinstance(order, v.Strike)
    if ashore and zone_of(unit.place) in over:
        return storms.flight(unit.place) if strikes else storms.take_off(unit.base, unit.place)
    if zone_of(order.hex) not in over:
        return None
    if strikes:
        return storms.flight(order.hex)
    return None if ashore else storms.touch_down()
