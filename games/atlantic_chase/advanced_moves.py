"""Maneuver of the advanced Battle (8.3): rudders, pursuit, screens; Break Away by single ships."""

from __future__ import annotations

from games.atlantic_chase import advanced_snafu as snafu
from games.atlantic_chase import asks_advanced as aa
from games.atlantic_chase import asks_battle as ab
from games.atlantic_chase import events_advanced as ea
from games.atlantic_chase import leaders
from games.atlantic_chase.advanced import RULE
from games.atlantic_chase.battle_crew import actors, board, foes, whole
from games.atlantic_chase.battle_dice import ZONES, break_away_bonus
from games.atlantic_chase.state import Ship, War
from games.atlantic_chase.tables import STOPPED, rules
from pbem.model import D6, Dice, Side, TableLike

STEP = {"closing": 1, "running": -1}
"""Zones that a ship may move, by its attitude; an acquiring one none."""


async def commander(table: TableLike, war: War, ship: Ship, what: str) -> Side:
    """Who commands a ship: the enemy on an odd die if its rudder is hit, or by Confusion. what:
    `attitude` or `move`."""
    enemy = war.idle if ship.side == war.active else war.active
    if "rudder" in ship.effects:
        (die,) = table.roll(f"BATTLE/RUDDER/{ship.id}/-", D6, to=table.sides)
        side = enemy if die % 2 else ship.side
        told = ea.RudderRolled(rule=RULE, why=f"rolled {die}", ship=ship.id, side=side)
        table.tell(table.sides, told)
        if side == enemy:
            return side
    return enemy if await snafu.confused(table, war, ship, what) else ship.side


def ways(war: War, ship: Ship) -> list[str]:
    """How a ship may move: not at all, or one zone by its attitude. Without a bridge only if it has
    not fired."""
    fight = war.fight
    assert fight
    bound = ship.speed == STOPPED or ("bridge" in ship.effects and ship.id not in fight.helm)
    step = 0 if bound else STEP.get(fight.attitudes[ship.id], 0)
    if not 0 <= ZONES.index(fight.zones[ship.id]) + step <= 2:
        step = 0
    return [ab.HOLD, *([ab.CLOSE] if step > 0 else []), *([ab.OPEN] if step < 0 else [])]


async def steered(table: TableLike, war: War, ship: Ship, side: Side, able: list[str]) -> str:
    """How the enemy moves a ship that he commands; by default towards himself."""
    (said,) = await table.ask(side, [steers(war, ship, side, able)], owed=[side])
    return str(said)


def steers(war: War, ship: Ship, side: Side, able: list[str]) -> aa.Steers:
    """The question of an attitude or a move to the side that commands an enemy ship."""
    near = next((c for c in (ab.CLOSE, aa.CLOSING) if c in able), able[0])
    return aa.Steers(
        about=ship.id, rule=RULE, actors=whole(war, side), choices=tuple(able), default=near
    )


async def pursued(table: TableLike, war: War, ship: Ship) -> bool:
    """A closing ship in Near or Close may draw an enemy one zone nearer in place of moving: one
    that is slower, or an acquiring one that is not faster."""
    fight = war.fight
    assert fight
    if fight.attitudes[ship.id] != "closing" or fight.zones[ship.id] == "far":
        return False
    able = [f for f in foes(war, ship.side) if _drawn(war, ship, f)]
    if not able or ship.speed == STOPPED:
        return False
    question = aa.Pursues(
        about=ship.id,
        rule=RULE,
        actors=actors(war, ship),
        choices=(*(f.id for f in able), ab.NOBODY),
        default=ab.NOBODY,
    )
    (said,) = await table.ask(ship.side, [question], owed=[ship.side])
    if said == ab.NOBODY:
        return False
    zone = ZONES[ZONES.index(fight.zones[str(said)]) + 1]
    fight.zones[str(said)] = zone
    table.tell(table.sides, ea.Pursued(rule=RULE, ship=ship.id, target=str(said), zone=zone))
    return True


def _drawn(war: War, ship: Ship, foe: Ship) -> bool:
    assert war.fight
    if foe.fort or war.fight.zones[foe.id] == "close":
        return False
    if war.fight.attitudes.get(foe.id) == "acquiring":
        return ship.speed >= foe.speed
    return ship.speed > foe.speed


