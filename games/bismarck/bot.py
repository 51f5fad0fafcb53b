"""Players that need no sleep: they read their side's report and write order text like anybody else.

Nothing is random: what varies comes from `luck` and the turn. They know the public board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, convert

from games.bismarck import board
from games.bismarck import verbs as v
from games.bismarck.board import Zone
from games.bismarck.calendar import LAST, night
from games.bismarck.report import OwnUnit, Report
from games.bismarck.verbs_battle import Intercept
from pbem.kit import bots
from pbem.kit.bots import Lines, Luck, freshest, may, written

WATCH = {
    "SUFFOLK": "C6",
    "NORFOLK": "D5",
    "ARETHUSA": "E11",
    "MANCHESTER": "E13",
    "BIRMINGHAM": "F15",
    "EDINBURGH": "S16",
    "SHEFFIELD": "R20",
    "DORSETSHIRE": "S17",
    "KENYA": "J9",
    "HERMIONE": "I8",
    "AURORA": "K10",
    "GALATEA": "L12",
}
"""Where British cruisers stand on patrol while nothing is seen."""
STATIONS = {
    "Hvalfiord": ("E6", "C6", "F5", "G8"),
    "Scapa Flow": ("F20", "D15", "E13", "G14"),
    "Plymouth": ("Q18", "R20", "P18", "S20"),
    "Eire": ("L14", "M14", "K13", "N15"),
    "Gibraltar": ("X25", "W24", "Y25", "X25"),
    "Trondheim": ("F15", "E15", "C13", "D16"),
    "Bordeaux": ("R20", "T21", "S20", "Q20"),
}
"""Where long range reconnaissance looks, by base."""
BREAKOUTS = (
    ("B16", "A13", "A10", "B8", "C7", "D6", "F5", "H5"),
    ("B16", "A13", "A10", "B8", "C6", "D5", "F4", "H3"),
    ("C16", "C12", "D12", "F11", "G9", "H6", "H4"),
    ("C16", "D13", "E11", "G8", "I6", "H5"),
)
"""Ways into the Atlantic: the Denmark Strait, and the gap between Iceland and the Faeroes."""
HUNTING = ("H5", "H3", "L15", "V18", "X19", "H2", "O15", "Z20")
"""Convoy zones that a raider tries in turn."""
BREST = board.PORTS["Brest"].zone
HOMEWARD = 27  # the turn from which a hunted raider thinks of Brest


def orders(side: str, report: Mapping[str, object], luck: str) -> str:
    """Order text for one side, from its report (decoded report.json) alone."""
    seen = convert(report, Report)
    lot = Luck(luck).lot
    return written(british(seen, lot) if side == "british" else german(seen, lot), v.GRAMMAR)


def units(report: Report, kind: str) -> list[OwnUnit]:
    """The report's own units of a kind: ship, force, air."""
    return [u for u in report.units if u.kind == kind]


def quarry(report: Report, within: int) -> str:
    """The zone of the freshest contact not older than `within` turns; battleships first."""
    best = freshest(report.contacts, within, lambda contact: contact.type != "BB")
    return best.place if best else ""


def located(report: Report) -> bool:
    """Notes 9, 12: has a ship been located lately? HUFF-DUFF and ships that passed through do not
    count."""
    near = [c for c in report.contacts if c.age <= 6]
    return any(c.source not in ("passed", "HUFF-DUFF") for c in near)


# The Royal Navy


def british(report: Report, lot: int) -> Lines:
    """Patrol lines until something is seen, then everything that can closes in."""
    yield "BRITISH", v.Search("all")
    target = quarry(report, 3)
    if located(report):
        yield from mobilise(report)
    yield from gather(report)
    together = joining(report)
    for unit in (*units(report, "force"), *units(report, "ship")):
        if unit.force or unit.tied or not may(report.menu, unit.id, "move"):
            continue
        if unit.id not in together:
            yield from closing(report, unit)
            yield (
                unit.id,
                british_move(unit, target, report.turn, may(report.menu, unit.id, "patrol")),
            )
    yield from scouts(report, lot, target)
    yield from bombers(report)


def closing(report: Report, unit: OwnUnit) -> Lines:
    """8.11 Ships near a contact that may be held this turn sail to it first."""
    fresh = quarry(report, 1)
    if fresh and board.distance(unit.place, fresh) <= 3:
        yield unit.id, Intercept(within=2)


def bombers(report: Report) -> Lines:
    """9.1 Bombers go where a shadow is held, or where a raider must stay after sinking a convoy."""
    seen = [c for c in report.contacts if c.age <= 1]
    for unit in units(report, "air"):
        idle = not unit.flying and unit.ready <= report.turn
        if unit.type == "LR recon" or not idle:
            continue
        reach = unit.reach["attack"]
        for contact in seen:
            if board.distance(unit.home, contact.place) <= reach // 2:
                stays = contact.source == "convoy"
                there = v.Fly((contact.place,), "attack", "return")
                yield unit.id, there if stays else Intercept(contact.id)
                break


