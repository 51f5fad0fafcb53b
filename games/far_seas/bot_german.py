"""The German admirals: where the squadron goes, who sails with it, when a captain fights.

A plan is drawn once, from the luck of the whole game. Each ship then weighs, for every area it can
reach, merchants, stations, weaker enemies and stronger ones, and what the plan wants.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from games.far_seas import board
from games.far_seas import verbs as v
from games.far_seas.board import GERMAN, STATIONS
from games.far_seas.bot_common import away, doctrine, squadrons
from games.far_seas.report import Enemy, OwnShip, Report
from games.far_seas.strength import strength
from games.far_seas.tables import rules
from pbem.kit.bots import Lines, Luck, may, values

FLAG = "SCHARNHORST"
WAYS: Mapping[str, Sequence[str]] = {
    "Cape Horn": ("21", "18", "19", "17", "32", "13", "11"),
    "Chile": ("21", "18", "19", "17"),
    "north": ("21", "20", "7"),
    "Australia": ("21", "23", "27"),
    "free": (),
}
"""Where the squadron goes: areas in turn; `free`, where the hour takes it."""
DOCTRINE: Mapping[str, Sequence[str]] = {
    "bold": (
        "if odds over 1.2 then run else stand",
        "split together",
        "target damaged",
        "torpedo fire",
        "capture all",
    ),
    "steady": (
        "if odds over 0.9 then run else stand",
        "target best concentrate",
        "torpedo fire",
        "capture all",
    ),
    "careful": (
        "if odds over 0.7 then run else stand",
        "split apart",
        "target best",
        "torpedo fire",
        "capture all",
    ),
}
SURPRISE = {"bold": "1.0", "steady": "0.8", "careful": "0.6"}
"""S12 Enemy strength for one's own up to which a captain falls on an enemy, by nerve: +2 in every
round is worth a good deal."""
FEAR = 22
"""What enemy strength nearby, relative to one's own, weighs against merchants, in hundredths."""
PULL = 300
"""What the next area of the plan is worth."""
GAME = 35
"""What each point of a weaker enemy is worth that is likely to be there."""

GUARDED = 180
"""What a ship nearby that may guard a station takes off its worth."""

Choice = tuple[int, str, str]
"""What it promises, the area, and the station to be raided there."""


class Plan(Struct, frozen=True):
    """What the admiral decides before the game."""

    way: str
    company: str
    """Who sails with the Scharnhorst: the Gneisenau (`pair`), light cruisers too (`all`), or nobody
    (`none`)."""
    nerve: str


def plan(luck: Luck) -> Plan:
    """M5 The same in every window of a game."""
    game = luck.game
    ways = {"Cape Horn": 40, "Chile": 20, "north": 5, "Australia": 15, "free": 20}
    return Plan(
        way=game.weighted("way", ways),
        company=game.weighted("company", {"pair": 50, "all": 50}),
        nerve=game.weighted("nerve", {"bold": 30, "steady": 45, "careful": 25}),
    )


def lines(report: Report, luck: Luck, given: Plan | None = None) -> Lines:
    """Orders of one window. given: a plan in place of that of the luck."""
    ours = given or plan(luck)
    nerve = ours.nerve
    yield from doctrine(
        report, "GERMAN", (*DOCTRINE[nerve], f"surprise any odds {SURPRISE[nerve]}")
    )
    taken = {"river": 1} if any(u.duty == "river" for u in report.units) else dict[str, int]()
    movers = [u for u in report.units if _sails(report, u)]
    late = len(movers) > 3 and luck.of(f"late {report.turn}", 3) == 0
    waiting = {u.id for u in movers if late and _waits(report, u, luck)}
    for ship in sorted(movers, key=lambda u: (-u.points, u.id)):
        host = _host(ours, movers, ship)
        if _lags(ship):
            yield ship.id, v.Part()
        elif ship.leader or (host or ship.id) in waiting:
            continue
        elif host:
            yield ship.id, v.Join(host)
        else:
            mates = [u for u in movers if ship.id in (u.leader, _host(ours, movers, u))]
            yield from _orders(report, ours, [ship, *mates], taken, luck)


