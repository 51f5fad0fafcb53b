"""What receipts and the order page say that a line will do, as the board lies now.

A line depends on those before it, so that nothing is refused here: a line that cannot be carried
out now is told to be left out unless one before it changes that.
"""

from __future__ import annotations

from functools import cache

from msgspec import Struct, convert

from games.atlantic_chase import board
from games.atlantic_chase import verbs as v
from games.atlantic_chase import verbs_battle as vb
from games.atlantic_chase.report import Piece
from games.atlantic_chase.tables import leaders, rules
from pbem.kit import checks
from pbem.model import Plain

UNLESS = "left out unless a line before changes that"
PROGRAMME = (
    *(v.Course, v.Search, v.Engage, v.Strike, v.Recon, v.Attack, v.Signals, v.Complete, v.Pass),
    *(v.Split, v.Merge, v.Reinforce, v.Port, v.LeavePort, v.Disperse, v.Stop, v.End),
)
"""R091 Orders of which a programme consists."""
POWERS = {
    "total": "shifts the Trajectory Total by two dice",
    "seize": "seizes Initiative without dice",
    "six": "makes one die a 6",
    "harbour": "goes where enemy ports and airbases are",
    "all pass": "makes a Pass an All Pass",
    "intel": "takes an Intel marker off",
    "coordination": "coordinates with +4",
    "two": "adds 2 to a die",
}
"""R254 What leaders can do, in words."""


class Seen(checks.Seen, frozen=True):
    """The report, as far as one order is judged by it."""

    def piece(self, name: str) -> Piece | None:
        """A piece of either side; None if it is not in play."""
        for key in ("units", "contacts"):
            for row in self.report[key]:
                if row["id"] == name and row["piece"].get("sort", "force") != "spare":
                    return convert(row["piece"], Piece)
        return None

    @property
    def active(self) -> bool:
        """Has the sender Initiative?"""
        return str(self.report["board"]["active"]) == self.side

    @property
    def due(self) -> bool:
        """Is it a line for the spell that is played, with a condition or without?"""
        return not self.order.standing and self.order.turn in (None, self.turn)

    @property
    def soon(self) -> bool:
        """Is it a line of the programme that will be carried out now?"""
        return self.due and self.active


@cache
def ways() -> dict[str, list[str]]:
    """R017 The hexes around each, closed hexsides included."""
    return {c: [n for n in board.SEA.around(c) if n in board.HEXES] for c in board.CELLS}


def longest() -> int:
    """R109 Most segments of a Trajectory that Completes."""
    return rules().limits.complete


def powers() -> dict[str, str]:
    """What each leader can do."""
    return {id_: POWERS[chief.power] for id_, chief in leaders().items()}


def hexes(piece: Piece) -> tuple[str, ...]:
    """Where a piece lies."""
    return piece.line or ((piece.at,) if piece.at else ())


@cache
def shut() -> dict[str, list[str]]:
    """R017 The hexes that each is not adjacent to, though they touch."""
    return {c: [n for n in board.CELLS if frozenset((c, n)) in board.CLOSED] for c in board.CELLS}


def harbours(seen: Seen) -> dict[str, list[str]]:
    """R007, R022 The ports in play and the hexes that they lie in."""
    found: dict[str, list[str]] = seen.report["board"]["harbours"]
    return found


def adjacent(seen: Seen, a: str, b: str) -> bool:
    """R017 Does a Trajectory go from one to the other in this operation?"""
    if b not in ways()[a]:
        return False
    opened = seen.report["board"]["opened"]
    return b not in shut()[a] or f"{a} {b}" in opened or f"{b} {a}" in opened


def waits(seen: Seen, order: Struct) -> str:
    """R091 Lines of a programme are for one's own spell."""
    foe = "British" if seen.side == "german" else "Germans"
    if foreign(seen):
        return f"not carried out where the {foe} have Initiative: {own_spells(seen)}"
    if seen.active or not seen.due:
        return ""
    return f"not carried out, the {foe} have Initiative: 'turn {seen.turn + 1}' keeps it for then"


def campaign(seen: Seen) -> bool:
    """Does an operation follow another, which begins with either side?"""
    return str(seen.report["scenario"]) == "campaign"


def foreign(seen: Seen) -> bool:
    """R091, R100 Is it for a later spell that will be the enemy's? They alternate, as a spell ends
    by Initiative going to the enemy."""
    ahead = (seen.order.turn or seen.turn) - seen.turn
    return ahead > 0 and (ahead % 2 == 0) != _holds(seen)


def _holds(seen: Seen) -> bool:
    """Is it the sender's spell that is played, though Initiative may have gone just now?"""
    board = seen.report["board"]
    return str(board.get("holder", "") or board["active"]) == seen.side


def own_spells(seen: Seen) -> str:
    """The sender's spells to come, for hints."""
    first, last = seen.turn + (2 if _holds(seen) else 1), int(seen.report["turns"])
    coming = [f"{n}" for n in (first, first + 2, first + 4) if n <= last]
    said = f"your next spells are {', '.join(coming)}" if coming else "you have no later spell"
    return f"{said}, as long as this operation goes on" if campaign(seen) else said


