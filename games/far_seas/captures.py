"""E1-E3, G9, found b, f, g, h: what Germans do after the meetings."""

from __future__ import annotations

from games.far_seas import board, movement
from games.far_seas import events as ev
from games.far_seas import verbs as v
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.doctrine import said
from games.far_seas.movement import Books
from games.far_seas.running import speed_now
from games.far_seas.state import GRADES, Fight, Ship, War
from games.far_seas.tables import rules
from pbem.model import D6, TableLike


def _now(war: War) -> list[Ship]:
    """Germans that moved in this segment and are still afloat."""
    return [s for s in war.fleet(GERMAN) if s.segment == war.segment]


# Found f: convoys


def declared(war: War, books: Books) -> dict[str, list[Ship]]:
    """Found f: Germans, by area, who attack the convoy there: not found, not raiding."""
    found: dict[str, list[Ship]] = {}
    for ship in _now(war):
        idle = not (ship.found or ship.raids or ship.duty or ship.quits)
        if idle and said(war, books, ship, v.AttackConvoy):
            ship.prey = True
            found.setdefault(ship.area, []).append(ship)
    return found


def convoys(table: TableLike, war: War, books: Books) -> list[Fight]:
    """Found f: each convoy that is attacked: its escorts are surprised, or fight."""
    fights = []
    for area, ships in sorted(declared(war, books).items()):
        post = movement.escorts(war, area)
        if not post:
            for ship in ships:
                ship.prey = False
                table.tell([GERMAN], ev.NoConvoy(rule="found f", area=area, who=ship.id))
        elif fight := _attack(table, war, area, ships, post):
            fights.append(fight)
    return fights


def _attack(
    table: TableLike, war: War, area: str, ships: list[Ship], post: list[Ship]
) -> Fight | None:
    """Found f: the die, plus 1 for a slowest speed of 4, 2 for a slower one; surprised up to 3."""
    (die,) = table.roll(f"CONVOY/SURPRISE/{area}/-", D6, to=table.sides)
    slowest = min(speed_now(s, war.options) for s in ships)
    more = 0 if slowest > GRADES.index("4") else 1 if slowest == GRADES.index("4") else 2
    limit, germans = rules().convoy.surprised, tuple(s.id for s in ships)
    rolled = f"rolled {die}" + (f" + {more}" if more else "")
    why = f"{rolled}, surprised on 1-{limit}"
    for ship in ships:
        ship.found = True
    if die + more > limit:
        escort = [s.id for s in post]
        met = ev.ConvoyDefended(
            rule="found f", why=why, area=area, germans=germans, allies=tuple(escort)
        )
        table.tell(table.sides, met)
        return Fight(area, list(germans), escort, "convoy")
    falls = [table.roll(f"CONVOY/SINK/{area}/{s.id}", D6, to=table.sides)[0] for s in ships]
    count = sum((fall + 1) // 2 for fall in falls)
    war.score(GERMAN, count, "captures", "found f", f"convoy in {board.name(area)}")
    took = ev.ConvoySurprised(rule="found f", why=why, area=area, germans=germans, count=count)
    table.tell(table.sides, took)
    return None


# E1 Captures


def merchants(table: TableLike, war: War, books: Books) -> None:
    """E1, E2, found g, h: ships that moved and did nothing else take merchants, by name."""
    total: dict[str, int] = {}
    for ship in _now(war):
        if not takes(war, books, ship):
            continue
        left = movement.density(war, ship.area) - war.taken.get(ship.area, 0)
        if left <= 0:
            continue
        (die,) = table.roll(f"CAPTURE/TAKE/{ship.area}/{ship.id}", D6, to=[GERMAN])
        count = min(left, (die + 1) // 2)
        war.taken[ship.area] = war.taken.get(ship.area, 0) + count
        total[ship.area] = total.get(ship.area, 0) + count
        war.score(GERMAN, count, "captures", "E1", board.name(ship.area))
        why = f"rolled {die}, {left} to be had"
        table.tell(
            [GERMAN], ev.Captured(rule="E1", why=why, who=ship.id, area=ship.area, count=count)
        )
    for area in (a for a in board.SEA if a in total):
        table.tell([BRITISH], ev.MerchantsTaken(rule="E1", area=area, count=total[area]))


def takes(war: War, books: Books, ship: Ship) -> bool:
    """Found g: not one that ran, fought, raided, attacked a convoy, is in the river or leaves the
    war."""
    if ship.busy or ship.raids or ship.prey or ship.quits or ship.duty:
        return False
    order = said(war, books, ship, v.Capture)
    return order is None or order.what != "none"


# E3 Stations


def stations(table: TableLike, war: War) -> None:
    """E3, F10 Raiders that survived reach their station; one that ran does not raid (R9)."""
    raiders: dict[str, list[Ship]] = {}
    for ship in _now(war):
        if ship.raids and ship.area == board.STATIONS[ship.raids]:
            raiders.setdefault(ship.raids, []).append(ship)
    for station, ships in sorted(raiders.items()):
        _raid(table, war, station, ships)


def _raid(table: TableLike, war: War, station: str, ships: list[Ship]) -> None:
    """E3 It counts whoever is left to defend the station; once in a game."""
    area, names = board.STATIONS[station], tuple(s.id for s in ships)
    war.raided.append(station)
    points = board.points(station)
    war.score(GERMAN, points, "station", "E3", station)
    table.tell(
        table.sides,
        ev.StationRaided(rule="E3", area=area, station=station, germans=names, points=points),
    )


# G9, found b: leaving the war


def leave(table: TableLike, war: War) -> None:
    """G9, found b: liners that give themselves up, and ships on the way home."""
    quitting = _now(war)
    for ship in (s for s in quitting if s.quits == "intern"):
        points = ship.points // rules().points.interned
        table.tell(
            table.sides,
            ev.LinerInterned(rule="found b", area=ship.area, who=ship.id, points=points),
        )
        war.score(BRITISH, points, "interned", "found b", ship.name)
        war.lose(ship.id, "interned")
    leads = [s for s in quitting if s.quits == "home" and not s.leader]
    for ship in leads:
        _home(table, war, war.group(ship.id))


def _home(table: TableLike, war: War, ships: list[Ship]) -> None:
    """G9 5-6 for the squadron; if it fails, each of several ships throws again."""
    need = rules().home.success
    (die,) = table.roll(f"HOME/RETURN/{board.ICELAND_GAP}/{ships[0].id}", D6, to=table.sides)
    fate = {s.id: die for s in ships}
    if die < need and len(ships) > 1:
        for ship in ships:
            (fate[ship.id],) = table.roll(
                f"HOME/AGAIN/{board.ICELAND_GAP}/{ship.id}", D6, to=table.sides
            )
    back = [s for s in ships if fate[s.id] >= need]
    if back:
        _safe(table, war, back, need)
    for ship in (s for s in ships if fate[s.id] < need):
        why = f"rolled {fate[ship.id]}, home on {need}-6"
        table.tell(table.sides, ev.HomeMissed(rule="G9", why=why, who=ship.id, points=ship.points))
        war.score(BRITISH, ship.points, "sunk", "G9", ship.name)
        war.lose(ship.id, "sunk")


def _safe(table: TableLike, war: War, back: list[Ship], need: int) -> None:
    points = sum(rules().points.home for s in back if s.type != "AMC")
    table.tell(
        table.sides,
        ev.HomeReached(
            rule="G9", why=f"home on {need}-6", points=points, who=tuple(s.id for s in back)
        ),
    )
    war.score(GERMAN, points, "home", "G9", ", ".join(s.name for s in back))
    for ship in back:
        war.lose(ship.id, "home")
