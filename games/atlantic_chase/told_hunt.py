"""What receipts and the order page say of lines that make for an enemy: searches, engagements, Air
Strikes, Stealth Attacks; and of reinforcements.
"""

from __future__ import annotations

from functools import cache

from games.atlantic_chase import board
from games.atlantic_chase import verbs as v
from games.atlantic_chase.report import Piece
from games.atlantic_chase.told import UNLESS, Seen, harbours, hexes, longest, named, ruled
from pbem.model import Plain

REACH = 2
"""R157 Hexes that aircraft fly at most."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def hunt(seen: Seen, order: v.Search | v.Engage) -> str:
    """R116, R122 Whether they share a hex, and the Trajectory Total of these two."""
    own, foe = seen.piece(seen.actor), seen.piece(order.target)
    if own is None or not seen.soon:
        return ""
    stays = _stays(seen, own) or _unfit(seen, order.target, foe)
    if stays or foe is None:
        return stays
    shared = [cell for cell in hexes(foe) if cell in hexes(own) and order.at in ("", cell)]
    able = _helped(seen, shared, order.helper)
    flown = _flown(seen, able, order.air, order.launch) if order.air or order.launch else able
    if not flown:
        flyer = f"{order.air} gives no" if order.air else f"nobody in {order.launch} gives"
        grounded = f"{flyer} air support in {named(able)} now: {UNLESS}"
        return _apart(shared, able, order.helper) or grounded
    total = len(own.line) + len(foe.line)
    return f"in {named(flown)}, Trajectory Total {total} of these two"


def _unfit(seen: Seen, target: str, foe: Piece | None) -> str:
    """R117, R123 Why a target is not one of this action; empty if it is."""
    if foe is None:
        return f"{target} is not in play now: {UNLESS}"
    if seen.verb == ("engage" if foe.line else "search"):
        wide = "a Trajectory now, and can be searched for"
        lies = wide if foe.line else "no Trajectory now, and can be engaged"
        return f"{target} is {lies}: {UNLESS}"
    if seen.verb == "engage" and _forbidden(seen, foe):
        return f"left out: {target} holds an undamaged battleship, and your orders forbid it"
    return ""


def _apart(shared: list[str], helped: list[str], helper: str) -> str:
    """R163 Why they do not meet, or not with this coordinator; empty if they do."""
    if not shared:
        return f"they share no hex now: {UNLESS}"
    return "" if helped else f"{helper} is not in {named(shared)} now: {UNLESS}"


def strike(seen: Seen, order: v.Strike) -> str:
    """R102-R104 Whether aircraft fly, and whether there is a target for them."""
    own, foe = seen.piece(seen.actor), seen.piece(order.target)
    if not seen.soon or own is None:
        return ""
    stays = _grounded(seen, own)
    if stays or foe is None:
        return stays or f"{order.target} is not in play now: {UNLESS}"
    if not hexes(foe):
        return f"{order.target} is in port, and cannot be struck: {UNLESS}"
    met = [cell for cell in hexes(foe) if order.at in ("", cell)]
    able = _flown(seen, met, seen.actor, order.launch)
    if not able:
        return f"{order.target} is out of reach now: {UNLESS}"
    helped = _helped(seen, able, order.helper)
    return _apart(able, helped, order.helper) or f"in {named(helped)}"


def _grounded(seen: Seen, own: Piece) -> str:
    """R102, R103 Why no aircraft of this piece strike; empty if they do."""
    if seen.report["board"]["weather"] == "bad":
        return "left out: no Air Strikes in bad weather"
    if own.sort != "force":
        return ""
    flies = "" if _carrier(seen, own) else f"{seen.actor} has no carrier that can fly now: {UNLESS}"
    return _stays(seen, own) or flies


def attack(seen: Seen, order: v.Attack) -> str:
    """R147, R242 Whether the target can be attacked where the force lies."""
    own, foe = seen.piece(seen.actor), seen.piece(order.target)
    if own is None or not seen.soon:
        return ""
    if foe is None:
        return f"{order.target} is not in play now: {UNLESS}"
    shared = [own.at] if own.at and own.at in hexes(foe) else []
    lone = _apart(shared, _helped(seen, shared, order.helper), order.helper)
    if lone:
        return lone
    if foe.line and own.at not in foe.contact and own.at not in foe.intel:
        return f"{order.target} has neither Contact nor Intel in {own.at} now: {UNLESS}"
    return f"in {own.at}; {seen.actor} is used up"


def reinforce(seen: Seen, order: v.Reinforce) -> str:
    """R134 Where the group comes in, and the chance."""
    group, force = seen.piece(order.group), seen.piece(order.into)
    if not seen.soon or group is None:
        return ""
    port, into = group.box.title(), order.into
    inside = harbours(seen).get(group.box, ())
    if order.at and order.at not in inside:
        return f"left out: {order.at} is no hex of {port}"
    if into and (force is None or (force.box != group.box and force.at not in inside)):
        return f"{into} is no Station in {port} now: {UNLESS}"
    if force is not None and not force.ships:
        return f"left out: {into} is unidentified, and joins nobody"
    return "7 or more on two dice: 58 %"


def _stays(seen: Seen, own: Piece) -> str:
    """R029, R209, R214 Why a Task Force hunts nobody; empty if it does."""
    if not own.ships:
        return f"left out: {seen.actor} is unidentified, and hunts nobody"
    hurt = [ship for ship in own.ships if _damaged(seen, ship)]
    if hurt and ruled(seen, "damaged_hunt"):
        return f"{hurt[0].title()} of {seen.actor} is damaged now: {UNLESS}"
    return f"{seen.actor} holds a Convoy now: {UNLESS}" if own.convoy else ""


def _row(seen: Seen, name: str) -> Plain:
    """The row of a piece of either side in the report; empty without one."""
    for key in ("units", "contacts"):
        for row in seen.report[key]:
            if row["id"] == name:
                found: Plain = row
                return found
    return {}


def _damaged(seen: Seen, ship: str) -> bool:
    return bool(_row(seen, ship)["piece"].get("damaged", False))


def _forbidden(seen: Seen, foe: Piece) -> bool:
    """Do the orders of the admiral keep Germans from engaging this Task Force?"""
    if seen.side != "german" or not ruled(seen, "orders_of_the_admiral"):
        return False
    big = [ship for ship in foe.ships if _row(seen, ship)["type"] == "BB"]
    return any(not _damaged(seen, ship) for ship in big)


def _helped(seen: Seen, cells: list[str], helper: str) -> list[str]:
    """R163 Of these hexes those in which a coordinator is; all without one."""
    one = seen.piece(helper)
    if not helper:
        return cells
    if one is None or one.sort not in ("force", "stealth"):
        return []
    return [cell for cell in cells if cell in hexes(one)]


def _carrier(seen: Seen, force: Piece) -> bool:
    """R103, R210 Has it an undamaged carrier, and not too long a line?"""
    if ruled(seen, "carrier_line") and len(force.line) > longest():
        return False
    decks = [ship for ship in force.ships if _row(seen, ship)["type"] == "CV"]
    return any(not _damaged(seen, ship) for ship in decks)


def _flown(seen: Seen, cells: list[str], source: str, launch: str) -> list[str]:
    """R102, R157 Of these hexes those to which aircraft of a source fly, or of anybody, from the
    Launch hex or any; in good weather alone, not from nor to Arctic hexes."""
    if seen.report["board"]["weather"] == "bad":
        return []
    decks: list[str] = []
    for row in seen.report["units"]:
        one = seen.piece(row["id"])
        if one is None or source not in ("", row["id"]):
            continue
        if one.sort == "base" or (one.sort == "force" and _carrier(seen, one)):
            decks = [*decks, *hexes(one)]
    decks = [cell for cell in decks if cell not in arctic() and launch in ("", cell)]
    fair = [cell for cell in cells if cell not in arctic()]
    return [cell for cell in fair if any(apart(cell, deck) <= REACH for deck in decks)]


@cache
def arctic() -> list[str]:
    """R094 Hexes in which the weather is always bad."""
    return sorted(board.ARCTIC)


def apart(a: str, b: str) -> int:
    """R157 Hexes between two, as `board.air_range`."""
    east = LETTERS.index(a[0]) - LETTERS.index(b[0])
    north = int(a[1:]) - int(b[1:])
    return max(abs(east), abs(north), abs(east + north))