async def screens(table: TableLike, war: War) -> None:
    """When all have moved: an acquiring ship in Far may screen another one of its side (what that
    does is our own). Both sides at once; who screens is not screened."""
    fight = war.fight
    assert fight
    asked = {side: _screens(war, side) for side in table.sides}
    said = await table.ask_each(asked) if any(asked.values()) else {}
    fight.screened = {}
    for side in table.sides:
        for question, answer in zip(asked[side], said.get(side, ()), strict=True):
            taken = {*fight.screened, *fight.screened.values()}
            if answer != ab.NOBODY and not {question.about, str(answer)} & taken:
                fight.screened[str(answer)] = question.about
                told = ea.Screened(rule=RULE, ship=question.about, screened=str(answer))
                table.tell(table.sides, told)


def _screens(war: War, side: Side) -> list[aa.Screens]:
    able = [s for s in board(war, side) if _may_screen(war, s)]
    return [
        aa.Screens(
            about=ship.id,
            rule=RULE,
            actors=actors(war, ship),
            choices=(*(s.id for s in able if s is not ship), ab.NOBODY),
            default=ab.NOBODY,
        )
        for ship in able
        if len(able) > 1
    ]


def _may_screen(war: War, ship: Ship) -> bool:
    assert war.fight
    far = war.fight.zones.get(ship.id) == "far"
    return far and not ship.fort and war.fight.attitudes.get(ship.id) == "acquiring"


def screened(war: War, ship: Ship) -> bool:
    """Can nobody fire at it, as its screen and it are acquiring in Far still?"""
    assert war.fight
    before = war.ships.get(war.fight.screened.get(ship.id, ""))
    return before is not None and all(_may_screen(war, s) for s in (ship, before))


# Break Away


def runners(war: War, side: Side) -> list[Ship]:
    """The ships that may break away: those that are running and can move."""
    assert war.fight
    ways_ = war.fight.attitudes
    able = [s for s in board(war, side) if ways_.get(s.id) == "running" and not s.fort]
    return [s for s in able if s.speed != STOPPED]


async def break_away(
    table: TableLike, war: War, usual: dict[Side, bool]
) -> tuple[list[Side], dict[Side, list[str]]]:
    """Each running ship may try by itself; both sides say so at once, and no dice fall where all
    ships of both go. usual: what a side does without orders. Returns the sides of which a ship
    failed, and who leaves."""
    assert war.fight
    asked = {
        side: [_runs(war, ship, usual[side]) for ship in runners(war, side)] for side in table.sides
    }
    said = await table.ask_each(asked) if any(asked.values()) else {}
    going = {
        side: [
            question.about
            for question, answer in zip(asked[side], said.get(side, ()), strict=True)
            if answer == ab.YES
        ]
        for side in (war.active, war.idle)
    }
    if all(len(ids) == len(board(war, side)) for side, ids in going.items()):
        return [], going
    away = {
        side: [id_ for id_ in ids if await _runs_free(table, war, war.ships[id_])]
        for side, ids in going.items()
    }
    return [side for side, ids in away.items() if len(ids) < len(going[side])], away


def _runs(war: War, ship: Ship, usual: bool) -> aa.Runs:
    return aa.Runs(
        about=ship.id,
        rule=RULE,
        actors=actors(war, ship),
        choices=(ab.NO, ab.YES),
        default=ab.YES if usual else ab.NO,
    )


async def _runs_free(table: TableLike, war: War, ship: Ship) -> bool:
    """R202 Two dice for the ship, of three in fog the higher two; modifiers as of the ship alone,
    and 1 more off where an enemy in Near or Close is closing."""
    fight, others = war.fight, foes(war, ship.side)
    assert fight
    dice = Dice(3 if fight.snafu == "fog" else 2, 6)
    label = f"BATTLE/EXIT/-/{ship.id}"
    faces, added = await leaders.roll_plus(table, war, label, dice, ship.side)
    total = sum(sorted(faces)[-2:]) + added
    bonus = break_away_bonus([ship], others, fight.zones, war.options.get("slowest", "rulebook"))
    pressed = [
        f for f in others if fight.zones[f.id] != "far" and fight.attitudes.get(f.id) == "closing"
    ]
    bonus -= int(bool(pressed))
    away = total + bonus >= rules().other.break_away
    why = f"rolled {total} {bonus:+d}, needs {rules().other.break_away}"
    table.tell(table.sides, ea.ShipRuns(rule=RULE, why=why, ship=ship.id, away=away))
    return away
