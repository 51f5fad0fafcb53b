"""What receipts say of orders that a rule forbids in this turn, as far as the report decides it.

The report of the turn says the rest (`undone`).
"""

from __future__ import annotations

from games.bismarck import board, calendar
from games.bismarck.board import GERMAN
from games.bismarck.seen import Seen
from games.bismarck.verbs import HuffDuff, Search
from games.bismarck.verbs_battle import Attack, Shadow, Strike


def attacks(seen: Seen, order: Attack) -> str:
    """7.33, 9.23, 9.242 What an order to attack depends on."""
    if order.what == "never":
        alone = seen.actor != seen.side.upper()
        lot = "another of her type that attacks beside her is chosen by lot, and she may be (9.242)"
        return lot if alone else ""
    if seen.now and seen.sky("level") == "X":
        return "not this turn: visibility is X (7.33)"
    if seen.side == GERMAN:
        return "only where you search: 'GERMAN: search ...' (9.23)"
    return ""


def strikes(seen: Seen, order: Strike) -> str:
    """9.16, 7.33 A turn in which nobody strikes."""
    if order.what == "none" or not seen.now:
        return ""
    if seen.sky("night") == "all":
        return "not this turn: it is night (9.16)"
    return "not this turn: visibility is X (7.33)" if seen.sky("level") == "X" else ""


def searches(seen: Seen, order: Search) -> str:
    """7.17, 7.31 Zones that nobody searches this turn."""
    if not seen.now:
        return ""
    if order.zones and seen.sky("level") == "X":
        return "not this turn: visibility is X (7.17)"
    foggy = [zone for zone in order.zones if zone in board.FOG]
    if seen.fog and foggy:
        return f"not this turn, in fog: {' '.join(foggy)} (7.31)"
    return ""


def fixes(seen: Seen, order: HuffDuff) -> str:
    """10.22 A zone that no ship can be in or beside at the end of this turn."""
    if not order.zone or not seen.now:
        return ""
    most = 6 if calendar.first(seen.turn) else 3
    ships = [u for u in seen.units() if u.top is not None]
    if any(board.distance(u.place, order.zone) <= most for u in ships):
        return ""
    return f"no ship of yours can be in or next to {order.zone} this turn: a die names one (10.22)"


def shadows(seen: Seen, order: Shadow) -> str:
    """8.11 A contact that was not located last turn."""
    if not order.contact or order.what == "none" or not seen.now:
        return ""
    for row in seen.report["contacts"]:
        if row["id"] == order.contact and row["age"] <= 1:
            return ""
    return f"not this turn: {order.contact} was not located last turn (8.11)"
