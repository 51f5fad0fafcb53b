"""The Allied bot: landings first, slow ships to the convoys, the others hunt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from games.far_seas import board
from games.far_seas import verbs as v
from games.far_seas.board import BRITISH
from games.far_seas.bot_common import away, doctrine, step
from games.far_seas.report import OwnShip, Report
from games.far_seas.strength import strength
from pbem.kit.bots import Lines, Luck, may, values

DOCTRINE = (
    "seek any",
    "if odds over 2.0 then run else stand",
    "target best concentrate",
    "torpedo fire",
    "pursue all",
    "retire must",
)
ALONE = 10
"""A ship of that strength hunts by itself; weaker ones sail in pairs."""


def lines(report: Report, luck: Luck) -> Lines:
    """Orders of one window."""
    yield from doctrine(report, "BRITISH", DOCTRINE)
    free = {u.id: u for u in report.units if may(report.menu, u.id, "move")}
    yield from _landings(report, free)
    yield from _guards(report, free)
    yield from _convoys(report, free)
    yield from _hunters(report, free, luck)


# Landings


def _landings(report: Report, free: dict[str, OwnShip]) -> Lines:
    """Ships support a landing that needs them now; for a later one the nearest set out."""
    for name, due in report.board.landings.items():
        area, (ships, sent, begin, end) = str(due[0]), due[1:]
        need = ships if end > 4 or not sent else 0
        if name == "kamerun":
            need = min(2, max(0, ships - sent))
        able = [u for u in free.values() if _suits(u) and _can_reach(u, area)]
        able.sort(key=lambda u: (away(u.place, BRITISH).get(area, 9), u.points, u.id))
        close = [u for u in able if away(u.place, BRITISH).get(area, 9) <= 1]
        now = begin <= report.turn <= end and (len(close) >= need or end > 4)
        for unit in (close if now else able)[:need]:
            del free[unit.id]
            yield unit.id, _support(report, unit, name, area, now)


def _can_reach(unit: OwnShip, area: str) -> bool:
    foreign = unit.nation != "UK"
    sea = board.ATLANTIC if unit.start in board.ATLANTIC else board.PACIFIC
    return away(unit.place, BRITISH).get(area, 9) <= 3 and (not foreign or area in sea)


def _suits(unit: OwnShip) -> bool:
    return unit.type not in ("AMC", "BC") and unit.place in board.SEA


def _support(report: Report, unit: OwnShip, name: str, area: str, now: bool) -> Struct:
    if now and name in values(report.menu, unit.id, "support", "landing"):
        return v.Support(name)
    if unit.place == area:
        return v.Hold()
    return v.Move(step(unit.place, area, BRITISH, ()))


# Stations


def _guards(report: Report, free: dict[str, OwnShip]) -> Lines:
    """Slow ships that may not cover merchants guard the richest stations within reach, while they
    were not raided."""
    raided = {name.lower() for name in report.board.raided}
    held = {u.post.lower() for u in report.units if u.duty == "station"}
    for unit in [u for u in free.values() if _is_guard(report, u)]:
        if unit.duty == "station" and unit.post.lower() not in raided:
            del free[unit.id]
            continue
        words = set(values(report.menu, unit.id, "station", "station")) - raided - held
        if words:
            word = max(words, key=lambda w: (_points(w), w))
            held.add(word)
            del free[unit.id]
            yield unit.id, v.Station(word)


def _is_guard(report: Report, unit: OwnShip) -> bool:
    slow = unit.speed in ("3", "3+") and unit.type != "AMC"
    return slow and not values(report.menu, unit.id, "convoy", "area")


def _points(word: str) -> int:
    """What the raid of a station scores."""
    return next(board.points(name) for name in board.STATIONS if name.lower() == word)


# Convoys


def _convoys(report: Report, free: dict[str, OwnShip]) -> Lines:
    """Slow ships cover the richest merchants near possible Germans; those that already do stay."""
    guarded: dict[str, int] = {}
    wanted = suspects(report)
    for unit in list(free.values()):
        if unit.duty == "convoy" and wanted.get(unit.place, 0) > 0:
            guarded[unit.place] = guarded.get(unit.place, 0) + 1
            del free[unit.id]
    for unit in list(free.values()):
        lanes = values(report.menu, unit.id, "convoy", "area")
        if lanes:
            lane = max(lanes, key=lambda a: (_worth(report, wanted, guarded, a), -int(a)))
            guarded[lane] = guarded.get(lane, 0) + 1
            del free[unit.id]
            yield unit.id, v.Convoy(lane)


def _worth(report: Report, wanted: Mapping[str, int], guarded: Mapping[str, int], area: str) -> int:
    left = report.board.merchants.get(area, 0) - guarded.get(area, 0)
    return min(left, 2) * (10 + wanted.get(area, 0))


# Hunters


def suspects(report: Report) -> dict[str, int]:
    """How likely Germans are in each area, in points: each is spread over the areas that it may
    have reached since it was last placed, more where merchants sail; areas where merchants are
    missed count most."""
    found: dict[str, int] = {}
    for foe in report.contacts:
        reach = min(foe.moves, 3) + (not foe.moved)
        areas = [a for a, n in away(foe.place, BRITISH).items() if n <= reach and a in board.SEA]
        share = 60 * foe.points // max(1, len(areas))
        for area in areas:
            lure = 1 + report.board.merchants.get(area, 0)
            found[area] = found.get(area, 0) + share * lure // 3
    for missed in report.board.missing:
        if missed.age <= 1:
            for area in (missed.area, *board.neighbours(missed.area, BRITISH)):
                weight = 50 if area == missed.area else 8
                found[area] = found.get(area, 0) + weight * missed.count // (1 + missed.age)
    return found


def _hunters(report: Report, free: dict[str, OwnShip], luck: Luck) -> Lines:
    wanted = suspects(report)
    hunted: dict[str, int] = {}
    for unit, mate in _pairs(free):
        area = _goal(report, unit, wanted, hunted, luck)
        hunted[area] = hunted.get(area, 0) + 1
        cruising = area == unit.place and area in board.SEA
        if cruising or area != unit.place:
            yield unit.id, v.Cruise() if cruising else v.Move(area)
            if mate and mate.leader != unit.id:
                yield mate.id, v.Join(unit.id)


def _pairs(free: Mapping[str, OwnShip]) -> Iterator[tuple[OwnShip, OwnShip | None]]:
    """Strong ships alone, weak ones in pairs where they are in one area."""
    left = dict(sorted(free.items(), key=lambda item: (-strength(item[1]), item[0])))
    while left:
        id_ = next(iter(left))
        unit = left.pop(id_)
        mate = next((u for u in left.values() if _goes_with(unit, u)), None)
        if mate and strength(unit) < ALONE:
            left.pop(mate.id)
            yield unit, mate
        else:
            yield unit, None


def _goes_with(unit: OwnShip, mate: OwnShip) -> bool:
    same = (unit.place, unit.nation) == (mate.place, mate.nation)
    return same and (unit.type == "AMC") == (mate.type == "AMC")


def _goal(
    report: Report, unit: OwnShip, wanted: Mapping[str, int], hunted: Mapping[str, int], luck: Luck
) -> str:
    """Here or next door, where Germans are likeliest and fewest others hunt."""
    near = [a for a in values(report.menu, unit.id, "move", "area") if a in board.SEA]
    here = {a: wanted.get(a, 0) // (1 + hunted.get(a, 0)) for a in near}
    return max(
        near,
        key=lambda a: (here[a] + luck.of(f"{unit.id} {a}", 12), a),
        default=unit.place,
    )
