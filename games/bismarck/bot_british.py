"""The British admiral: where he watches, how he shadows, strikes from the air and fights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from games.bismarck import board
from games.bismarck import verbs as v
from games.bismarck.board import Zone
from games.bismarck.bot_common import (
    Report,
    counters,
    move,
    nearest,
    reachable,
    recent,
    scouts,
    standing,
    units,
)
from games.bismarck.bot_hunt import bombers, cripple, likely, sightings, tracks
from games.bismarck.report import Enemy, OwnUnit
from games.bismarck.taskforce import TOWED
from games.bismarck.verbs_battle import Attack, Designate, Intercept, Share
from pbem.kit.bots import Lines, Luck, may

WATCH: Mapping[str, Mapping[str, str]] = {
    "straits": {
        "SUFFOLK": "C6",
        "NORFOLK": "D5",
        "ARETHUSA": "E11",
        "MANCHESTER": "E13",
        "BIRMINGHAM": "F15",
        "KENYA": "J9",
        "HERMIONE": "I8",
        "AURORA": "K10",
        "GALATEA": "L12",
    },
    "line": {
        "SUFFOLK": "D6",
        "NORFOLK": "F4",
        "ARETHUSA": "F11",
        "MANCHESTER": "F13",
        "BIRMINGHAM": "G14",
        "KENYA": "I7",
        "HERMIONE": "H6",
        "AURORA": "J8",
        "GALATEA": "K9",
    },
    "convoys": {
        "SUFFOLK": "C6",
        "NORFOLK": "E4",
        "ARETHUSA": "F12",
        "MANCHESTER": "E13",
        "BIRMINGHAM": "H6",
        "KENYA": "H5",
        "HERMIONE": "H4",
        "AURORA": "L15",
        "GALATEA": "O15",
    },
    "barrier": {
        "SUFFOLK": "H2",
        "NORFOLK": "H4",
        "ARETHUSA": "H6",
        "MANCHESTER": "H8",
        "BIRMINGHAM": "H10",
        "KENYA": "I12",
        "HERMIONE": "K13",
        "AURORA": "L13",
        "GALATEA": "M13",
    },
    "ring": {
        "SUFFOLK": "D5",
        "NORFOLK": "F6",
        "ARETHUSA": "F9",
        "MANCHESTER": "E13",
        "BIRMINGHAM": "F14",
        "KENYA": "G10",
        "HERMIONE": "G12",
        "AURORA": "G6",
        "GALATEA": "E4",
    },
}
"""Where cruisers stand on patrol while nothing is seen, by plan; the last two are of another style
(`styles.py`)."""
SOUTH = {"EDINBURGH": "S16", "SHEFFIELD": "R20", "DORSETSHIRE": "S17"}
"""The same for those in the south."""
SQUADRONS: Mapping[str, str] = {
    "HOOD": "Holland",
    "PRINCE OF WALES": "Holland",
    "KING GEORGE V": "Tovey",
    "REPULSE": "Tovey",
    "VICTORIOUS": "Tovey",
    "RENOWN": "Somerville",
    "ARK ROYAL": "Somerville",
}
"""Whose flag a heavy ship follows where the fleet is not massed."""
COVER = {"Holland": "F8", "Tovey": "I9"}
"""Where these wait while the raiders may still be in the north."""
LONG = 5
"""Turns after which a contact is given up."""
BISCAY = "Q17"
"""Where heavy ships bar the way to France."""
HOMEWARD = 27
"""The turn from which escorts stay with their convoys: they would come too late."""


class Plan(Struct, frozen=True):
    """What he has decided before the hunt."""

    watch: str
    """A line of `WATCH`."""
    carriers: str
    """`strike`: beside the enemy, by themselves; `finish`: so too, and ships fire a few rounds and
    break off; `fleet`: in a force with heavy ships."""
    battle: str
    """`at sight`; `massed`: no capital ship attacks alone; `every ship`
    for herself, cruisers too."""
    escorts: str
    """`called away` once the hunt is on, or `with convoys`."""
    revenge: int
    """The turn in which the Revenge enters."""


def plan(luck: Luck) -> Plan:
    """The same in every window of a game."""
    game = luck.game
    return Plan(
        watch=game.weighted("watch", {"straits": 30, "line": 30, "convoys": 40}),
        carriers=game.weighted("carriers", {"strike": 43, "finish": 14, "fleet": 43}),
        battle=game.weighted("battle", {"at sight": 48, "massed": 37, "every ship": 15}),
        escorts=game.weighted("escorts", {"called away": 65, "with convoys": 35}),
        revenge=17 + game.of("revenge", 6),
    )


CRUISERS = (*WATCH["straits"], *SOUTH)
COMMON: Sequence[tuple[str, str]] = (
    ("BRITISH", "search all"),
    ("BRITISH", "shadow auto"),
    ("BRITISH", "high speed shadow on follow all"),
    ("BRITISH", "strike bb"),
    ("BRITISH", "attack always"),
    ("HOOD", "range a"),
    ("KING GEORGE V", "target bb"),
    ("RODNEY", "range a"),
)
WARY = (
    *((ship, "attack always ca") for ship in CRUISERS),
    *((ship, "if hits over 0 then withdraw") for ship in CRUISERS),
)
"""Cruisers shadow battleships, they do not fight them."""
DOCTRINE: Mapping[str, Sequence[tuple[str, str]]] = {
    "every ship": (
        ("BRITISH", "break off no"),
        ("BRITISH", "reinforce yes"),
        ("BRITISH", "accept always"),
        ("BRITISH", "range a"),
    ),
    "at sight": (
        *WARY,
        ("BRITISH", "reinforce yes round 3"),
        ("HOOD", "set up hex 4 bow inwards"),
        ("HOOD", "if evasion over 24 then course ahead 1 port 1 round 2"),
        ("HOOD", "aspect bow"),
        ("PRINCE OF WALES", "if hits over 4 then withdraw"),
    ),
    "massed": (
        *WARY,
        ("BRITISH", "accept always"),
        ("BRITISH", "set up bow clockwise"),
        *((ship, "avoid outgunned") for ship in CRUISERS),
        ("PRINCE OF WALES", "if hits over 2 or evasion under 19 then withdraw"),
        ("HOOD", "if hits over 3 then withdraw"),
    ),
}
"""Standing orders for shadow, strike and battle, by plan."""
FINISH = (("BRITISH", "break off yes"),)
"""For ships that leave her to the torpedo bombers: in place of what else they are told of it."""


def lines(report: Report, luck: Luck, given: Plan | None = None) -> Lines:
    """Patrol lines until something is seen, then everything that can closes in. given: a plan in
    place of that of his luck."""
    ours = given or plan(luck)
    yield from standing(report, doctrine(ours))
    yield from admiralty(report, ours)
    parting = dict(leave_lame(report))
    yield from parting.items()
    meeting = [] if parting else crowds(report, ours)
    yield from gather(meeting)
    ahead = spread(report, [u for u in counters(report) if u.type in ("CA", "CL")])
    for unit in sailing(report, meeting):
        if unit.id not in parting:
            yield from closing(report, unit, ours)
            yield unit.id, sail(report, unit, ours, ahead)
            yield from gunnery(report, unit)
    yield from scouts(report, luck, sightings(report))
    yield from bombers(report)
    if ours.carriers != "fleet" and cripple(report):
        yield "BRITISH", Attack("never")


def doctrine(plan: Plan) -> Sequence[tuple[str, str]]:
    """His standing orders."""
    orders = (*COMMON, *DOCTRINE[plan.battle])
    if plan.carriers != "finish":
        return orders
    return [*(o for o in orders if not o[1].startswith("break off")), *FINISH]


def admiralty(report: Report, plan: Plan) -> Lines:
    """12.42, note 13 Ships that only he may call in: escorts once the hunt is on, the Revenge."""
    called = plan.escorts == "called away" and recent(report, 6) and report.turn < HOMEWARD
    for item in report.menu["BRITISH"]:
        if item.verb == "mobilise" and called:
            yield from (("BRITISH", v.Mobilise(ship)) for ship in item.args[0].values)
        if item.verb == "enter" and report.turn <= 5:
            yield "BRITISH", v.Enter(item.args[0].values[0], plan.revenge)


# Task forces


HEAVY = ("BB", "BC")
LAME = 16
"""A ship slower than that holds her force up (9.729)."""


Crowd = tuple[str, list[str], str]
"""Heavy ships in one zone: who leads or joins, who follows, the force's name."""


