"""12 Victory: points as they fall, the end of the game, the totals. Numbers: data/victory.toml.

Ships sunk (12.31, 12.41) are written down as they sink (`battle.fire.sink`); what depends on how
the game ends, here.
"""

from __future__ import annotations

from games.bismarck import board, calendar, tables
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.events import Scored
from games.bismarck.state import Score, Ship, War
from games.bismarck.tables import Schedule
from pbem.kit.points import total as scored
from pbem.model import Over, Side, TableLike

CRUISER = ("CA", "CL")


def numbers(war: War) -> Schedule:
    """The victory point schedule of this game."""
    return tables.schedule(war.house)


def award(table: TableLike, war: War, side: Side, points: int, rule: str, what: str) -> None:
    """12.3, 12.4 Write points down; both players hear of them."""
    war.scores.append(Score(side=side, points=points, rule=rule, what=what, turn=war.turn))
    table.tell(table.sides, Scored(rule=rule, side=side, points=points, what=what))


def total(war: War, side: Side) -> int:
    """12.2 Points of a side so far."""
    return scored(war.scores, side)


def convoys(war: War) -> list[int]:
    """12.44 Points for the first, second ... convoy; there are no more than these."""
    return list(numbers(war).convoys)


def ending(war: War) -> tuple[str, str] | None:
    """12.1 Does the game end with this turn? The clause and why, None while it goes on."""
    if end := sunk(war):
        return end
    if port := entered_port(war.ships["BISMARCK"]):
        return "12.12", f"the Bismarck entered {port}"
    if war.ships["BISMARCK"].in_port and war.turn >= numbers(war).port.leave_bergen_by:
        return "12.33", "the Bismarck had not left Bergen by the end of 2000 May 22"
    if total(war, GERMAN) > british_ceiling(war):
        return "12.13", "the German has more points than the British can still reach"
    if calendar.last(war.turn):
        return "12.14", "the time limit is reached"
    return None


def sunk(war: War) -> tuple[str, str] | None:
    """12.11, 9.714 The Bismarck is sunk, and the game over."""
    return ("12.11", "the Bismarck is sunk") if war.ships["BISMARCK"].sunk else None


def entered_port(ship: Ship) -> str:
    """12.12 The port that a ship entered this turn, empty when none."""
    return next(filter(None, map(board.port_at, ship.path)), "")


def port_points(war: War, turn: int) -> int:
    """12.33 British points for the Bismarck in port, by the day of the turn."""
    return numbers(war).port.by_day[str(calendar.day(min(turn, calendar.LAST)))]


def british_ceiling(war: War) -> int:
    """12.13 The most that the British can still have at the end (12.13, ruling 19).

    No German aircraft can be lost: its field does not move, and nobody may fly past his endurance
    (6.21).
    """
    n = numbers(war)
    ships = sum(_worth(war, s) for s in war.fleet(GERMAN))
    return total(war, BRITISH) + ships + (0 if war.convoys else n.no_convoy)


def _worth(war: War, ship: Ship) -> int:
    """12.31-12.33, 12.5 What a German ship afloat may still give: she enters port hit and is sunk
    there (12.7), the Bismarck next turn or later, or has no box left but one at the end."""
    n = numbers(war)
    entry = port_points(war, war.turn + 1) if ship.name == "Bismarck" else 0
    boxes = _box(war, ship) * (ship.sections.midships - 1)
    return entry + n.port_hit[ship.name] + max(n.sunk[ship.name], boxes)


def _box(war: War, ship: Ship) -> int:
    """12.5 Points for one midships hit."""
    kind = "cruiser" if ship.type in CRUISER else "capital"
    return numbers(war).midships[kind]


def arrivals(table: TableLike, war: War) -> None:
    """12.3, 12.32 Points for German ships that entered port this turn, hit; sunk there too."""
    for ship in (s for s in war.ships.values() if s.side == GERMAN):
        if entered_port(ship) and ship.hits.midships:
            points = numbers(war).port_hit[ship.name]
            award(table, war, BRITISH, points, "12.32", f"the {ship.name} in port, hit")


def _at_sea(table: TableLike, war: War, ship: Ship) -> None:
    """12.34, 12.45, 12.46 Points for a German ship that is at sea at the end."""
    n, name, hit = numbers(war), ship.name, ship.hits.midships > 0
    if not hit:
        text = f"the {name} at sea undamaged"
        award(table, war, GERMAN, n.at_sea[name], "12.46", text)
    if ship.evasion_now <= n.slow:
        text = f"the {name} at sea, slowed"
        award(table, war, BRITISH, n.at_sea_slow[name], "12.34", text)
    elif hit and name in n.at_sea_hit:
        text = f"the {name} at sea, hit"
        award(table, war, GERMAN, n.at_sea_hit[name], "12.45", text)


def _damage(table: TableLike, war: War, side: Side) -> None:
    """12.5, ruling 54 Midships boxes marked on enemy ships still afloat."""
    points = sum(_box(war, ship) * ship.hits.midships for ship in war.enemies(side))
    if points:
        award(table, war, side, points, "12.5", "midships hits on ships afloat")


def finish(table: TableLike, war: War, rule: str, why: str) -> Over:
    """12.2 The points of the end (12.32-12.36, 12.45-12.5), the totals, the winner."""
    n = numbers(war)
    entered = bool(entered_port(war.ships["BISMARCK"]))  # 12.32, ruling 53: sunk there too
    in_port = rule == "12.33" or entered
    if in_port:
        award(table, war, BRITISH, port_points(war, war.turn), "12.33", "the Bismarck in port")
    if not war.convoys:
        award(table, war, BRITISH, n.no_convoy, "12.36", "no convoy sunk")
    arrivals(table, war)
    for unit in war.airborne(BRITISH):
        if unit.base in war.ships and not war.ships[unit.base].afloat:
            award(table, war, GERMAN, n.air_lost, "12.43", f"{unit.name} has no carrier left")
    for ship in war.fleet(GERMAN):
        if not (ship.in_port or (in_port and ship.name == "Bismarck")):
            _at_sea(table, war, ship)
    for side in (BRITISH, GERMAN):
        _damage(table, war, side)
    british, german = total(war, BRITISH), total(war, GERMAN)
    result = "draw" if british == german else BRITISH if british > german else GERMAN
    return Over(result, rule, f"{why}; British {british} points, German {german} points")