def course(seen: Seen, order: v.Course) -> str:
    """R040, R152 How long the Trajectory will be."""
    own = seen.piece(seen.actor)
    if own is None or not seen.soon or own.sort != "force":
        return ""
    lies, first, added = list(hexes(own)) or harbours(seen)[own.box], order.path[0], len(order.path)
    tips = [lies[0], lies[-1]] if own.line else lies
    if order.start not in ("", *tips):
        return f"{order.start} is no end of {seen.actor} now: {UNLESS}"
    held = [t for t in tips if order.start in ("", t) and adjacent(seen, t, first)]
    if not own.line and first in lies:
        return f"a line of {_hexes(added)} then, {first} to {order.path[-1]}"
    if added > 1 and first in tips and order.start in ("", first):
        held, added = [first], added - 1
    if not held:
        where = "touches no end" if own.line else "does not touch the hex"
        return f"{first} {where} of {seen.actor} now: {UNLESS}"
    here = held[-1]
    far = tips[0] if here == tips[-1] else tips[-1]
    count = (len(lies) if own.line else 1) + added
    start = far if own.line else here
    return f"a line of {_hexes(count)} then, {start} to {order.path[-1]}"


def _hexes(count: int) -> str:
    return "1 hex" if count == 1 else f"{count} hexes"


def hunt(seen: Seen, order: v.Search | v.Engage) -> str:
    """R116, R122 Whether they share a hex, and the Trajectory Total of these two."""
    own, foe = seen.piece(seen.actor), seen.piece(order.target)
    if own is None or not seen.soon:
        return ""
    if own.sort == "force" and not own.ships:
        return f"left out: {seen.actor} is unidentified, and hunts nobody"
    if foe is None:
        return f"{order.target} is not in play now: {UNLESS}"
    if seen.verb == ("engage" if foe.line else "search"):
        wide = "a Trajectory now, and can be searched for"
        lies = wide if foe.line else "no Trajectory now, and can be engaged"
        return f"{order.target} is {lies}: {UNLESS}"
    shared = [cell for cell in hexes(foe) if cell in hexes(own) and order.at in ("", cell)]
    if not shared:
        return f"they share no hex now: {UNLESS}"
    total = len(own.line) + len(foe.line)
    return f"in {' or '.join(shared)}, Trajectory Total {total} of these two"


def strike(seen: Seen, order: v.Strike) -> str:
    """R102, R104 Whether aircraft fly, and whether there is a target for them."""
    foe = seen.piece(order.target)
    if not seen.soon:
        return ""
    if seen.report["board"]["weather"] == "bad":
        return "left out: no Air Strikes in bad weather"
    if foe is None:
        return f"{order.target} is not in play now: {UNLESS}"
    if not hexes(foe):
        return f"{order.target} is in port, and cannot be struck: {UNLESS}"
    return ""


def attack(seen: Seen, order: v.Attack) -> str:
    """R147, R242 Whether the target can be attacked where the force lies."""
    own, foe = seen.piece(seen.actor), seen.piece(order.target)
    if own is None or not seen.soon:
        return ""
    if foe is None:
        return f"{order.target} is not in play now: {UNLESS}"
    if not own.at or own.at not in hexes(foe):
        return f"they share no hex now: {UNLESS}"
    if foe.line and own.at not in foe.contact and own.at not in foe.intel:
        return f"{order.target} has neither Contact nor Intel in {own.at} now: {UNLESS}"
    return f"in {own.at}; {seen.actor} is used up"


def signals(seen: Seen, order: v.Signals) -> str:
    """R138 Where the target will stand."""
    foe = seen.piece(order.target)
    if not seen.soon:
        return ""
    marked = [c for c in foe.intel if order.at in ("", c)] if foe and foe.line else []
    if not marked:
        return f"{order.target} has no Intel {'there ' if order.at else ''}now: {UNLESS}"
    lapsing = seen.piece(order.lapse) if order.lapse else None
    if lapsing is not None and not [c for c in marked if c in lapsing.line]:
        return f"{order.lapse} has no segment in {' or '.join(marked)} now: {UNLESS}"
    return f"{order.target} becomes a Station in {' or '.join(marked)}"


def complete(seen: Seen, order: v.Complete) -> str:
    """R109, R110 In which port, or why not yet."""
    own = seen.piece(seen.actor)
    if own is None or not seen.soon:
        return ""
    if own.intel:
        return f"{seen.actor} has Intel now: {UNLESS}"
    if len(own.line) > longest():
        return f"{len(own.line)} segments now, {longest()} at most Complete: {UNLESS}"
    lies, held = hexes(own), seen.report["board"]["ports"]
    ports = [own.box] if own.box else []
    for port, cells in sorted(harbours(seen).items()):
        if held.get(port, "") == seen.side and [c for c in cells if c in lies]:
            ports.append(port)
    bound = [port for port in ports if not own.bound or port in own.bound]
    if not bound:
        return f"in no port of its own now: {UNLESS}"
    named = " or ".join([port.title() for port in bound])
    return f"in {named}; the enemy may try to seize Initiative first"


