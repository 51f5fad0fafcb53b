"""R190-R196, R248 Gunnery and torpedoes: all targets are sealed before the first die of a step."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from games.atlantic_chase import advanced, advanced_moves, advanced_snafu, leaders
from games.atlantic_chase import asks_advanced as aa
from games.atlantic_chase import asks_battle as ab
from games.atlantic_chase import battle_dice as dice
from games.atlantic_chase import events_battle as eb
from games.atlantic_chase.advanced import Blow
from games.atlantic_chase.battle_crew import actors, board, foes, lift_smoke
from games.atlantic_chase.damage import clear, hits, settle, worth
from games.atlantic_chase.state import Ship, War
from games.atlantic_chase.tables import rules
from pbem.model import Dice, Side, TableLike

Shots = list[tuple[Ship, Ship, int | None]]
"""Firer, target, and the part of the gunnery value that counts, None for all of it."""


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
    parted = await _divided(table, war, firing) if advanced.on(war) else {}
    shots: Shots = []
    for side in (war.active, war.idle):
        for ship, target in zip(firing[side], said[side], strict=True):
            if parts := parted.get(ship.id):
                shots += [(ship, war.ships[foe], value) for foe, value in parts]
            elif target != ab.NOBODY:
                shots.append((ship, war.ships[str(target)], None))
    return shots


async def _divided(
    table: TableLike, war: War, firing: dict[Side, list[Ship]]
) -> dict[str, list[tuple[str, int]]]:
    """8.3 Who divides its fire: ship -> its two targets, each with its part of the value."""
    asked = {
        side: [q for ship in ships if (q := _divides(war, ship))] for side, ships in firing.items()
    }
    said = await table.ask_each(asked) if any(asked.values()) else {}
    return {
        question.about: aa.parted(str(answer))
        for side in firing
        for question, answer in zip(asked[side], said.get(side, ()), strict=True)
        if answer != ab.NOBODY
    }


def _divides(war: War, ship: Ship) -> aa.Divides | None:
    """8.3 The question to an acquiring ship with a gunnery value of 1 or more and two enemies at
    one range; None for others."""
    fight_ = war.fight
    assert fight_
    if fight_.attitudes.get(ship.id) != "acquiring":
        return None
    choices = []
    for one, other in permutations(_targets(war, ship), 2):
        at, too = (dice.range_of(fight_.zones[ship.id], fight_.zones[f.id]) for f in (one, other))
        value = dice.guns(ship, at) or 0
        if at == too and value >= 1:
            parts = range(value + 1)
            choices += [f"{one.id} {part} / {other.id} {value - part}" for part in parts]
    if not choices:
        return None
    return aa.Divides(
        about=ship.id,
        rule=advanced.RULE,
        actors=actors(war, ship),
        choices=(*choices, ab.NOBODY),
        default=ab.NOBODY,
    )


def _targets(war: War, ship: Ship) -> list[Ship]:
    """R190, R032 Enemies that a ship can fire at: nobody, where its gunnery value is none; 8.3 nor
    if effects keep it from firing, and nobody behind a screen."""
    assert war.fight
    zones = war.fight.zones
    found = [f for f in foes(war, ship.side) if not f.fort]
    if advanced.on(war):
        barred = advanced.silent(war, ship)
        found = [] if barred else [f for f in found if not advanced_moves.screened(war, f)]
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
    found = [blow for shot in shots if (blow := await _shot(table, war, *shot))]
    if advanced.on(war):
        found = await advanced_snafu.shifted(table, war, found)
    await apply(table, war, found, "R192")


async def _shot(
    table: TableLike, war: War, ship: Ship, target: Ship, part: int | None
) -> Blow | None:
    """R191-R194 One shot; None from a ship whose guns are silent since it aimed (R171). part: of
    the gunnery value, where the fire is divided."""
    fight_ = war.fight
    assert fight_
    at = dice.range_of(fight_.zones[ship.id], fight_.zones[target.id])
    value = dice.guns(ship, at)
    if value is None or (advanced.on(war) and advanced.silent(war, ship)):
        return None
    value = value if part is None else part
    label = f"BATTLE/GUNS/{target.id}/{ship.id}"
    count = Dice(dice.dice_count(at), 6)
    faces, added = await leaders.roll_plus(table, war, label, count, ship.side)
    hidden = [s.id in fight_.hidden for s in (ship, target)]
    slow = advanced.speed_bonus(target) if advanced.on(war) else dice.speed_bonus(target)
    bonus = value + slow + dice.smoke_malus(hidden) + added
    bonus -= advanced.malus(fight_, ship, at) if advanced.on(war) else 0
    total = dice.kept(faces, at) + bonus
    why = f"rolled {' '.join(map(str, faces))}: {total - bonus} {bonus:+d} = {total}"
    if advanced.on(war):
        blow = advanced.shot(war, ship, target, total, at, value, part is None)
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


async def apply(table: TableLike, war: War, found: Sequence[Blow], rule: str) -> None:
    """R192, R248 The hits of a step; what is sunk leaves the board."""
    for blow in found:
        if blow.target.gone:
            continue
        if blow.kind:
            advanced.strike(table, war, blow)
        elif blow.hits:
            hits(table, war, blow.target, blow.hits, rule)
    await clear_board(table, war)


async def clear_board(table: TableLike, war: War) -> None:
    """R192, R186 Who is sunk leaves the board and its Task Force; leaders go to other ships."""
    if war.fight:
        war.fight.zones = {s: z for s, z in war.fight.zones.items() if not war.ships[s].gone}
        lift_smoke(table, war.fight)
    clear(table, war)
    await settle(table, war)


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
    if advanced.on(war):
        found = await advanced_snafu.shifted(table, war, found)
    await apply(table, war, found, "R196")


def _torpedo_blow(war: War, ship: Ship, target: Ship, rolled: int) -> tuple[Blow, str]:
    """R196 What a torpedo attack does, and why."""
    if advanced.on(war):
        bonus = advanced.torpedo_bonus(war, ship, target)
        total = rolled + bonus
        return advanced.torpedo(target, total), f"rolled {rolled} {bonus:+d} = {total}"
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
    if advanced.on(war) and war.fight.attitudes.get(ship.id) != "closing":  # 8.3
        return False
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
