"""How the Allied admirals hunt: where raiders may be, who sails together, who goes where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from games.far_seas import board
from games.far_seas import verbs as v
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.bot_common import away
from games.far_seas.report import OwnShip, Report
from games.far_seas.state import GRADES
from games.far_seas.strength import strength
from pbem.kit.bots import Lines, Luck, values

SPEE = ("SCHARNHORST", "GNEISENAU")
HEAVY = 48
"""Strength from which a group may meet Spee's squadron."""
MOST = 4
"""Ships in a group."""
AHEAD = 3
"""Moves after which nobody can tell any more where a raider is."""
MISSED = 300
"""What a raider is worth whose merchants were missed a turn ago."""
LIGHT = 5
"""Strength of a usual raider."""
KEEN = 0.25
"""How much Allied ships keep raiders away."""
EASED = (100, 60, 40, 28, 20, 15)
"""What an area is worth when so many groups search it already, in hundredths: each adds one to the
die that finds (S8)."""
FAR = (0, 0)
"""What areas at this distance are worth to a group under way, in hundredths."""
Hopes = Mapping[str, float]
"""How likely Germans are in each area, times their points."""


class Hunt(Struct):
    """What the hunters of a window share."""

    raiders: Hopes
    spee: Hopes
    sent: dict[str, int] = {}
    """Groups on their way, by area."""


# Where raiders are


def suspects(report: Report, ships: Sequence[str] = (), without: Sequence[str] = ()) -> Hopes:
    """Where Germans are likely to be when they have moved, in points: each drifts from where it was
    last placed, more to where merchants sail; areas where merchants are missed count most.

    ships: these alone; without: all but these.
    """
    found: dict[str, float] = {}
    lures: dict[int, Mapping[str, float]] = {}
    watch = _watch(report)
    for foe in report.contacts:
        if (ships and foe.id not in ships) or foe.id in without or foe.place not in board.SEA:
            continue
        size = strength(foe)
        lures[size] = lures.get(size) or _lures(report, watch, size)
        moves = min(foe.moves + (not foe.moved), AHEAD)
        worth = 100 * foe.points / (1 + moves)
        for area, chance in _drift(report, foe.place, moves, lures[size]).items():
            found[area] = found.get(area, 0) + worth * chance
    for missed in report.board.missing if not ships else ():
        if missed.age == 1:
            for area, chance in _drift(
                report, missed.area, 1, _lures(report, watch, LIGHT)
            ).items():
                found[area] = found.get(area, 0) + MISSED * chance
    return found


def _watch(report: Report) -> Mapping[str, float]:
    """The strength of Allied ships that a raider in each area may meet, as all can see: of those
    that are there, and a part of those next door."""
    found = dict.fromkeys(board.SEA, 0.0)
    for own in report.units:
        if own.place in board.SEA and own.duty not in ("convoy", "station", "expedition"):
            size = strength(own)
            found[own.place] += size
            for near in board.neighbours(own.place, GERMAN):
                found[near] += 0.3 * size
    return found


def _lures(report: Report, watch: Mapping[str, float], size: int) -> Mapping[str, float]:
    """How gladly a raider of that strength goes to each area: merchants draw him, Allied ships keep
    him away."""
    merchants = report.board.merchants
    return {
        a: 2 ** (min(2, merchants.get(a, 0)) - KEEN * min(20, watch[a] / size)) for a in board.SEA
    }


def _drift(
    report: Report, place: str, moves: int, lure: Mapping[str, float]
) -> Mapping[str, float]:
    """The chances of a raider to be in each area after so many moves."""
    now = {place: 1.0}
    for _ in range(moves):
        after: dict[str, float] = {}
        for area, chance in now.items():
            ways = _ways(area, report.board.areas)
            total = sum(lure[a] for a in ways)
            for way in ways:
                after[way] = after.get(way, 0) + chance * lure[way] / total
        now = after
    return now


@lru_cache(maxsize=256)
def _ways(area: str, areas: tuple[str, ...]) -> tuple[str, ...]:
    """Where a German may be a move later."""
    ways = (area, *board.neighbours(area, GERMAN))
    return tuple(a for a in ways if a in board.SEA and (not areas or a in areas))


# Who sails together


def groups(free: Mapping[str, OwnShip], need: int) -> list[list[OwnShip]]:
    """Ships that are in one area, the strongest first, until each group has what it needs.

    need: strength of a group of cruisers; one with heavy guns gathers what can fight Spee.
    """
    left = dict(sorted(free.items(), key=lambda item: (-strength(item[1]), item[0])))
    found = []
    while left:
        lead = left.pop(next(iter(left)))
        group = [lead]
        enough = HEAVY if lead.gun == "A" else need
        for mate in list(left.values()):
            if sum(map(strength, group)) < enough and len(group) < MOST and _with(lead, mate):
                group.append(left.pop(mate.id))
        found.append(group)
    return found


def _with(lead: OwnShip, mate: OwnShip) -> bool:
    """May she come along without slowing the group down?"""
    same = (lead.place, lead.nation) == (mate.place, mate.nation)
    able = (lead.type == "AMC") == (mate.type == "AMC")
    return same and able and _grade(mate) >= min(_grade(lead), GRADES.index("4"))


def _grade(ship: OwnShip) -> int:
    return GRADES.index(ship.speed)


# Who goes where


def hunters(report: Report, free: Mapping[str, OwnShip], need: int, luck: Luck) -> Lines:
    """Orders of all ships that have no other duty. need: strength of a group of cruisers."""
    hunt = Hunt(suspects(report, without=SPEE), suspects(report, SPEE))
    for group in groups(free, need):
        area = _goal(report, group, hunt, luck)
        hunt.sent[area] = hunt.sent.get(area, 0) + 1
        yield from sail(group, area)


def sail(group: Sequence[OwnShip], area: str) -> Lines:
    """A group goes to an area, or cruises there."""
    lead, *mates = group
    if area != lead.place:
        yield lead.id, v.Move(area)
    elif area in board.SEA:
        yield lead.id, v.Cruise()
    else:
        return
    yield from ((mate.id, v.Join(lead.id)) for mate in mates if mate.leader != lead.id)


def _goal(report: Report, group: Sequence[OwnShip], hunt: Hunt, luck: Luck) -> str:
    """Here or next door, where the prey of this group is likeliest, or on the way there."""
    lead = group[0]
    heavy = sum(map(strength, group)) >= HEAVY
    near = [a for a in values(report.menu, lead.id, "move", "area") if a in board.SEA]

    def worth(area: str) -> tuple[float, str]:
        here = _hope(hunt, area, heavy) * EASED[min(hunt.sent.get(area, 0), len(EASED) - 1)] / 100
        ways = away(area, BRITISH).items()
        far = sum(_hope(hunt, a, heavy) * FAR[n] for a, n in ways if 0 < n < len(FAR)) / 100
        return here + far + luck.of(f"{lead.id} {area}", 12), area

    return max(near, key=worth, default=lead.place)


def _hope(hunt: Hunt, area: str, heavy: bool) -> float:
    """Prey in an area; Spee draws those alone who can fight him: he would fall on others one by
    one."""
    return hunt.raiders.get(area, 0) + (2 * hunt.spee.get(area, 0) if heavy else 0)