def mobilise(report: Report) -> Lines:
    """Rodney and Ramillies leave their convoys once the hunt is on."""
    for item in report.menu["BRITISH"]:
        if item.verb == "mobilise" and report.turn < HOMEWARD:
            yield "BRITISH", v.Mobilise(item.args[0].values[0])


def joining(report: Report) -> set[str]:
    """Ships that `gather` puts into a task force this turn."""
    return {name for lead, others, _ in crowds(report) for name in (lead, *others)}


def crowds(report: Report) -> list[tuple[str, list[str], str]]:
    """Heavy ships in one zone: who leads, who follows, the new force's name."""
    ships = [u for u in units(report, "ship") if not u.force and not u.tied]
    free = [u for u in ships if may(report.menu, u.id, "form")]
    heavy = {u.place for u in free if u.type in ("BB", "BC")}
    taken = {u.id for u in units(report, "force")}
    names = (f"TF{n}" for n in range(1, 99) if f"TF{n}" not in taken)
    found = []
    for place in sorted(heavy):
        ids = [u.id for u in free if u.place == place and u.type in ("BB", "BC", "CV")]
        if len(ids) > 1:
            found.append((ids[0], ids[1:], next(names)))
    return found


def gather(report: Report) -> Lines:
    """5.41 Heavy ships in one zone sail together."""
    for lead, others, name in crowds(report):
        yield lead, v.Form(tuple(others), name)


def british_move(unit: OwnUnit, target: str, turn: int, patrols: bool) -> Struct:
    """Close on the quarry, else keep the line."""
    here = unit.place
    post = WATCH.get(unit.id) or station(unit, turn)
    chase = 5 if unit.id in WATCH else 10
    goal = target if target and board.distance(here, target) <= chase else post
    if not reachable("british", unit, goal, turn):
        return v.Patrol() if patrols else v.Hold()
    return move(goal)


def move(goal: str) -> v.Move:
    """Sail to a zone the shortest way."""
    return v.Move((Zone(goal),))


def station(unit: OwnUnit, turn: int) -> str:
    """Where a heavy ship waits: in the north first, off Biscay at the end."""
    if unit.place[0] < "L":
        return "I9" if turn < 14 else "K10" if turn < 22 else "P16"
    return "Q17"


def reachable(side: str, unit: OwnUnit, goal: str, turn: int) -> bool:
    """Can the unit get to another zone before the game ends, with the fuel and engines it has?"""
    far = board.sail_distance(side, unit.place, Zone(goal))
    turns = LAST - turn + 1
    fast = 2 * turns if unit.evasion >= 25 else turns if unit.evasion >= 16 else turns // 2
    able = min(range_left(unit.fuel, turns), fast if unit.evasion >= 7 else 0)
    return bool(far) and far is not None and far <= able


def range_left(fuel: str, turns: int) -> int:
    """5.2 Zones in so many turns, on the safe side: a factor lasts two turns, then every second
    turn brings one zone. Cruisers have `-` for fuel."""
    full = turns if fuel == "-" else min(turns, 2 * int(fuel.partition("/")[0]))
    return full + (turns - full) // 2


def scouts(report: Report, lot: int, target: str) -> Lines:
    """6 Long range reconnaissance: out, two turns on patrol, home; near the quarry where it can."""
    for unit in units(report, "air"):
        if unit.type != "LR recon" or unit.ready > report.turn:
            continue
        if not unit.flying:
            yield unit.id, v.Fly((Zone(outing(report, unit, lot, target)),), "move")
        else:
            yield unit.id, v.Patrol() if unit.up < 3 else v.Return()


def outing(report: Report, unit: OwnUnit, lot: int, target: str) -> str:
    """A zone that one turn's flight reaches: the quarry's, else one of the base's stations."""
    speed, home = unit.reach["move"], unit.home
    if target and target in board.SEA and board.distance(home, target) <= speed - 1:
        return target
    choice: Sequence[str] = STATIONS[unit.base]
    at = report.turn + lot + int(unit.id[-1], 36)
    return choice[at % len(choice)]


# The Kriegsmarine


