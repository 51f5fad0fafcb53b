"""Why an order of this window is not for a unit that is neither away nor has been activated, or for
its side: what it lacks, where it lies, what the window is for."""

from __future__ import annotations

from games.second_fleet.report import OwnUnit
from games.second_fleet.seen import Seen
from pbem.kit.checks import Refused

WINDOWS = {"strategic": "the strategic cycle", "cap": "patrols", "set-up": "the set-up"}
LACKS = {
    "cruise": ("6.7/1", "has no cruise missiles"),
    "leave": ("83", "sails with nobody"),
    "withdraw": ("6.3/13", "lies in no base that may fall"),
    "replenish": ("6.5/6", "has no stores to give"),
    "strike": ("93", "carries nothing to attack with"),
    "surface": ("200", "is not in the deep"),
    "late": ("6.5/6", "gives stores before the first segment alone"),
    "no mines": ("210", "finds no mine marker left: all of yours lie"),
    "no beach": ("6.3/3", "lies neither in nor beside a base that may be attacked"),
    "no landing ship": ("6.3/4", "is no amphibious ship"),
    "no troops": ("6.3/4", "has no troops aboard"),
    "slow": ("198", "is too slow: submarines of two hexes a turn and more go deep"),
    "no layer": ("209", "lays no mines: aircraft and Soviet submarines do"),
    "no commando": ("6.3/8", "has no commando to send: none is left"),
}
"""By the verb, or by what is the matter: the rule, and why it is not offered to a unit that it is
for."""


def not_yet(seen: Seen, group: str = "") -> Refused:
    """3, 6.18 The window is for something before the segments. group: the one that the order would
    be for."""
    window, turn = WINDOWS[str(seen.report["board"]["stage"])], max(seen.turn, 1)
    text = f"this window is for {window}; the segments of turn {turn} come after it"
    actor = group if group != "" else seen.actor
    return Refused("not-now", "3", text, f"turn {turn} {actor}: {seen.verb} ...")


def of_side(seen: Seen) -> None:
    """3, 13 Why a side cannot be given an order of its own. Raises Refused."""
    board = seen.report["board"]
    if str(board["stage"]) != "segment" and seen.verb in ("segment", "form", "decoy"):
        raise not_yet(seen)
    if str(board["stage"]) != "strategic" and seen.verb in ("strategy", "drop"):
        raise Refused("not-now", "3", f"'{seen.verb}' is ordered in the morning")
    if seen.verb in ("form", "decoy") and "surf" in board["used"]:
        raise Refused("not-now", "13", "your surface ships have had their segment in this turn")


def lacking(seen: Seen, unit: OwnUnit) -> None:
    """83, 200, 210, 6.3, 6.5/6, 6.7/1 Why a unit that might act cannot be given an order.
    Raises Refused."""
    matter = seen.verb
    if seen.verb == "replenish" and int(seen.report["board"]["segment"]) > 1:
        matter = "late"
    if seen.verb == "mine" and unit.kind == "air":
        matter = "no mines"
    if seen.verb in ("land", "commando"):
        matter = "no beach"
        if seen.verb == "land" and len([note for note in unit.notes if "troops" in note]) == 0:
            matter = "no troops"
        elif seen.verb == "commando" and seen.report["board"]["troops"][1] == 0:
            matter = "no commando"
    if matter in LACKS:
        rule, text = LACKS[matter]
        raise Refused("not-now", rule, f"{unit.id} {text}")