def crowds(report: Report, plan: Plan) -> list[Crowd]:
    """5.41 Ships that sail together from now on: heavy ships in one zone."""
    if plan.battle == "every ship":
        return []
    kinds = (*HEAVY, "CV") if plan.carriers == "fleet" else HEAVY
    free = [u for u in units(report, "ship") if not u.force and not u.tied and u.type in kinds]
    free = [u for u in free if u.evasion >= LAME and not moved(report, u)]
    forces = units(report, "force")
    taken = {u.id for u in forces}
    names = (f"TF{n}" for n in range(1, 99) if f"TF{n}" not in taken)
    found: list[Crowd] = []
    heavy = [(u.place, flag(plan, u.id)) for u in free if u.type != "CV"]
    for place, under in sorted(set(heavy)):
        ids = [u.id for u in free if u.place == place and flag(plan, u.id) == under]
        here = [f for f in forces if f.place == place and flag(plan, *f.ships) == under]
        if here:
            found += [(id_, [], here[0].id) for id_ in ids]
        elif len(ids) > 1:
            found.append((ids[0], ids[1:], next(names)))
    return found


def flag(plan: Plan, *ships: str) -> str:
    """The admiral whom ships follow; empty where the whole fleet is one, and for old ships."""
    return "" if plan.battle == "massed" else SQUADRONS.get(ships[0], "")


