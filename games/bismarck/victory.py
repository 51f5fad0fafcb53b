"""12 Victory: points as they fall, the end of the game, the totals. Numbers: data/victory.toml.

Sinking and damage (12.31, 12.32, 12.34, 12.41, 12.45, 12.5) need combat, which this edition
does not have yet: every ship afloat is whole, so these clauses score nothing.
"""

from __future__ import annotations

from typing import Any

from games.bismarck import board, calendar, tables
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.events import Scored
from games.bismarck.state import Score, War
from pbem.model import Over, Side, TableLike


def numbers(war: War) -> dict[str, Any]:
    """The victory point schedule as data, the moderator's where he gave one."""
    return tables.table("victory.toml", war.house)


def award(table: TableLike, war: War, side: Side, points: int, rule: str, what: str) -> None:
    """12.3, 12.4 Write points down; both players hear of them."""
    war.scores.append(Score(side=side, points=points, rule=rule, what=what, turn=war.turn))
    table.tell(table.sides, Scored(rule=rule, side=side, points=points, what=what))


def total(war: War, side: Side) -> int:
    """12.2 Points of a side so far."""
    return sum(s.points for s in war.scores if s.side == side)


def convoys(war: War) -> list[int]:
    """12.44 Points for the first, second ... convoy; there are no more than these."""
    return list(numbers(war)["convoys"])


def ending(war: War) -> tuple[str, str] | None:
    """12.1 Does the game end with this turn? The clause and why, None while it goes on."""
    if port := entered_port(war):
        return "12.12", f"the Bismarck entered {port}"
    if war.ships["BISMARCK"].in_port and war.turn >= numbers(war)["port"]["leave_bergen_by"]:
        return "12.33", "the Bismarck had not left Bergen by the end of 2000 May 22"
    if total(war, GERMAN) > british_ceiling(war):
        return "12.13", "the German has more points than the British can still reach"
    if calendar.last(war.turn):
        return "12.14", "the time limit is reached"
    return None


def entered_port(war: War) -> str:
    """12.12 The German port that the Bismarck entered this turn, empty when none."""
    return next(filter(None, map(board.port_at, war.ships["BISMARCK"].path)), "")


def port_points(war: War) -> int:
    """12.33 British points for the Bismarck in port, by the day of the turn."""
    return int(numbers(war)["port"]["by_day"][str(calendar.day(war.turn))])


def british_ceiling(war: War) -> int:
    """12.13 The most that the British can still have at the end (ruling 14).

    Sinking a ship is worth more than any damage to it; every German air unit not yet lost may
    still be lost, whether it flies now or not, so that nothing hidden decides.
    """
    n = numbers(war)
    ships = sum(int(n["sunk"][ship.name]) for ship in war.fleet(GERMAN))
    none = 0 if war.convoys else int(n["no_convoy"])
    return total(war, BRITISH) + ships + none + len(war.wing(GERMAN)) * int(n["air_lost"])


def finish(table: TableLike, war: War, rule: str, why: str) -> Over:
    """12.2 The points of the end (12.33, 12.36, 12.46), the totals, the winner."""
    n = numbers(war)
    in_port = rule in ("12.12", "12.33")
    if in_port:
        award(table, war, BRITISH, port_points(war), "12.33", "the Bismarck in port")
    if not war.convoys:
        award(table, war, BRITISH, int(n["no_convoy"]), "12.36", "no convoy sunk")
    for name, points in n["at_sea"].items():
        ship = war.ships[name.upper()]
        if not (in_port and name == "Bismarck") and ship.afloat and not ship.in_port:
            award(table, war, GERMAN, int(points), "12.46", f"the {name} at sea undamaged")
    british, german = total(war, BRITISH), total(war, GERMAN)
    result = "draw" if british == german else BRITISH if british > german else GERMAN
    return Over(result, rule, f"{why}; British {british} points, German {german} points")
