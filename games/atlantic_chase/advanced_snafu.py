"""The Snafu Check as a Battle begins (8.3), and the Confusion marker."""

from __future__ import annotations

from msgspec.structs import replace

from games.atlantic_chase import asks_advanced as aa
from games.atlantic_chase import asks_battle as ab
from games.atlantic_chase import events_advanced as ea
from games.atlantic_chase.advanced import NO_RADAR, RULE, Blow, cell
from games.atlantic_chase.battle_crew import board, foes, whole
from games.atlantic_chase.damage import worth
from games.atlantic_chase.state import Ship, War
from pbem.model import D6, TWO_D6, Side, TableLike

LATE = {"boiler room": 1, "mechanical distress": 2}
"""Result -> the round at whose end the ship comes onto the board."""


async def check(table: TableLike, war: War) -> None:
    """Two dice of the Active side by the weather of the hex, and what follows."""
    fight = war.fight
    assert fight
    dice = table.roll(f"BATTLE/SNAFU/{fight.at}/-", TWO_D6, to=table.sides)
    fight.snafu = cell(f"snafu_{fight.sky}", sum(dice), 0)
    why, ship, side = f"rolled {sum(dice)}", "", ""
    if fight.snafu in LATE and len(board(war, war.active)) < 2:
        fight.snafu, why = "confusion", f"{why}, one ship alone"
    if fight.snafu in LATE:
        ship = await _hindered(table, war, war.idle)
        fight.late = {ship: LATE[fight.snafu]}
        del fight.zones[ship]
    elif fight.snafu == "no radar":
        ship = await _hindered(table, war, _chosen(table, war))
        struck = war.ships[ship]
        if NO_RADAR not in struck.effects:
            struck.effects = [*struck.effects, NO_RADAR]
    elif fight.snafu == "confusion":
        side = fight.confused = _chosen(table, war)
    elif fight.snafu == "good visibility":
        fight.rounds += 1
    told = ea.SnafuChecked(rule=RULE, why=why, result=fight.snafu, ship=ship, side=side)
    table.tell(table.sides, told)


def _chosen(table: TableLike, war: War) -> Side:
    """Whom a result favours: the Active side on an even die."""
    assert war.fight
    (die,) = table.roll(f"BATTLE/FAVOUR/{war.fight.at}/-", D6, to=table.sides)
    return war.idle if die % 2 else war.active


async def _hindered(table: TableLike, war: War, side: Side) -> str:
    """The enemy ship that a side names, by default the most valuable."""
    able = [s for s in foes(war, side) if not s.fort]
    question = aa.Hinders(
        about=side.upper(),
        rule=RULE,
        actors=whole(war, side),
        choices=tuple(s.id for s in able),
        default=max(able, key=worth).id,
    )
    (said,) = await table.ask(side, [question], owed=[side])
    return str(said)


def arrive(table: TableLike, war: War) -> None:
    """The ship that is late comes onto the board, in Far and closing."""
    fight = war.fight
    assert fight
    for ship, after in list(fight.late.items()):
        if fight.round >= after:
            fight.late = {}
            fight.zones = {**fight.zones, ship: "far"}
            fight.attitudes = {**fight.attitudes, ship: "closing"}
            table.tell(table.sides, ea.ShipJoins(rule=RULE, ship=ship))


async def confused(table: TableLike, war: War, ship: Ship, what: str) -> bool:
    """Does the enemy spend the Confusion marker to command this ship's attitude or move?"""
    assert war.fight
    holder = Side(war.fight.confused) if war.fight.confused else None
    if holder is None or holder == ship.side:
        return False
    return await _spends(table, war, holder, ship, what, ()) != ab.NOBODY


async def shifted(table: TableLike, war: War, found: list[Blow]) -> list[Blow]:
    """Blows of a step as the Confusion marker leaves them: it moves one to another ship of the side
    that has it, before anybody knows what it does."""
    assert war.fight
    result = []
    for blow in found:
        now, ship = blow, blow.target
        if war.fight.confused == ship.side and (blow.hits or blow.kind):
            able = tuple(s.id for s in board(war, ship.side) if s is not ship and not s.fort)
            onto = await _spends(table, war, ship.side, ship, "hit", able) if able else ab.NOBODY
            if onto != ab.NOBODY:
                now = replace(blow, target=war.ships[onto])
        result.append(now)
    return result


async def _spends(
    table: TableLike, war: War, side: Side, ship: Ship, what: str, onto: tuple[str, ...]
) -> str:
    assert war.fight
    question = aa.Confuses(
        about=ship.id,
        rule=RULE,
        actors=whole(war, side),
        choices=(ab.NOBODY, *(onto or (ab.YES,))),
        default=ab.NOBODY,
        what=what,
    )
    (said,) = await table.ask(side, [question], owed=[side])
    if said != ab.NOBODY:
        war.fight.confused = ""
        taker = str(said) if onto else ""
        told = ea.Confused(rule=RULE, side=side, what=what, ship=ship.id, onto=taker)
        table.tell(table.sides, told)
    return str(said)