def _sails(report: Report, ship: OwnShip) -> bool:
    """M4 May it be named? G7 One that must stay in the river is named too."""
    return may(report.menu, ship.id, "river" if ship.trapped else "cruise")


def _waits(report: Report, ship: OwnShip, luck: Luck) -> bool:
    """Half of the ships are not named in a first segment: the Allies cannot react to all."""
    first = report.board.segment == 1
    return first and ship.type != "AMC" and luck.of(f"wait {ship.id}", 2) == 0


def _lags(ship: OwnShip) -> bool:
    """K10 Half damaged she would slow the squadron down, and keep it from surprising anybody."""
    return bool(ship.leader) and 2 * ship.damage >= ship.capacity


def _host(plan: Plan, movers: Sequence[OwnShip], ship: OwnShip) -> str:
    """The Gneisenau, and by plan light cruisers, sail with the Scharnhorst where they meet her."""
    flag = next((u for u in movers if u.id == FLAG), None)
    alone = plan.company == "none"
    if flag is None or ship is flag or ship.place != flag.place or flag.leader or alone:
        return ""
    joins = ship.id == "GNEISENAU" or (plan.company == "all" and ship.type == "CL")
    leads = any(u.leader == ship.id for u in movers)
    return flag.id if joins and not leads and not ship.leader and not _hurt(ship) else ""


def _hurt(ship: OwnShip) -> bool:
    return 2 * ship.damage >= ship.capacity


def _orders(
    report: Report, plan: Plan, group: Sequence[OwnShip], taken: dict[str, int], luck: Luck
) -> Lines:
    """Of a squadron, by its leader."""
    ship = group[0]
    area, order = _order(report, plan, group, taken, luck)
    yield ship.id, order
    if isinstance(order, v.Move | v.Cruise) and _worth_attacking(report, group, area):
        yield ship.id, v.AttackConvoy()


def _order(
    report: Report, plan: Plan, group: Sequence[OwnShip], taken: dict[str, int], luck: Luck
) -> tuple[str, Struct]:
    ship = group[0]
    hurt = _hurt(ship)
    if hurt and may(report.menu, ship.id, "intern"):
        return ship.place, v.Intern()
    if hurt and may(report.menu, ship.id, "return"):
        return ship.place, v.Return()
    if ship.duty == "river":
        safe = _threat(report, board.RIVER, group) < 100 and not ship.trapped
        return ship.place, v.Cruise() if safe else v.River()
    promise, area, order = _best(report, plan, group, taken, luck)
    if promise < -100 and may(report.menu, ship.id, "intern") and plan.nerve == "careful":
        return ship.place, v.Intern()
    hides = may(report.menu, ship.id, "river") and not taken.get("river")
    if hides and _threat(report, area, group) > 400:
        taken["river"] = 1  # G2: one at a time
        return board.RIVER, v.River()
    return area, order


def _best(
    report: Report, plan: Plan, group: Sequence[OwnShip], taken: dict[str, int], luck: Luck
) -> tuple[int, str, Struct]:
    """The most promising area, what it promises, and the order for it."""
    ship, choices = group[0], list[Choice]()
    for area in values(report.menu, ship.id, "move", "area"):
        left = report.board.merchants.get(area, 0) - taken.get(area, 0)
        hope = sum(min(200, max(0, 100 * (left - 2 * i))) for i in range(len(group)))
        hope += GAME * _game(report, area, group) + _pull(plan, ship, area)
        fear = FEAR * _threat(report, area, group) // 100
        chance = luck.of(f"{ship.id} {area}", 40)
        choices.append((hope - fear + chance, area, ""))
    stations = values(report.menu, ship.id, "raid", "station")
    choices += [_raid(report, group, word) for word in stations]
    promise, area, station = max(choices)
    taken[area] = taken.get(area, 0) + 2 * len(group)
    return promise, area, v.Raid(station) if station else _go(ship, area)


