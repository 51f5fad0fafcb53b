"""The German admiral: how he breaks out, where he hunts, when he fights, and when he goes home."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from games.bismarck import board
from games.bismarck import verbs as v
from games.bismarck.board import GERMAN, Zone
from games.bismarck.bot_common import (
    Report,
    beat,
    boxes,
    counters,
    level,
    move,
    nearest,
    reachable,
    recent,
    running,
    scouts,
    standing,
    units,
    within_reach,
)
from games.bismarck.calendar import FIRST, night
from games.bismarck.report import OwnUnit
from pbem.kit.bots import Lines, Luck, may

WAYS: Mapping[str, tuple[Sequence[str], ...]] = {
    "Denmark Strait": (
        ("B16", "A13", "A10", "B8", "C7", "D6", "F5", "H5"),
        ("B16", "A13", "A10", "B8", "C6", "D5", "F4", "H3"),
    ),
    "Iceland-Faeroes": (
        ("C16", "C12", "D12", "F11", "G9", "H6", "H4"),
        ("C16", "D13", "E11", "G8", "I6", "H5"),
    ),
    "Faeroes-Shetlands": (
        ("E17", "F16", "G14", "H11", "I8", "H5"),
        ("E17", "F16", "G14", "I12", "L12", "M13"),
    ),
}
"""Ways into the Atlantic."""
GROUNDS: Mapping[str, Sequence[str]] = {
    "Atlantic": ("H4", "H3", "H5", "H2", "H3", "H4"),
    "west": ("H2", "H1", "H3", "H2"),
    "middle": ("L15", "H5", "O15", "J15"),
    "south": ("Q16", "T17", "V18", "X19", "U18"),
    "everywhere": ("L15", "H2", "Q16", "H5", "T17", "H9", "O15"),
    "far": ("Q16", "V18", "S17", "X19", "U18", "W19"),
    "ice": ("A18", "A16"),
    "Greenland": ("F1", "G1"),
}
"""Zones that a raider tries in turn, a new one each day: convoy routes, two of them those of a
roamer alone (`styles.py`), and two corners where only a captain of `strong.toml` hides."""
FRANCE = (board.PORTS["Brest"].zone, board.PORTS["St Nazaire"].zone)
NORWAY = (board.PORTS["Bergen"].zone, board.PORTS["Trondheim"].zone)
FORCE = "TF1"
LEAVE_BY = 6
"""12.33 The last turn in which the Bismarck may leave Bergen without ending the game."""
SEAWARD = "H"
"""From this row south the breakout is behind him."""


class Plan(Struct, frozen=True):
    """What he has decided before he sails."""

    way: Sequence[str]
    sails: str
    """`at once`, `in thick weather`, or `not at all` unless nobody can see anything."""
    grounds: str
    company: str
    """The Prinz Eugen: `together`, `apart` in the Atlantic, `sent off` when the Bismarck is hit."""
    resort: str
    """Where the Bismarck goes in trouble: `France`, `Norway`, `none`."""
    trouble: str
    """What he calls trouble: `found`, `damaged`, `crippled`, `late` (his oil is running low)."""
    nerve: str
    """`bold`, `steady`, `careful`."""


def plan(luck: Luck) -> Plan:
    """9.2, 10.2, 12.33 The same in every window of a game."""
    game = luck.game
    sails = {"at once": 87, "in thick weather": 11, "not at all": 2}
    way = game.weighted(
        "way", {"Denmark Strait": 55, "Iceland-Faeroes": 35, "Faeroes-Shetlands": 10}
    )
    return Plan(
        way=game.choice(f"way {way}", WAYS[way]),
        sails=game.weighted("sails", sails),
        grounds=game.weighted("grounds", {"Atlantic": 30, "west": 30, "middle": 20, "south": 20}),
        company=game.weighted("company", {"together": 45, "apart": 20, "sent off": 35}),
        resort=game.weighted("resort", {"France": 72, "Norway": 12, "none": 16}),
        trouble=game.weighted("trouble", {"found": 20, "damaged": 45, "crippled": 15, "late": 20}),
        nerve=game.weighted("nerve", {"bold": 34, "steady": 35, "careful": 31}),
    )


BEARS = {"bold": 6, "steady": 1, "careful": 1}
"""Midships hits on the Bismarck that change his plans, by nerve."""
DOCTRINE: Mapping[str, Sequence[tuple[str, str]]] = {
    "bold": (
        ("GERMAN", "accept always"),
        ("BISMARCK", "if hits under 2 then attack always else attack weaker"),
        ("PRINZ EUGEN", "attack weaker"),
        ("GERMAN", "huffduff exact"),
        ("BISMARCK", "withdraw midships 5"),
        ("BISMARCK", "if hits under 5 then range a else range open"),
        ("BISMARCK", "target weakest"),
        ("BISMARCK", "set up bow inwards"),
        ("PRINZ EUGEN", "avoid no"),
        ("PRINZ EUGEN", "reinforce yes round 3"),
        ("PRINZ EUGEN", "if hits over 1 then withdraw"),
    ),
    "steady": (
        ("GERMAN", "attack weaker"),
        ("GERMAN", "accept never"),
        ("GERMAN", "huffduff random"),
        ("GERMAN", "break off yes"),
        ("BISMARCK", "withdraw midships 1 evasion 24 round 3"),
        ("BISMARCK", "if hits over 0 then range open else range b"),
        ("BISMARCK", "target strongest"),
        ("BISMARCK", "if evasion over 24 then course ahead 1 starboard 1 round 1"),
        ("PRINZ EUGEN", "avoid outgunned"),
        ("PRINZ EUGEN", "if hits over 0 then withdraw"),
    ),
    "careful": (
        ("GERMAN", "attack never"),
        ("GERMAN", "accept never"),
        ("GERMAN", "break off yes"),
        ("GERMAN", "huffduff random"),
        ("GERMAN", "range open"),
        ("GERMAN", "aspect broadside"),
        ("BISMARCK", "withdraw round 1"),
        ("PRINZ EUGEN", "avoid yes"),
        ("PRINZ EUGEN", "reinforce no"),
        ("PRINZ EUGEN", "withdraw round 1"),
    ),
}
"""Standing orders for strike and battle, by nerve."""


def lines(report: Report, luck: Luck, given: Plan | None = None) -> Lines:
    """Break out, hunt convoys, keep away from whoever was seen or go for him, and go home. given:
    a plan in place of that of his luck."""
    ours = given or plan(luck)
    yield from standing(report, DOCTRINE[ours.nerve])
    sent = list(sorties(report))
    looked = sorted({*watched(report, luck), *(zone for _, _, zone in sent if zone)})
    yield "GERMAN", v.Search(zones=tuple(map(Zone, looked))) if looked else v.Search("found")
    yield "GERMAN", v.Convoy("attack" if worth(report, ours) else "spare")
    yield from squadron(report, ours, luck)
    yield from scouts(report, luck, {})
    yield from ((unit, order) for unit, order, _ in sent)


def agreed(report: Report, luck: Luck, given: Plan | None = None) -> int:
    """How many turns he agrees to run: one while he waits in Bergen, which he has to leave in time
    (12.33). given: as for `lines`."""
    waits = any(u.place == board.BERGEN for u in units(report, "ship"))
    return 1 if waits and not sailing(report, given or plan(luck)) else running(report)


def worth(report: Report, plan: Plan) -> bool:
    """10.25 A convoy destroyed gives the raider's place away, and holds her there for a turn: when
    she is running for port she lets it go."""
    return not any(c.age <= 1 for c in report.contacts) or plan.nerve != "careful"


# The squadron


def squadron(report: Report, plan: Plan, luck: Luck) -> Lines:
    """5.4 Both raiders in one force, or each for herself; those who may move do."""
    ships = [u for u in units(report, "ship") if not u.tied]
    free = {u.id for u in ships}
    raiders = [u for u in counters(report) if free.issuperset(u.ships or (u.id,))]
    force = next((u for u in raiders if u.kind == "force"), None)
    parted = apart(report, plan)
    if force and parted and may(report.menu, force.id, "break"):
        sent_off = plan.company == "sent off"
        yield force.id, v.Detach(("PRINZ EUGEN",)) if sent_off else v.Break()
        raiders = ships
    elif not force and not parted and meet(report, ships):
        yield "BISMARCK", v.Form(("PRINZ EUGEN",), FORCE)
        raiders = [replace(u, id=FORCE, ships=(u.id,)) for u in ships if u.id == "BISMARCK"]
    for unit in raiders:
        yield unit.id, raid(report, plan, unit, luck)


def meet(report: Report, ships: Sequence[OwnUnit]) -> bool:
    """5.41 Are both raiders in one zone, and may they sail in one force from now on?"""
    together = len(ships) == 2 and len({u.place for u in ships}) == 1
    return together and may(report.menu, "BISMARCK", "form")


def apart(report: Report, plan: Plan) -> bool:
    """5.44 Does each raider go her own way?"""
    flag = next((u for u in report.units if u.id == "BISMARCK"), None)
    if flag is None or plan.company == "together":
        return False
    if plan.company == "apart":
        return flag.place[0] >= SEAWARD
    return boxes(report, "Bismarck") >= BEARS[plan.nerve] or homeward(report, plan, flag)


# One raider


def raid(report: Report, plan: Plan, unit: OwnUnit, luck: Luck) -> Struct:
    """One raider's orders for this turn."""
    here, turn = unit.place, report.turn
    waits = here == board.BERGEN and turn <= LEAVE_BY and not sailing(report, plan)
    if waits or unit.evasion < 7:  # 9.729: dead in the water
        return v.Hold()
    port = haven(report, plan, unit)
    if port:
        return move(port)
    if here == board.BERGEN and turn <= LEAVE_BY + 1:
        return move(*plan.way)
    met = encounter(report, plan, unit, luck)
    ahead = within_reach(GERMAN, unit, onward(plan.way, here), turn)
    if ahead and not met:
        return move(*ahead)
    return met or hunt(report, plan, unit)


