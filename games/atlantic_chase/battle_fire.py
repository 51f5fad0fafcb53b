"""R190-R196, R248 Gunnery and torpedoes: all targets are sealed before the first die of a step."""

from __future__ import annotations

from collections.abc import Sequence

from games.atlantic_chase import advanced, leaders
from games.atlantic_chase import asks_battle as ab
from games.atlantic_chase import battle_dice as dice
from games.atlantic_chase import events_battle as eb
from games.atlantic_chase.advanced import Blow
from games.atlantic_chase.battle_moves import actors, board, foes
from games.atlantic_chase.damage import clear, hits, worth
from games.atlantic_chase.state import Ship, War
from games.atlantic_chase.tables import rules
from pbem.model import Dice, Side, TableLike

Shots = list[tuple[Ship, Ship]]
"""Firer and target."""


async def gunnery(table: TableLike, war: War) -> None:
    """R190-R193 Each ship fires once; effects follow when all have fired, but for the first round
    of a Surprise, in which the Active side's hits count before the reply (R171)."""
    assert war.fight
    shots = await _aim(table, war)
    if war.fight.how == "surprise" and war.fight.round == 1:
        await _fire(table, war, [s for s in shots if s[0].side == war.active])
        late = [s for s in shots if s[0].side != war.active]
        await _fire(table, war, [s for s in late if s[0].id in war.fight.zones])
    else:
        await _fire(table, war, shots)


async def _aim(table: TableLike, war: War) -> Shots:
    """R190, Q48 Whom each ship fires at; both sides say so at once."""
    firing = {side: [s for s in board(war, side) if _targets(war, s)] for side in table.sides}
    asked = {side: _questions(war, firing[side]) for side in table.sides}
    said = await table.ask_each(asked)
    return [
        (ship, war.ships[str(target)])
        for side in (war.active, war.idle)
        for ship, target in zip(firing[side], said[side], strict=True)
        if target != ab.NOBODY
    ]


def _targets(war: War, ship: Ship) -> list[Ship]:
    """R190, R032 Enemies that a ship can fire at: nobody, where its gunnery value is none."""
    assert war.fight
    zones = war.fight.zones
    found = [f for f in foes(war, ship.side) if not f.fort]
    return [
        f for f in found if dice.guns(ship, dice.range_of(zones[ship.id], zones[f.id])) is not None
    ]


def _questions(war: War, ships: Sequence[Ship]) -> list[ab.FireAt]:
    """R215 One for each ship that fires. Without orders at a Convoy, else at the highest gunnery
    value at that range; two ships take different targets."""
    found, taken = [], set()
    for ship in ships:
        able = _targets(war, ship)
        named = _named(able) | {"nobody": ab.NOBODY}
        usual = min(able, key=lambda t: (not t.convoy, t.id in taken, -_threat(war, ship, t)))
        taken.add(usual.id)
        question = ab.FireAt(
            about=ship.id,
            rule="R190",
            actors=actors(war, ship),
            choices=(*(t.id for t in able), ab.NOBODY),
            default=usual.id,
            named=named,
        )
        found.append(question)
    return found


def _threat(war: War, ship: Ship, target: Ship) -> int:
    """R215 The target's gunnery value at the range between the two."""
    assert war.fight
    zones = war.fight.zones
    value = dice.guns(target, dice.range_of(zones[ship.id], zones[target.id]))
    return -9 if value is None else value


def _named(able: Sequence[Ship]) -> dict[str, str]:
    """What the words of `target` stand for among these ships."""
    best = max(able, key=_guns)
    return {
        "convoys": next((t.id for t in able if t.convoy), best.id),
        "strongest": best.id,
        "weakest": min(able, key=_guns).id,
        "damaged": max(able, key=lambda t: (t.damaged, t.hits, worth(t))).id,
    }


def _guns(ship: Ship) -> int:
    return max(0, ship.face.close or 0) + max(0, ship.face.far or 0)


async def _fire(table: TableLike, war: War, shots: Shots) -> None:
    """R191-R194 Roll for each shot, then apply all hits."""
    found = [blow for ship, target in shots if (blow := await _shot(table, war, ship, target))]
    apply(table, war, found, "R192")


