"""Why an order of this window is not for a unit that is neither away nor has been activated, or for
its side: what it lacks, where it lies, what the window is for."""

from __future__ import annotations

from games.second_fleet.report import OwnUnit
from games.second_fleet.seen import Seen
from pbem.kit.checks import Refused

WINDOWS = {"strategic": "the strategic cycle", "cap": "patrols", "set-up": "the set-up"}
LACKS = {
    "cruise": "6.7/1 has no cruise missiles",
    "leave": "83 sails with nobody",
    "withdraw": "6.3/13 lies in no base that may fall",
    "replenish": "6.5/6 has no stores to give",
    "strike": "93 carries nothing to attack with",
    "surface": "200 is not in the deep",
}
"""By the verb: the rule, and why it is not offered to a unit that it is for."""


def not_yet(seen: Seen) -> Refused:
    """3, 6.18 The window is for something before the segments."""
    window, turn = WINDOWS[str(seen.report["board"]["stage"])], max(seen.turn, 1)
    text = f"this window is for {window}; the segments of turn {turn} come after it"
    return Refused("not-now", "3", text, f"turn {turn} {seen.actor}: {seen.verb} ...")


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
    """200, 210, 263, 6.3, 6.5/6, 6.7/1 Why a unit that might act cannot be given an order. Raises
    Refused."""
    said = LACKS.get(seen.verb, "")
    if seen.verb == "replenish" and int(seen.report["board"]["segment"]) > 1:
        said = "6.5/6 gives stores before the first segment alone"
    if seen.verb == "mine" and unit.kind == "air":
        said = "210 finds no mine marker left: all of yours lie"
    if seen.verb in ("land", "commando"):
        said = f"6.3/3 is in {unit.place}, neither in nor beside a base that may be attacked"
        if unit.model != "AA" and unit.kind != "sub":
            said = "6.3/4 is no amphibious ship"
        elif seen.verb == "land" and len([note for note in unit.notes if "troops" in note]) == 0:
            said = "6.3/4 has no troops aboard"
    if said != "":
        rule = said.split()[0]
        raise Refused("not-now", rule, f"{unit.id}{said[len(rule) :]}")
