"""Checks of cards, lists and doctrine: what is named twice, set aside, or comes to nothing."""

from __future__ import annotations

from functools import cache

from games.baltic import verbs as v
from games.baltic.report import OwnVessel
from games.baltic.seen import Seen
from games.baltic.tables import figures
from pbem.kit import checks
from pbem.kit.checks import Refused


@cache
def boost() -> int:
    """139 What a sure repair costs."""
    return figures().boost


def for_turn(seen: Seen) -> bool:
    """Is the order for this turn, at once or on a condition?"""
    return not seen.order.standing and seen.order.turn in (None, seen.turn)


def set_aside(seen: Seen, order: v.Reserve) -> list[checks.Change]:
    """162 The card that is the reserve."""
    return [checks.Change(order.card, seen.offers(order.card), {"aside": True})]


def not_aside(seen: Seen, order: v.Dash) -> None:
    """164 The reserve is not in the stack, out of which cards are drawn."""
    card = seen.own(order.card, OwnVessel)
    if card is not None and card.aside and for_turn(seen):
        text = f"{order.card} is set aside as the reserve, which does not dash"
        raise Refused("contradiction", "164", text, "play reserve, or leave one of the two out")


def reserved(seen: Seen, order: v.PlayReserve) -> str:
    """32 A reserve is played only if a card is set aside."""
    if not for_turn(seen):
        return ""
    for row in seen.report["units"]:
        if row.get("aside", False):
            return ""
    return "no card is set aside, and no order of this set does so"


def named_once(seen: Seen, order: v.Stack | v.Launch | v.Group) -> None:
    """31, 106, 120 Each card or squadron has one place in a list."""
    arg = "cards" if seen.verb == "stack" else "markers"
    names = seen.action.args[arg]
    if not isinstance(names, list):
        return
    for item, name in enumerate(names):
        if name in names[:item]:
            raise Refused("named-twice", seen.rule, f"{name} is there twice", "", arg, item)


def whole_repairs(seen: Seen, order: v.Repair) -> None:
    """139 Sure repairs cost three points each."""
    if order.spend % boost():
        text = f"a sure repair costs {boost()} points, and {order.spend} do not come out even"
        raise Refused("no-repair", "139", text, f"spend {boost()}, or {2 * boost()} for two")


def one_wish(seen: Seen, order: v.Aa) -> None:
    """136 A kind of what flies, or one by name."""
    if (order.at == "") == (order.first == ""):
        raise Refused("one-wish", "136", "name a kind or a target", "aa torpedo, or aa at HT1")
