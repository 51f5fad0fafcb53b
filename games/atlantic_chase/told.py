"""What receipts and the order page say that a line will do, as the board lies now.

A line depends on those before it, so that nothing is refused here: a line that cannot be carried
out now is told to be left out unless one before it changes that.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations

from msgspec import Struct, convert

from games.atlantic_chase import board
from games.atlantic_chase import verbs as v
from games.atlantic_chase import verbs_battle as vb
from games.atlantic_chase.report import Piece
from games.atlantic_chase.tables import leaders, rules
from games.atlantic_chase.victory import LATE
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


def most() -> int:
    """R036 Most segments of a Trajectory."""
    return rules().limits.line


def longest() -> int:
    """R109 Most segments of a Trajectory that Completes."""
    return rules().limits.complete


def powers() -> dict[str, str]:
    """What each leader can do."""
    return {id_: POWERS[chief.power] for id_, chief in leaders().items()}


def hexes(piece: Piece) -> tuple[str, ...]:
    """Where a piece lies."""
    return piece.line or ((piece.at,) if piece.at else ())


def named(cells: Sequence[str]) -> str:
    """Hexes of which one will do."""
    return " or ".join(cells)


@cache
def shut() -> dict[str, list[str]]:
    """R017 The hexes that each is not adjacent to, though they touch."""
    return {c: [n for n in board.CELLS if frozenset((c, n)) in board.CLOSED] for c in board.CELLS}


def harbours(seen: Seen) -> dict[str, list[str]]:
    """R007, R022 The ports in play and the hexes that they lie in."""
    found: dict[str, list[str]] = seen.report["board"]["harbours"]
    return found


@cache
def canal() -> list[str]:
    """R018 The hexsides that are open to Germans alone, as pairs of hexes."""
    return sorted([" ".join(order) for side in board.CANAL for order in permutations(side)])


def ruled(seen: Seen, word: str) -> bool:
    """Is it one of the special rules and options by which lines are left out now?"""
    return word in seen.report["board"].get("rules", ())


def adjacent(seen: Seen, a: str, b: str) -> bool:
    """R017, R018 Does a Trajectory of the sender go from one to the other in this operation?"""
    if b not in ways()[a] or (seen.side == "british" and f"{a} {b}" in canal()):
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
    """R036, R037, R040, R152 How long the Trajectory will be, or why it cannot be laid."""
    own = seen.piece(seen.actor)
    if own is None or not seen.soon or own.sort != "force":
        return ""
    if stays := _moored(seen, own):
        return stays
    lies, first = list(hexes(own)) or list(harbours(seen)[own.box]), order.path[0]
    tips = [lies[0], lies[-1]] if own.line else lies
    if order.start not in ("", *tips):
        return f"{order.start} is no end of {seen.actor} now: {UNLESS}"
    here = _begins(seen, own, order, tips)
    if not here:
        where = "touches no end" if own.line else "does not touch the hex"
        return f"{first} {where} of {seen.actor} now: {UNLESS}"
    return _laid(seen, own, here, order.path)


def _laid(seen: Seen, own: Piece, here: str, path: tuple[str, ...]) -> str:
    """R036, R037 A line, or a Station, with a path added at its end `here`."""
    added = list(path[1:] if path[0] == here and (len(path) > 1 or not own.line) else path)
    line = list(own.line) if own.line else [here]
    line = line if here == line[-1] else list(reversed(line))
    crossed = [cell for at, cell in enumerate(added) if cell in [*line, *added[:at]]]
    if crossed:
        return f"{crossed[0]} is a segment of {seen.actor} already: {UNLESS}"
    whole = [*line, *added]
    if len(whole) > most():
        return f"{_hexes(len(whole))} then, {most()} at most: {UNLESS}"
    return f"a line of {_hexes(len(whole))} then, {whole[0]} to {whole[-1]}"


def _begins(seen: Seen, own: Piece, order: v.Course, tips: list[str]) -> str:
    """R040, R152 The end, or the hex of a Station or port, that a course goes on from; empty if it
    touches none."""
    first = order.path[0]
    if first in tips and order.start in ("", first) and (not own.line or len(order.path) > 1):
        return first
    held = [tip for tip in tips if order.start in ("", tip) and adjacent(seen, tip, first)]
    if own.line:
        return held[-1] if held else (first if first in tips else "")
    return held[0] if held else ""


def leaves(seen: Seen, order: v.LeavePort) -> str:
    """R008 Whether a Station may leave its Port Box."""
    own = seen.piece(seen.actor)
    return _moored(seen, own) if own is not None and seen.soon else ""


def _moored(seen: Seen, own: Piece) -> str:
    """Special rule `late_convoy`: why it may not leave its Port Box."""
    free = not ruled(seen, "late_convoy") or "CONVOY 3" not in own.ships
    late = f"left out: {seen.actor} may not sail before spell {LATE}"
    return late if own.box and not free else ""


def _hexes(count: int) -> str:
    return "1 hex" if count == 1 else f"{count} hexes"


def signals(seen: Seen, order: v.Signals) -> str:
    """R138 Where the target will stand."""
    foe = seen.piece(order.target)
    if not seen.soon:
        return ""
    marked = [c for c in foe.intel if order.at in ("", c)] if foe and foe.line else []
    if not marked:
        return f"{order.target} has no Intel {'there ' if order.at else ''}now: {UNLESS}"
    lapsing = seen.piece(order.lapse)
    able = [c for c in marked if lapsing is not None and c in lapsing.line]
    if order.lapse and not able:
        return f"{order.lapse} has no segment in {named(marked)} now: {UNLESS}"
    return f"{order.target} becomes a Station in {named(able or marked)}"


def complete(seen: Seen, order: v.Complete) -> str:
    """R109, R110, R114 In which port, whether it scores there, or why not yet."""
    own = seen.piece(seen.actor)
    if own is None or not seen.soon:
        return ""
    if own.intel:
        return f"{seen.actor} has Intel now: {UNLESS}"
    if len(own.line) > longest():
        return f"{len(own.line)} segments now, {longest()} at most Complete: {UNLESS}"
    ports = _friendly(seen, own)
    home = [port for port in ports if port in _wanted(seen, own)]
    if not ports or (not home and not own.convoy):
        away = f"in {_ports(ports)}, and may Complete in Wilhelmshaven only"
        return f"{away if ports else 'in no port of its own now'}: {UNLESS}"
    lost = "" if home else ", where its Convoy is not bound: no points for it"
    return f"in {_ports(home or ports)}{lost}; the enemy may try to seize Initiative first"


def _wanted(seen: Seen, own: Piece) -> list[str]:
    """R114 The ports where it scores, or may Complete at all (special rule `german_bight`)."""
    if seen.side == "german" and ruled(seen, "german_bight"):
        return ["WILHELMSHAVEN"]
    return list(own.bound) if own.convoy else sorted(harbours(seen))


def _friendly(seen: Seen, own: Piece) -> list[str]:
    """R012 The ports in which a Task Force lies that are of its side, and not closed."""
    sea, lies = seen.report["board"], hexes(own)
    found = [own.box] if own.box else []
    for port, cells in sorted(harbours(seen).items()):
        if sea["ports"].get(port, "") == seen.side and [c for c in cells if c in lies]:
            found.append(port)
    return [port for port in found if port not in sea.get("closed", ())]


def _ports(ports: list[str]) -> str:
    return " or ".join([port.title() for port in ports])


def split(seen: Seen, order: v.Split) -> str:
    """R131, R132, R239 Why nobody leaves, or which markers are not there to be taken."""
    own = seen.piece(seen.actor)
    if own is None or not seen.soon:
        return ""
    strange = [ship for ship in order.ships if ship not in own.ships]
    if own.line or strange:
        lies = (
            f"{strange[0]} is not in {seen.actor}" if strange else f"{seen.actor} is a Trajectory"
        )
        return f"{lies} now: {UNLESS}"
    if len(order.ships) >= len(own.ships):
        return f"{seen.actor} must keep a ship: {UNLESS}"
    none = ["no Contact"] if order.takes in ("contact", "both") and not own.contact else []
    if order.takes in ("evasive", "both") and not own.evasive:
        none.append("no Evasive marker")
    return f"{seen.actor} has {' and '.join(none)} now" if none else ""


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
    guarded = order.at in _guarded(seen)
    if guarded and not order.by:
        return f"left out: {order.at} has an enemy port or airbase"
    if order.by and not _commands(seen, "PRIEN"):
        return f"left out: Prien does not command {seen.actor}"
    kept = "; Prien is not needed there, and not used up" if order.by and not guarded else ""
    seen_there = f"Intel on {', '.join(found)}" if found else "no enemy Trajectory lies there now"
    return f"{seen_there}{kept}"


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
