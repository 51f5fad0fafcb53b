"""The German bot: spread over rich areas, away from hunters, raid what nobody guards."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from games.far_seas import board
from games.far_seas import verbs as v
from games.far_seas.board import GERMAN, STATIONS
from games.far_seas.bot_common import away, doctrine, strength
from games.far_seas.report import OwnShip, Report
from pbem.kit.bots import Lines, Luck, may, values

DOCTRINE = (
    "if odds over 0.9 then run else stand",
    "surprise any odds 0.7",
    "target best concentrate",
    "torpedo fire",
    "capture all",
)
FEAR = 22
"""What enemy strength nearby, relative to one's own, weighs against merchants, in hundredths."""

Choice = tuple[int, str, str]
"""What it promises, the area, and the station to be raided there."""


def lines(report: Report, luck: Luck) -> Lines:
    """Orders of one window."""
    yield from doctrine(report, "GERMAN", DOCTRINE)
    taken: dict[str, int] = {}
    movers = [u for u in report.units if may(report.menu, u.id, "cruise")]
    late = len(movers) > 3 and luck.of(f"late {report.turn}", 3) == 0
    waiting = {u.id for u in movers if late and _waits(report, u, luck)}
    for ship in sorted(movers, key=lambda u: (-u.points, u.id)):
        host = _host(movers, ship)
        if ship.leader or (host or ship.id) in waiting:
            continue
        mates = [u for u in movers if u.leader == ship.id]
        if host:
            yield ship.id, v.Join(host)
        else:
            yield ship.id, _order(report, ship, [ship, *mates], taken, luck)


def _waits(report: Report, ship: OwnShip, luck: Luck) -> bool:
    """Half of the ships are not named in a first segment: the Allies cannot react to all."""
    first = report.board.segment == 1
    return first and ship.type != "AMC" and luck.of(f"wait {ship.id}", 2) == 0


def _host(movers: Sequence[OwnShip], ship: OwnShip) -> str:
    """The Gneisenau sails with the Scharnhorst wherever she meets her."""
    flag = next((u for u in movers if u.id == "SCHARNHORST"), None)
    if ship.id != "GNEISENAU" or flag is None or flag.place != ship.place:
        return ""
    return "" if flag.leader else flag.id


def _order(
    report: Report, ship: OwnShip, group: Sequence[OwnShip], taken: dict[str, int], luck: Luck
) -> Struct:
    hurt = 2 * ship.damage >= ship.capacity
    if hurt and may(report.menu, ship.id, "intern"):
        return v.Intern()
    if hurt and may(report.menu, ship.id, "return"):
        return v.Return()
    if ship.duty == "river":
        return v.Cruise() if _threat(report, board.RIVER, group) < 100 else v.River()
    best, order = _best(report, ship, group, taken, luck)
    if may(report.menu, ship.id, "river") and _threat(report, best, group) > 400:
        return v.River()
    return order


def _best(
    report: Report, ship: OwnShip, group: Sequence[OwnShip], taken: dict[str, int], luck: Luck
) -> tuple[str, Struct]:
    """The most promising area, and the order for it."""
    choices: list[Choice] = []
    for area in values(report.menu, ship.id, "move", "area"):
        left = report.board.merchants.get(area, 0) - taken.get(area, 0)
        hope = sum(min(200, max(0, 100 * (left - 2 * i))) for i in range(len(group)))
        fear = FEAR * _threat(report, area, group) // 100
        chance = luck.of(f"{ship.id} {area}", 40)
        choices.append((hope - fear + chance, area, ""))
    stations = values(report.menu, ship.id, "raid", "station")
    choices += [_raid(report, group, word) for word in stations]
    _, area, station = max(choices)
    taken[area] = taken.get(area, 0) + 2 * len(group)
    return area, v.Raid(station) if station else _go(ship, area)


def _go(ship: OwnShip, area: str) -> Struct:
    if area == ship.place:
        return v.Cruise()
    return v.Move(area, "canal" if area in board.AREAS[ship.place].canal else "")


def _raid(report: Report, group: Sequence[OwnShip], word: str) -> Choice:
    station = next(s for s in STATIONS if s.lower() == word)
    area = STATIONS[station]
    guarded = any(c.post == station for c in report.contacts)
    worth = -500 if guarded else 100 * board.points(station) - 20
    return worth - FEAR * _threat(report, area, group) // 100, area, word


def _threat(report: Report, area: str, group: Sequence[OwnShip]) -> int:
    """Enemy strength that may be met in an area, in hundredths of the group's own."""
    own = max(1, sum(strength(u) for u in group))
    total = 0
    for foe in report.contacts:
        if foe.duty not in ("convoy", "station", "expedition") and foe.place in board.SEA:
            moves = away(foe.place, GERMAN).get(area, 9)
            total += strength(foe) * {0: 100, 1: 0 if foe.moved else 30}.get(moves, 0)
    return min(2000, total // own)