def german(report: Report, lot: int) -> Lines:
    """Break out, hunt convoys, keep away from whoever was seen, run for Brest when hunted late."""
    turn, sent = report.turn, list(sorties(report))
    looked = sorted({*watched(report, lot), *(zone for _, _, zone in sent if zone)})
    yield "GERMAN", v.Search(zones=tuple(map(Zone, looked))) if looked else v.Search("found")
    yield "GERMAN", v.Convoy("attack")
    yield "GERMAN", v.HuffDuff("random")
    tied = {u.id for u in units(report, "ship") if u.tied}
    every = [u for u in (*units(report, "force"), *units(report, "ship")) if not u.force]
    raiders = [u for u in every if not tied & {u.id, *u.ships}]
    forms = turn > 4 and may(report.menu, "BISMARCK", "form")
    if forms and len({u.place for u in raiders}) == 1 and len(raiders) == 2:
        yield "BISMARCK", v.Form(("PRINZ EUGEN",), "TF1")
    else:
        for unit in raiders:
            yield unit.id, raid(report, unit, lot)
    yield from scouts(report, lot, "")
    yield from ((unit, order) for unit, order, _ in sent)


def watched(report: Report, lot: int) -> list[str]:
    """7.21 Where long range reconnaissance will be: to call these zones gives no ship away."""
    found: list[str] = []
    for unit in units(report, "air"):
        if unit.type == "LR recon" and unit.ready <= report.turn:
            out = unit.flying and unit.up < 3
            found += [unit.place] if out else []
            found += [] if unit.flying else [outing(report, unit, lot, "")]
    return [zone for zone in found if zone in board.SEA]


def sorties(report: Report) -> Iterator[tuple[str, Struct, str]]:
    """9.1 Level bombers go where something was seen, if a turn's flight reaches it, and come home
    in the next: unit, order, and the zone that has to be searched."""
    turn = report.turn
    fresh = [c for c in report.contacts if c.age <= 1 and c.place in board.SEA]
    seen = [c for c in fresh if not night(turn, c.place)]  # 9.16: no strike by night
    for unit in units(report, "air"):
        if unit.type == "LR recon":
            continue
        if unit.flying:
            yield unit.id, v.Return(), ""
        elif unit.ready <= turn:
            near = [c for c in seen if flight(unit, c.place) <= unit.reach["attack"]]
            best = min(near, key=lambda c: (flight(unit, c.place), c.id), default=None)
            if best:
                yield unit.id, v.Fly((best.place,), "attack"), best.place


def flight(unit: OwnUnit, zone: str) -> int:
    """6.12 Zones by air from a German unit's base, round Great Britain where it must; 99 where
    there is no way."""
    far = board.fly_distance(board.GERMAN, unit.home, Zone(zone))
    return far or 99


def raid(report: Report, unit: OwnUnit, lot: int) -> Struct:
    """One raider's orders for this turn."""
    here, turn = unit.place, report.turn
    if turn == 4:
        return move(BREAKOUTS[lot % len(BREAKOUTS)][0])
    if unit.evasion < 7:  # 9.729: dead in the water
        return v.Hold()
    home = unit.path[-1:] == (BREST,) or hunted(report)
    if home and turn >= HOMEWARD and reachable("german", unit, BREST, turn):
        return move(BREST)
    enemy = quarry(report, 1)
    if enemy and board.distance(here, enemy) <= 2:
        return move(away(here, enemy))
    ahead = onward(min(BREAKOUTS, key=lambda way: off(way, here)), here)
    if ahead and reachable("german", unit, ahead, turn):
        return move(ahead)
    return hunt(unit, turn, lot)


def off(way: Sequence[str], here: str) -> int:
    """Zones from `here` to the nearest point of a way."""
    return min(board.distance(here, zone) for zone in way)


def onward(way: Sequence[str], here: str) -> str:
    """The next point of the way from `here`; empty at its end, and in the open ocean."""
    at = min(range(len(way)), key=lambda i: (board.distance(here, way[i]), -i))
    if here[0] >= "H" or at + 1 == len(way):
        return ""
    leg = board.distance(way[at], way[at + 1])
    return way[at + 1] if board.distance(here, way[at + 1]) <= leg else way[at]


def hunted(report: Report) -> bool:
    """Was a ship of ours located, so that the British will come?"""
    return any(e.kind in ("CallHeard", "GeneralSearchHeard") for e in report.events)


def hunt(unit: OwnUnit, turn: int, lot: int) -> Struct:
    """10.24 On patrol on a convoy route, moving on once a day."""
    here, under_way = unit.place, unit.path
    last = under_way[-1] if under_way else here
    if here not in board.CONVOY_ROUTES and reachable("german", unit, last, turn):
        return move(last)
    if here in board.CONVOY_ROUTES and (turn % 6 or board.distance(here, "J16") > 12):
        return v.Patrol()
    goal = HUNTING[(turn // 6 + lot) % len(HUNTING)]
    return move(goal) if reachable("german", unit, goal, turn) else v.Patrol()


def away(here: str, enemy: str) -> str:
    """The open zone beside `here` that lies farthest from the enemy."""
    near = board.sea_steps("german", Zone(here))
    return bots.away(sorted(near), lambda zone: board.distance(zone, enemy))
