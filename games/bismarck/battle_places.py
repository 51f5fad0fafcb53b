"""Where the counters of a battle stand on its picture, and the hulls that are drawn there."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin

from games.bismarck.battle.coordinates import facing_of, hex_of
from games.bismarck.battle.courses import courses
from games.bismarck.battle.movement import Place
from games.bismarck.battle.withdraw import opening
from games.bismarck.battle_report import BattleBoard, BoardShip, Spot
from pbem.kit.charts import LOW
from pbem.scene import Owner, Point, Polygon, hull, placed

Window = tuple[float, float, float, float]
"""West, north, east, south, in hexes."""
HULLS = {"BB": (0.84, 0.19), "BC": (0.86, 0.17), "CV": (0.84, 0.21), "CA": (0.68, 0.13)}
"""Length and beam by type, in hexes: larger than life, or nothing would be seen."""
SMALL = (0.6, 0.12)
MARGIN = 1.3
SQUAREST = 1.15
"""Width of a board in heights of it, at least."""


def middle(cell: str) -> Point:
    """The middle of a hex in widths of one."""
    at = hex_of(cell)
    return at.q + at.r / 2, at.r * LOW


def bearing(spot: Spot) -> float:
    """The heading in degrees: facing 0 is east."""
    return 90.0 + 60 * facing_of(spot.heading)


LAST, WHOLE = 5, 7
"""Rounds that the board of a long battle shows, and that of the longest which is shown whole."""


def first_shown(battle: BattleBoard) -> int:
    """The round with which the board begins: the set-up, or of a long battle one of its last."""
    return 0 if battle.round <= WHOLE else battle.round - LAST


def around(found: Sequence[Spot], wide: float, high: float) -> Window:
    """The window around places, at least so many hexes wide and high."""
    xs, ys = zip(*(middle(s.hex) for s in found), strict=True)
    tall = max(ys) - min(ys) + 2 * MARGIN
    more_x = max(MARGIN, (max(wide, tall * SQUAREST) - max(xs) + min(xs)) / 2)
    more_y = max(MARGIN, (high - max(ys) + min(ys)) / 2)
    return (
        round(min(xs) - more_x, 2),
        round(min(ys) - more_y, 2),
        round(max(xs) + more_x, 2),
        round(max(ys) + more_y, 2),
    )


def place(battle: BattleBoard, ship: BoardShip, spot: Spot) -> Point:
    """Where a hull is drawn: ships that share a hex in a round lie abreast."""
    there = [(s.name, o) for s in battle.ships for o in s.track if _meets(o, spot)]
    names = list(dict.fromkeys(called for called, _ in there))
    x, y = middle(spot.hex)
    if ship.name not in names or len(names) < 2:
        return x, y
    off = (names.index(ship.name) - (len(names) - 1) / 2) * 0.34
    turn = radians(bearing(there[0][1]))
    return x + off * cos(turn), y + off * sin(turn)


def _meets(one: Spot, other: Spot) -> bool:
    return (one.round, one.hex) == (other.round, other.hex)


def reach(battle: BattleBoard, ship: BoardShip) -> dict[Place, str]:
    """9.51-9.57 Where an own ship can end its move as the counters stand now, and the course that
    leads there; 9.96 of a withdrawing one only what brings it closer to nobody.

    Nothing of other ships.
    """
    if not ship.options:
        return {}
    start = Place(hex_of(ship.at.hex), facing_of(ship.at.heading))
    foes = [hex_of(s.at.hex) for s in battle.ships if s.own != ship.own and not s.fate]
    found = courses(start, ship.options, foes)
    kept = opening(start.at, [*found], foes) if ship.withdrawing else found
    return {place: found[place] for place in kept}


def outline(ship: BoardShip) -> tuple[Point, ...]:
    """The hull of a ship by its class."""
    return hull(*HULLS.get(ship.type, SMALL))


def owner(ship: BoardShip) -> Owner:
    """Whose it is."""
    return "own" if ship.own else "enemy"


def last_fired_at(battle: BattleBoard, ship: BoardShip) -> int:
    """The last round in which she was fired at, 0 for none."""
    return max((s.round for s in battle.fire if s.target == ship.name), default=0)


def way(battle: BattleBoard, ship: BoardShip, along: Sequence[Spot]) -> tuple[Point, ...]:
    """The way of a ship along some of its places; of equal neighbours only the first."""
    points = [place(battle, ship, spot) for spot in along]
    return tuple(p for i, p in enumerate(points) if not i or p != points[i - 1])


def ends(ship: BoardShip) -> list[Spot]:
    """Where the ship stood at the end of each round."""
    return list({spot.round: spot for spot in ship.track}.values())


def hull_at(
    battle: BattleBoard, ship: BoardShip, spot: Spot, fill: float, called: str = ""
) -> Polygon:
    """A hull where a ship stood. fill: how strong its colour is, 0 to 1. called: its name, where it
    is shown."""
    at = place(battle, ship, spot)
    return Polygon(
        owner=owner(ship),
        points=placed(outline(ship)[::2], at, bearing(spot)),
        fill=fill,
        width=0.8,
        over=True,
        label=called,
    )


def stood(battle: BattleBoard, called: str, round_: int) -> tuple[BoardShip, Spot]:
    """A ship, and where it stood when the fire of a round fell: before a move that it made to get
    away at its end (9.95)."""
    ship = next(s for s in battle.ships if s.name == called)
    then = [s for s in ship.track if s.round == round_] or [
        s for s in ship.track if s.round < round_
    ][-1:]
    return ship, (then or [ship.track[0]])[0]
