"""R187, R171, R194, R197-R200, R208 Who stands where in a Battle: set-up, Maneuver, smoke."""

from __future__ import annotations

from itertools import combinations

from games.atlantic_chase import advanced, advanced_moves, asks
from games.atlantic_chase import asks_advanced as aa
from games.atlantic_chase import asks_battle as ab
from games.atlantic_chase import events as ev
from games.atlantic_chase import events_battle as eb
from games.atlantic_chase.battle_crew import (
    actors,
    board,
    foes,
    force_of,
    in_smoke,
    strength,
    whole,
)
from games.atlantic_chase.battle_dice import ZONES
from games.atlantic_chase.board import BRITISH
from games.atlantic_chase.convoys import may_disperse
from games.atlantic_chase.damage import worth
from games.atlantic_chase.state import Ship, War
from games.atlantic_chase.tables import FAST
from pbem.model import Side, TableLike


async def surprised(table: TableLike, war: War) -> None:
    """R171, C15 The Active side sets up the enemy, each ship in Near or Far; without orders torpedo
    ships and carriers in Near."""
    assert war.fight
    ships = board(war, war.idle)
    force = force_of(war, war.active)
    questions = [
        ab.SetsUp(
            about=ship.id,
            rule="R171",
            actors=(force.id, force.side.upper()),
            choices=(ab.NEAR, ab.FAR),
            default=ab.NEAR if ship.face.torpedo or ship.card.type == "CV" else ab.FAR,
        )
        for ship in ships
    ]
    said = await table.ask(war.active, questions, owed=[war.active])
    for ship, zone in zip(ships, said, strict=True):
        war.fight.zones[ship.id] = str(zone).lower()


async def smoke_up(table: TableLike, war: War) -> None:
    """R187, R199 Smoke at set-up, by doctrine."""
    for side in (war.active, war.idle):
        for ship in board(war, side):
            await _smoke(table, war, ship)
    await cover(table, war)


async def manoeuvre(table: TableLike, war: War) -> None:
    """R197, Q49 The slowest first; in each class of speed the Idle side begins, and the sides move
    ship by ship in turn. Smoke is made and dropped as ships move (R200)."""
    assert war.fight
    for speed in range(FAST + 1):
        lines = [
            [s for s in board(war, side) if s.speed == speed and not s.fort]
            for side in (war.idle, war.active)
        ]
        while any(lines):
            for line in lines:
                if line:
                    await _move(table, war, await _next(table, war, line))
    await cover(table, war)
    if advanced.on(war):
        await advanced_moves.screens(table, war)


async def _next(table: TableLike, war: War, line: list[Ship]) -> Ship:
    """R197 Which ship of a class its owner moves now; it is taken off the list."""
    if len(line) == 1:
        return line.pop()
    side = line[0].side
    question = asks.NextOf(
        about=side.upper(),
        rule="R197",
        actors=whole(war, side),
        choices=tuple(s.id for s in line),
        default=line[0].id,
    )
    (said,) = await table.ask(side, [question], owed=[side])
    return line.pop([s.id for s in line].index(str(said)))


async def _move(table: TableLike, war: War, ship: Ship) -> None:
    """R198, R208 One ship moves a zone or stays, and makes smoke or does not."""
    fight_ = war.fight
    assert fight_
    if advanced.on(war):
        await _move_advanced(table, war, ship)
        return
    here = ZONES.index(fight_.zones[ship.id])
    ways = [ab.HOLD, *([ab.CLOSE] if here < 2 else []), *([ab.OPEN] if here else [])]
    (said,) = await table.ask(ship.side, [_moves(war, ship, ways)], owed=[ship.side])
    _step(war, ship, str(said))
    await _smoke(table, war, ship)
    await _disperse(table, war, ship)
    _tell_move(table, war, ship)


def _moves(war: War, ship: Ship, ways: list[str], kind: type[ab.Moves] = ab.Moves) -> ab.Moves:
    usual = stance(war, ship)
    return kind(
        about=ship.id,
        rule="R198",
        actors=actors(war, ship),
        choices=tuple(ways),
        default=usual if usual in ways else ab.HOLD,
    )


def _step(war: War, ship: Ship, way: str) -> None:
    assert war.fight
    here = ZONES.index(war.fight.zones[ship.id])
    war.fight.zones[ship.id] = ZONES[here + {ab.CLOSE: 1, ab.OPEN: -1}.get(way, 0)]


def _tell_move(table: TableLike, war: War, ship: Ship) -> None:
    assert war.fight
    smoke = ship.id in war.fight.smoke
    told = eb.Manoeuvred(rule="R198", ship=ship.id, zone=war.fight.zones[ship.id], smoke=smoke)
    table.tell(table.sides, told)


async def _move_advanced(table: TableLike, war: War, ship: Ship) -> None:
    """8.3 One ship moves by its attitude, or pursues, or does as the enemy commands; a running one
    alone makes smoke."""
    chief = await advanced_moves.commander(table, war, ship, "move")
    able = advanced_moves.ways(war, ship)
    if chief != ship.side:
        _step(war, ship, await advanced_moves.steered(table, war, ship, chief, able))
    elif not await advanced_moves.pursued(table, war, ship):
        question = _moves(war, ship, able, aa.MovesBy)
        (said,) = await table.ask(ship.side, [question], owed=[ship.side])
        _step(war, ship, str(said))
    await _smoke(table, war, ship, chief)
    await _disperse(table, war, ship)
    _tell_move(table, war, ship)