def sailing(report: Report, plan: Plan) -> bool:
    """12.33 Does he leave Bergen now?"""
    if plan.sails == "not at all":
        return level(report) >= 8
    thick = report.board.fog or level(report) >= 6
    at_last = plan.sails == "in thick weather" and report.turn == LEAVE_BY
    return plan.sails == "at once" or at_last or (thick and report.turn > FIRST)


def haven(report: Report, plan: Plan, unit: OwnUnit) -> str:
    """12.12 The port that the Bismarck makes for, empty while she stays at sea."""
    if "BISMARCK" not in (unit.id, *unit.ships) or not homeward(report, plan, unit):
        return ""
    ports = FRANCE if plan.resort == "France" else NORWAY
    able = [zone for zone in ports if reachable(GERMAN, unit, zone, report.turn)]
    return nearest(unit.place, able)


def homeward(report: Report, plan: Plan, unit: OwnUnit) -> bool:
    """Is she on her way home, or is it time to turn?"""
    if plan.resort == "none":
        return False
    if unit.path[-1:] and unit.path[-1] in (*FRANCE, *NORWAY):
        return True
    return {
        "found": hunted(report) and report.turn >= (10 if plan.resort == "Norway" else 16),
        "damaged": boxes(report, "Bismarck") >= BEARS[plan.nerve],
        "crippled": unit.evasion < 25,
        "late": report.turn >= 21,
    }[plan.trouble]