def moved(report: Report, unit: OwnUnit) -> bool:
    """4.2 Is it too late in the turn to regroup?"""
    return not (may(report.menu, unit.id, "form") or may(report.menu, unit.id, "join"))


def gather(meeting: Iterable[Crowd]) -> Lines:
    """5.41 Heavy ships in one zone sail together."""
    for lead, others, name in meeting:
        yield lead, v.Form(tuple(others), name) if others else v.Join(name)


def sailing(report: Report, meeting: Sequence[Crowd]) -> Iterator[OwnUnit]:
    """What may be ordered to sail: a force that is formed now goes where its leader would; one
    that is joined now waits for who joins."""
    led = {lead: (name, others) for lead, others, name in meeting if others}
    waits = {name for _, others, name in meeting if not others}
    gone = {ship for lead, others, _ in meeting for ship in (lead, *others)} - led.keys()
    for unit in counters(report):
        if unit.tied or unit.id in gone | waits or not may(report.menu, unit.id, "move"):
            continue
        if unit.id in led:
            name, others = led[unit.id]
            yield replace(unit, id=name, evasion=LAME, fuel=least(report, [unit.id, *others]))
        else:
            yield unit


def least(report: Report, ships: Sequence[str]) -> str:
    """5.2 The fuel of the one that has least of these ships."""
    fuel = [u.fuel for u in report.units if u.id in ships and u.fuel != "-"]
    return min(fuel, key=lambda text: int(text.partition("/")[0]), default="-")


def leave_lame(report: Report) -> Lines:
    """5.44 A force does not wait for a ship that can hardly move."""
    for force in units(report, "force"):
        slow = [u.id for u in report.units if u.id in force.ships and u.evasion < LAME]
        slow = slow if may(report.menu, force.id, "break") else []
        if slow and len(force.ships) > len(slow) + 1:
            yield force.id, v.Detach(tuple(slow))
        elif slow:
            yield force.id, v.Break()


# Ships


