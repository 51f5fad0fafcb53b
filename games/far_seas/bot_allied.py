"""The Allied admirals: landings first, guards and convoys for slow ships, the others hunt.

A plan is drawn once, from the luck of the whole game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from games.far_seas import board
from games.far_seas import verbs as v
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.bot_common import away, doctrine, step
from games.far_seas.bot_hunters import Hopes, hunters, sail, suspects
from games.far_seas.report import OwnShip, Report
from games.far_seas.state import GRADES
from games.far_seas.strength import strength
from pbem.kit.bots import Lines, Luck, may, values

CRADOCK = ("GOOD HOPE", "MONMOUTH")
HORN = ("13", "32", "17", "19")
"""The way round Cape Horn on which Cradock goes to meet Spee."""
NEED = {"alone": 5, "pairs": 10, "squadrons": 13}
"""Strength of a group of cruisers, by plan."""
GUARDS = {"few": 8, "many": 16, "all": 24}
"""Ships on stations, by plan."""
RICH = 3
"""Points of a station for which a ship leaves its convoy."""
STRONG = 6
"""A guard that is weaker tempts a raider."""


class Plan(Struct, frozen=True):
    """What the Admiralty decides before the game."""

    hunt: str
    guards: str
    cradock: str
    """He `follows` Spee round Cape Horn and fights, or `waits` for the battle cruisers."""
    aim: str
    retire: str


def plan(luck: Luck) -> Plan:
    """The same in every window of a game."""
    game = luck.game
    return Plan(
        hunt=game.weighted("hunt", {"alone": 40, "pairs": 40, "squadrons": 20}),
        guards=game.weighted("guards", {"few": 30, "many": 40, "all": 30}),
        cradock=game.weighted("cradock", {"follows": 70, "waits": 30}),
        aim=game.weighted("aim", {"best split": 50, "best concentrate": 20, "damaged split": 30}),
        retire=game.weighted("retire", {"must": 70, "damaged": 30}),
    )


def lines(report: Report, luck: Luck, given: Plan | None = None) -> Lines:
    """Orders of one window. given: a plan in place of that of the luck."""
    ours = given or plan(luck)
    yield from doctrine(report, "BRITISH", _standing(ours))
    if ours.cradock == "follows":
        for id_ in CRADOCK:
            if any(u.id == id_ for u in report.units):
                yield from doctrine(report, id_, ("stand",))
    free = {u.id: u for u in report.units if may(report.menu, u.id, "move")}
    yield from _landings(report, free)
    yield from _cradock(report, ours, free)
    yield from _guards(report, ours, free)
    yield from _convoys(report, free)
    for unit in [u for u in free.values() if strength(u) < STRONG and u.place in board.SEA]:
        del free[unit.id]
        yield unit.id, v.Hold()  # S1, S11: in the Start box nobody can fall on her
    yield from hunters(report, free, NEED[ours.hunt], luck)


def _standing(plan: Plan) -> Sequence[str]:
    return (
        "seek any",
        "if odds over 2.0 then run else stand",
        f"target {plan.aim}",
        "torpedo fire",
        "pursue all",
        f"retire {plan.retire}",
    )


# Landings


def _landings(report: Report, free: dict[str, OwnShip]) -> Lines:
    """Ships support a landing that needs them now; for a later one the nearest set out."""
    for name, due in report.board.landings.items():
        area, (ships, sent, begin, end) = str(due[0]), due[1:]
        need = ships if end > 4 or not sent else 0
        if name == "kamerun":
            need = min(2, max(0, ships - sent))
        able = [u for u in free.values() if _suits(u) and _can_reach(u, area)]
        able.sort(key=lambda u: (away(u.place, BRITISH).get(area, 9), _fast(u), -strength(u), u.id))
        close = [u for u in able if away(u.place, BRITISH).get(area, 9) <= 1]
        now = begin <= report.turn <= end and (len(close) >= need or end > 4)
        if not now and name == "tsingtao":  # the Japanese are there in time
            continue
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


# Cradock


def _cradock(report: Report, plan: Plan, free: dict[str, OwnShip]) -> Lines:
    """He goes round Cape Horn while Spee may be behind it; or he waits off the Falklands."""
    group = [free[i] for i in CRADOCK if i in free]
    place = group[0].place if group else ""
    if place not in HORN or any(u.place != place for u in group):
        return
    spee = any(c.id == "SCHARNHORST" for c in report.contacts)
    if not spee or (plan.cradock == "waits" and report.turn > 8):
        return
    ahead = HORN[min(HORN.index(place) + 1, len(HORN) - 1)]
    for unit in group:
        del free[unit.id]
    yield from sail(group, ahead if plan.cradock == "follows" else place)


# Stations


def _guards(report: Report, plan: Plan, free: dict[str, OwnShip]) -> Lines:
    """The stations that raiders may reach soon get a guard each, the richest first: the cheapest
    ship nearby that is fit for it. Guards stay while they are wanted."""
    raided = {name.lower() for name in report.board.raided}
    kept = [u for u in report.units if u.duty == "station" and u.post.lower() not in raided]
    held = {u.post.lower() for u in kept}
    for unit in kept:
        free.pop(unit.id, None)
    wanted = [w for w in _stations(report) if w not in raided | held]
    for word in wanted[: max(0, GUARDS[plan.guards] - len(kept))]:
        able = [u for u in free.values() if word in values(report.menu, u.id, "station", "station")]
        fit = [u for u in able if _spare(report, u, word)]
        if fit:
            unit = min(fit, key=_cost)
            del free[unit.id]
            yield unit.id, v.Station(word)


def _stations(report: Report) -> list[str]:
    """M1 Those within two moves of where a raider may be, the richest and nearest first."""
    near: dict[str, int] = {}
    for foe in report.contacts:
        reach = min(foe.moves, 4)
        for area, moves in away(foe.place, GERMAN).items():
            near[area] = min(near.get(area, 9), moves - reach)
    areas = report.board.areas or board.SEA
    words = [s for s, a in board.STATIONS.items() if a in areas and near.get(a, 9) <= 2]
    words.sort(key=lambda s: (-board.points(s), near[board.STATIONS[s]], s))
    return [s.lower() for s in words]


def _spare(report: Report, unit: OwnShip, word: str) -> bool:
    """Slow ships, too slow to hunt; those that may cover merchants guard the richest alone."""
    fit = strength(unit) >= STRONG and unit.type not in ("AMC", "BC")
    covers = bool(values(report.menu, unit.id, "convoy", "area"))
    led = {u.leader for u in report.units} | {""}
    if unit.leader or unit.id in led or not fit:
        return False
    return not _fast(unit) and (_points(word) >= RICH or not covers)


def _cost(unit: OwnShip) -> tuple[bool, int, str]:
    """Slow ones first, of these the weakest."""
    return _fast(unit), strength(unit), unit.id


def _fast(unit: OwnShip) -> bool:
    """Fit to hunt."""
    return GRADES.index(unit.speed) > GRADES.index("3+")


def _points(word: str) -> int:
    """What the raid of a station scores."""
    return next(board.points(name) for name in board.STATIONS if name.lower() == word)


# Convoys


def _convoys(report: Report, free: dict[str, OwnShip]) -> Lines:
    """Slow ships cover the richest merchants near possible Germans; those that already do stay."""
    guarded: dict[str, int] = {}
    wanted = suspects(report)
    for unit in list(free.values()):
        if unit.duty == "convoy" and wanted.get(unit.place, 0) > 20:
            guarded[unit.place] = guarded.get(unit.place, 0) + 1
            del free[unit.id]
    for unit in list(free.values()):
        lanes = values(report.menu, unit.id, "convoy", "area")
        if lanes:
            lane = max(lanes, key=lambda a: (_worth(report, wanted, guarded, a), -int(a)))
            guarded[lane] = guarded.get(lane, 0) + 1
            del free[unit.id]
            yield unit.id, v.Convoy(lane)


def _worth(report: Report, wanted: Hopes, guarded: Mapping[str, int], area: str) -> float:
    left = report.board.merchants.get(area, 0) - guarded.get(area, 0)
    return min(left, 2) * (10 + wanted.get(area, 0))