async def _smoke(table: TableLike, war: War, ship: Ship, chief: Side | None = None) -> None:
    """R026, R199, R200 Neither Convoys nor damaged ships make smoke. chief: who commands it."""
    assert war.fight
    war.fight.smoke = [id_ for id_ in war.fight.smoke if id_ != ship.id]
    if ship.convoy or ship.damaged or ship.fort:
        return
    if advanced.on(war) and war.fight.attitudes.get(ship.id) != "running":  # 8.3
        return
    question: ab.ByDoctrine = ab.MakesSmoke(
        about=ship.id,
        rule="R198",
        actors=actors(war, ship),
        choices=(ab.NO, ab.YES),
        default=ab.NO,
        weaker=strength(board(war, ship.side)) < strength(foes(war, ship.side)),
    )
    side = chief or ship.side
    if side != ship.side:
        question = aa.SteersSmoke(
            about=ship.id,
            rule="R198",
            actors=whole(war, side),
            choices=(ab.NO, ab.YES),
            default=ab.NO,
        )
    (said,) = await table.ask(side, [question], owed=[side])
    if said == ab.YES:
        war.fight.smoke.append(ship.id)


async def _disperse(table: TableLike, war: War, ship: Ship) -> None:
    """R208, C22 A British Convoy may disperse, where the operation permits it."""
    force = force_of(war, ship.side)
    if not ship.convoy or ship.scattered or not may_disperse(war, force):
        return
    heavy = any(s.card.type in ("BB", "BC", "PB") for s in foes(war, ship.side))
    question = ab.Disperses(
        about=ship.id,
        rule="R208",
        actors=actors(war, ship),
        choices=(ab.NO, ab.YES),
        default=ab.YES if heavy else ab.NO,
    )
    (said,) = await table.ask(ship.side, [question], owed=[ship.side])
    if said == ab.YES:
        ship.scattered = True
        table.tell(table.sides, ev.Dispersed(rule="R208", ship=ship.id))


async def cover(table: TableLike, war: War) -> None:
    """R194, R199, R249 Each smoke obscures its ship and up to two others of its side in the zone,
    as their owner says when all have moved; both sides at once."""
    fight_ = war.fight
    assert fight_
    asked = {
        side: [_covers(war, s) for s in board(war, side) if s.id in fight_.smoke]
        for side in table.sides
    }
    said = await table.ask_each(asked) if any(asked.values()) else {}
    fight_.covers = {
        question.about: str(choice).split(" + ") if choice != ab.NOBODY else []
        for side in table.sides
        for question, choice in zip(asked[side], said.get(side, ()), strict=False)
    }
    before, fight_.hidden = fight_.hidden, in_smoke(fight_)
    if fight_.hidden != before:
        table.tell(table.sides, eb.SmokeLies(rule="R199", ships=tuple(fight_.hidden)))


def _covers(war: War, ship: Ship) -> ab.Covers:
    """R199 By default the most valuable that make no smoke themselves; not those whose torpedoes it
    would spoil (R195)."""
    assert war.fight
    zones = war.fight.zones
    near = [s for s in board(war, ship.side) if zones[s.id] == zones[ship.id] and s is not ship]
    near = [s for s in near if s.id not in war.fight.smoke]
    usual = sorted((s for s in near if not _attacks(war, s)), key=worth, reverse=True)
    ids = [s.id for s in near]
    pairs = [*combinations(ids, 2), *((id_,) for id_ in ids)]
    return ab.Covers(
        about=ship.id,
        rule="R199",
        actors=actors(war, ship),
        choices=(*(ab.covered(pair) for pair in pairs), ab.NOBODY),
        default=ab.covered(s.id for s in usual[: ab.COVERED]),
        able=tuple(ids),
    )


def _attacks(war: War, ship: Ship) -> bool:
    """R195 Is it in Close with torpedoes that it has not fired?"""
    assert war.fight
    ready = ship.face.torpedo and not ship.damaged and not ship.torpedoes
    return ready and war.fight.zones[ship.id] == "close"


def stance(war: War, ship: Ship) -> str:
    """R216 Without orders: the British close in, torpedo ships to Close, Convoys, carriers and
    damaged ships to Far; Germans stay in Far but against weak enemies."""
    assert war.fight
    here, others = war.fight.zones[ship.id], foes(war, ship.side)
    if ship.convoy or ship.damaged or ship.card.type in ("CV", "AO"):
        return ab.OPEN
    weak = all(f.damaged or f.card.type in ("CONVOY", "DD", "CL", "AO", "FORT") for f in others)
    torpedoes = any(f.face.torpedo and war.fight.zones[f.id] == "close" for f in others)
    if ship.side != BRITISH and torpedoes:
        return ab.OPEN
    if ship.side == BRITISH or weak:
        return ab.CLOSE if here == "far" or (here == "near" and ship.face.torpedo) else ab.HOLD
    return ab.OPEN


def would_leave(war: War, side: Side) -> bool:
    """R217 Without orders: who has a Convoy or a damaged ship, the British without a capital ship
    against one, and Germans with a tanker or squadron, or that meet a capital ship."""
    own, others = board(war, side), foes(war, side)
    if any(s.convoy or s.damaged for s in own):
        return True
    if side != BRITISH and any(s.card.type in ("AO", "DD") for s in own):
        return True
    heavy = any(s.card.type in ("BB", "BC") for s in others)
    if side == BRITISH:
        return heavy and not any(s.card.type in ("BB", "BC") for s in own)
    return heavy