async def _shot(table: TableLike, war: War, ship: Ship, target: Ship) -> Blow | None:
    """R191-R194 One shot; None from a ship whose guns are silent since it aimed (R171)."""
    fight_ = war.fight
    assert fight_
    at = dice.range_of(fight_.zones[ship.id], fight_.zones[target.id])
    value = dice.guns(ship, at)
    if value is None:
        return None
    label = f"BATTLE/GUNS/{target.id}/{ship.id}"
    count = Dice(dice.dice_count(at), 6)
    faces, added = await leaders.roll_plus(table, war, label, count, ship.side)
    hidden = [s.id in fight_.hidden for s in (ship, target)]
    slow = advanced.speed_bonus(target) if advanced.on(war) else dice.speed_bonus(target)
    bonus = value + slow + dice.smoke_malus(hidden) + added
    total = dice.kept(faces, at) + bonus
    why = f"rolled {' '.join(map(str, faces))}: {total - bonus} {bonus:+d} = {total}"
    if advanced.on(war):
        blow = advanced.shot(war, ship, target, total, at, value)
    else:
        blow = Blow(target, dice.gunnery_hits(total))
    told = eb.Fired(
        rule="R190",
        why=why,
        ship=ship.id,
        target=target.id,
        range=at,
        hits=blow.hits,
        result=blow.kind,
    )
    table.tell(table.sides, told)
    return blow


def apply(table: TableLike, war: War, found: Sequence[Blow], rule: str) -> None:
    """R192, R248 The hits of a step; what is sunk leaves the board."""
    for blow in found:
        if blow.target.gone:
            continue
        if blow.kind:
            advanced.strike(table, war, blow)
        elif blow.hits:
            hits(table, war, blow.target, blow.hits, rule)
    if war.fight:
        war.fight.zones = {s: z for s, z in war.fight.zones.items() if not war.ships[s].gone}
        war.fight.smoke = [s for s in war.fight.smoke if s in war.fight.zones]
        war.fight.hidden = [s for s in war.fight.hidden if s in war.fight.zones]
    clear(table, war)


async def torpedoes(table: TableLike, war: War) -> None:
    """R195, R196, Q44 Torpedo attacks at the same time."""
    armed: dict[Side, list[Ship]] = {
        side: [s for s in board(war, side) if may_torpedo(war, s)] for side in table.sides
    }
    asked = {side: [_torpedo(war, s) for s in armed[side]] for side in table.sides}
    said = await table.ask_each(asked) if any(armed.values()) else {s: [] for s in table.sides}
    found: list[Blow] = []
    for side in (war.active, war.idle):
        for ship, choice in zip(armed[side], said[side], strict=True):
            if choice == ab.NOBODY:
                continue
            target = war.ships[str(choice)]
            label = f"BATTLE/TORPEDO/{target.id}/{ship.id}"
            faces = await leaders.roll(table, war, label, Dice(2, 6), side)
            ship.torpedoes += 1
            blow, why = _torpedo_blow(war, ship, target, sum(faces))
            told = eb.TorpedoFired(
                rule="R196",
                why=why,
                ship=ship.id,
                target=target.id,
                hits=blow.hits,
                result=blow.kind,
            )
            table.tell(table.sides, told)
            found.append(blow)
    apply(table, war, found, "R196")


def _torpedo_blow(war: War, ship: Ship, target: Ship, rolled: int) -> tuple[Blow, str]:
    """R196 What a torpedo attack does, and why."""
    if advanced.on(war):
        total = rolled + advanced.speed_bonus(target)
        return advanced.torpedo(war, ship, target, total), f"rolled {rolled}"
    other, slow = rules().other, dice.speed_bonus(target)
    count = other.torpedo_hits if rolled + slow >= other.torpedo else 0
    return Blow(target, count), f"rolled {rolled} {slow:+d}, needs {other.torpedo}"


def may_torpedo(war: War, ship: Ship) -> bool:
    """R195 An undamaged ship with torpedoes in Close, neither smoking nor obscured, once in an
    operation; a squadron more often where the operation says so."""
    assert war.fight
    most = 2 if ship.card.type == "DD" and war.special("squadron_torpedoes_2") else 1
    ready = ship.face.torpedo and not ship.damaged and ship.torpedoes < most
    clear_view = ship.id not in war.fight.hidden and ship.id not in war.fight.smoke
    from_ = ("close", "near") if advanced.on(war) else ("close",)
    return ready and clear_view and war.fight.zones[ship.id] in from_ and bool(_near(war, ship))


def _near(war: War, ship: Ship) -> list[Ship]:
    """R195, R032 Enemies in Close or Near."""
    assert war.fight
    zones = war.fight.zones
    return [f for f in foes(war, ship.side) if zones[f.id] != "far" and not f.fort]


def _torpedo(war: War, ship: Ship) -> ab.TorpedoAt:
    able = _near(war, ship)
    return ab.TorpedoAt(
        about=ship.id,
        rule="R195",
        actors=actors(war, ship),
        choices=(*(t.id for t in able), ab.NOBODY),
        default=max(able, key=worth).id,
        named=_named(able),
    )