def hunted(report: Report) -> bool:
    """Was a ship of ours located, so that the British will come?"""
    return any(e.kind in ("CallHeard", "GeneralSearchHeard", "Shadowed") for e in report.events)


def encounter(report: Report, plan: Plan, unit: OwnUnit, luck: Luck) -> Struct | None:
    """An enemy close by: a bold captain goes for what is weaker, others turn away, and run when
    they were found themselves."""
    close = [c for c in recent(report, 1, vague=True) if board.distance(unit.place, c.place) <= 2]
    weaker = all(c.type != "BB" for c in close)
    if plan.nerve == "bold" and weaker and (close or found(report, unit)):
        enemy = close[0].place if close else unit.place
        if enemy == unit.place and level(report) <= 4:
            return v.Patrol()  # 7.26: to see who follows him
        if may_enter(enemy) and reachable(GERMAN, unit, enemy, report.turn):
            return move(enemy)
    if close or found(report, unit):
        goal = shake_off(report, unit, [c.place for c in close], luck)
        return move(goal) if goal else None
    return None


def found(report: Report, unit: OwnUnit) -> bool:
    """7.23, 8.15, 10.2 Was this raider found last turn, or given away, or is she followed?"""
    names = {"BISMARCK": "Bismarck", "PRINZ EUGEN": "Prinz Eugen"}
    own = {names[i] for i in (unit.id, *unit.ships) if i in names}
    seen = any(own & {*e.who} for e in report.events if e.kind in ("CallHeard", "Shadowed"))
    return seen or any(e.ship in own for e in report.events if e.kind in BETRAYED)


