"""4 Orders that come too late for this turn, and may be given for the next."""

from __future__ import annotations

from msgspec import Struct

from games.bismarck.seen import Seen
from pbem.kit.checks import Refused

SAILING = ("move", "patrol", "hold", "intercept", "fly", "return", "search")
REGROUPING = ("form", "join", "detach", "break", "enter")


def too_late(seen: Seen, order: Struct) -> None:
    """4.2, 4.5 Once ships have moved, what is done before is for another turn; a ship of a force
    will do as that does."""
    said, verb, actor = seen.order, seen.verb, seen.actor
    if said.standing or said.turn is not None or verb in [one.verb for one in seen.offers(actor)]:
        return
    whole = [one.verb for one in seen.offers(seen.side.upper())]
    if len(whole) == 0 or "search" in whole:
        return  # nobody has moved
    unit, soon = seen.unit(actor), seen.turn + 1
    if unit is not None and unit.force != "" and verb in SAILING:
        actor = unit.force
    if verb in (*SAILING, *REGROUPING) and soon <= int(seen.report.get("turns", 0)):
        text = f"all have moved: {seen.actor} cannot be given '{verb}' in this turn any more"
        raise Refused("not-now", "4.2", text, f"for the next turn: turn {soon} {actor}: {verb} ...")
