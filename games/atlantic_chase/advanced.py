"""The advanced Battle (8.3 of our rules page), by option: attitudes, and results worse than Hits.

The tables are printed; what each effect does is our own, as are the moments of attitudes: a ship
that closes or opens the range is closing or running, one that holds is acquiring. Split fire,
Pursuit, screens and Snafu Checks are not in play.
"""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from games.atlantic_chase import asks_battle as ab
from games.atlantic_chase import damage
from games.atlantic_chase import events_battle as eb
from games.atlantic_chase.battle_moves import ATTITUDES, actors, board, stance
from games.atlantic_chase.board import PACKAGE
from games.atlantic_chase.state import Ship, War
from games.atlantic_chase.tables import SLOW, STOPPED, VERY_SLOW
from pbem.kit.tables import Sheet
from pbem.model import TWO_D6, Side, TableLike

RULE = "8.3"
SINKS = ("magazine", "sunk")
"""Effects that are the end of a ship."""
MANY = {"severe": 2, "catastrophic": 3}
"""Hits on a Convoy or squadron."""


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
        return int(most), [word.strip() for word in words]

    return Sheet(PACKAGE, "advanced.toml").lines(name, row)


def cell(name: str, roll: int, column: int) -> str:
    """A cell of a table of advanced.toml."""
    return next(cells[column] for most, cells in _table(name) if roll <= most)


def shot(war: War, ship: Ship, target: Ship, total: int, at: str, guns: int) -> Blow:
    """Gunnery by the firer's attitude; with its communications gone it acquires nothing."""
    assert war.fight
    acquires = war.fight.attitudes.get(ship.id) == "acquiring"
    acquires = acquires and "communications" not in ship.effects
    return blow(target, cell("gunnery", total, int(acquires)), at, guns)


def blow(target: Ship, result: str, at: str, guns: int) -> Blow:
    """The result of a table as a blow."""
    if result in MANY:
        return Blow(target, 0, result, at, guns)
    return Blow(target, int(result == "hit"))


def speed_bonus(target: Ship) -> int:
    """+3 at a target that is stopped, +2 at a very slow one, +1 at a slow one."""
    return {STOPPED: 3, VERY_SLOW: 2, SLOW: 1}.get(target.speed, 0)


def torpedo(war: War, ship: Ship, target: Ship, total: int) -> Blow:
    """Torpedoes: -2 from Near, -2 while running; the total is that without both."""
    assert war.fight
    far = war.fight.zones[ship.id] == "near"
    runs = war.fight.attitudes.get(ship.id) == "running"
    return blow(target, cell("torpedo", total - 2 * far - 2 * runs, 0), "", 1)


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
    if effect in SINKS:
        damage.sink(table, war, ship, RULE)
    elif effect not in ship.effects:
        ship.effects.append(effect)


def _roll(table: TableLike, what: str, ship: Ship) -> tuple[int, ...]:
    return table.roll(f"BATTLE/{what}/{ship.id}/-", TWO_D6, to=table.sides)


async def attitudes(table: TableLike, war: War) -> None:
    """At set-up Active ships are closing, and those of the target closing or running."""
    assert war.fight
    war.fight.attitudes = {s.id: "closing" for s in board(war, war.active)}
    questions = [
        ab.Moves(
            about=ship.id,
            rule=RULE,
            actors=actors(war, ship),
            choices=(ab.CLOSE, ab.OPEN),
            default=ab.OPEN if stance(war, ship) == ab.OPEN else ab.CLOSE,
        )
        for ship in board(war, war.idle)
    ]
    said = await table.ask(war.idle, questions, owed=[war.idle]) if questions else []
    for ship, way in zip(board(war, war.idle), said, strict=True):
        war.fight.attitudes[ship.id] = ATTITUDES.get(str(way), "closing")


def runners(war: War, side: Side) -> list[Ship]:
    """The ships that may break away: those that are running."""
    assert war.fight
    return [s for s in board(war, side) if war.fight.attitudes.get(s.id) == "running"]


def pressed(war: War, foes: list[Ship]) -> int:
    """-1 on Break Away where an enemy in Near is closing."""
    assert war.fight
    zones, ways = war.fight.zones, war.fight.attitudes
    return -int(any(zones[f.id] == "near" and ways.get(f.id) == "closing" for f in foes))


def after(table: TableLike, war: War) -> None:
    """Effects end with the Battle; a ship that has any is damaged by them, if it was not."""
    for _, ship in sorted(war.ships.items()):
        if ship.effects and not ship.gone and not ship.damaged:
            damage.damage(table, war, ship, RULE)
        ship.effects = []