BETRAYED = ("GeneralSearchHeard", "HuffDuffHeard")
"""10.21, 10.22 What gives a raider's place away."""


def shake_off(report: Report, unit: OwnUnit, enemies: Sequence[str], luck: Luck) -> str:
    """8.18 Two zones at speed, away from enemies that are known and from the British coast, in a
    direction that nobody can foresee; empty where she cannot."""
    here = unit.place
    ring = [z for z in two_off(here) if reachable(GERMAN, unit, z, report.turn)]
    danger = [*enemies, *board.HOME_COAST]
    ring.sort(key=lambda zone: (-min(4, *(board.distance(zone, at) for at in danger)), -room(zone)))
    return luck.choice(f"shake off {unit.id}", ring[:5] or [""])


@cache
def two_off(zone: str) -> tuple[Zone, ...]:
    """5.18 The open sea zones two zones off, in their order."""
    return tuple(Zone(z) for z in sorted(board.LATTICE.ring(zone, 2)) if may_enter(z))


@cache
def room(zone: str) -> int:
    """How many sea zones lie within three: few in a corner, where a raider is caught."""
    return sum(z in board.SEA for z in board.LATTICE.within(zone, 3))


def may_enter(zone: str) -> bool:
    """5.18 Is the zone open to German ships?"""
    return zone in board.SEA and not board.closed(zone, GERMAN)


def onward(way: Sequence[str], here: str) -> Sequence[str]:
    """What is left of the way from `here`; empty at its end, and in the open ocean."""
    at = min(range(len(way)), key=lambda i: (board.distance(here, way[i]), -i))
    if here[0] >= SEAWARD or at + 1 == len(way):
        return ()
    leg = board.distance(way[at], way[at + 1])
    return way[at + 1 :] if board.distance(here, way[at + 1]) <= leg else way[at:]


def hunt(report: Report, plan: Plan, unit: OwnUnit) -> Struct:
    """10.24 On patrol on a convoy route: another zone every second day and after each convoy, and
    another than her consort's for the Prinz Eugen."""
    here, turn = unit.place, report.turn
    grounds = GROUNDS[plan.grounds]
    moves = turn // 12 + report.board.convoys + (unit.id == "PRINZ EUGEN")
    goal = grounds[moves % len(grounds)]
    there = here in board.CONVOY_ROUTES and board.distance(here, goal) <= 1
    if there or not reachable(GERMAN, unit, goal, turn):
        return v.Patrol()
    return v.Patrol((Zone(goal),))


# Aircraft


def watched(report: Report, luck: Luck) -> list[str]:
    """7.21 Where long range reconnaissance will be: to call these zones gives no ship away."""
    found: list[str] = []
    for unit in units(report, "air"):
        if unit.type == "LR recon" and unit.ready <= report.turn:
            out = unit.flying and unit.up < 3
            found += [unit.place] if out else []
            found += [] if unit.flying else [beat(report, unit, luck)]
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
