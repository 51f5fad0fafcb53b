"""What becomes of the effects of severe results (8.3): in every round, and as a ship leaves."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from games.atlantic_chase import asks_advanced as aa
from games.atlantic_chase import asks_battle as ab
from games.atlantic_chase import damage
from games.atlantic_chase import events_advanced as ea
from games.atlantic_chase.advanced import OIL, RULE, affect
from games.atlantic_chase.battle_crew import actors, board
from games.atlantic_chase.board import PACKAGE
from games.atlantic_chase.state import Ship, War
from games.atlantic_chase.tables import STOPPED
from pbem.kit.tables import Sheet
from pbem.model import TWO_D6, Dice, TableLike

LIMITS = (5, 7, 9, 12)
"""The highest roll of each column of both tables."""
UNTOUCHED = ("turrets", "no radar", OIL)
"""What no round of a Battle changes."""


@cache
def _table(name: str) -> dict[str, list[str]]:
    """Effect -> what becomes of it in each column."""

    def row(line: str) -> tuple[str, list[str]]:
        effect, _, cells = line.partition("|")
        return effect.strip(), [word.strip().lower() for word in cells.split("/")]

    return dict(Sheet(PACKAGE, "advanced.toml").lines(name, row))


def outcome(name: str, effect: str, roll: int) -> str:
    """What becomes of an effect: `lingering` or `disengagement`, two dice."""
    return _table(name)[effect][next(n for n, most in enumerate(LIMITS) if roll <= most)]


async def linger(table: TableLike, war: War) -> None:
    """A roll for each effect of each ship; damage control rolls three dice, of which the highest
    two count, for one effect that must be the bridge if that is hit, and its ship does not fire in
    the next round."""
    assert war.fight
    ships = [s for side in (war.active, war.idle) for s in board(war, side) if _lingers(s)]
    mended = await _repairing(table, war, ships)
    war.fight.repairing = sorted(mended)
    for ship in ships:
        best = mended.get(ship.id, "")
        for effect in _lingers(ship):
            if ship.gone or effect not in ship.effects:
                continue
            dice = Dice(3, 6) if effect == best else TWO_D6
            faces = table.roll(f"BATTLE/LINGER/{ship.id}/-", dice, to=table.sides)
            total = sum(sorted(faces)[-2:])
            result = outcome("lingering", effect, total)
            why = f"rolled {' '.join(map(str, faces))}"
            told = ea.EffectRolled(rule=RULE, why=why, ship=ship.id, effect=effect, result=result)
            table.tell(table.sides, told)
            become(table, war, ship, effect, result)


def _lingers(ship: Ship) -> list[str]:
    return [e for e in ship.effects if e not in UNTOUCHED]


def _mendable(ship: Ship) -> list[str]:
    """What damage control may see to: the bridge alone if it is hit, else any effect, those that
    stop the ship first."""
    able = sorted(_lingers(ship), key=lambda e: not e.endswith("stopped"))
    return ["bridge"] if "bridge" in able else able


async def _repairing(table: TableLike, war: War, ships: list[Ship]) -> dict[str, str]:
    """Who declares damage control for which effect, both sides at once; by default whom an effect
    has stopped."""
    asked = {
        side: [
            aa.Repairs(
                about=ship.id,
                rule=RULE,
                actors=actors(war, ship),
                choices=(ab.NO, *(e.upper() for e in _mendable(ship))),
                default=_mendable(ship)[0].upper() if ship.speed == STOPPED else ab.NO,
            )
            for ship in ships
            if ship.side == side
        ]
        for side in table.sides
    }
    said = await table.ask_each(asked) if ships else {}
    found = {
        question.about: str(answer).lower()
        for side in table.sides
        for question, answer in zip(asked[side], said.get(side, ()), strict=True)
        if answer != ab.NO
    }
    if found:
        table.tell(table.sides, ea.DamageControl(rule=RULE, ships=tuple(found)))
    return found


def become(table: TableLike, war: War, ship: Ship, effect: str, result: str) -> None:
    """Carry a result of the two tables out."""
    if result == "stays":
        return
    if result == "hit":
        damage.hits(table, war, ship, 1, RULE)
    elif result in ("sunk", "scuttled"):
        damage.sink(table, war, ship, RULE)
    else:
        ship.effects = [e for e in ship.effects if e != effect]
        if result != "repaired" and result not in ship.effects:
            if result == OIL:
                ship.effects = [*ship.effects, result]
            else:
                affect(table, war, ship, result)


def disengage(table: TableLike, war: War, ships: Iterable[Ship]) -> None:
    """A roll for each effect of ships that leave a Battle; what stays lasts until a dockyard."""
    for ship in ships:
        for effect in list(ship.effects):
            if ship.gone == "sunk" or effect not in ship.effects or effect == OIL:
                continue
            label = f"BATTLE/DISENGAGE/{ship.id}/-"
            faces = table.roll(label, TWO_D6, to=table.sides)
            result = outcome("disengagement", effect, sum(faces))
            why = f"rolled {sum(faces)}"
            told = ea.EffectRolled(rule=RULE, why=why, ship=ship.id, effect=effect, result=result)
            table.tell(table.sides, told)
            become(table, war, ship, effect, result)
