"""The advanced Battle (8.3 of our rules page), by option: attitudes, and results worse than Hits.

This module: the tables, gunnery and torpedoes, and what severe and catastrophic results do. The
Snafu Check is in `advanced_snafu`, attitudes in `attitudes`, pursuit, screens and rudders in
`advanced_moves`, and what becomes of effects in `advanced_effects`.
"""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from games.atlantic_chase import damage
from games.atlantic_chase import events_battle as eb
from games.atlantic_chase.board import PACKAGE
from games.atlantic_chase.state import Battle, Ship, War
from games.atlantic_chase.tables import SLOW, STOPPED, VERY_SLOW
from pbem.kit.tables import Sheet
from pbem.model import TWO_D6, TableLike

RULE = "8.3"
MANY = {"severe": 2, "catastrophic": 3}
"""Hits on a Convoy or squadron."""
NO_RADAR, OIL = "no radar", "oil"
HARMLESS = (NO_RADAR, OIL)
"""What does not make a ship crippled."""


class Blow(Struct, frozen=True):
    """What a shot or torpedo does to its target when all have fired."""

    target: Ship
    hits: int
    kind: str = ""
    """`severe`, `catastrophic`, or empty for plain Hits."""
    at: str = ""
    """The range; empty for torpedoes, which strike the waterline."""
    guns: int = 0
    """The firer's gunnery value: without one a superstructure takes a Hit alone."""


def on(war: War) -> bool:
    """Is the advanced Battle played?"""
    return war.options.get("advanced") == "on"


@cache
def _table(name: str) -> list[tuple[int, list[str]]]:
    """Highest roll and cells of each row."""

    def row(line: str) -> tuple[int, list[str]]:
        most, _, cells = line.partition("|")
        words = cells.split("/") if "/" in cells else cells.split()
        if name.startswith("snafu"):
            words = [cells]
        return int(most), [word.strip() for word in words]

    return Sheet(PACKAGE, "advanced.toml").lines(name, row)


def cell(name: str, roll: int, column: int) -> str:
    """A cell of a table of advanced.toml."""
    return next(cells[column] for most, cells in _table(name) if roll <= most)


def crippled(ship: Ship) -> bool:
    """Is it damaged, or under an effect? Then it does not fire by the column of acquiring ships."""
    return ship.damaged or any(e not in HARMLESS for e in ship.effects)


def silent(war: War, ship: Ship) -> bool:
    """Can it not fire in this round: stopped, fighting its damage, or steered without a bridge?"""
    assert war.fight
    busy = (*war.fight.repairing, *war.fight.helm)
    return (ship.speed == STOPPED and not ship.fort) or ship.id in busy


def malus(fight: Battle, ship: Ship, at: str) -> int:
    """What effects, a lost radar and poor visibility take off a shot: turrets 2; batteries 2 at
    short range and point blank; no radar 2 at extreme range, 1 at long; the weather 1 but at
    point blank."""
    lost = 2 * ("turrets" in ship.effects)
    lost += 2 * ("batteries" in ship.effects and at in ("short", "point blank"))
    lost += {"extreme": 2, "long": 1}.get(at, 0) * (NO_RADAR in ship.effects)
    return lost + (fight.snafu == "poor visibility" and at != "point blank")


def shot(war: War, ship: Ship, target: Ship, total: int, at: str, guns: int, whole: bool) -> Blow:
    """Gunnery by the firer's attitude; who is crippled or divides its fire has not the better
    column. whole: is the fire not divided?"""
    assert war.fight
    acquires = war.fight.attitudes.get(ship.id) == "acquiring" and whole and not crippled(ship)
    return blow(target, cell("gunnery", total, int(acquires)), at, guns)


def blow(target: Ship, result: str, at: str, guns: int) -> Blow:
    """The result of a table as a blow."""
    if result in MANY:
        return Blow(target, 0, result, at, guns)
    return Blow(target, int(result == "hit"))


def speed_bonus(target: Ship) -> int:
    """+3 at a target that is stopped, +2 at a very slow one, +1 at a slow one."""
    return {STOPPED: 3, VERY_SLOW: 2, SLOW: 1}.get(target.speed, 0)


def torpedo_bonus(war: War, ship: Ship, target: Ship) -> int:
    """Torpedoes: the target's speed, -2 from Near, -2 at a target that is running."""
    assert war.fight
    near = war.fight.zones[ship.id] == "near"
    runs = war.fight.attitudes.get(target.id) == "running"
    return speed_bonus(target) - 2 * near - 2 * runs


def torpedo(target: Ship, total: int) -> Blow:
    """What a torpedo attack does."""
    return blow(target, cell("torpedo", total, 0), "", 1)


def strike(table: TableLike, war: War, blow_: Blow) -> None:
    """A severe or catastrophic result: where it strikes, and what it does."""
    ship, kind = blow_.target, blow_.kind
    if ship.convoy or ship.card.type == "DD":
        damage.hits(table, war, ship, MANY[kind], RULE)
        return
    place = "waterline"
    if blow_.at:
        column = {"short": 1, "point blank": 2}.get(blow_.at, 0)
        place = cell(kind, sum(_roll(table, "PLACE", ship)), column)
    if place == "f.r.":
        table.tell(table.sides, eb.Struck(rule=RULE, ship=ship.id, severity=kind, place=place))
        return
    if place == "hit" or (place == "superstructure" and blow_.guns < 1):
        damage.hits(table, war, ship, 1, RULE)
        return
    effect = cell(place, sum(_roll(table, "EFFECT", ship)), int(kind == "catastrophic"))
    told = eb.Struck(rule=RULE, ship=ship.id, severity=kind, place=place, effect=effect)
    table.tell(table.sides, told)
    affect(table, war, ship, effect)


def affect(table: TableLike, war: War, ship: Ship, effect: str) -> None:
    """An effect on a ship. A magazine damages it, or sinks it if it is damaged; what it has already
    is a Hit; of two fires or floods the worse stays, and the ship takes a Hit."""
    if effect == "sunk":
        damage.sink(table, war, ship, RULE)
        return
    if effect == "magazine":
        damage.damage(table, war, ship, RULE)
        return
    kind, _, grade = effect.rpartition(" ")
    same = [e for e in ship.effects if e == effect or (kind and e.startswith(f"{kind} "))]
    if not same:
        ship.effects = [*ship.effects, effect]
        return
    if grade == "stopped":
        ship.effects = [*(e for e in ship.effects if e not in same), effect]
    damage.hits(table, war, ship, 1, RULE)


def _roll(table: TableLike, what: str, ship: Ship) -> tuple[int, ...]:
    return table.roll(f"BATTLE/{what}/{ship.id}/-", TWO_D6, to=table.sides)
