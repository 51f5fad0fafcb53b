"""What both admirals do alike: read their report, reckon how far a ship gets, send aircraft out.

Players that need no sleep: they read their side's report and write order text like anybody else.
Nothing is random: what varies comes from `luck`. A side draws its plan once, from the luck of the
whole game, and keeps to it. They know the public board.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from games.bismarck import board, report
from games.bismarck import verbs as v
from games.bismarck.board import Zone
from games.bismarck.calendar import LAST
from games.bismarck.report import Damage, Enemy, OwnUnit
from pbem.kit import reports
from pbem.kit.bots import Lines, Luck

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
LATER = {
    "Hvalfiord": ("H6", "G6", "H8", "F5"),
    "Plymouth": ("Q18", "O17", "R18", "P19"),
    "Eire": ("J14", "L15", "N15", "J13"),
    "Gibraltar": ("V20", "X20", "W21", "V22"),
}
"""The same for the British when the raiders will be on the convoy routes or nearing Brest."""
BROKEN_OUT = 16
"""The turn from which they will be there."""


class Board(report.ChartBoard, kw_only=True):
    """What a bot reads of the turn."""

    convoys: int = 0
    damage: tuple[Damage, ...] = ()


class Told(reports.Told, frozen=True):
    """What a bot reads of an event."""

    who: tuple[str, ...] | str = ()
    ship: str = ""


class Asked(Struct, frozen=True):
    """A bot leaves questions to its orders and their defaults."""


class Report(report.Report, frozen=True, kw_only=True):
    """What a bot reads of its side's report."""

    board: Board
    events: tuple[Told, ...] = ()
    questions: tuple[Asked, ...] = ()
    dice_mode: str = ""


def units(report: Report, kind: str) -> list[OwnUnit]:
    """The report's own units of a kind: ship, force, air."""
    return [u for u in report.units if u.kind == kind]


def counters(report: Report) -> list[OwnUnit]:
    """5.43 What moves as one: task forces, and ships that are in none."""
    alone = [u for u in units(report, "ship") if not u.force]
    return [*units(report, "force"), *alone]


def boxes(report: Report, name: str) -> int:
    """9.7 Midships boxes that a ship is known to have lost. name: printed, an enemy's with `enemy`
    before it."""
    told = next((d.text for d in report.board.damage if d.name == name), "")
    found = re.search(r"midships (\d+)", told)
    return int(found[1]) if found else 0


def level(report: Report) -> int:
    """7.12 The visibility level as a number, 9 for X."""
    return int(report.board.level) if report.board.level.isdigit() else 9


def recent(report: Report, within: int, vague: bool = False) -> list[Enemy]:
    """Contacts not older than `within` turns, the newest first. vague: also those of HUFF-DUFF and
    of ships that passed through."""
    seen = [c for c in report.contacts if c.age <= within]
    able = [c for c in seen if vague or c.source not in ("passed", "HUFF-DUFF")]
    return sorted(able, key=lambda c: (c.age, c.id))


def standing(report: Report, doctrine: Iterable[tuple[str, str]]) -> Lines:
    """Standing orders of the side and of ships in play, where they are not all in force yet: actor
    without the `@`, and order. New ones replace all of an actor's."""
    wanted: dict[str, list[str]] = {}
    for actor, order in doctrine:
        wanted.setdefault(actor, []).append(order)
    able = {report.side.upper(), *(u.id for u in report.units)}
    for actor, orders in wanted.items():
        if actor in able and any(f"@{actor}: {o};" not in report.standing for o in orders):
            yield from ((f"@{actor}", order) for order in orders)


def running(report: Report) -> int:
    """How many turns the side agrees to run. Whatever it learns of an enemy stops a run, so that
    two turns are safe, and three while nobody was seen for long. One where it may not agree (strict
    dice), or is asked something."""
    if report.questions or report.dice_mode == "strict":
        return 1
    return 2 if recent(report, 4, vague=True) else 3


# Ships


def move(*points: str) -> v.Move:
    """Sail through these zones, the shortest way between them. A way that is ordered at once to
    its end goes on through a run of agreed turns."""
    return v.Move(tuple(map(Zone, points)))


def reachable(side: str, unit: OwnUnit, goal: str, turn: int) -> bool:
    """Can the unit get to another zone before the game ends, with the fuel and engines it has?"""
    return goal != unit.place and bool(within_reach(side, unit, (goal,), turn))


def within_reach(side: str, unit: OwnUnit, points: Sequence[str], turn: int) -> Sequence[str]:
    """The points of a way that the unit gets to before the game ends: all, or the first of them."""
    turns = LAST - turn + 1
    quick = unit.evasion >= 25  # 9.729
    most = 2 * turns if quick else turns if unit.evasion >= 16 else turns // 2
    left = min(range_left(unit.fuel, turns, quick), most if unit.evasion >= 7 else 0)
    here = unit.place
    for n, point in enumerate(points):
        far = board.sail_distance(side, here, Zone(point))
        if far is None or far > left:
            return points[:n]
        left, here = left - far, Zone(point)
    return points


def range_left(fuel: str, turns: int, quick: bool) -> int:
    """5.2 Zones in so many turns, on the safe side: a factor lasts two turns, then every second
    turn brings one zone. quick: she moves two zones and one by turns. Cruisers have `-`."""
    if fuel == "-":
        return 2 * turns if quick else turns
    factors = int(fuel.partition("/")[0])
    full = min(turns, 2 * factors)
    extra = min(full // 2, factors - 1) if quick and factors else 0
    return full + extra + (turns - full) // 2


def nearest(here: str, zones: Iterable[str]) -> str:
    """The zone with the least distance, the first of several; empty without any."""
    return min(zones, key=lambda zone: board.distance(here, zone), default="")


# Aircraft


def scouts(report: Report, luck: Luck, goals: Mapping[str, str]) -> Lines:
    """6 Long range reconnaissance: out, on patrol while it gets home in time, home. goals: zones by
    unit, for those that are sent to one; those in the air follow where they can."""
    for unit in units(report, "air"):
        if unit.type != "LR recon" or unit.ready > report.turn:
            continue
        goal = goals.get(unit.id, "")
        if not unit.flying:
            yield unit.id, v.Fly((Zone(goal or beat(report, unit, luck)),), "move")
        elif not unit.path:
            yield unit.id, on_patrol(report.side, unit, goal)


def on_patrol(side: str, unit: OwnUnit, goal: str) -> Struct:
    """6.22, 6.33 To a goal near by, else where it is, while it gets home in time; else home."""
    near = bool(goal) and board.distance(unit.place, goal) <= unit.reach["patrol"]
    zone = Zone(goal) if near else unit.place
    far = board.fly_distance(side, zone, unit.home) or 0
    if unit.up + 1 + -(-far // unit.reach["move"]) > unit.endurance["patrol"]:
        return v.Return()
    return v.Patrol((zone,)) if near and zone != unit.place else v.Patrol()


def beat(report: Report, unit: OwnUnit, luck: Luck) -> str:
    """The zone off its base that a scout looks into while nothing is known."""
    later = LATER.get(unit.base) if report.turn >= BROKEN_OUT else None
    choice: Sequence[str] = later or STATIONS[unit.base]
    return luck.choice(f"beat {report.turn} {unit.id}", choice)