def _go(ship: OwnShip, area: str) -> Struct:
    if area == ship.place:
        return v.Cruise()
    return v.Move(area, "canal" if area in board.AREAS[ship.place].canal else "")


def _pull(plan: Plan, ship: OwnShip, area: str) -> int:
    """The next area on the squadron's way."""
    way = WAYS[plan.way]
    if ship.id not in (FLAG, "GNEISENAU") or not way:
        return 0
    if ship.place in way:
        ahead = way[min(way.index(ship.place) + 1, len(way) - 1)]
    else:
        ahead = min(way, key=lambda a: away(ship.place, GERMAN).get(a, 99))
    return PULL if area == ahead else 0


def _raid(report: Report, group: Sequence[OwnShip], word: str) -> Choice:
    """A station without guards; with guards that are much weaker, for their points too."""
    station = next(s for s in STATIONS if s.lower() == word)
    area, own = STATIONS[station], sum(map(strength, group))
    post = [c for c in report.contacts if c.place == area and c.duty in ("station", "expedition")]
    post = [c for c in post if c.post == station or c.duty == "expedition"]
    worth = 100 * board.points(station) - 20
    if post:
        weak = 10 * sum(map(strength, post)) <= 6 * own
        worth = worth + GAME * sum(c.points for c in post) if weak else -500
    elif any(10 * strength(c) > 6 * own for c in report.contacts if c.place == area and not c.duty):
        worth -= GUARDED  # whoever lies there may be sent to guard it
    return worth - FEAR * _threat(report, area, group) // 100, area, word


def _worth_attacking(report: Report, group: Sequence[OwnShip], area: str) -> bool:
    """Found f: where escorts leave no merchants, and are much weaker."""
    escorts = [c for c in report.contacts if c.place == area and c.duty == "convoy"]
    own = sum(map(strength, group))
    weak = 10 * sum(map(strength, escorts)) <= 7 * own
    return bool(escorts) and weak and report.board.merchants.get(area, 0) <= 1


def _game(report: Report, area: str, group: Sequence[OwnShip]) -> int:
    """S11 The points of the weaker enemies there upon whom the group may fall."""
    if any(u.surprised or _hurt(u) for u in group):
        return 0
    return max((sum(c.points for c in s) for s in _preys(report, area, group)), default=0)


def _preys(report: Report, area: str, group: Sequence[OwnShip]) -> list[list[Enemy]]:
    """S11 Allied squadrons at sea that are weaker; for a lone German those of a single ship."""
    own = sum(map(strength, group))
    found = squadrons([c for c in report.contacts if c.place == area and not c.duty])
    weak = [s for s in found if 10 * sum(map(strength, s)) <= 8 * own]
    if len(group) > 1:
        return weak
    most = group[0].capacity + rules().surprise.margin
    return [s for s in weak if len(s) == 1 and s[0].capacity <= most]


BUSY = ("convoy", "station", "expedition")
"""Duties of enemies who stay where they are."""


def _threat(report: Report, area: str, group: Sequence[OwnShip]) -> int:
    """Enemy strength that may be met in an area, in hundredths of the group's own; without those
    who would rather be met."""
    own = max(1, sum(strength(u) for u in group))
    tame = {c.id for s in _preys(report, area, group) for c in s}
    total = 0
    for foe in report.contacts:
        moves = away(foe.place, GERMAN).get(area, 9) if foe.place in board.SEA else 9
        if moves > 1 or (moves and foe.moved) or foe.duty in BUSY or foe.id in tame:
            continue
        total += (30 if moves else 100) * strength(foe)
    return min(2000, total // own)