def target(report: Report, unit: OwnUnit, within: int) -> Enemy | None:
    """The contact that a unit goes for: the nearest of those not too old, a battleship before a
    cruiser for heavy ships."""
    seen = [c for c in tracks(report, LONG) if board.distance(unit.place, c.place) <= within]
    heavy = unit.type in ("BB", "BC", "CV", "TF")
    return min(
        seen,
        key=lambda c: (
            heavy and c.type != "BB",
            c.age,
            board.distance(unit.place, c.place),
            c.id,
        ),
        default=None,
    )


def closing(report: Report, unit: OwnUnit, plan: Plan) -> Lines:
    """8.11 Ships near a contact that may be held this turn sail to it first; carriers that strike
    keep off, and so do wrecks (9.729)."""
    if unit.evasion < TOWED:
        return
    apart = unit.type == "CV" and plan.carriers != "fleet"
    alone = unit.type in ("BB", "BC") and plan.battle == "massed"
    near = [c for c in recent(report, 1, vague=True) if board.distance(unit.place, c.place) <= 3]
    if near and not apart and not alone:
        yield unit.id, Intercept(within=2)


def sail(report: Report, unit: OwnUnit, plan: Plan, ahead: Mapping[str, str]) -> Struct:
    """Close on the quarry, else keep the line."""
    patrols = may(report.menu, unit.id, "patrol")
    if unit.id in ahead and patrols:
        goal = ahead[unit.id]
        if goal == unit.place:
            return v.Patrol()
        if reachable("british", unit, goal, report.turn):
            return v.Patrol((Zone(goal),))
    enemy = target(report, unit, 5 if unit.type in ("CA", "CL") else 10)
    goal = enemy.place if enemy else post(unit, report.turn, plan)
    if enemy and unit.type == "CV" and plan.carriers != "fleet":
        goal = standoff(unit, enemy)
    if not reachable("british", unit, goal, report.turn):
        return v.Patrol() if patrols else v.Hold()
    return move(goal)


def gunnery(report: Report, unit: OwnUnit) -> Lines:
    """9.62 Heavy ships close to both raiders fire some of their salvos at the Bismarck for sure."""
    near = [c for c in recent(report, 1) if board.distance(unit.place, c.place) <= 2]
    heavy = [c for c in near if c.type == "BB"]
    if heavy and len(near) > 1 and unit.type in HEAVY and unit.salvos:
        yield unit.id, Designate((Share(heavy[0].id, min(4, unit.salvos)),))


def standoff(unit: OwnUnit, enemy: Enemy) -> str:
    """9.16 A zone beside the enemy, from which the bombers reach him wherever he goes next: the
    nearest of them."""
    ring = [z for z in sorted(board.around(enemy.place)) if z in board.SEA]
    return nearest(unit.place, ring)


def post(unit: OwnUnit, turn: int, plan: Plan) -> str:
    """Where a ship waits while nothing is seen: heavy ships in the north first, off Biscay at the
    end."""
    stand = {**WATCH[plan.watch], **SOUTH}.get(unit.id)
    if stand:
        return stand
    if unit.place[0] < "L":
        north = COVER.get(flag(plan, *(unit.ships or (unit.id,))), "I9")
        return north if turn < 14 else "K10" if turn < 22 else "P16"
    return BISCAY


def spread(report: Report, cruisers: Iterable[OwnUnit]) -> dict[str, str]:
    """8.2 Cruisers near a contact take the zones around it, the likeliest first: ships that run
    through one of these are shadowed at high speed."""
    posts: dict[str, str] = {}
    for enemy in recent(report, 1, vague=True):
        near = [u for u in cruisers if u.id not in posts and not u.tied]
        near = [u for u in near if board.distance(u.place, enemy.place) <= 4]
        near.sort(key=lambda u: (board.distance(u.place, enemy.place), u.id))
        zones = likely(enemy)
        for unit, zone in zip(near[1:], zones, strict=False):
            posts[unit.id] = zone
    return posts