def passes(seen: Seen, order: v.Pass) -> str:
    """R127, R129 Who performs Time Lapse, and who has Initiative then."""
    if not seen.soon:
        return ""
    stays = "" if seen.actor == seen.side.upper() else _no_line(seen, seen.actor)
    if stays:
        return f"{stays} now: {UNLESS}"
    if order.what == "":
        return "then the enemy has Initiative"
    leaders = _passers(seen)
    if not leaders:
        return "left out: there is no leader for All Pass"
    used = f"{leaders[0]['name']}'s power is used"
    return f"every own Trajectory performs Time Lapse, {used}, then the enemy has Initiative"


def _no_line(seen: Seen, name: str) -> str:
    """R127 Why a Task Force cannot pass: empty for a Trajectory."""
    own = seen.piece(name)
    if own is None:
        return f"{name} is not in play"
    return "" if own.line else f"{name} is no Trajectory"


def _passers(seen: Seen) -> list[Plain]:
    """R129 The own leaders who can still turn a Pass into All Pass."""
    able = [r for r in seen.report["units"] if powers().get(r["id"], "") == POWERS["all pass"]]
    return [r for r in able if [n for n in r["notes"] if not n.endswith("used up")]]


def ends(seen: Seen, order: v.End) -> str:
    """R091 What comes after the last line."""
    if not seen.soon:
        return ""
    if order.how == "hold":
        return "after the last line you are asked for more"
    stays = _no_line(seen, order.force) if order.force else ""
    if stays:
        longest = "the longest Trajectory passes after the last line"
        return f"{stays} now: {longest}, unless a line before changes that"
    who = order.force or "the longest Trajectory"
    return f"after the last line {who} passes, and the enemy has Initiative"


def recon(seen: Seen, order: v.Recon) -> str:
    """R144, R145 Whose Trajectory gets Intel there, or why it may not go there."""
    rows = [r for r in seen.report["contacts"] if order.at in r["piece"].get("line", ())]
    found = [r["id"] for r in rows]
    own = seen.piece(seen.actor)
    if not seen.soon:
        return ""
    if own is not None and own.at == order.at:
        return f"{seen.actor} is in {order.at} now: {UNLESS}"
    if order.at in _guarded(seen):
        if not order.by:
            return f"left out: {order.at} has an enemy port or airbase"
        if not _commands(seen, "PRIEN"):
            return f"left out: Prien does not command {seen.actor}"
    return f"Intel on {', '.join(found)}" if found else "no enemy Trajectory lies there now"


def _commands(seen: Seen, leader: str) -> bool:
    """R145 Is the leader on the sender's boat?"""
    return any(r["id"] == leader and r["place"] == seen.actor for r in seen.report["units"])


def _guarded(seen: Seen) -> list[str]:
    """R145 The hexes of enemy ports and airbases."""
    held = seen.report["board"]["ports"]
    found = [r["piece"]["at"] for r in seen.report["contacts"] if r["piece"].get("sort") == "base"]
    for port, cells in sorted(harbours(seen).items()):
        if held.get(port, seen.side) != seen.side:
            found = [*found, *cells]
    return found


def reinforce(seen: Seen, order: v.Reinforce) -> str:
    """R134 The chance."""
    return "7 or more on two dice: 58 %" if seen.soon else ""


def seize(seen: Seen, order: v.Seize) -> str:
    """R097 The chance, as it would be now."""
    said = [f["value"] for f in seen.report["board"]["facts"] if f["name"] == "Seize"]
    if not said or order.what:
        return ""
    chance = int(said[0].split(" ")[0])
    act = "tried" if chance >= order.least else "an Evasive marker instead"
    return f"{chance} % with the tally of now: {act}"


def holders(seen: Seen) -> list[str]:
    """R085 The own Task Forces that have an Evasive marker now."""
    rows = [r for r in seen.report["units"] if r["piece"].get("evasive", False)]
    return [r["id"] for r in rows]


def spend(seen: Seen, order: v.Spend) -> str:
    """R086 Who has a marker that the order could spend now."""
    whole = seen.actor == seen.side.upper()
    able = [f for f in holders(seen) if whole or f == seen.actor]
    if order.use == "never":
        return ""
    return f"markers now: {', '.join(able)}" if able else "no marker now"


def evade(seen: Seen, order: v.Evade) -> str:
    """R099, R232 Who gets the next marker."""
    held = holders(seen)
    able = [f for f in order.forces if f not in held and seen.piece(f) is not None]
    return f"the next goes to {able[0]}" if able else "none of these can get one now"


def use(seen: Seen, order: vb.Use) -> str:
    """R254 What the leader can do."""
    what = powers().get(seen.actor, "")
    return f"{what}, and is used up" if what and order.what != "never" else ""
