"""The British hunt: where an enemy who was lost may be by now, and the aircraft sent there."""

from __future__ import annotations

from msgspec.structs import replace

from games.bismarck import board
from games.bismarck import verbs as v
from games.bismarck.bot_common import Report, boxes, level, recent, units
from games.bismarck.calendar import night
from games.bismarck.report import Enemy, OwnUnit
from games.bismarck.verbs_battle import Intercept, Strike
from pbem.kit.bots import Lines

BREST = board.PORTS["Brest"].zone
LOST = 9
"""Turns for which a damaged Bismarck is looked for on her way to France."""
BEATEN = 5
"""Midships hits after which the Bismarck may be left to the bombers."""
LOOKING = 4
"""The visibility level up to which bombers look for her themselves."""


# Where she may be


def tracks(report: Report, within: int) -> list[Enemy]:
    """Contacts not older than `within` turns, the newest first; a damaged Bismarck that was lost
    is reckoned to be on her way to France, for longer."""
    runs = boxes(report, "enemy Bismarck") > 0
    seen = recent(report, LOST if runs else within, vague=True)
    return [
        reckoned(c) if runs and c.type == "BB" and c.age > 1 else c
        for c in seen
        if c.age <= within or c.type == "BB"
    ]


def reckoned(enemy: Enemy) -> Enemy:
    """The contact three zones nearer to Brest for every two turns since it was seen."""
    way = board.sail(board.GERMAN, enemy.place, BREST) or ()
    if len(way) < 2:
        return enemy
    return replace(enemy, place=way[min(3 * enemy.age // 2, len(way) - 1) - 1])


def likely(enemy: Enemy) -> list[str]:
    """The zones into which an enemy may have gone, those farthest from where he came from first."""
    before = enemy.trail[-1][0] if enemy.trail else ""
    zones = [z for z in board.around(enemy.place) if z in board.SEA]
    return sorted(zones, key=lambda z: (-board.distance(z, before) if before else 0, z))


# Aircraft


def sightings(report: Report) -> dict[str, str]:
    """Scouts go where an enemy was seen, and to the zones around it, where they reach them: the
    nearest base first."""
    goals: dict[str, str] = {}
    for enemy in tracks(report, 3):
        zones = iter((enemy.place, *likely(enemy)))
        free = [u for u in units(report, "air") if u.type == "LR recon" and u.id not in goals]
        for unit in sorted(free, key=lambda u: (board.distance(u.place, enemy.place), u.id)):
            if board.distance(unit.home, enemy.place) < unit.reach["move"]:
                goals[unit.id] = next(zones, enemy.place)
    return goals


def ready(report: Report) -> list[OwnUnit]:
    """Bombers that may take off."""
    able = [u for u in units(report, "air") if not u.flying and u.ready <= report.turn]
    return [u for u in able if u.type != "LR recon"]


def reach(unit: OwnUnit) -> int:
    """4.7, 9.16 Zones to a target, for a bomber that is to be home in the same turn."""
    return unit.reach["attack"] // 2


def bombers(report: Report) -> Lines:
    """9.1 Bombers go where a shadow is held, where a raider must stay after sinking a convoy, and
    by day where they may find a damaged Bismarck themselves."""
    for unit in ready(report):
        yield from sortie(report, unit)


def sortie(report: Report, unit: OwnUnit) -> Lines:
    """Where a bomber is sent: to the newest contact in its reach."""
    for contact in tracks(report, 1):
        far = board.distance(unit.home, contact.place)
        there = v.Fly((contact.place,), "attack", "return")
        if contact.source == "convoy" and contact.age <= 1 and far <= reach(unit):
            yield unit.id, there
            yield unit.id, Strike(contact=contact.id)
            return
        if contact.age <= 1 and far <= reach(unit) + 2:
            yield unit.id, Intercept(contact.id, within=reach(unit))
            return
        if contact.age > 1 and far <= reach(unit) and _seen_by_day(report, contact):
            yield unit.id, there
            return


def _seen_by_day(report: Report, contact: Enemy) -> bool:
    return level(report) <= LOOKING and not night(report.turn, contact.place)


def cripple(report: Report) -> bool:
    """9.1 Is the Bismarck so near her end that bombers which reach her by day may sink her? Then
    the ships hold her and keep off."""
    if boxes(report, "enemy Bismarck") < BEATEN:
        return False
    flag = [c for c in tracks(report, 1) if c.type == "BB" and not night(report.turn, c.place)]
    return any(board.distance(u.home, c.place) <= reach(u) for u in ready(report) for c in flag)
